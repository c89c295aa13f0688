"""Precision, recall and F1 of lists, against a textbook's definitions."""

from __future__ import annotations

import math
from statistics import fmean

import pytest
from benchmarks.impact_metrics import Scores, mean_scores, score_files
from hypothesis import given
from hypothesis import strategies as st

PATHS = st.lists(st.sampled_from("abcdefgh"), max_size=8)


def test_two_of_four_listed_files_out_of_three_wanted():
    score = score_files(["a", "b", "c", "d"], {"a", "b", "z"})
    assert (score.precision, score.recall, score.length) == (0.5, pytest.approx(2 / 3), 4)
    assert score.f1 == pytest.approx(2 * 0.5 * (2 / 3) / (0.5 + 2 / 3))


def test_an_empty_list_scores_nothing():
    assert score_files([], {"a"}) == Scores(0.0, 0.0, 0.0, 0)


def test_a_path_listed_twice_counts_once():
    assert score_files(["a", "a"], ["a"]) == Scores(1.0, 1.0, 1.0, 1)


def test_nothing_to_be_found_is_no_case():
    with pytest.raises(ValueError, match="no file"):
        score_files(["a"], [])


@given(PATHS, st.sets(st.sampled_from("abcdefgh"), min_size=1))
def test_scores_are_those_of_counted_hits(predicted, actual):
    score = score_files(predicted, actual)
    hits = sum(path in actual for path in dict.fromkeys(predicted))
    missed = len(actual) - hits
    wrong = len(dict.fromkeys(predicted)) - hits
    assert math.isclose(score.recall, hits / (hits + missed))
    assert math.isclose(score.precision, hits / (hits + wrong) if hits + wrong else 0)
    # F1 by counts, which no division of ratios enters (van Rijsbergen's E with equal weights)
    assert math.isclose(score.f1, 2 * hits / (2 * hits + missed + wrong))


@given(st.lists(st.tuples(PATHS, st.sets(st.sampled_from("abc"), min_size=1)), min_size=1))
def test_means_are_over_cases(cases):
    scores = [score_files(predicted, actual) for predicted, actual in cases]
    assert mean_scores(scores).f1 == pytest.approx(fmean(score.f1 for score in scores))


def test_no_case_has_no_mean():
    with pytest.raises(ValueError, match="no case"):
        mean_scores([])
