"""Averages and how far to trust them: seeded percentile bootstrap. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

N_RESAMPLES = 2000  # the end points move by less than .003 between seeds on 124 cases
LEVEL = 0.95
SEED = 20_240_601


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `n` cases with its 95 % interval; `low` = `high` = `mean` below two cases."""

    mean: float
    low: float
    high: float
    n: int


def estimate(strata: Mapping[str, Sequence[float]], *, macro: bool = False) -> Estimate:
    """Return the mean of all values (`macro`: the mean of the strata's means), with its interval.

    Cases are drawn with replacement within their stratum (here: repository), because the
    repositories are given, and the question is how the figure would move with other cases of
    them (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13: percentiles).
    The same values give the same interval, in whatever order the strata come.

    Raises:
        ValueError: there is no value at all.
    """
    columns = [np.asarray(strata[name], dtype=float) for name in sorted(strata) if strata[name]]
    n = sum(len(column) for column in columns)
    if not n:
        raise ValueError("no values to average")
    weights = [1 / len(columns) if macro else len(column) / n for column in columns]
    mean = sum(w * float(column.mean()) for w, column in zip(weights, columns, strict=True))
    if n < 2:
        return Estimate(mean, mean, mean, n)
    generator = np.random.default_rng(SEED)
    means = np.zeros(N_RESAMPLES)
    for weight, column in zip(weights, columns, strict=True):
        drawn = generator.integers(0, len(column), size=(N_RESAMPLES, len(column)))
        means += weight * column[drawn].mean(axis=1)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return Estimate(mean, float(low), float(high), n)
