"""Put a report where people read it: the sticky comment, written or updated, never set back.

The order of looks matters: the comment's own mark first, then the head as it is now, then the
write. A run that is late finds a newer mark or a newer head, and leaves things as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from sidelight_bot.comment import charged, read_marker, render_comment
from sidelight_bot.github.errors import NotThereError
from sidelight_bot.github.port import GitHubPort
from sidelight_bot.model import Comment
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.report import ChangeReport
from sidelight_bot.spent import Spent
from sidelight_bot.sticky import find_sticky


class Fate(StrEnum):
    """What became of the sticky comment."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    SILENT = "silent"  # nothing to say, and nothing said before
    OUTDATED = "outdated"  # a newer run or head: nothing was written


@dataclass(frozen=True, slots=True)
class Sticky:
    """The sticky comment after a run."""

    fate: Fate
    url: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a run wants to say. `body` is None where nothing is worth a comment of its own.

    `quiet` replaces a comment that an earlier head gave reason for, and this one does not.
    `run` orders runs: see `settings.run_order`.
    """

    number: int
    head: str
    run: int
    body: str | None
    quiet: str
    spent: Spent = field(default_factory=Spent)  # by this run, not yet in any comment
    is_published: bool = False  # for a run that could not post: if it has, its comment stays


def draft_of(
    report: ChangeReport,
    links: Permalinks,
    placed: frozenset[str],
    *,
    always: bool,
    spent: Spent | None = None,
) -> Draft:
    """Return what a report says as a sticky comment."""
    return Draft(
        number=report.number or 0,
        head=report.head,
        run=report.run,
        body=render_comment(report, links, always=always, placed=placed),
        quiet=render_comment(report, links, always=True, placed=placed) or "",
        spent=spent or Spent(),
    )


def put_sticky(port: GitHubPort, draft: Draft) -> Sticky:
    """Write or update the sticky comment, unless a newer run has, or the head has moved.

    Raises:
        ReadOnlyTokenError: the token may not write.
        GitHubError: see `github.errors`.
    """
    standing = find_sticky(port.conversation(draft.number), port.viewer)
    if standing is None and draft.body is None:
        return Sticky(Fate.SILENT)
    if _is_late(standing, draft) or port.pull(draft.number).head_sha != draft.head:
        return Sticky(Fate.OUTDATED, standing.url if standing else "")
    body = draft.quiet if draft.body is None else draft.body
    body = charged(body, _spent_by(standing) + draft.spent)
    if standing is None:
        return Sticky(Fate.CREATED, port.create_comment(draft.number, body).url)
    if _says_that(standing, draft, body):
        return Sticky(Fate.UNCHANGED, standing.url)
    try:
        return Sticky(Fate.UPDATED, port.update_comment(standing.id, body).url)
    except NotThereError:  # deleted since we looked
        return Sticky(Fate.CREATED, port.create_comment(draft.number, body).url)


def _spent_by(standing: Comment | None) -> Spent:
    """Return what the comment says now that reviews have cost, which another run may have added."""
    mark = read_marker(standing.body) if standing else None
    return mark.spent if mark else Spent()


def _is_late(standing: Comment | None, draft: Draft) -> bool:
    mark = read_marker(standing.body) if standing else None
    return mark is not None and mark.run > draft.run


def _says_that(standing: Comment, draft: Draft, body: str) -> bool:
    """Return whether the comment needs no change: same text, or the run had posted it itself."""
    mark = read_marker(standing.body)
    is_own = mark is not None and (mark.run, mark.head) == (draft.run, draft.head)
    is_same = standing.body.replace("\r\n", "\n").rstrip() == body.rstrip()
    return is_same or (draft.is_published and is_own)
