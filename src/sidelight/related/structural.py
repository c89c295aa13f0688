"""The plain structural ranking, as a baseline: BM25, times 1.5 where imports connect. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from sidelight.related.files import ViewFiles
from sidelight.related.rank import RankedFile

BOOST = 1.5


class RankingMode(StrEnum):
    """How related files are ordered."""

    SIGNALS = "signals"  # all signals, weighted
    STRUCTURAL = "structural"  # BM25 and imports alone


def rank_structural(
    files: ViewFiles,
    mix: NDArray[np.float64],
    neighbours: Mapping[bytes, str],
    exclude: Collection[bytes],
) -> list[RankedFile]:
    """Return the files outside `exclude` that BM25 finds, best first; ties: path.

    score = best chunk's BM25 · 1.5 for `neighbours` (imported by a focal file, importing one, or
    imported beside one by a third file), else · 1; divided by the largest.
    """
    boosted = mix * np.asarray([BOOST if path in neighbours else 1.0 for path in files.paths])
    allowed = np.asarray([path not in exclude for path in files.paths], np.bool_)
    scores = np.where(allowed, boosted, 0.0)
    highest = float(scores.max(initial=0.0)) or 1.0
    order = np.argsort(-np.round(scores, 6), kind="stable")
    found = []
    for index in (int(i) for i in order if scores[i] > 0):
        score = float(scores[index]) / highest
        shares = {"mix": float(mix[index]) / highest}
        if files.paths[index] in neighbours:
            shares["structure"] = score - shares["mix"]
        found.append(RankedFile(index, round(score, 6), shares))
    return found
