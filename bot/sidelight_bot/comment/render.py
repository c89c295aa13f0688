"""Write a report as the comment's Markdown. Pure; everything from the report is escaped.

Addresses stand below the text, so that it reads well as plain mail; nothing depends on a colour.
"""

from __future__ import annotations

from collections.abc import Iterator

from sidelight_bot.comment.marker import CommentMarker, write_marker
from sidelight_bot.comment.sections import SECTIONS, Page
from sidelight_bot.comment.sizes import HARD_LIMIT, SHORTENED, SOFT_LIMIT, STEPS, Sizes
from sidelight_bot.comment.words import Links
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.report import ChangeReport, FindingKind, GroupReason

# From how many items a group is worth a comment of its own; others only go along with one.
WORTH = {
    GroupReason.CALLERS: 1,
    GroupReason.MENTIONS: 1,
    GroupReason.DEFINITIONS: 2,
    GroupReason.COMPANIONS: 1,
    GroupReason.LOOKALIKES: 1,
}


def is_worth_saying(report: ChangeReport) -> bool:
    """Return whether the report holds anything that a reviewer should see.

    Code that merely ranks high, a single definition, tests that pass or fail by themselves, and
    counts are no reason to speak up.
    """
    removed = any(found.kind is FindingKind.REMOVED for found in report.findings)
    groups = any(
        group.reason in WORTH and len(group.items) >= WORTH[group.reason] for group in report.groups
    )
    return bool(report.signatures or removed or report.notes or groups)


def render_comment(
    report: ChangeReport,
    links: Permalinks,
    *,
    always: bool = False,
    placed: frozenset[str] = frozenset(),
    limit: int = HARD_LIMIT,
) -> str | None:
    """Return the comment, or None when there is nothing worth saying and not `always`.

    `placed` are the anchors of notes that stand on their lines already: they are counted, not
    repeated. The comment is at most `limit` bytes; beyond the soft limit, parts are left out step
    by step and a line says so.
    """
    if not always and not is_worth_saying(report):
        return None
    text = ""
    for at, sizes in enumerate(STEPS):
        text = _render(report, links, sizes, placed, notice=SHORTENED if at else "")
        if len(text.encode()) <= min(SOFT_LIMIT, limit):
            return text
    return text if len(text.encode()) <= limit else _least(report)


def _render(
    report: ChangeReport, links: Permalinks, sizes: Sizes, placed: frozenset[str], notice: str
) -> str:
    page = Page(report, Links(links), sizes, placed, notice)
    parts = [list(section(page)) for section in SECTIONS]
    lines = [write_marker(CommentMarker(report.head, report.run)), *_spaced(parts)]
    definitions = page.links.definitions()
    return "\n".join([*lines, *(["", *definitions] if definitions else [])]) + "\n"


def _spaced(parts: list[list[str]]) -> Iterator[str]:
    for at, part in enumerate(part for part in parts if part):
        if at:
            yield ""
        yield from part


def _least(report: ChangeReport) -> str:
    marker = write_marker(CommentMarker(report.head, report.run))
    return f"{marker}\n{SHORTENED}\n"
