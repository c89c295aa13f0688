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

    Cases are drawn with replacement, 2,000 times, and the interval holds the middle 95 % of the
    means (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13). For the macro
    mean they are drawn within their stratum (here: repository); where one has a single case, and
    so no spread of its own, whole strata are drawn instead. The same values give the same interval.

    Raises:
        ValueError: there is no value at all.
    """
    columns = [np.asarray(strata[name], dtype=float) for name in sorted(strata) if strata[name]]
    n = sum(len(column) for column in columns)
    if not n:
        raise ValueError("no values to average")
    if not macro:
        columns = [np.concatenate(columns)]
    elif min(map(len, columns)) == 1:
        columns = [np.array([column.mean() for column in columns])]
    mean = float(np.mean([column.mean() for column in columns]))
    if n < 2:
        return Estimate(mean, mean, mean, n)
    generator = np.random.default_rng(SEED)
    means = np.zeros(N_RESAMPLES)
    for column in columns:
        drawn = generator.integers(0, len(column), size=(N_RESAMPLES, len(column)))
        means += column[drawn].mean(axis=1) / len(columns)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return Estimate(mean, float(low), float(high), n)
