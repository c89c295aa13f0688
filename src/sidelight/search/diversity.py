"""Put hits in an order in which each says something new. Pure.

`docs/decisions/0007` has the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from sidelight.diversify import maximal_marginal_relevance, span_similarity
from sidelight.model import Hit, Reason, display_path

POOL = 12  # hits that are put in order; fixed, so that the first ones do not depend on k


def diversify_hits(
    hits: Sequence[Hit],
    diversity: float,
    vectors: Mapping[int, bytes],
    terms_of: Callable[[int], frozenset[int]],
) -> list[Hit]:
    """Return the hits, given best first, with the first `POOL` ordered by marginal relevance.

    λ = 1 - `diversity`; a hit's relevance is its score, min-max scaled over the pool. `vectors` and
    `terms_of` tell of the hits by their places. A hit's score becomes what decided, on the scale of
    the scores: score - (1 - λ) / λ · spread · likeness to the most alike hit above, and a reason
    tells of it. Scores still descend: hits beyond the pool have at most the last one's. With
    diversity 0, or nothing to choose from, nothing changes.

    Raises:
        ValueError: `diversity` is not in [0, 1).
    """
    if not 0 <= diversity < 1:
        raise ValueError(f"diversity must be in [0, 1), not {diversity}")
    pool = hits[:POOL]
    scores = np.asarray([hit.score for hit in pool], np.float64)
    spread = float(np.ptp(scores)) if len(pool) > 1 else 0.0
    if not diversity or not spread:
        return list(hits)
    similar = span_similarity([vectors.get(at) for at in range(len(pool))], terms_of)
    relevance = (scores - scores.min()) / spread
    order = maximal_marginal_relevance(relevance, similar, len(pool), trade_off=1 - diversity)
    alike: list[list[float]] = similar.tolist()
    price = spread * diversity / (1 - diversity)  # of a hit that says the same as one above
    found = [pool[order[0]]]
    for place, at in enumerate(order[1:], 1):
        nearest = max((alike[at][other], -other, other) for other in order[:place])[2]
        by = price * alike[at][nearest]
        found.append(_lowered(pool[at], pool[nearest], by, found[-1].score))
    last = found[-1].score
    return [*found, *(replace(hit, score=min(hit.score, last)) for hit in hits[len(pool) :])]


def _lowered(hit: Hit, above: Hit, by: float, most: float) -> Hit:
    where = f"{display_path(above.path)}:{above.span.start_line}"
    reason = Reason("diversity", f"resembles {where} above", round(-by, 4))
    score = min(round(hit.score - by, 6), most)  # rounding must not turn two of them around
    return replace(hit, score=score, reasons=(*hit.reasons, reason) if by else hit.reasons)
