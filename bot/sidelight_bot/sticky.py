"""Find the bot's own comments. Pure.

Anybody can write the marks that they carry: a mark counts with the right author only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sidelight_bot.comment.marker import read_marker
from sidelight_bot.model import Comment

PREFIX = "<!-- sidelight:"  # begins every mark of ours; a comment that holds it is no command
REPLY_MARK = "<!-- sidelight:reply -->"


def is_ours(body: str) -> bool:
    """Return whether a text carries any of the bot's marks."""
    return PREFIX in body


def find_sticky(comments: Iterable[Comment], author: Callable[[], str]) -> Comment | None:
    """Return the bot's sticky comment: the first with a mark that `author()` wrote, or None.

    Comments come oldest first and no more are read than needed; nor is the author asked for, unless
    somebody's comment carries a mark.
    """
    for comment in comments:
        if read_marker(comment.body) and comment.author.lower() == author().lower():
            return comment
    return None
