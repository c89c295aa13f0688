"""Tell whether retrieval found anything that can answer. Pure.

Fused scores are relative to their own query, so they cannot say "nothing fits". What can: how close
the nearest vector is, and how much of the query's weight one good hit holds. That a name of the
query is defined in the tree adds nothing to these two; `docs/context.md` has the figures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sidelight.model import Hit

LOOKED_AT = 5  # hits, of which one good one is enough
COVERAGE_WEIGHT = 0.3  # AUC .968 between questions to their own and to foreign trees; 0: .950


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the best hits.

    `cosine` is the nearest one's to the query, None where no vector was asked; `coverage` the
    share of the query's weight that one hit holds.
    """

    cosine: float | None
    coverage: float

    @property
    def strength(self) -> float:
        """Both in one number; coverage alone without a cosine."""
        if self.cosine is None:
            return self.coverage
        return self.cosine + COVERAGE_WEIGHT * self.coverage


@dataclass(frozen=True, slots=True)
class GateLimits:
    """The strength below which nothing is packed, with vectors and without."""

    strength: float = 0.44  # keeps 123 of 124 questions, stops 69 % of foreign ones
    coverage: float = 0.19


def gather_evidence(
    hits: Sequence[Hit], terms: Sequence[frozenset[int]], query: Mapping[int, float]
) -> Evidence:
    """Return the evidence of hits whose terms, hashed, are `terms`; `query` weighs hashed terms.

    A term that the tree lacks must have a weight in `query`, too: it is what a foreign question is
    told by.
    """
    cosines = [
        reason.weight
        for hit in hits[:LOOKED_AT]
        for reason in hit.reasons
        if reason.kind == "dense"
    ]
    total = math.fsum(query.values())
    held = (math.fsum(w for t, w in query.items() if t in own) for own in terms[:LOOKED_AT])
    return Evidence(
        cosine=max(cosines, default=None),
        coverage=max(held, default=0.0) / total if total else 0.0,
    )


def is_weak(evidence: Evidence, limits: GateLimits) -> bool:
    """Return whether the hits are unlikely to answer."""
    limit = limits.coverage if evidence.cosine is None else limits.strength
    return evidence.strength < limit


def query_weights(counts: Mapping[str, float], idf: Mapping[str, float]) -> dict[str, float]:
    """Return each query term's weight: its rarity; a term that the tree lacks is the rarest."""
    rarest = max(idf.values(), default=1.0)
    return {term: idf.get(term, rarest) for term in counts}
