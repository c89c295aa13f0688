"""Which lines the hidden part of a change touched: what a hit has to overlap. Reads git only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sidelight.evaluation.ledger import Ranges
from sidelight.git.diffs import Hunk, LineKind, diff_revisions
from sidelight.git.repository import Repository


def touched_lines(
    repository: Repository, base: str, head: str, paths: Sequence[bytes]
) -> dict[bytes, Ranges]:
    """Return the lines of base's files that base..head changes, by path (1-based, inclusive).

    A removed line is touched; an insertion touches the lines before and after it. Paths without
    changed lines (binary, renamed, absent) are left out.

    Raises:
        GitError: a commit is not there.
    """
    commits = [repository.resolve_commit(commit) for commit in (base, head)]
    found: dict[bytes, Ranges] = {}
    for diff in diff_revisions(repository, commits[0], commits[1], paths):
        lines = {line for hunk in diff.hunks for line in _lines(hunk)}
        path = diff.change.old_path or diff.change.path
        if lines:
            found[path] = as_ranges(lines)
    return found


def _lines(hunk: Hunk) -> Iterable[int]:
    """Yield the old side's numbers of removed lines, and of those beside pure insertions."""
    before = hunk.old_start - (1 if hunk.old_count else 0)
    removing = False
    inserting = False
    for line in hunk.lines:
        if line.kind is LineKind.ADDED:
            inserting = True
            continue
        if inserting and not removing:
            yield from _beside(before)
        if line.kind is LineKind.REMOVED and line.old is not None:
            yield line.old
        removing = line.kind is LineKind.REMOVED
        inserting = False
        before = line.old or before
    if inserting and not removing:
        yield from _beside(before)


def _beside(before: int) -> Iterable[int]:
    yield from (line for line in (before, before + 1) if line >= 1)


def as_ranges(lines: Iterable[int]) -> Ranges:
    """Return the numbers as ascending inclusive ranges."""
    ranges: list[tuple[int, int]] = []
    for line in sorted(lines):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], line)
        else:
            ranges.append((line, line))
    return tuple(ranges)
