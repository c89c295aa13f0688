"""Order items so that each says something new. Pure: no files, no clock, no randomness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

LAMBDA = 0.7  # share of relevance; the rest is novelty
TIE_DIGITS = 9  # scores that differ beyond this are equal


def maximal_marginal_relevance(
    relevance: NDArray[np.floating],
    similarity: NDArray[np.floating],
    k: int,
    *,
    trade_off: float = LAMBDA,
) -> list[int]:
    """Return the places of the `k` chosen items, in the order of choice.

    MMR = argmax over the items left of λ · relevance(i) - (1 - λ) · max over the chosen of
    similarity(i, j) (Carbonell & Goldstein, SIGIR 1998), λ being `trade_off`. `relevance` (n,) and
    `similarity` (n, n) should be on one scale, such as [0, 1]. The first choice is the most
    relevant item, unless λ is 0: then the first one. Ties: the earlier place.

    Raises:
        ValueError: λ is outside of [0, 1], `k` is negative, or the shapes do not agree.
    """
    n = len(relevance)
    if not 0 <= trade_off <= 1:
        raise ValueError(f"the trade-off must be in [0, 1], not {trade_off}")
    if k < 0 or similarity.shape != (n, n):
        raise ValueError("k must not be negative, and similarity must be of shape (n, n)")
    worth = trade_off * relevance.astype(np.float64)  # of what is chosen: nothing
    similar = similarity.astype(np.float64)
    nearest = np.zeros(n, np.float64)
    chosen: list[int] = []
    while len(chosen) < min(k, n):
        best = int((worth - (1 - trade_off) * nearest).round(TIE_DIGITS).argmax())
        worth[best] = -np.inf
        nearest = np.maximum(nearest, similar[best]) if chosen else similar[best]
        chosen.append(best)
    return chosen


def cosine_similarity(rows: NDArray[np.integer] | NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the cosines (n, n) of rows (n, d), negative ones as 0; a zero row is like nothing."""
    wide = rows.astype(np.float64)
    norms = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    unit = np.divide(wide, norms[:, np.newaxis], out=np.zeros_like(wide), where=norms[:, None] > 0)
    cosines: NDArray[np.float64] = np.clip(unit @ unit.T, 0.0, 1.0)
    return cosines


def jaccard_similarity(sets: Sequence[AbstractSet[int]]) -> NDArray[np.float64]:
    """Return |a ∩ b| / |a ∪ b| (n, n); two empty sets have nothing in common."""
    n = len(sets)
    found = np.zeros((n, n), np.float64)
    for i, first in enumerate(sets):
        for j in range(i, n):
            both = len(first & sets[j])
            union = len(first) + len(sets[j]) - both
            found[i, j] = found[j, i] = both / union if union else 0.0
    return found


def span_similarity(
    vectors: Sequence[bytes | None], terms_of: Callable[[int], frozenset[int]]
) -> NDArray[np.float64]:
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
