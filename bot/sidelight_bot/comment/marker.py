"""The invisible first line by which our comment is found again, and the newer one known. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from sidelight_bot.spent import Spent, read_spent, write_spent

_MARKER = re.compile(
    r"<!-- sidelight:v1 head=(?P<head>[0-9a-f]{40}(?:[0-9a-f]{24})?) run=(?P<run>\d{1,18})"
    r"(?: spent=(?P<spent>[^\s>]{0,60}))? -->",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class CommentMarker:
    """Which head the comment speaks of, the number of the run that wrote it, and what reviews of
    this pull request have cost so far.
    """

    head: str
    run: int
    spent: Spent = field(default_factory=Spent)


def write_marker(marker: CommentMarker) -> str:
    """Return the first line of a comment."""
    spent = write_spent(marker.spent)
    return f"<!-- sidelight:v1 head={marker.head} run={marker.run}{spent} -->"


def read_marker(body: str) -> CommentMarker | None:
    """Return the marker that a comment begins with; quoted or later ones do not count."""
    found = _MARKER.match(body)
    if found is None:
        return None
    return CommentMarker(found["head"], int(found["run"]), read_spent(found["spent"]))


def charged(body: str, spent: Spent) -> str:
    """Return a comment with what was spent in its marker."""
    first, line_end, rest = body.partition("\n")
    marker = read_marker(first)
    if marker is None:
        return body
    return write_marker(replace(marker, spent=spent)) + line_end + rest
