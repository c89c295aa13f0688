"""Verdicts: noise is not called a win."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.evaluation.paired import MIN_CASES, Verdict, compare_pairs

VALUE = st.floats(0, 1)


def test_a_gain_of_almost_every_case_is_better() -> None:
    pairs = [(0.4, 0.5 + n / 100) for n in range(20)]
    found = compare_pairs("x", pairs)
    assert found.verdict is Verdict.BETTER
    assert (found.n, found.n_better, found.n_worse) == (20, 20, 0)
    assert found.difference.mean == pytest.approx(found.after - found.before)
    assert compare_pairs("x", [(b, a) for a, b in pairs]).verdict is Verdict.WORSE


def test_gains_and_losses_that_nearly_cancel_are_noise() -> None:
    pairs = [(0.5, 0.9), (0.5, 0.1)] * 10 + [(0.5, 0.6)]
    assert compare_pairs("x", pairs).verdict is Verdict.NOISE


def test_few_cases_have_no_verdict() -> None:
    assert compare_pairs("x", [(0.0, 1.0)] * (MIN_CASES - 1)).verdict is Verdict.TOO_FEW


def test_nothing_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="no values"):
        compare_pairs("x", [])


@given(st.lists(VALUE, min_size=1, max_size=30))
def test_equal_rankings_never_differ(values: list[float]) -> None:
    found = compare_pairs("x", [(value, value) for value in values])
    assert found.verdict in (Verdict.NOISE, Verdict.TOO_FEW)
    assert (found.n_better, found.n_worse, found.difference.mean) == (0, 0, 0.0)


@given(st.lists(st.tuples(VALUE, VALUE), min_size=MIN_CASES, max_size=30))
def test_a_swap_of_both_turns_the_verdict_around(pairs: list[tuple[float, float]]) -> None:
    turned = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    found = compare_pairs("x", pairs)
    swapped = compare_pairs("x", [(after, before) for before, after in pairs])
    assert swapped.n_better == found.n_worse
    if abs(found.difference.low) > 1e-3 and abs(found.difference.high) > 1e-3:
        assert swapped.verdict is turned.get(found.verdict, found.verdict)
