"""A review note as a value: where it stands, what it says, and what it rests on. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from sidelight_bot.checked import Line, Most, Path, Sentence, Text
from sidelight_bot.model import Side
from sidelight_bot.notes.schema import Kind, Severity

__all__ = ["Evidence", "Note", "Side"]

Anchor = Annotated[str, Text(16, pattern="[0-9a-f]{16}")]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place in the tree at head that a note rests on, and in a few words what it shows.

    Lines are 1-based and inclusive. Where the place is in the diff itself, `path` is the note's.
    """

    path: Path
    start_line: Line
    end_line: Line
    shows: Sentence


@dataclass(frozen=True, slots=True)
class Note:
    """A note that passed every check. `start_line` is None for a note on one line.

    `anchor` is the note's identity over runs, and `quote` the hash of the line it speaks of (both
    from `notes.anchors`: hex). `suggestion` replaces exactly the lines `start_line` to `line`.
    Texts come from a model and are not escaped: whoever renders them does that.
    """

    path: Path
    line: Line
    start_line: Line | None
    side: Side
    severity: Severity
    kind: Kind
    title: Annotated[str, Text(300)]
    body: Annotated[str, Text(4000, lines=True)]
    suggestion: Annotated[str, Text(4000, lines=True)] | None
    evidence: Annotated[tuple[Evidence, ...], Most(20)]
    anchor: Anchor
    quote: Anchor
