"""Add the signals of a diff up to one order of files. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sidelight.related.files import ViewFiles, min_max
from sidelight.related.signals import Signals
from sidelight.related.weights import DiffWeights

SUBTRACTED = frozenset({"off_kind", "test"})


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file with its score and what each signal added to it (or took off)."""

    file: int
    score: float
    shares: dict[str, float]


def rank_files(
    files: ViewFiles, signals: Signals, exclude: Collection[bytes], weights: DiffWeights
) -> Iterator[RankedFile]:
    """Yield the files outside `exclude` that any signal speaks for, best first; ties: path.

    score = Σ weight · signal, each signal min-max scaled over the candidates of this diff.
    """
    candidates = np.asarray(
        [index for index, path in enumerate(files.paths) if path not in exclude], np.int64
    )
    scaled = {
        name: min_max(values[candidates]) * _weight(weights, name)
        for name, values in signals.values.items()
    }
    total = np.zeros(len(candidates), np.float64)
    positive = np.zeros(len(candidates), np.float64)
    for name, shares in scaled.items():
        total += shares
        if name not in SUBTRACTED:
            positive += shares
    for index in _best_first(np.round(total, 6), positive > 0):  # few of thousands are looked at
        yield RankedFile(
            file=int(candidates[index]),
            score=round(float(total[index]), 6),
            shares={name: float(shares[index]) for name, shares in scaled.items() if shares[index]},
        )


def _best_first(total: NDArray[np.float64], wanted: NDArray[np.bool_]) -> list[int]:
    """Order by score; candidates are in path order, which a stable sort keeps among equals."""
    return [int(i) for i in np.argsort(-total, kind="stable") if wanted[i]]


def _weight(weights: DiffWeights, name: str) -> float:
    value: float = getattr(weights, name)
    return -value if name in SUBTRACTED else value
