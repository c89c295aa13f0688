"""Read diffs as values: which paths changed, and their hunks with every line's number and bytes.

git is asked for raw records and the patch in one call; the paths come from the records, which are
exact, and never from the patch's headers, which quote and prefix them. Plumbing only: the user's
diff settings (`diff.noprefix`, external diffs, colours) change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sidelight.errors import GitError
from sidelight.git.rawdiff import parse_change
from sidelight.git.repository import Repository
from sidelight.model import FileChange

CONTEXT_LINES = 3
HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")
ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
ESCAPES = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
}
OPTIONS = (
    *("--raw", "-p", "-z", "-r", "--full-index", "--no-abbrev", "--no-color", "--no-ext-diff"),
    *("--no-textconv", "--ignore-submodules=none", "--src-prefix=a/", "--dst-prefix=b/"),
    *(f"-U{CONTEXT_LINES}", "-M50%", "-l1000", "-O/dev/null", "--diff-algorithm=histogram"),
)


class LineKind(StrEnum):
    """What a line of a hunk is."""

    CONTEXT = " "
    ADDED = "+"
    REMOVED = "-"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a hunk: its number on the side(s) it is on (else None) and its bytes, no end."""

    kind: LineKind
    old: int | None
    new: int | None
    text: bytes


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch of changed lines with its context. Lines are 1-based; a count may be 0.

    `section` is what git shows after the `@@`: the enclosing definition's line, by its guess.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    section: bytes
    lines: tuple[DiffLine, ...]

    @property
    def added(self) -> tuple[DiffLine, ...]:
        """The lines that only the new side has."""
        return tuple(line for line in self.lines if line.kind is LineKind.ADDED)

    @property
    def removed(self) -> tuple[DiffLine, ...]:
        """The lines that only the old side has."""
        return tuple(line for line in self.lines if line.kind is LineKind.REMOVED)


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One changed path with its hunks; none for binaries, pure renames and mode changes."""

    change: FileChange
    hunks: tuple[Hunk, ...]
    is_binary: bool


def diff_revisions(
    repo: Repository, base: str, head: str, paths: Sequence[bytes] = ()
) -> list[FileDiff]:
    """Return the difference between two trees (or commits), in git's order.

    With `paths`, only of those (exact paths or folders); renames are then found among them only.

    Raises:
        GitError: an id is not one of this repository.
    """
    ids = [repo.require_object_id(base), repo.require_object_id(head)]
    return _run(repo, ["diff-tree", *OPTIONS, *ids], paths)


def diff_staged(repo: Repository, base: str, paths: Sequence[bytes] = ()) -> list[FileDiff]:
    """Return the difference between a commit and git's index (what `git add` has taken up).

    Raises:
        GitError: the repository is bare.
    """
    _require_worktree(repo)  # without one the index is empty, and all would be deleted
    words = ["diff-index", "--cached", *OPTIONS, repo.require_object_id(base)]
    return _run(repo, words, paths)


def diff_worktree(repo: Repository, base: str, paths: Sequence[bytes] = ()) -> list[FileDiff]:
    """Return the difference between a commit and the files on disk that git tracks.

    The new blobs of files that differ from git's index are unknown: `new_blob` is then all zeros.

    Raises:
        GitError: the repository is bare.
    """
    _require_worktree(repo)
    return _run(repo, ["diff-index", *OPTIONS, repo.require_object_id(base)], paths)


def _require_worktree(repo: Repository) -> None:
    if repo.worktree is None:
        raise GitError("a bare repository has no working tree", hint="compare two revisions")


def _run(repo: Repository, words: list[str], paths: Sequence[bytes]) -> list[FileDiff]:
    output = repo.run([*words, "--", *(b":(literal,top)" + path for path in paths)])
    return list(parse_diff(output))


def parse_diff(output: bytes) -> Iterator[FileDiff]:
    """Yield the changes of `git diff-… --raw -p -z`: records, an empty one, then the patch."""
    changes, patch = _split_records(output)
    sections = list(_split_sections(patch))
    at = 0
    for change, letter in changes:
        count = _count_sections(change, letter, sections[at : at + 1])
        if count == 0 and letter != "U":
            continue  # the file was touched, and is what it was
        lines = [line for section in sections[at : at + count] for line in section[1:]]
        at += count
        is_binary = any(line.startswith((b"Binary files ", b"GIT binary patch")) for line in lines)
        yield FileDiff(change, () if is_binary else tuple(_hunks(lines)), is_binary)


def _split_records(output: bytes) -> tuple[list[tuple[FileChange, str]], bytes]:
    changes: list[tuple[FileChange, str]] = []
    at = 0
    while output[at : at + 1] == b":":
        head_end = output.index(b"\0", at)
        head = output[at:head_end]
        letter = head.rpartition(b" ")[2][:1].decode("ascii", "replace")
        at = head_end + 1
        names = []
        for _ in range(2 if letter in "RC" else 1):
            end = output.index(b"\0", at)
            names.append(output[at:end])
            at = end + 1
        changes.append((parse_change(head, iter(names)), letter))
    return changes, output[at:].removeprefix(b"\0")


def _split_sections(patch: bytes) -> Iterator[list[bytes]]:
    """Yield each file's lines from its header on; within hunks no line begins with a `d`."""
    section: list[bytes] | None = None
    for line in patch.split(b"\n"):
        if line.startswith(b"diff --git "):
            if section is not None:
                yield section
            section = [line]
        elif section is not None:
            section.append(line)
    if section is not None:
        yield section


def _count_sections(change: FileChange, letter: str, following: list[list[bytes]]) -> int:
    """Return how many sections of the patch belong to a record, given the next one."""
    if letter == "U":  # a conflict: the patch has only a remark
        return 0
    if letter == "T":  # a changed type is a deletion and an addition to the patch
        return 2
    is_unread = letter == "M" and not (change.new_blob or "").strip("0")
    if is_unread and change.old_mode == change.new_mode:
        # git has a record, but no section, of a file whose times alone differ from the index's.
        return int(any(_path_of(section[0]) == change.path for section in following))
    return 1


def _path_of(header: bytes) -> bytes:
    """Return the path in `diff --git a/PATH b/PATH`, both being the same, perhaps quoted."""
    names = header.removeprefix(b"diff --git ")
    name = names[: len(names) // 2]  # two names of one length, and a space between them
    if name[:1] != b'"':
        return name.removeprefix(b"a/")
    plain = ESCAPE.sub(lambda match: _unescape(match[1]), name[1:-1])
    return plain.removeprefix(b"a/")


def _unescape(code: bytes) -> bytes:
    return bytes([int(code, 8)]) if len(code) == 3 else ESCAPES.get(code, code)


def _hunks(lines: list[bytes]) -> Iterator[Hunk]:
    at = 0
    while at < len(lines):
        match = HUNK.match(lines[at])
        at += 1
        if match is None:
            continue
        old, new = int(match[1]), int(match[3])
        old_count = 1 if match[2] is None else int(match[2])
        new_count = 1 if match[4] is None else int(match[4])
        body: list[DiffLine] = []
        old_left, new_left = old_count, new_count
        old_line, new_line = old, new
        while at < len(lines) and (old_left > 0 or new_left > 0):
            kind, text = lines[at][:1], lines[at][1:]
            at += 1
            if kind == b"\\":  # "\ No newline at end of file"
                continue
            if kind == b"+":
                body.append(DiffLine(LineKind.ADDED, None, new_line, text))
                new_line, new_left = new_line + 1, new_left - 1
            elif kind == b"-":
                body.append(DiffLine(LineKind.REMOVED, old_line, None, text))
                old_line, old_left = old_line + 1, old_left - 1
            else:
                body.append(DiffLine(LineKind.CONTEXT, old_line, new_line, text))
                old_line, new_line = old_line + 1, new_line + 1
                old_left, new_left = old_left - 1, new_left - 1
        yield Hunk(old, old_count, new, new_count, match[5], tuple(body))
