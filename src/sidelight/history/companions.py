"""Files that usually change together with a focal one. Pure arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LATELY = 10  # commits of the focal file


@dataclass(frozen=True, slots=True)
class Companion:
    """`path` changed in `together` of the `of` commits that touched `focal` since both exist.

    `lately` of the last `lately_of` (at most ten) of these did so, too: habits end.
    """

    path: bytes
    focal: bytes
    together: int
    of: int
    lately: int
    lately_of: int
    last_age_days: float

    @property
    def confidence(self) -> float:
        """The share of the focal file's commits that touched both."""
        return self.together / self.of


@dataclass(frozen=True, slots=True)
class Touches:
    """Touches (t,): which commit, ascending from the newest, and which file.

    `counted` and `age_days` (c,) belong to commits; those that are not counted are ignored.
    """

    commits: NDArray[np.int64]
    files: NDArray[np.int64]
    counted: NDArray[np.bool_]
    age_days: NDArray[np.float64]


def find_companions(
    touches: Touches,
    focal: NDArray[np.int64],
    is_live: NDArray[np.bool_],
    paths: Sequence[bytes],
    *,
    min_support: int,
    min_confidence: float,
) -> list[Companion]:
    """Return companions of focal files that are not focal themselves, surest first.

    A pair's `of` starts with the first commit that touched the companion. The share must hold over
    all of these commits and over the last ten. Order: confidence, support, path.
    """
    keep = touches.counted[touches.commits]
    commits, files = touches.commits[keep], touches.files[keep]
    oldest = np.full(len(is_live), -1, np.int64)
    oldest[files] = commits  # ascending: the last, oldest one stays
    found: list[Companion] = []
    for row in focal.tolist():
        mine = commits[files == row]
        if len(mine) < min_support:
            continue
        shared = np.isin(commits, mine)
        counts = np.bincount(files[shared], minlength=len(is_live))
        counts[focal] = 0
        for file in np.flatnonzero((counts >= min_support) & is_live).tolist():
            theirs = commits[files == file]
            both_exist = mine[mine <= oldest[file]]
            last = both_exist[:LATELY]
            together = np.intersect1d(both_exist, theirs, assume_unique=True)
            lately = int(np.isin(last, theirs).sum())
            if len(together) >= min_confidence * len(both_exist) and lately >= min_confidence * len(
                last
            ):
                found.append(
                    Companion(
                        paths[file],
                        paths[row],
                        len(together),
                        len(both_exist),
                        lately,
                        len(last),
                        float(touches.age_days[together[0]]),
                    )
                )
    return sorted(found, key=lambda c: (-c.confidence, -c.together, c.path, c.focal))
