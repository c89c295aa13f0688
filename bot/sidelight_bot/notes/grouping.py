"""Cut a diff into groups of hunks that a model can read at once, most telling first. Pure.

Lines are shown with the number that a note has to name; what does not fit is told, never dropped
in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sidelight.focal import FocalFile, FocalSet
from sidelight.git.diffs import DiffLine, Hunk, LineKind
from sidelight.model import display_path
from sidelight.packing.counting import count_tokens
from sidelight.search.pathkind import PathKind, path_kind

GROUP_TOKENS = 2500  # of diff text in one call; the context comes on top
MAX_GROUPS = 6
MAX_LINE = 400  # characters of one line that are shown
_RANK = {kind: at for at, kind in enumerate(PathKind)}  # production code is read first


@dataclass(frozen=True, slots=True)
class FileHunks:
    """Hunks of one file, in order."""

    file: FocalFile
    hunks: tuple[Hunk, ...]

    @property
    def path(self) -> str:
        """The path at head as it is shown."""
        return display_path(self.file.path)


@dataclass(frozen=True, slots=True)
class HunkGroup:
    """Hunks that are reviewed together; `tokens` counts their text."""

    parts: tuple[FileHunks, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Grouping:
    """The groups that are read, and the files of which some hunks are not, with the reason."""

    groups: tuple[HunkGroup, ...]
    unread: tuple[tuple[str, str], ...]


def group_hunks(focal: FocalSet, *, tokens: int = GROUP_TOKENS, most: int = MAX_GROUPS) -> Grouping:
    """Return the diff's hunks in groups of at most `tokens`, and what is not read.

    Files keep together where they fit; a file larger than a group is read hunk by hunk. A hunk
    larger than a group is unread: a part of it would be judged without the rest.
    """
    groups: list[HunkGroup] = []
    unread: dict[str, str] = {}
    open_parts: list[FileHunks] = []
    used = 0

    def close() -> None:
        nonlocal used
        if open_parts:
            groups.append(HunkGroup(tuple(open_parts), used))
        open_parts.clear()
        used = 0

    for part, cost in _parts(focal, tokens):
        if cost > tokens:
            unread[part.path] = "a hunk is too long for the model"
            continue
        if used + cost > tokens:
            close()
        if len(groups) == most:
            unread.setdefault(part.path, "the change is too large for the model's budget")
            continue
        open_parts.append(part)
        used += cost
    if len(groups) < most:
        close()
    return Grouping(tuple(groups), tuple(sorted(unread.items())))


def render_hunks(part: FileHunks) -> str:
    """Return a file's hunks with numbered lines: `+ 12`, `- 10` and `  11`, then `| text`."""
    return "\n".join(
        [f"file: {part.path}", *(line for hunk in part.hunks for line in _render(hunk))]
    )


def shown_text(line: DiffLine) -> str:
    """Return a line's text as a model sees it."""
    return line.text.decode("utf-8", "replace").rstrip("\r")


def _parts(focal: FocalSet, tokens: int) -> Iterator[tuple[FileHunks, int]]:
    for file in sorted(focal.files, key=lambda f: (_RANK[path_kind(f.path)], f.path)):
        hunks = file.diff.hunks
        if not hunks:
            continue
        whole = FileHunks(file, hunks)
        cost = count_tokens(render_hunks(whole))
        if cost <= tokens:
            yield whole, cost
            continue
        for hunk in hunks:
            one = FileHunks(file, (hunk,))
            yield one, count_tokens(render_hunks(one))


def _render(hunk: Hunk) -> Sequence[str]:
    rows = [f"@@ lines {hunk.new_start}-{hunk.new_start + max(hunk.new_count - 1, 0)} @@"]
    for line in hunk.lines:
        number = line.old if line.kind is LineKind.REMOVED else line.new
        rows.append(f"{line.kind.value} {number:>5} | {shown_text(line)[:MAX_LINE]}")
    return rows
