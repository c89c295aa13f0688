"""What a predicted list of impacted files is worth. Pure: lists in, numbers out.

The method is the one that code-review-graph describes for its co-change measurement: a part of a
commit is shown, and the prediction is graded against the other files of the same commit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and their harmonic mean, each in [0, 1], and how long the list was."""

    precision: float
    recall: float
    f1: float
    length: float


def score_files(predicted: Sequence[str], actual: Collection[str]) -> Scores:
    """Return the scores of one list; an empty one has precision 0, as has one without a hit.

    A path that is listed twice counts once. F1 = 2PR / (P + R), 0 where both are 0.

    Raises:
        ValueError: there is nothing to be found.
    """
    if not actual:
        raise ValueError("no file is to be found")
    listed = set(predicted)
    hits = len(listed & set(actual))
    precision, recall = hits / max(len(listed), 1), hits / len(set(actual))
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return Scores(precision, recall, f1, len(listed))


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """Return the mean of each figure over cases (so F1 is a mean of F1s, not one of the means).

    Raises:
        ValueError: there is no case.
    """
    if not scores:
        raise ValueError("no case was scored")
    return Scores(
        fmean(score.precision for score in scores),
        fmean(score.recall for score in scores),
        fmean(score.f1 for score in scores),
        fmean(score.length for score in scores),
    )
