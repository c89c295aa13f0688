"""Reranked candidates stay in the range of their own scores, and move by the model's share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.rerank.blending import blend_scores

SCORES = st.floats(-10, 10, allow_nan=False)


@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=20), st.floats(0, 1))
def test_nothing_leaves_the_range_of_the_own_scores(
    pairs: list[tuple[float, float]], share: float
) -> None:
    own, model = [a for a, _ in pairs], [b for _, b in pairs]
    mixed = blend_scores(own, model, share)
    assert len(mixed) == len(own)
    assert all(min(own) - 1e-9 <= score <= max(own) + 1e-9 for score in mixed)


def test_the_share_decides_whose_order_it_is() -> None:
    own, model = [3.0, 2.0, 1.0], [-5.0, 0.0, 5.0]
    assert blend_scores(own, model, 0.0) == own
    assert blend_scores(own, model, 1.0) == [1.0, 2.0, 3.0]
    assert blend_scores(own, model, 0.5) == [2.0, 2.0, 2.0]
    assert blend_scores([], [], 0.5) == []


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="share"):
        blend_scores([1.0], [1.0], 2.0)
    with pytest.raises(ValueError, match="one score"):
        blend_scores([1.0], [], 0.5)
