"""Stream commits with the paths they touched, newest first. Plumbing only; bounded; resumable."""

from __future__ import annotations

import subprocess
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING, cast

from sidelight.errors import GitError
from sidelight.git.repository import Repository

if TYPE_CHECKING:
    from sidelight.model import FileChange

BLOCK = 1 << 18
# Above this many candidates git compares moved files by id and file name only (its own default).
RENAME_LIMIT = 1000
FORMAT = "%H%x00%P%x00%at%x00%s%x00%b"
N_FIELDS = FORMAT.count("%x00") + 1


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit, and what it changed against its only parent.

    `author_time` is in seconds since 1970 (0 if the commit's own line is malformed). Text is
    UTF-8 whatever the commit's encoding. Merges have no changes. A commit at the edge of a
    shallow clone has neither parents nor changes (`is_boundary`): what it changed is not known.
    """

    oid: str
    parents: tuple[str, ...]
    author_time: int
    subject: str
    body: str
    changes: tuple[FileChange, ...]
    is_boundary: bool = False


def iter_commits(
    repo: Repository, rev: str, *, since: str | None = None, limit: int | None = None
) -> Generator[Commit, None, None]:
    """Yield the ancestors of `rev`, and itself, newest first; at most `limit` of them.

    With `since`, those that `since` does not have: reading may go on where it ended. Renames are
    found (git's -M, half of the content alike); in a partial clone only exact ones, because the
    others would need blobs. The root commit's files are all ADDED. Git is ended when the iterator
    is closed.

    Raises:
        UnknownRevisionError: `rev` or `since` is not here (`since` may have been rewritten and
            collected: start anew then).
        MissingObjectError: history leads to an object that is not here.
    """
    tips = [rev if repo.is_object_id(rev) else repo.resolve_commit(rev)]
    if since is not None:
        tips.append(f"^{repo.resolve_commit(since)}")
    if repo.is_object_id(rev):
        repo.tree_of(rev)  # a clear refusal, before anything was yielded
    words = _log_words(repo, limit)
    return _stream(repo, [*words, *tips], shallow_boundary(repo))


def newest_commits(repo: Repository, commit: str, limit: int) -> list[Commit]:
    """Return the first `limit` commits that `iter_commits` yields for a commit, given by its id.

    One process and all its output at once: for the few new commits that a hook finds.

    Raises:
        GitError: the commit is not here.
        MissingObjectError: history leads to an object that is not here.
    """
    output = repo.run([*_log_words(repo, limit), repo.require_object_id(commit)])
    tokens = iter(output.split(b"\0")[:-1])
    return list(_parse_commits(tokens, shallow_boundary(repo)))


def _log_words(repo: Repository, limit: int | None) -> list[str]:
    words = ["log", "-z", "--raw", "--no-abbrev", f"--format={FORMAT}", "--encoding=UTF-8"]
    words += ["--root", "--diff-merges=off", "--no-show-signature", "--no-ext-diff", "--no-color"]
    words += ["--ignore-submodules=none", "-O/dev/null"]
    words += ["-M100%" if repo.is_partial else "-M50%", f"-l{RENAME_LIMIT}"]
    if limit is not None:
        words.append(f"--max-count={max(limit, 0)}")
    return words


def _stream(
    repo: Repository, words: list[str], boundary: frozenset[str]
) -> Generator[Commit, None, None]:
    with closing(_tokens(repo, words)) as tokens:  # ends git when this iterator is closed
        yield from _parse_commits(tokens, boundary)


def shallow_boundary(repo: Repository) -> frozenset[str]:
    """Return the commits whose parents the shallow clone left out."""
    if not repo.is_shallow:
        return frozenset()
    try:
        return frozenset((repo.common_dir / "shallow").read_text("ascii").split())
    except FileNotFoundError:
        return frozenset()  # deepened in the meantime


def _tokens(repo: Repository, words: list[str]) -> Generator[bytes, None, None]:
    """Yield what stands between the NULs of git's answer."""
    import tempfile  # noqa: PLC0415  (11 ms; a pipe for messages could fill up and block git)

    with tempfile.TemporaryFile() as messages:
        process = repo.start(words, stderr=messages.fileno())
        output = cast("IO[bytes]", process.stdout)
        try:
            rest = b""
            while block := output.read1(BLOCK):  # type: ignore[attr-defined]
                parts = (rest + block).split(b"\0")
                rest = parts.pop()
                yield from parts
            if process.wait() != 0 or rest:
                messages.seek(0)
                raise repo.refusal(words, process.returncode, messages.read())
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    if process.stdout is not None:
        process.stdout.close()
    process.wait()


def _parse_commits(tokens: Iterator[bytes], boundary: frozenset[str]) -> Iterator[Commit]:
    """Build commits from the fields of `FORMAT`, each followed by a raw diff or none.

    After the fields comes `LF :…` if there is a diff, else the next commit's id.
    """
    token = next(tokens, None)
    while token is not None:
        oid = token.decode("ascii")
        fields = list(islice(tokens, N_FIELDS - 1))
        if len(fields) != N_FIELDS - 1:
            raise GitError("git log ended in the middle of a commit")
        parents, time, subject, body = fields
        changes = []
        token = next(tokens, None)
        while token is not None and token.lstrip(b"\n")[:1] == b":":
            from sidelight.git.rawdiff import parse_change  # noqa: PLC0415 - loads the model

            changes.append(parse_change(token.lstrip(b"\n"), tokens))
            token = next(tokens, None)
        is_boundary = oid in boundary
        yield Commit(
            oid=oid,
            parents=tuple(parents.decode("ascii").split()),
            author_time=_seconds(time),
            subject=subject.decode("utf-8", "replace"),
            body=body.decode("utf-8", "replace").strip("\n"),
            changes=() if is_boundary else tuple(changes),
            is_boundary=is_boundary,
        )


def _seconds(word: bytes) -> int:
    try:
        return int(word)
    except ValueError:
        return 0
