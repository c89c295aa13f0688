"""Bootstrap intervals: against the normal approximation, and what must hold for any values."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight.evaluation.intervals import estimate

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)
STRATA = st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1)


def test_interval_agrees_with_the_normal_approximation() -> None:
    values = [((i * 7919) % 1000) / 1000 for i in range(400)]
    result = estimate({"a": values})
    error = statistics.pstdev(values) / math.sqrt(len(values))
    assert result.mean == pytest.approx(statistics.fmean(values))
    assert result.low == pytest.approx(result.mean - 1.96 * error, abs=0.15 * error)
    assert result.high == pytest.approx(result.mean + 1.96 * error, abs=0.15 * error)


def test_macro_mean_draws_cases_within_their_repository() -> None:
    # All the spread lies between the repositories, which are given: their mean is certain.
    strata = {"a": [0.0] * 5, "b": [1.0] * 5}
    macro = estimate(strata, macro=True)
    assert (macro.low, macro.mean, macro.high) == (0.5, 0.5, 0.5)
    assert estimate(strata).low < 0.3


def test_repositories_with_one_case_each_still_have_a_spread() -> None:
    macro = estimate({name: [float(name == "a")] for name in "abcdef"}, macro=True)
    assert macro.low < macro.mean < macro.high


def test_macro_weighs_repositories_alike() -> None:
    strata = {"a": [1.0], "b": [0.0] * 3}
    assert estimate(strata).mean == 0.25
    assert estimate(strata, macro=True).mean == 0.5


def test_one_case_has_no_spread_and_none_no_mean() -> None:
    assert estimate({"a": [0.3]}).low == 0.3
    with pytest.raises(ValueError, match="no values"):
        estimate({"a": []})


@settings(max_examples=30)
@given(STRATA, st.booleans())
def test_interval_surrounds_the_mean_within_the_range(
    strata: dict[str, list[float]], macro: bool
) -> None:
    result = estimate(strata, macro=macro)
    values = [value for column in strata.values() for value in column]
    assert min(values) - 1e-9 <= result.low <= result.high <= max(values) + 1e-9
    assert min(values) - 1e-9 <= result.mean <= max(values) + 1e-9
    assert result == estimate(dict(reversed(list(strata.items()))), macro=macro)
