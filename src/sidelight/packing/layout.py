"""Lay the pieces of one file out as blocks: overlaps and neighbours merged, parents above. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sidelight.packing.model import Lines, Piece, SourceFile

MERGE_GAP = 3  # lines between two stretches that cost less than a heading of their own
MAX_HEADER_LINES = 12  # of all signatures above one block; the innermost are kept
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines of a file, the signatures above them, and the pieces that they show."""

    lines: Lines
    headers: tuple[Lines, ...]
    pieces: tuple[Piece, ...]


def merge_lines(ranges: Iterable[Lines], gap: int = MERGE_GAP) -> list[Lines]:
    """Return disjoint ranges in order that hold every line of the given ones.

    Two ranges become one if at most `gap` lines lie between them; only those are added.
    """
    merged: list[Lines] = []
    for lines in sorted(ranges):
        if merged and lines.first <= merged[-1].last + gap + 1:
            merged[-1] = Lines(merged[-1].first, max(merged[-1].last, lines.last))
        else:
            merged.append(lines)
    return merged


def lay_out(file: SourceFile, pieces: Sequence[Piece]) -> list[Block]:
    """Return the blocks of a file's pieces, in the order of lines.

    Each block gets the signatures of the definitions around its first line, unless they are shown
    by a block of the file anyway. A signature just above its block becomes part of it.
    """
    merged = merge_lines(_within(file, piece.lines) for piece in pieces)
    blocks = []
    for at, packed in enumerate(merged):
        floor = merged[at - 1].last if at else 0
        headers, lines = _headers_of(file, packed, merged), packed
        *above, grown = merge_lines([*headers, lines])
        if grown.first > floor:
            headers, lines = above, grown
        held = tuple(piece for piece in pieces if lines.contains(_within(file, piece.lines)))
        blocks.append(Block(lines, tuple(headers), held))
    return blocks


def block_text(file: SourceFile, block: Block) -> str:
    """Return a block's lines below its signatures, with `…` for what lies between."""
    parts = []
    above: Lines | None = None
    for lines in (*block.headers, block.lines):
        if above is not None and lines.first > above.last + 1:
            parts.append(_margin(file.lines[lines.first - 1]) + ELLIPSIS)
        parts.append(file.text(lines))
        above = lines
    return "\n".join(parts)


def _headers_of(file: SourceFile, lines: Lines, shown: Sequence[Lines]) -> list[Lines]:
    found: list[Lines] = []
    room = MAX_HEADER_LINES
    around = [s for s in file.scopes if s.whole.first < lines.first <= s.whole.last]
    for scope in sorted(around, key=lambda scope: scope.whole, reverse=True):  # innermost first
        header = Lines(scope.header.first, min(scope.header.last, lines.first - 1))
        if any(block.contains(header) for block in shown) or header in found:
            continue
        room -= len(header)
        if room < 0:
            break
        found.append(header)
    return merge_lines(found, gap=0)


def _within(file: SourceFile, lines: Lines) -> Lines:
    """Return those of the lines that the file has; its last one if it has none of them."""
    last = max(len(file.lines), 1)
    first = min(max(lines.first, 1), last)
    return Lines(first, min(max(lines.last, first), last))


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
