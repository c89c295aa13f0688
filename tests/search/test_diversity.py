"""Diversified hits follow the formula, say why they came down, and keep descending scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.diversify import maximal_marginal_relevance, span_similarity
from sidelight.model import Hit, Span
from sidelight.search.diversity import POOL, diversify_hits


def hit(name: str, score: float) -> Hit:
    return Hit(name.encode(), Span(0, 10, 1, 3), "", "function", "python", score)


def terms_of(sets: list[set[int]]):  # type: ignore[no-untyped-def]
    return lambda at: frozenset(sets[at])


def vector(*values: int) -> bytes:
    return np.asarray(values, np.int8).tobytes()


def test_a_repetition_comes_after_something_new_and_says_what_it_repeats() -> None:
    hits = [hit("a.py", 1.0), hit("copy.py", 0.9), hit("new.py", 0.6), hit("far.py", 0.0)]
    vectors = dict(enumerate([vector(9, 0), vector(9, 1), vector(0, 9), vector(-9, 0)]))
    found = diversify_hits(hits, 0.4, vectors, terms_of([]))
    assert [item.path for item in found] == [b"a.py", b"new.py", b"copy.py", b"far.py"]
    assert [reason.kind for reason in found[2].reasons] == ["diversity"]
    assert "a.py:1" in found[2].reasons[0].detail
    assert found[2].score == pytest.approx(0.9 + found[2].reasons[0].weight, abs=1e-3)
    assert not found[1].reasons


def test_without_diversity_or_choice_hits_stay_as_they_are() -> None:
    hits = [hit("a.py", 1.0), hit("b.py", 1.0)]
    assert diversify_hits(hits, 0.0, {}, terms_of([])) == hits
    assert diversify_hits(hits, 0.5, {}, terms_of([{1}, {1}])) == hits
    assert diversify_hits([], 0.5, {}, terms_of([])) == []


def test_terms_stand_in_for_vectors_that_are_missing() -> None:
    sets = [{1, 2}, {1, 2}, {2, 3}]
    similar = span_similarity([vector(1, 0), None, vector(0, 1)], terms_of(sets))
    assert similar[0, 2] == 0.0  # by vectors
    assert similar[0, 1] == 1.0
    assert similar[1, 2] == pytest.approx(1 / 3)


def test_what_lies_beyond_the_pool_stays_below_it() -> None:
    hits = [hit(f"{n:03}.py", 1.0 - n / 1000) for n in range(POOL + 5)]
    found = diversify_hits(hits, 0.3, {}, terms_of([{1, n % 3} for n in range(POOL)]))
    assert [item.path for item in found[POOL:]] == [item.path for item in hits[POOL:]]
    scores = [item.score for item in found]
    assert scores == sorted(scores, reverse=True)


@given(
    st.lists(
        st.tuples(st.integers(0, 1000), st.sets(st.integers(0, 9), min_size=1)),
        min_size=2,
        max_size=9,
    ),
    st.sampled_from([0.1, 0.3, 0.5, 0.9]),
)
def test_the_order_is_that_of_marginal_relevance(
    drawn: list[tuple[int, set[int]]], diversity: float
) -> None:
    drawn = sorted(drawn, key=lambda pair: -pair[0])
    hits = [hit(f"{n}.py", score / 1000) for n, (score, _) in enumerate(drawn)]
    sets = [own for _, own in drawn]
    found = diversify_hits(hits, diversity, {}, terms_of(sets))
    scores = np.asarray([item.score for item in hits])
    spread = float(np.ptp(scores))
    order = list(range(len(hits)))
    if spread:
        similar = span_similarity([None] * len(hits), terms_of(sets))
        scaled = (scores - scores.min()) / spread
        order = maximal_marginal_relevance(scaled, similar, len(hits), trade_off=1 - diversity)
    assert [item.path for item in found] == [hits[at].path for at in order]
    shown = [item.score for item in found]
    assert shown == sorted(shown, reverse=True)


@pytest.mark.parametrize("diversity", [-0.1, 1.0, float("nan")])
def test_what_is_no_share_is_refused(diversity: float) -> None:
    with pytest.raises(ValueError, match="diversity"):
        diversify_hits([hit("a", 1.0)], diversity, {}, terms_of([{1}]))
