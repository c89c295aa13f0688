"""Fuse ranked lists. Pure: no files, no clock, no randomness.

Both methods return {row: score}; the caller orders, since only it knows how ties are broken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sidelight.model import RankedList

RELATIVE_TOP = 100  # rows of a list whose scores set its scale


def reciprocal_rank_fusion(
    lists: Sequence[RankedList], weights: Mapping[str, float], *, k: int = 60
) -> dict[int, float]:
    """Return the fused score of every row of any list.

    score(d) = Σ_l w_l / (k + rank_l(d)), ranks from 1 (Cormack, Clarke & Büttcher, SIGIR 2009,
    k = 60). A row absent from a list counts as rank n + 1 there, n being the pool asked of that
    retriever, however few rows came; an empty list adds nothing to any row.

    Raises:
        ValueError: `k` is negative.
    """
    if k < 0:
        raise ValueError(f"k must not be negative, not {k}")
    present = [ranked for ranked in lists if ranked.rows and weights[ranked.retriever] > 0]
    absent = {
        ranked.retriever: weights[ranked.retriever] / (k + ranked.pool + 1) for ranked in present
    }
    base = sum(absent.values())
    scores: dict[int, float] = {}
    for ranked in present:
        weight, missing = weights[ranked.retriever], absent[ranked.retriever]
        for rank, row in enumerate(ranked.rows, start=1):
            scores[row] = scores.get(row, base) + weight / (k + rank) - missing
    return scores


def relative_score_fusion(
    lists: Sequence[RankedList], weights: Mapping[str, float], *, top: int = RELATIVE_TOP
) -> dict[int, float]:
    """Return the fused score, in [0, 1], of every row of any list.

    score(d) = Σ_l w_l · (s_l(d) - min_l) / (max_l - min_l) / Σ_l w_l, with the extremes taken over
    each list's first `top` rows; rows below them, and rows absent from a list, add 0. A list whose
    scores are all equal gives each of its rows 1. Weights of empty lists do not count.
    """
    present = [ranked for ranked in lists if ranked.rows and weights[ranked.retriever] > 0]
    total = sum(weights[ranked.retriever] for ranked in present)
    scores: dict[int, float] = {}
    for ranked in present:
        share = weights[ranked.retriever] / total
        for row, value in relative_scores(ranked, top=top).items():
            scores[row] = scores.get(row, 0.0) + share * value
    return scores


def relative_scores(ranked: RankedList, *, top: int = RELATIVE_TOP) -> dict[int, float]:
    """Return a list's rows with their min-max scaled scores; see `relative_score_fusion`."""
    if not ranked.rows:
        return {}
    high, low = ranked.scores[0], ranked.scores[: max(top, 1)][-1]
    if high <= low:
        return dict.fromkeys(ranked.rows, 1.0)
    scores = dict.fromkeys(ranked.rows, 0.0)
    for row, score in zip(ranked.rows, ranked.scores, strict=True):
        if score <= low:  # so are all that follow
            break
        scores[row] = (score - low) / (high - low)
    return scores
