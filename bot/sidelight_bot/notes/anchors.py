"""Tell a note's place by the content it stands on, so that it is known again in a later run. Pure.

Line numbers move with every push; the text of the line that is spoken of does not, as long as the
note is true.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

DIGITS = 16
_MARKER = re.compile(
    r"<!-- sidelight:note a=(?P<anchor>[0-9a-f]{16}) q=(?P<quote>[0-9a-f]{16})"
    r" k=(?P<kind>[a-z_]{1,24}) -->"
)
RESOLVED = "<!-- sidelight:resolved -->"


@dataclass(frozen=True, slots=True)
class NoteMarker:
    """What a posted note says of itself: its anchor, the hash of its line, and its kind."""

    anchor: str
    quote: str
    kind: str


def line_hash(text: str) -> str:
    """Return the hash of a line without regard to white space."""
    return _hash(" ".join(text.split()))


def anchor_of(path: str, quote: str, kind: str) -> str:
    """Return the anchor of a note: path, quoted line and kind, but no numbers."""
    return _hash(f"{path}\0{' '.join(quote.split())}\0{kind}")


def write_marker(marker: NoteMarker) -> str:
    """Return the invisible line that goes with a posted note."""
    return f"<!-- sidelight:note a={marker.anchor} q={marker.quote} k={marker.kind} -->"


def read_marker(body: str) -> NoteMarker | None:
    """Return the marker of a comment, if it has exactly one; two would be somebody's forgery."""
    found = list(_MARKER.finditer(body))
    if len(found) != 1:
        return None
    return NoteMarker(found[0]["anchor"], found[0]["quote"], found[0]["kind"])


def is_gone(marker: NoteMarker, lines: Iterable[str]) -> bool:
    """Return whether a file has no line like the one that the note spoke of."""
    return all(line_hash(line) != marker.quote for line in lines)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:DIGITS]
