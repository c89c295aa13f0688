"""The comment on a pull request, made of a report. Pure: no clock, no files, no network."""

from sidelight_bot.comment.marker import CommentMarker, charged, read_marker, write_marker
from sidelight_bot.comment.render import is_worth_saying, render_comment
from sidelight_bot.comment.sizes import HARD_LIMIT

__all__ = [
    "HARD_LIMIT",
    "CommentMarker",
    "charged",
    "is_worth_saying",
    "read_marker",
    "render_comment",
    "write_marker",
]
