"""How much of a hit to show: the lines that matter, or the class around several hits. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sidelight.packing.model import Lines, Piece, Role, Scope
from sidelight.tokens import text_terms

WINDOW = 24  # lines: what a screen and a paragraph of explanation hold
NEARLY = 0.97  # of the best window's weight: among such windows the tidiest one is shown
GROWN_LINES = 120  # a class up to this length is shown whole …
GROWN_SHARE = 0.5  # … if hits cover this share of it
GROWN_HITS = 2  # … and there are so many of them


@dataclass(frozen=True, slots=True)
class LineTerms:
    """What a line says and where it begins: its terms with their frequencies, its indentation.

    A blank line has no terms and no indentation (-1).
    """

    terms: Mapping[str, int]
    indent: int


def line_terms(lines: Sequence[str]) -> list[LineTerms]:
    """Return what each line says, for windows."""
    found = []
    for line in lines:
        wide = line.expandtabs(4)
        stripped = wide.strip()
        found.append(LineTerms(text_terms(stripped), _indent(wide) if stripped else -1))
    return found


def best_window(
    rows: Sequence[LineTerms], weights: Mapping[str, float], length: int = WINDOW
) -> tuple[Lines, float]:
    """Return the stretch of at most `length` lines that says most of the query, and its share.

    Lines count from 1. A window weighs Σ w(t) · tf / (tf + 1) over its terms, so that many words of
    the query are better than one of them again and again; the share is that weight in proportion to
    the whole's. Of windows within 3 % of the best one, the one that begins at the least indentation
    and is earliest wins; blank lines at its edges are left out.

    Raises:
        ValueError: `length` is not positive, or there is no line.
    """
    if length < 1 or not rows:
        raise ValueError("a window has at least one line of at least one")
    size = min(length, len(rows))
    known = [{t: n for t, n in row.terms.items() if weights.get(t, 0) > 0} for row in rows]
    found = []
    counts: Counter[str] = Counter()
    for at, terms in enumerate(known):
        counts.update(terms)
        if at >= size:
            counts.subtract(known[at - size])
        if at >= size - 1:
            found.append(_weight(counts, weights))
    best = max(found)
    near = [at for at, weight in enumerate(found) if weight >= best * NEARLY]
    start = min(near, key=lambda at: (_opening(rows[at]), at))
    whole: Counter[str] = Counter()
    for terms in known:
        whole.update(terms)
    total = _weight(whole, weights)
    lines = _trimmed(rows, start, start + size)
    return lines, found[start] / total if total else 0.0


def grow_pieces(pieces: Sequence[Piece], scopes: Sequence[Scope]) -> list[Piece]:
    """Return one file's pieces, those that make up most of a short definition replaced by it.

    `scopes` are definitions that may be shown whole. The grown piece has the best one's score and
    stands in the first one's place; the innermost fitting scope wins.
    """
    grown = list(pieces)
    for scope in sorted(scopes, key=lambda scope: (len(scope.whole), scope.whole)):
        if len(scope.whole) > GROWN_LINES:
            continue
        inside = [p for p in grown if p.role is Role.HIT and scope.whole.contains(p.lines)]
        if len(inside) < GROWN_HITS:
            continue
        covered = {n for p in inside for n in range(p.lines.first, p.lines.last + 1)}
        if len(covered) < GROWN_SHARE * len(scope.whole):
            continue
        best = max(inside, key=lambda piece: piece.score)
        shorter = tuple(dict.fromkeys((best.lines, *best.shorter)))
        whole = replace(best, lines=scope.whole, symbol=scope.name, shorter=shorter)
        at = grown.index(inside[0])
        grown = [piece for piece in grown if piece not in inside]
        grown.insert(min(at, len(grown)), whole)
    return grown


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _weight(counts: Mapping[str, int], weights: Mapping[str, float]) -> float:
    return math.fsum(weights[t] * n / (n + 1) for t, n in counts.items() if n > 0)


def _opening(row: LineTerms) -> int:
    return row.indent if row.indent >= 0 else 1 << 16


def _trimmed(rows: Sequence[LineTerms], start: int, end: int) -> Lines:
    first, last = start, end
    while first < last - 1 and rows[first].indent < 0:
        first += 1
    while last > first + 1 and rows[last - 1].indent < 0:
        last -= 1
    return Lines(first + 1, last)
