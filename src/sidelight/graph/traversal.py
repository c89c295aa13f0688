"""Walks over edges: in levels, shortest paths, what a change may reach. Knows no rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sidelight.graph.model import CONFIDENCE_ORDER, Confidence, Edge, Impact, SymbolRef

Step = Callable[[SymbolRef], Sequence[Edge]]
MAX_EXPANSIONS = 3_000  # definitions looked into for one path; beyond, there is none worth showing


def walk_levels(start: SymbolRef, depth: int, step: Step, *, inwards: bool) -> tuple[Edge, ...]:
    """Return the edges met in `depth` steps from a symbol, nearest first; each is expanded once."""
    level = [start]
    seen = {start}
    edges: list[Edge] = []
    for _ in range(depth):
        following: list[SymbolRef] = []
        for current in level:
            for edge in step(current):
                edges.append(edge)
                other = edge.source if inwards else edge.target
                if other not in seen:
                    seen.add(other)
                    following.append(other)
        level = following
    return tuple(edges)


def shortest_path(start: SymbolRef, goal: SymbolRef, out: Step, into: Step) -> tuple[Edge, ...]:
    """Return the edges of a shortest path, () if none is found.

    Searched from both ends at once, the smaller frontier first; ambiguous edges are not followed.
    Of several shortest paths the one met first, in the order of the steps.
    """
    if start == goal:
        return ()
    ahead: dict[SymbolRef, Edge | None] = {start: None}
    behind: dict[SymbolRef, Edge | None] = {goal: None}
    front, back = [start], [goal]
    budget = MAX_EXPANSIONS
    while front and back and budget > 0:
        forwards = len(front) <= len(back)
        frontier, known, others = (front, ahead, behind) if forwards else (back, behind, ahead)
        following: list[SymbolRef] = []
        for current in frontier:
            budget -= 1
            for edge in (out if forwards else into)(current):
                other = edge.target if forwards else edge.source
                if other in known or edge.confidence is Confidence.AMBIGUOUS:
                    continue
                known[other] = edge
                if other in others:
                    return _joined(other, ahead, behind)
                following.append(other)
        if forwards:
            front = following
        else:
            back = following
    return ()


def _joined(
    meeting: SymbolRef, ahead: dict[SymbolRef, Edge | None], behind: dict[SymbolRef, Edge | None]
) -> tuple[Edge, ...]:
    first: list[Edge] = []
    edge = ahead[meeting]
    while edge is not None:
        first.append(edge)
        edge = ahead[edge.source]
    first.reverse()
    edge = behind[meeting]
    while edge is not None:
        first.append(edge)
        edge = behind[edge.target]
    return tuple(first)


def reach_of_change(starts: Iterable[SymbolRef], depth: int, into: Step) -> tuple[Impact, ...]:
    """Return what uses the changed symbols, directly or through others, nearest first.

    Ambiguous edges are shown and not followed further. Within a distance by path and line.
    """
    level = list(dict.fromkeys(starts))
    seen = set(level)
    found: list[Impact] = []
    for distance in range(1, depth + 1):
        following: dict[SymbolRef, Edge] = {}
        for current in level:
            for edge in into(current):
                if edge.source not in seen:
                    known = following.get(edge.source)
                    if known is None or _trust(edge) < _trust(known):
                        following[edge.source] = edge
        seen.update(following)
        reached = [Impact(symbol, edge, distance) for symbol, edge in following.items()]
        found += sorted(reached, key=lambda i: (i.symbol.path, i.symbol.span, i.via.line))
        level = [s for s, e in following.items() if e.confidence is not Confidence.AMBIGUOUS]
    return tuple(found)


def _trust(edge: Edge) -> int:
    return CONFIDENCE_ORDER[edge.confidence]
