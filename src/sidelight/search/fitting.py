"""Fit hits to a query: those of one class join, long ones shrink to the lines that say most. Pure.

`docs/decisions/0007` has the figures of both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from sidelight.model import ChunkKind, Hit, Span
from sidelight.packing.granularity import WINDOW, best_window, grow_pieces, line_terms
from sidelight.packing.model import Lines, Piece, Role, Scope
from sidelight.store.reader import ChunkPlace

FOCUS = 0.8  # of what a long hit says of the query: what its window has to hold


@dataclass(frozen=True, slots=True)
class WholeClass:
    """A class that is longer than one chunk: its name and kind, and all of it."""

    name: str
    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class FileText:
    """A file of the tree: its classes, and its bytes where long hits are to shrink."""

    classes: tuple[WholeClass, ...] = ()
    content: bytes | None = None


def classes_of(rows: Iterable[ChunkPlace]) -> tuple[WholeClass, ...]:
    """Return the classes whose overviews are among a file's chunks, given in their order."""
    chunks = list(rows)
    ends: dict[int, tuple[int, int]] = {}
    for chunk in reversed(chunks):
        end = max((chunk.end_byte, chunk.end_line), ends.get(chunk.ordinal, (0, 0)))
        ends[chunk.ordinal] = end
        if chunk.parent is not None:
            ends[chunk.parent] = max(end, ends.get(chunk.parent, (0, 0)))
    return tuple(
        WholeClass(
            chunk.symbol,
            chunk.symbol_kind or "class",
            Span(
                chunk.start_byte, ends[chunk.ordinal][0], chunk.start_line, ends[chunk.ordinal][1]
            ),
        )
        for chunk in chunks
        if chunk.kind == ChunkKind.OVERVIEW
    )


def fit_hits(
    hits: Sequence[Hit],
    weights: Mapping[str, float],
    text_of: Callable[[bytes], FileText | None],
) -> list[Hit]:
    """Return the hits, best first, each with the lines that the query is about.

    Hits that make up most of a class of at most `GROWN_LINES` become that class, at the place of
    the best of them. Where the file's content is given, a hit of more than `WINDOW` lines shrinks
    to the best window if that holds `FOCUS` of what the whole says of the query; `weights` are the
    query's terms times their rarity. Hits of a file without text stay as they are.
    """
    by_path: dict[bytes, list[int]] = {}
    for at, hit in enumerate(hits):
        by_path.setdefault(hit.path, []).append(at)
    fitted: dict[int, Hit] = {}
    for path, places in by_path.items():
        text = text_of(path)
        own = [(at, hits[at]) for at in places]
        fitted |= own if text is None else _fit_file(own, weights, text)
    return [fitted[at] for at in sorted(fitted)]


def _fit_file(
    own: Sequence[tuple[int, Hit]], weights: Mapping[str, float], text: FileText
) -> dict[int, Hit]:
    wholes = {_lines(whole.span): whole for whole in text.classes}
    pieces = [Piece(hit.path, _lines(hit.span), hit.score, Role.HIT) for _, hit in own]
    scopes = [Scope(whole.name, lines, lines) for lines, whole in wholes.items()]
    grown = grow_pieces(pieces, scopes)
    if text.content is None and len(grown) == len(own):  # what grows holds several
        return dict(own)
    found: dict[int, Hit] = {}
    for piece in grown:
        inside = [
            item for item, one in zip(own, pieces, strict=True) if piece.lines.contains(one.lines)
        ]
        at, hit = inside[0]
        whole = wholes.get(piece.lines)
        if len(inside) > 1 and whole is not None:
            hit = replace(hit, span=whole.span, symbol=whole.name, kind=whole.kind)
        elif text.content is not None:
            hit = _shrunk(hit, text.content, weights)
        found[at] = hit
    return found


def _lines(span: Span) -> Lines:
    return Lines(span.start_line, span.end_line)


def _shrunk(hit: Hit, content: bytes, weights: Mapping[str, float]) -> Hit:
    rows = content[hit.span.start_byte : hit.span.end_byte].split(b"\n")
    if not rows[-1]:
        rows.pop()
    lines = _focus(rows, Lines(1, len(rows)), weights)
    if len(lines) == len(rows):
        return hit
    starts = list(accumulate(map(_width, rows), initial=hit.span.start_byte))
    first = hit.span.start_line + lines.first - 1
    end = min(starts[lines.last], hit.span.end_byte)
    return replace(hit, span=Span(starts[lines.first - 1], end, first, first + len(lines) - 1))


def _width(row: bytes) -> int:
    return len(row) + 1


def _focus(rows: Sequence[bytes], lines: Lines, weights: Mapping[str, float]) -> Lines:
    """Return the window of the lines that holds enough of the query, or all of them."""
    if len(lines) <= WINDOW or not weights:
        return lines
    shown = [row.decode("utf-8", "replace") for row in rows[lines.first - 1 : lines.last]]
    window, share = best_window(line_terms(shown), weights)
    if share < FOCUS:
        return lines
    return Lines(lines.first + window.first - 1, lines.first + window.last - 1)
