"""Find the bot's own comments. Pure.

Anybody can write the marks that they carry: a mark counts with the right author only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from sidelight_bot.comment.marker import read_marker
from sidelight_bot.model import Comment
from sidelight_bot.spent import Spent, read_spent, write_spent

PREFIX = "<!-- sidelight:"  # begins every mark of ours; a comment that holds it is no command
REPLY_MARK = f"{PREFIX}reply"  # begins every reply
_REPLY = re.compile(rf"{REPLY_MARK}(?: spent=(?P<spent>[^\s>]{{0,60}}))? -->")


def is_ours(body: str) -> bool:
    """Return whether a text carries any of the bot's marks."""
    return PREFIX in body


def reply_mark(spent: Spent) -> str:
    """Return the first line of a reply that cost so much."""
    return f"{REPLY_MARK}{write_spent(spent)} -->"


def find_sticky(comments: Iterable[Comment], author: Callable[[], str]) -> Comment | None:
    """Return the bot's sticky comment: the first with a mark that `author()` wrote, or None.

    Comments come oldest first and no more are read than needed; nor is the author asked for, unless
    somebody's comment carries a mark.
    """
    for comment in comments:
        if read_marker(comment.body) and comment.author.lower() == author().lower():
            return comment
    return None


def spent_before(comments: Iterable[Comment], author: Callable[[], str]) -> Spent:
    """Return what the marks of all comments that `author()` wrote add up to."""
    total = Spent()
    for comment in comments:
        spent = _spent_in(comment.body)
        if spent and comment.author.lower() == author().lower():
            total += spent
    return total


def _spent_in(body: str) -> Spent:
    marker = read_marker(body)
    if marker is not None:
        return marker.spent
    reply = _REPLY.match(body)
    return read_spent(reply["spent"]) if reply else Spent()
