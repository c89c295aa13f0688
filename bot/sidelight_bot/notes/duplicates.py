"""See whether a note was said before: by an earlier run, by people, or in like words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sidelight_bot.notes.anchors import NoteMarker

NEAR_LINES = 3
ALIKE = 0.5  # of the words of the shorter text, for two remarks at one place
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_STOP = frozenset(
    "the and for that this with when will not are was has have but from can its into than then"
    " here does which would could should may might may line code".split()
)


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment that stands on a line already; `marker` if it is ours. `line` None: outdated."""

    path: str
    line: int | None
    text: str
    marker: NoteMarker | None = None


def words_of(text: str) -> frozenset[str]:
    """Return the telling words of a remark, without case."""
    return frozenset(w for w in (m.casefold() for m in _WORD.findall(text)) if w not in _STOP)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the smaller set's words that the other has; 0 if either is empty.

    The overlap coefficient of Szymkiewicz and Simpson.
    """
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def is_said(path: str, lines: range, anchor: str, text: str, remarks: Iterable[Remark]) -> bool:
    """Return whether a remark has the anchor, or says the like within three lines of the note."""
    words = words_of(text)
    for remark in remarks:
        if remark.marker is not None and remark.marker.anchor == anchor:
            return True
        if remark.path != path or remark.line is None:
            continue
        is_near = lines.start - NEAR_LINES <= remark.line < lines.stop + NEAR_LINES
        if is_near and likeness(words, words_of(remark.text)) >= ALIKE:
            return True
    return False
