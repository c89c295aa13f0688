"""The mark in the bot's own comments: whose it is, and which run wrote it. Pure.

The sticky comment's mark tells the head that it shows and the run that wrote it, so that an older
run can see that it is late. Anybody can write such a mark: it counts only with the right author.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sidelight_bot.model import Comment

PREFIX = "<!-- sidelight:"  # begins every mark; a comment that holds it is never a command
_STAMP = re.compile(
    r"^<!-- sidelight:sticky head=(?P<head>[0-9a-f]{40,64}) run=(?P<run>\d{1,20})"
    r" attempt=(?P<attempt>\d{1,9}) -->$",
    re.MULTILINE,
)
REPLY_MARK = "<!-- sidelight:reply -->"


@dataclass(frozen=True, slots=True)
class Stamp:
    """The head that a sticky comment shows, and the run that wrote it. Local runs are run 0."""

    head_sha: str
    run_id: int
    attempt: int = 1

    def is_newer_than(self, other: Stamp) -> bool:
        """Return whether this one was written by a later run: ids grow over a repository."""
        return (self.run_id, self.attempt) > (other.run_id, other.attempt)


def stamped(body: str, stamp: Stamp) -> str:
    """Return the body of a sticky comment with its mark as the first line."""
    mark = f"<!-- sidelight:sticky head={stamp.head_sha} run={stamp.run_id}"
    return f"{mark} attempt={stamp.attempt} -->\n{body}"


def read_stamp(body: str) -> Stamp | None:
    """Return the mark of a sticky comment; None where the first line is not one."""
    found = _STAMP.match(body.replace("\r\n", "\n"))
    if found is None:
        return None
    return Stamp(found["head"], int(found["run"]), int(found["attempt"]))


def is_ours(body: str) -> bool:
    """Return whether a text carries any of the bot's marks."""
    return PREFIX in body


def find_sticky(comments: Iterable[Comment], author: Callable[[], str]) -> Comment | None:
    """Return the bot's sticky comment: the first with a mark that `author()` wrote, or None.

    Comments come oldest first and no more are read than needed; nor is the author asked for, unless
    somebody's comment carries a mark.
    """
    for comment in comments:
        if read_stamp(comment.body) and comment.author.lower() == author().lower():
            return comment
    return None
