"""The signals of one diff as a matrix that any weights can rank at once. Pure; needs numpy.

A score is linear in the weights, so signals are asked for once and weighed as often as one likes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sidelight.evaluation.metrics import ndcg

DIGITS = 6  # as the ranking itself rounds before it looks for ties


@dataclass(frozen=True, slots=True)
class SignalMatrix:
    """What each signal adds to each candidate's score under a weight of 1.

    `values` is (n, m): n candidates in path order, m signals. What a signal takes off is below 0.
    """

    names: tuple[str, ...]
    paths: tuple[bytes, ...]
    values: NDArray[np.float64]

    def vector(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """Return the weights in the order of the columns; signals without one get 0."""
        return np.asarray([weights.get(name, 0.0) for name in self.names], np.float64)

    def scores(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return every candidate's score; -inf where no signal speaks for it."""
        totals = np.round(self.values @ weights, DIGITS)
        spoken_for = np.maximum(self.values, 0.0) @ weights > 0
        return np.where(spoken_for, totals, -np.inf)

    def order(self, weights: NDArray[np.float64]) -> list[bytes]:
        """Return the paths that some signal speaks for, best first; ties: path."""
        scores = self.scores(weights)
        best_first = np.argsort(-scores, kind="stable")
        return [self.paths[i] for i in best_first if scores[i] > -np.inf]

    def ndcg(self, weights: NDArray[np.float64], wanted: Collection[bytes], *, k: int) -> float:
        """Return nDCG@k of the wanted paths under the weights."""
        scores = self.scores(weights)
        ranks = []
        for index in (i for i, path in enumerate(self.paths) if path in wanted):
            own = scores[index]
            if own > -np.inf:
                before = (scores > own).sum() + (scores[:index] == own).sum()
                ranks.append(1 + int(before))
        return ndcg(ranks, len(wanted), k=k)

    def pack(self) -> tuple[str, bytes]:
        """Return names and paths as JSON, and the values' bytes; see `unpack`."""
        paths = [path.decode("utf-8", "surrogateescape") for path in self.paths]
        head = json.dumps({"names": list(self.names), "paths": paths})
        return head, self.values.astype("<f8").tobytes()


def unpack(head: str, data: bytes) -> SignalMatrix:
    """Return what `pack` packed; ValueError, KeyError or TypeError if it is something else."""
    value = json.loads(head)
    names = tuple(str(name) for name in value["names"])
    paths = tuple(str(path).encode("utf-8", "surrogateescape") for path in value["paths"])
    values = np.frombuffer(data, "<f8").reshape(len(paths), len(names)).astype(np.float64)
    return SignalMatrix(names, paths, values)
