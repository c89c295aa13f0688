"""Fit weights to examples by coordinate search. Pure: no clock, no randomness.

The search is coarse on purpose: the figure is flat around its best, and finer steps fit noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sidelight.evaluation.matrix import SignalMatrix

FACTORS = (0.0, 0.5, 0.75, 1.35, 2.0)  # what each weight is multiplied with in turn …
FROM_ZERO = (0.03, 0.08)  # … or set to, where it is 0
MIN_GAIN = 0.0005  # of the mean, for a step to be taken
MAX_ROUNDS = 8
CUTOFF = 10
DIGITS = 4

Weights = Mapping[str, float]


class Weighable(Protocol):
    """A case that any weights can rank without asking again."""

    @property
    def id(self) -> str:
        """The case's id."""
        ...

    @property
    def repo(self) -> str:
        """The repository it is about."""
        ...

    @property
    def time(self) -> int:
        """When it was committed, in seconds; of a question 0."""
        ...

    def ndcg(self, weights: Weights) -> float:
        """Return nDCG@10 of the ranking under these weights."""
        ...


@dataclass(frozen=True, slots=True)
class Example:
    """A diff with its signals and the paths that were wanted. `time`: of its commit, in seconds."""

    id: str
    repo: str
    time: int
    matrix: SignalMatrix
    wanted: frozenset[bytes]

    def ndcg(self, weights: Weights) -> float:
        """Return nDCG@10 of the wanted paths; see `SignalMatrix.ndcg`."""
        return self.matrix.ndcg(self.matrix.vector(weights), self.wanted, k=CUTOFF)


class Objective:
    """nDCG@10 of every example under any weights; the same weights are computed once."""

    def __init__(self, examples: Sequence[Weighable]) -> None:
        self.examples = tuple(examples)
        self._known: dict[tuple[tuple[str, float], ...], NDArray[np.float64]] = {}

    def values(self, weights: Weights) -> NDArray[np.float64]:
        """Return the figure of each example, (n,)."""
        key = tuple(sorted(weights.items()))
        if key not in self._known:
            values = [example.ndcg(weights) for example in self.examples]
            self._known[key] = np.asarray(values, np.float64)
        return self._known[key]


def fit_weights(objective: Objective, rows: Sequence[int], start: Weights) -> dict[str, float]:
    """Return weights that are at least as good as `start` on the examples at `rows`.

    One weight after the other takes its best step, until a round over all of them finds none that
    gains `MIN_GAIN`.
    """
    chosen = np.asarray(rows, np.int64)
    best = dict(start)
    if not len(chosen):
        return best
    reached = float(objective.values(best)[chosen].mean())
    for _ in range(MAX_ROUNDS):
        before = reached
        for name in start:
            tried = [best | {name: value} for value in _steps(best[name])]
            means = [float(objective.values(weights)[chosen].mean()) for weights in tried]
            top = int(np.argmax(means))
            if means[top] >= reached + MIN_GAIN:
                best, reached = tried[top], means[top]
        if reached < before + MIN_GAIN:
            break
    return best


def _steps(value: float) -> list[float]:
    if not value:
        return list(FROM_ZERO)
    return [round(value * factor, DIGITS) for factor in FACTORS]
