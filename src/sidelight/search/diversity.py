"""Put hits in an order in which each says something new. Pure.

Not the default: `docs/decisions/0007` has the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sidelight.diversify import cosine_similarity, jaccard_similarity, maximal_marginal_relevance
from sidelight.model import Hit, Reason, display_path

POOL = 50  # hits that are put in order; fixed, so that the first ones do not depend on k

Similarity = NDArray[np.float64]


def span_similarity(
    vectors: Sequence[bytes | None], terms_of: Callable[[int], frozenset[int]]
) -> Similarity:
    """Return how alike n spans are, (n, n) in [0, 1].

    It is the cosine of two spans' int8 vectors where both have one, else the Jaccard of their
    terms, which `terms_of` gives by place.
    """
    n = len(vectors)
    has = np.asarray([vector is not None for vector in vectors], np.bool_)
    similar = np.zeros((n, n), np.float64)
    if not has.all():
        similar = jaccard_similarity([terms_of(at) for at in range(n)])
    if has.any():
        rows = np.frombuffer(b"".join(v for v in vectors if v is not None), np.int8)
        both = np.flatnonzero(has)
        similar[np.ix_(both, both)] = cosine_similarity(rows.reshape(len(both), -1))
    return similar


def diversify_hits(
    hits: Sequence[Hit],
    diversity: float,
    vectors: Mapping[int, bytes],
    terms_of: Callable[[int], frozenset[int]],
) -> list[Hit]:
    """Return the hits, given best first, with the first `POOL` ordered by marginal relevance.

    λ = 1 - `diversity`; a hit's relevance is its score, min-max scaled over the pool. `vectors` and
    `terms_of` tell of the hits by their places. Scores stay those of relevance, so they no longer
    descend; a hit that came down says what it resembles. With diversity 0 nothing changes.

    Raises:
        ValueError: `diversity` is outside of [0, 1].
    """
    pool = hits[:POOL]
    if not diversity or len(pool) < 3:
        return list(hits)
    scores = np.asarray([hit.score for hit in pool], np.float64)
    spread = float(scores.max() - scores.min())
    relevance = (scores - scores.min()) / spread if spread else np.ones(len(pool))
    similar = span_similarity([vectors.get(at) for at in range(len(pool))], terms_of)
    order = maximal_marginal_relevance(relevance, similar, len(pool), trade_off=1 - diversity)
    found = [
        _told(pool, order[: place + 1], similar, diversity) if at < place else pool[at]
        for place, at in enumerate(order)
    ]
    return [*found, *hits[len(pool) :]]


def _told(pool: Sequence[Hit], order: Sequence[int], similar: Similarity, diversity: float) -> Hit:
    """Return the last of the chosen hits with a reason for having come down."""
    *above, at = order
    nearest = max(above, key=lambda other: (similar[at, other], -other))
    other = pool[nearest]
    where = f"{display_path(other.path)}:{other.span.start_line}"
    reason = Reason(
        "diversity", f"resembles {where} above", round(-diversity * float(similar[at, nearest]), 4)
    )
    return replace(pool[at], reasons=(*pool[at].reasons, reason))
