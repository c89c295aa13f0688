"""Put a reranker's scores to use. Pure."""

from __future__ import annotations

from collections.abc import Sequence


def blend_scores(own: Sequence[float], model: Sequence[float], share: float) -> list[float]:
    """Return the scores of the first candidates after reranking, in the candidates' order.

    Both are min-max scaled, mixed as (1 - share) · own + share · model, and put back into the range
    of the own scores: so the reranked ones stay ahead of those that no model has read.

    Raises:
        ValueError: `share` is outside of [0, 1], or the lengths differ.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"the share must be in [0, 1], not {share}")
    if len(own) != len(model):
        raise ValueError("there must be one score of the model for each candidate")
    if not own:
        return []
    low, high = min(own), max(own)
    mixed = [(1 - share) * a + share * b for a, b in zip(_scaled(own), _scaled(model), strict=True)]
    return [low + (high - low) * score for score in mixed]


def _scaled(scores: Sequence[float]) -> list[float]:
    low, high = min(scores), max(scores)
    return [(score - low) / (high - low) if high > low else 0.0 for score in scores]
