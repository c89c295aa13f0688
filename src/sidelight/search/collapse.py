"""Turn ordered candidates into hits: one per overlapping range, one per set of copies.

Pure; the terms of chunks come in packed, and most stay so: their number tells enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sidelight.model import Hit
from sidelight.search.features import Candidate
from sidelight.search.pathkind import PathKind, path_kind
from sidelight.store.rows import TermSet

ALIKE = 0.85  # Jaccard of two chunks' terms, from which they count as copies
ALIKE_LEAST_TERMS = 12  # shorter chunks are alike by chance
LOOK_BACK = 40  # better hits that a candidate is compared with


@dataclass(slots=True)
class _Group:
    shown: Candidate
    terms: TermSet
    n_terms: int
    others: list[Candidate] = field(default_factory=list)


def collapse(
    candidates: Sequence[Candidate], k: int, terms_of: Callable[[int], TermSet]
) -> list[Hit]:
    """Return the best `k` hits.

    A candidate that shares lines with a better one of the same file is dropped. A candidate that is
    nearly identical with a better one joins it (`alike`); of such copies the one shown is the
    production file nearest to the root, at the best one's score.
    """
    groups: list[_Group] = []
    taken: defaultdict[bytes, list[tuple[int, int]]] = defaultdict(list)  # by path: groups' lines
    for candidate in candidates:
        first, last = lines = candidate.chunk.start_line, candidate.chunk.end_line
        ranges = taken[candidate.chunk.path]
        if ranges and any(first <= end and start <= last for start, end in ranges):
            continue
        terms = terms_of(candidate.chunk.id)
        twin = _find_twin(candidate, terms, groups)
        if twin is not None:
            twin.others.append(candidate)
            ranges.append(lines)
        elif len(groups) < k:
            ranges.append(lines)
            groups.append(_Group(candidate, terms, len(terms)))
        elif all(group.others for group in groups):
            break
        if len(groups) == k and candidate is candidates[min(len(candidates), 3 * k) - 1]:
            break
    return [_hit(group) for group in groups]


def _find_twin(candidate: Candidate, terms: TermSet, groups: Sequence[_Group]) -> _Group | None:
    n = len(terms)
    if n < ALIKE_LEAST_TERMS:
        return None
    # Of sets whose sizes differ more, no Jaccard reaches ALIKE; 1 is for what division rounds off.
    least, most = n * ALIKE - 1, n / ALIKE + 1
    path, language = candidate.chunk.path, candidate.chunk.language
    for group in groups[-LOOK_BACK:]:
        other = group.n_terms
        if not least <= other <= most:
            continue
        if group.shown.chunk.path == path or group.shown.chunk.language != language:
            continue
        # Alike sets have so many terms in common; where the first few tell, no more are unpacked.
        common = (n + other) * ALIKE / (1 + ALIKE)
        if len(terms.first - group.terms.hashes) > n - common + 1:
            continue
        both = len(terms.hashes & group.terms.hashes)
        if both / (n + other - both) >= ALIKE:
            return group
    return None


def _hit(group: _Group) -> Hit:
    shown, alike = group.shown, tuple[bytes, ...]()
    if group.others:
        copies = [group.shown, *group.others]
        shown = min(copies, key=_home)
        alike = tuple(sorted({copy.chunk.path for copy in copies} - {shown.chunk.path}))
    chunk = shown.chunk
    return Hit(
        path=chunk.path,
        span=chunk.span,
        symbol=chunk.symbol,
        kind=chunk.symbol_kind or chunk.kind,
        language=chunk.language,
        score=round(group.shown.score, 6),
        reasons=tuple(shown.reasons),
        alike=alike,
    )


def _home(copy: Candidate) -> tuple[bool, int, float, bytes]:
    """Return the key by which one of several copies is shown: the least."""
    path = copy.chunk.path
    is_aside = path_kind(path) is not PathKind.PRODUCTION
    return is_aside, path.count(b"/"), -copy.score, path
