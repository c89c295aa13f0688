"""Turn ordered candidates into hits: one per overlapping range, one per set of copies.

Pure; the packed terms of chunks come in as sets of hashes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sidelight.model import Hit, Span
from sidelight.search.features import Candidate
from sidelight.search.pathkind import PathKind, path_kind

ALIKE = 0.85  # Jaccard of two chunks' terms, from which they count as copies
ALIKE_LEAST_TERMS = 12  # shorter chunks are alike by chance
LOOK_BACK = 40  # better hits that a candidate is compared with


@dataclass(slots=True)
class _Group:
    shown: Candidate
    others: list[Candidate] = field(default_factory=list)
    terms: frozenset[int] = frozenset()

    @property
    def members(self) -> list[Candidate]:
        """All copies: any of them may be the one that is shown in the end."""
        return [self.shown, *self.others]


def collapse(
    candidates: Sequence[Candidate], k: int, terms_of: Callable[[int], frozenset[int]]
) -> list[Hit]:
    """Return the best `k` hits.

    A candidate that shares lines with a better one of the same file is dropped. A candidate that is
    nearly identical with a better one joins it (`alike`); of such copies the one shown is the
    production file nearest to the root, at the best one's score.
    """
    groups: list[_Group] = []
    taken: defaultdict[bytes, list[Span]] = defaultdict(list)  # by path: ranges of the groups
    for candidate in candidates:
        span = candidate.chunk.span
        ranges = taken[candidate.chunk.path]
        if any(span.overlaps_lines(other) for other in ranges):
            continue
        terms = terms_of(candidate.chunk.id)
        twin = _find_twin(candidate, terms, groups)
        if twin is not None:
            twin.others.append(candidate)
            ranges.append(span)
        elif len(groups) < k:
            ranges.append(span)
            groups.append(_Group(candidate, terms=terms))
        elif all(group.others for group in groups):
            break
        if len(groups) == k and candidate is candidates[min(len(candidates), 3 * k) - 1]:
            break
    return [_hit(group) for group in groups]


def _find_twin(
    candidate: Candidate, terms: frozenset[int], groups: Sequence[_Group]
) -> _Group | None:
    n = len(terms)
    if n < ALIKE_LEAST_TERMS:
        return None
    for group in groups[-LOOK_BACK:]:
        other = len(group.terms)
        if min(n, other) / max(n, other) < ALIKE:  # the most that their Jaccard can be
            continue
        if group.shown.chunk.path == candidate.chunk.path:
            continue
        if group.shown.chunk.language != candidate.chunk.language:
            continue
        both = len(terms & group.terms)
        if both / (n + other - both) >= ALIKE:
            return group
    return None


def _hit(group: _Group) -> Hit:
    shown = min(
        group.members,
        key=lambda c: (
            path_kind(c.chunk.path) is not PathKind.PRODUCTION,
            c.chunk.path.count(b"/"),
            -c.score,
            c.chunk.path,
        ),
    )
    alike = tuple(sorted({c.chunk.path for c in group.members} - {shown.chunk.path}))
    return Hit(
        path=shown.chunk.path,
        span=shown.chunk.span,
        symbol=shown.chunk.symbol,
        kind=shown.chunk.symbol_kind or shown.chunk.kind,
        language=shown.chunk.language,
        score=round(group.shown.score, 6),
        reasons=tuple(shown.reasons),
        alike=alike,
    )
