"""Fit hits to a query: those of one class join, long ones shrink to the lines that say most. Pure.

`docs/decisions/0007` has the figures of both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from sidelight.model import ChunkKind, Hit, Span
from sidelight.packing.granularity import WINDOW, best_window, grow_pieces, line_terms
from sidelight.packing.model import Lines, Piece, Role, Scope
from sidelight.store.reader import ChunkInfo

FOCUS = 0.8  # of what a long hit says of the query: what its window has to hold


@dataclass(frozen=True, slots=True)
class FileText:
    """A file of the tree: its bytes, and its classes that are longer than one chunk."""

    content: bytes
    classes: tuple[Scope, ...] = ()


def classes_of(chunks: Sequence[ChunkInfo]) -> tuple[Scope, ...]:
    """Return the classes whose overviews are among a file's chunks, with all their lines."""
    ends: dict[int, int] = {}
    for chunk in reversed(chunks):
        end = max(chunk.span.end_line, ends.get(chunk.ordinal, 0))
        ends[chunk.ordinal] = end
        if chunk.parent is not None:
            ends[chunk.parent] = max(end, ends.get(chunk.parent, 0))
    return tuple(
        Scope(
            chunk.symbol,
            Lines(chunk.span.start_line, chunk.span.end_line),
            Lines(chunk.span.start_line, ends[chunk.ordinal]),
        )
        for chunk in chunks
        if chunk.kind == ChunkKind.OVERVIEW
    )


def fit_hits(
    hits: Sequence[Hit],
    weights: Mapping[str, float],
    text_of: Callable[[bytes], FileText | None],
    *,
    shrink: bool = True,
) -> list[Hit]:
    """Return the hits, best first, each with the lines that the query is about.

    Hits that make up most of a class of at most `GROWN_LINES` become that class, at the place of
    the best of them. Unless `shrink` is false, a hit of more than `WINDOW` lines shrinks to the
    best window if that holds `FOCUS` of what the whole says of the query; `weights` are the query's
    terms times their rarity. Hits of a file without text stay as they are.
    """
    by_path: dict[bytes, list[int]] = {}
    for at, hit in enumerate(hits):
        by_path.setdefault(hit.path, []).append(at)
    fitted: dict[int, Hit] = {}
    for path, places in by_path.items():
        text = text_of(path)
        own = [(at, hits[at]) for at in places]
        fitted |= own if text is None else _fit_file(own, weights if shrink else {}, text)
    return [fitted[at] for at in sorted(fitted)]


def _fit_file(
    own: Sequence[tuple[int, Hit]], weights: Mapping[str, float], text: FileText
) -> dict[int, Hit]:
    rows = text.content.split(b"\n")
    starts = [0, *accumulate(len(row) + 1 for row in rows)]
    pieces = [
        Piece(hit.path, Lines(hit.span.start_line, hit.span.end_line), hit.score, Role.HIT)
        for _, hit in own
    ]
    found: dict[int, Hit] = {}
    for piece in grow_pieces(pieces, text.classes):
        inside = [
            (at, hit)
            for at, hit in own
            if piece.lines.contains(Lines(hit.span.start_line, hit.span.end_line))
        ]
        at, hit = inside[0]
        if piece.symbol:
            hit = replace(hit, symbol=piece.symbol, kind="class")
        lines = _focus(rows, piece.lines, weights) if len(inside) == 1 else piece.lines
        last = min(lines.last, len(rows))
        end = min(starts[last], len(text.content))
        found[at] = replace(hit, span=Span(starts[lines.first - 1], end, lines.first, lines.last))
    return found


def _focus(rows: Sequence[bytes], lines: Lines, weights: Mapping[str, float]) -> Lines:
    """Return the window of the lines that holds enough of the query, or all of them."""
    if len(lines) <= WINDOW or not weights:
        return lines
    shown = [row.decode("utf-8", "replace") for row in rows[lines.first - 1 : lines.last]]
    window, share = best_window(line_terms(shown), weights)
    if share < FOCUS:
        return lines
    return Lines(lines.first + window.first - 1, lines.first + window.last - 1)
