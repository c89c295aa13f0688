"""The invisible first line by which our comment is found again, and the newer one known. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKER = re.compile(
    r"<!-- sidelight:v1 head=(?P<head>[0-9a-f]{40}(?:[0-9a-f]{24})?) run=(?P<run>\d{1,18}) -->"
)


@dataclass(frozen=True, slots=True)
class CommentMarker:
    """Which head the comment speaks of, and the number of the run that wrote it."""

    head: str
    run: int


def write_marker(marker: CommentMarker) -> str:
    """Return the first line of a comment."""
    return f"<!-- sidelight:v1 head={marker.head} run={marker.run} -->"


def read_marker(body: str) -> CommentMarker | None:
    """Return the marker that a comment begins with; quoted or later ones do not count."""
    found = _MARKER.match(body)
    return CommentMarker(found["head"], int(found["run"])) if found else None
