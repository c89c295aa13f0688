"""Read what changed between two commits, and keep account of what is not looked into, and why.

Paths come from git's raw records and lines from its hunks, so nobody's settings matter. What the
index leaves out for a reason (generated, too large, lock files) is not parsed here either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sidelight.focal import FocalSet, build_focal
from sidelight.git.diffs import FileDiff, diff_revisions
from sidelight.git.trees import GITLINK
from sidelight.indexing.eligibility import Eligibility
from sidelight.indexing.place import Place
from sidelight.model import FileRef
from sidelight.search.pathkind import PathKind, path_kind
from sidelight.store.database import Database
from sidelight.store.reader import skipped_files
from sidelight.store.views import find_view
from sidelight_bot.analysis.comments import without_comment_changes
from sidelight_bot.analysis.limits import AnalysisLimits
from sidelight_bot.analysis.texts import name_of, report_path, shown
from sidelight_bot.report import Unread

_RANK = {kind: at for at, kind in enumerate(PathKind)}  # production code is read first
TOO_LARGE = "the change is too large to read all of it"
UNCHANGED = frozenset({"renamed", "mode"})


@dataclass(frozen=True, slots=True)
class ChangeRead:
    """A diff as it was read. The focal set's `skipped` holds every path that was not parsed."""

    focal: FocalSet
    unread: tuple[Unread, ...]
    n_files: int
    n_added: int
    n_removed: int


def read_change(
    place: Place, view_name: str, base: str, head: str, title: str, limits: AnalysisLimits
) -> ChangeRead:
    """Return the difference between two commits, parsed as far as the limits allow.

    Raises:
        GitError: an id is not one of this repository.
    """
    diffs = diff_revisions(place.repo, base, head)
    reasons = _reasons(place, view_name, diffs)
    left: list[tuple[bytes, str]] = []
    kept: list[FileDiff] = []
    n_lines = 0
    for diff in sorted(diffs, key=lambda d: (_RANK[path_kind(d.change.path)], d.change.path)):
        reason = reasons.get(diff.change.path)
        size = sum(len(hunk.lines) for hunk in diff.hunks)
        if reason is None and (len(kept) >= limits.files or n_lines + size > limits.lines):
            reason = TOO_LARGE
        if reason is not None:
            left.append((diff.change.path, reason))
            continue
        kept.append(diff)
        n_lines += size
    order = {diff.change.path: at for at, diff in enumerate(diffs)}
    kept.sort(key=lambda d: order[d.change.path])
    focal = without_comment_changes(build_focal(place.repo, kept, title))
    skipped = sorted({*focal.skipped, *left})
    return ChangeRead(
        focal=replace(focal, skipped=(*skipped, *_old_paths(diffs, left))),
        unread=tuple(_ledger(skipped)),
        n_files=len(diffs),
        n_added=sum(len(hunk.added) for diff in diffs for hunk in diff.hunks),
        n_removed=sum(len(hunk.removed) for diff in diffs for hunk in diff.hunks),
    )


def _old_paths(
    diffs: Sequence[FileDiff], left: Sequence[tuple[bytes, str]]
) -> list[tuple[bytes, str]]:
    """Return former names of files that are not parsed: they are part of the diff as well."""
    reasons = dict(left)
    return [
        (change.old_path, reasons[change.path])
        for change in (diff.change for diff in diffs)
        if change.path in reasons and change.old_path not in (None, change.path)
        if change.old_path is not None
    ]


def _reasons(place: Place, view_name: str, diffs: Sequence[FileDiff]) -> Mapping[bytes, str]:
    """Return why changed files are not looked into: the head's reasons, else by name."""
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        view = find_view(connection, view_name)
        known = dict(skipped_files(connection, view.id)) if view is not None else {}
    rules = Eligibility(place.config.index)
    found: dict[bytes, str] = {}
    for diff in diffs:
        change = diff.change
        if GITLINK in (change.old_mode, change.new_mode):
            found[change.path] = "submodule"
        elif diff.is_binary:
            found[change.path] = "binary"
        elif change.path in known:
            found[change.path] = known[change.path]
        elif change.new_blob is None:
            gone = FileRef(change.path, change.old_blob or "", 0, change.old_mode or 0)
            reason = rules.refuse_by_name(gone, {})
            if reason is not None:
                found[change.path] = reason
    return found


def _ledger(skipped: Sequence[tuple[bytes, str]]) -> list[Unread]:
    return [
        Unread(
            shown(path), name_of(reason if report_path(path) else f"{reason}, and an odd file name")
        )
        for path, reason in skipped
    ]
