"""Maximal marginal relevance against the formula written out, and its similarities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.diversify import (
    cosine_similarity,
    jaccard_similarity,
    maximal_marginal_relevance,
)

NONE = np.zeros((0, 0))
UNIT = st.floats(0, 1, allow_nan=False).map(lambda x: round(x, 3))


def textbook(
    relevance: list[float], similarity: list[list[float]], k: int, lam: float
) -> list[int]:
    """Return MMR as the paper writes it, one item at a time."""
    left, chosen = list(range(len(relevance))), []
    while left and len(chosen) < k:

        def mmr(i: int) -> float:
            nearest = max((similarity[i][j] for j in chosen), default=0.0)
            return round(lam * relevance[i] - (1 - lam) * nearest, 9)

        best = max(left, key=lambda i: (mmr(i), -i))
        left.remove(best)
        chosen.append(best)
    return chosen


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[float], list[list[float]], int, float]:
    n = draw(st.integers(0, 7))
    relevance = draw(st.lists(UNIT, min_size=n, max_size=n))
    similarity = [[1.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            similarity[i][j] = similarity[j][i] = draw(UNIT)
    return relevance, similarity, draw(st.integers(0, 9)), draw(UNIT)


@given(problems())
def test_it_chooses_what_the_formula_chooses(
    problem: tuple[list[float], list[list[float]], int, float],
) -> None:
    relevance, similarity, k, lam = problem
    matrix = np.array(similarity).reshape(len(relevance), len(relevance))
    chosen = maximal_marginal_relevance(np.array(relevance), matrix, k, trade_off=lam)
    assert chosen == textbook(relevance, similarity, k, lam)


def test_a_copy_of_the_best_item_comes_after_a_new_but_weaker_one() -> None:
    similarity = np.array([[1.0, 0.99, 0.1], [0.99, 1.0, 0.1], [0.1, 0.1, 1.0]])
    relevance = np.array([1.0, 0.9, 0.6])
    assert maximal_marginal_relevance(relevance, similarity, 3, trade_off=0.5) == [0, 2, 1]
    assert maximal_marginal_relevance(relevance, similarity, 3, trade_off=1.0) == [0, 1, 2]


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(ValueError, match="trade-off"):
        maximal_marginal_relevance(np.zeros(0), NONE, 1, trade_off=1.5)
    with pytest.raises(ValueError, match="shape"):
        maximal_marginal_relevance(np.zeros(2), NONE, 1)
    with pytest.raises(ValueError, match="negative"):
        maximal_marginal_relevance(np.zeros(0), NONE, -1)


@given(st.lists(st.lists(st.integers(-127, 127), min_size=3, max_size=3), max_size=6))
def test_cosines_are_those_of_single_pairs(rows: list[list[int]]) -> None:
    matrix = cosine_similarity(np.array(rows, np.int8).reshape(len(rows), 3))
    for i, a in enumerate(rows):
        for j, b in enumerate(rows):
            scale = math.sqrt(sum(x * x for x in a) * sum(x * x for x in b))
            expected = sum(x * y for x, y in zip(a, b, strict=True)) / scale if scale else 0.0
            assert matrix[i, j] == pytest.approx(min(max(expected, 0.0), 1.0))


@given(st.lists(st.frozensets(st.integers(0, 8)), max_size=6))
def test_jaccard_is_that_of_single_pairs(sets: list[frozenset[int]]) -> None:
    matrix = jaccard_similarity(sets)
    for i, a in enumerate(sets):
        for j, b in enumerate(sets):
            assert matrix[i, j] == (len(a & b) / len(a | b) if a | b else 0.0)
