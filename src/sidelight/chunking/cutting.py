"""Cut a long stretch of lines where it hurts least. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from sidelight.chunking.lines import Lines
from sidelight.model import Break

DISTANCE = 3.0  # what it costs to be as far from the even cut as that is from the start
NO_STATEMENT = 6.0  # what it costs to cut inside a statement: more than any depth is worth
MAX_DEPTH = 5.0  # deeper than this all is equal
SHORT_TAIL = 5  # lines; a last piece shorter than this is avoided
SHORT_TAIL_COST = 2.0
TEXT_EDGES = b" \t\r;,}>)"  # a line cut by bytes is cut behind one of these
EDGE_WINDOW = 256  # bytes searched for one


@dataclass(frozen=True, slots=True)
class Limits:
    """What a chunk may hold; only closing lines may come on top."""

    max_lines: int
    max_bytes: int

    def fits(self, lines: Lines, first: int, last: int) -> bool:
        """Return whether the lines may be one chunk."""
        return last - first <= self.max_lines and lines.size(first, last) <= self.max_bytes


def cut_lines(
    lines: Lines, first: int, last: int, limits: Limits, cost: Callable[[int], float]
) -> list[tuple[int, int]]:
    """Return consecutive ranges that cover first to last, each within the limits or one line.

    The pieces are about equally long; `cost` says how bad it is to start one at a line.
    """
    pieces: list[tuple[int, int]] = []
    while last - first > 1 and not limits.fits(lines, first, last):
        rest = last - first
        n = max(-(-rest // limits.max_lines), -(-lines.size(first, last) // limits.max_bytes), 2)
        reach = _reach(lines, first, last, limits)
        ideal = min(first + -(-rest // n), reach)
        low = first + max(1, (ideal - first) // 2)

        def total(
            line: int, *, first: int = first, last: int = last, ideal: int = ideal
        ) -> tuple[float, int]:
            away = DISTANCE * abs(line - ideal) / max(1, ideal - first)
            tail = SHORT_TAIL_COST if last - line < SHORT_TAIL else 0.0
            return (cost(line) + away + tail, line)

        at = min(range(low, reach + 1), key=total)
        pieces.append((first, at))
        first = at
    pieces.append((first, last))
    return pieces


def _reach(lines: Lines, first: int, last: int, limits: Limits) -> int:
    """Return the last line at which the piece from `first` may end, at least the next one."""
    reach = min(first + limits.max_lines, last - 1)
    while reach > first + 1 and lines.size(first, reach) > limits.max_bytes:
        reach -= 1
    return max(reach, first + 1)


def layout_cost(lines: Lines, first: int, last: int) -> Callable[[int], float]:
    """Return the cost by layout alone: shallow lines behind blank ones are the best to start at."""
    shallowest = min((lines.indent(i) for i in range(first, last) if not lines.blank(i)), default=0)

    def cost(line: int) -> float:
        if lines.blank(line):
            return MAX_DEPTH
        depth = min((lines.indent(line) - shallowest) / 2, MAX_DEPTH)
        if lines.closing(line):
            depth += 2.0
        after_blank = line > first and lines.blank(line - 1)
        return depth if after_blank else depth + 1.0

    return cost


def statement_cost(
    lines: Lines, first: int, last: int, breaks: Sequence[Break]
) -> Callable[[int], float]:
    """Return the cost by statements: shallow ones are best, with the comments above them.

    `breaks` are in order. Where no statement begins inside the range, layout decides.
    """
    depths: dict[int, int] = {}
    low = bisect_left(breaks, lines.starts[first], key=attrgetter("byte"))
    high = bisect_left(breaks, lines.starts[last], key=attrgetter("byte"))
    for place in breaks[low:high]:
        line = lines.line_of(place.byte)
        if not first < line < last or lines.source[lines.starts[line] : place.byte].strip():
            continue
        while line - 1 > first and lines.commented(line - 1):
            line -= 1
        depths[line] = min(place.depth, depths.get(line, place.depth))
    by_layout = layout_cost(lines, first, last)
    if not depths:
        return by_layout
    shallowest = min(depths.values())

    def cost(line: int) -> float:
        depth = depths.get(line)
        if depth is None:
            return NO_STATEMENT + by_layout(line)
        after_blank = lines.blank(line - 1)
        return min(float(depth - shallowest), MAX_DEPTH) + (0.0 if after_blank else 0.5)

    return cost


def cut_bytes(source: bytes, start: int, end: int, max_bytes: int) -> list[tuple[int, int]]:
    """Return consecutive byte ranges of at most `max_bytes` that split no UTF-8 character."""
    places = [start]
    while end - places[-1] > max_bytes:
        places.append(_edge(source, places[-1], places[-1] + max_bytes))
    places.append(end)
    return list(pairwise(places))


def _edge(source: bytes, start: int, limit: int) -> int:
    for at in range(limit, max(start + 1, limit - EDGE_WINDOW), -1):
        if source[at - 1] in TEXT_EDGES:
            return at
    at = limit
    # At most three continuation bytes follow a lead byte; more are not UTF-8.
    while at > start + 1 and limit - at < 3 and source[at] & 0xC0 == 0x80:
        at -= 1
    return at if source[at] & 0xC0 != 0x80 else limit
