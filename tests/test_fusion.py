"""Fusion of ranked lists: formulas by hand, and properties that hold for any lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.fusion import (
    RELATIVE_TOP,
    reciprocal_rank_fusion,
    relative_score_fusion,
    relative_scores,
)
from sidelight.model import RankedList

EVEN = {"a": 1.0, "b": 1.0, "c": 1.0}


def ranked(
    name: str, rows: list[int], scores: list[float] | None = None, pool: int = 100
) -> RankedList:
    values = scores or [float(len(rows) - at) for at in range(len(rows))]
    return RankedList(name, tuple(rows), tuple(values), pool)


def test_a_missing_row_counts_as_rank_pool_plus_one() -> None:
    fused = reciprocal_rank_fusion([ranked("a", [1, 2]), ranked("b", [2], pool=10)], EVEN, k=60)
    assert fused[1] == pytest.approx(1 / 61 + 1 / (60 + 10 + 1))
    assert fused[2] == pytest.approx(1 / 62 + 1 / 61)


def test_a_list_of_one_hit_punishes_the_others_by_its_pool_not_by_its_length() -> None:
    """With n the rows returned, every other row would get rank 2, nearly as good as the hit."""
    fused = reciprocal_rank_fusion([ranked("a", [1, 2, 3]), ranked("b", [3], pool=100)], EVEN, k=60)
    assert fused[3] == pytest.approx(1 / 63 + 1 / 61)
    assert fused[1] == pytest.approx(1 / 61 + 1 / 161)
    assert max(fused, key=lambda row: fused[row]) == 3


def test_an_empty_list_adds_nothing() -> None:
    with_it = reciprocal_rank_fusion([ranked("a", [1, 2]), ranked("b", [])], EVEN)
    assert with_it == reciprocal_rank_fusion([ranked("a", [1, 2])], EVEN)
    assert relative_score_fusion([ranked("a", [1, 2]), ranked("b", [])], EVEN) == (
        relative_score_fusion([ranked("a", [1, 2])], EVEN)
    )
    assert reciprocal_rank_fusion([ranked("a", [])], EVEN) == {}
    assert relative_score_fusion([ranked("a", [])], EVEN) == {}
    assert reciprocal_rank_fusion([], EVEN) == {}
    assert relative_score_fusion([], EVEN) == {}


def test_weights_scale_a_lists_share_and_zero_leaves_it_out() -> None:
    lists = [ranked("a", [1]), ranked("b", [2])]
    fused = reciprocal_rank_fusion(lists, {"a": 2.0, "b": 0.0})
    assert fused == {1: pytest.approx(2 / 61)}
    assert relative_score_fusion(lists, {"a": 2.0, "b": 0.0}) == {1: 1.0}
    assert relative_score_fusion(lists, {"a": 3.0, "b": 1.0}) == {1: 0.75, 2: 0.25}


def test_a_negative_k_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        reciprocal_rank_fusion([], {}, k=-1)


def test_relative_scores_are_scaled_between_the_best_and_the_last_of_the_top() -> None:
    scores = relative_scores(ranked("a", [1, 2, 3, 4], [10.0, 8.0, 6.0, 1.0]), top=3)
    assert scores == {1: 1.0, 2: 0.5, 3: 0.0, 4: 0.0}


def test_equal_scores_and_a_single_hit_are_worth_one() -> None:
    assert relative_scores(ranked("a", [1, 2], [3.0, 3.0])) == {1: 1.0, 2: 1.0}
    assert relative_scores(ranked("a", [1], [0.2])) == {1: 1.0}


@st.composite
def lists(draw: st.DrawFn) -> list[RankedList]:
    found = []
    for name in ("a", "b", "c"):
        rows = draw(st.lists(st.integers(0, 40), unique=True, max_size=25))
        scores = sorted(
            draw(st.lists(st.floats(-5, 5), min_size=len(rows), max_size=len(rows))), reverse=True
        )
        pool = draw(st.integers(max(1, len(rows)), 200))
        found.append(RankedList(name, tuple(rows), tuple(scores), pool))
    return found


WEIGHTS = st.fixed_dictionaries({name: st.sampled_from([0.0, 0.3, 1.0, 4.0]) for name in "abc"})


@given(lists(), WEIGHTS, st.integers(0, 100))
def test_rrf_is_the_sum_over_lists_for_every_row_of_any(
    found: list[RankedList], weights: dict[str, float], k: int
) -> None:
    fused = reciprocal_rank_fusion(found, weights, k=k)
    counted = [one for one in found if one.rows and weights[one.retriever]]
    assert set(fused) == {row for one in counted for row in one.rows}
    for row, score in fused.items():
        expected = 0.0
        for one in counted:
            rank = one.rows.index(row) + 1 if row in one.rows else one.pool + 1
            expected += weights[one.retriever] / (k + rank)
        assert score == pytest.approx(expected)


@given(lists(), WEIGHTS)
def test_relative_fusion_stays_within_zero_and_one(
    found: list[RankedList], weights: dict[str, float]
) -> None:
    fused = relative_score_fusion(found, weights)
    counted = [one for one in found if one.rows and weights[one.retriever]]
    assert set(fused) == {row for one in counted for row in one.rows}
    assert all(0.0 <= score <= 1.0 + 1e-12 for score in fused.values())


@given(lists())
def test_a_row_that_leads_every_list_leads_the_fusion(found: list[RankedList]) -> None:
    led = [
        RankedList(one.retriever, (99, *one.rows), (9.0, *one.scores), one.pool + 1)
        for one in found
    ]
    for fused in (reciprocal_rank_fusion(led, EVEN), relative_score_fusion(led, EVEN)):
        assert fused[99] == max(fused.values())


@given(lists(), st.permutations([0, 1, 2]))
def test_the_order_of_the_lists_changes_nothing_visible(
    found: list[RankedList], order: list[int]
) -> None:
    other = [found[at] for at in order]
    for fuse in (reciprocal_rank_fusion, relative_score_fusion):
        one, two = fuse(found, EVEN), fuse(other, EVEN)
        assert one.keys() == two.keys()
        assert all(one[row] == pytest.approx(two[row]) for row in one)


def test_rows_beyond_the_top_add_nothing_but_are_kept() -> None:
    n = RELATIVE_TOP + 5
    scores = relative_scores(ranked("a", list(range(n)), [float(n - at) for at in range(n)]))
    assert len(scores) == n
    assert [scores[at] for at in range(RELATIVE_TOP - 1, n)] == [0.0] * 6
