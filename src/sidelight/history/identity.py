"""Follow renames: which present file does a touch of some old name belong to? Pure arrays.

A touch of a name counts for the file that has it now by the renames that came later, in the order
of the past. Where those end at no present file, the newest renames of the name itself are
followed: that is how work on a branch that had not seen the rename yet finds its file.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sidelight.history.log import CommitLog, distinct


class Identities:
    """The touches of one past with names resolved, and the present name of any other.

    `commits` (t,) are positions in the past (0 is the newest), ascending, and `files` (t,) path
    numbers of the log; no pair twice.
    """

    def __init__(self, log: CommitLog, past: NDArray[np.int64], is_live: NDArray[np.bool_]) -> None:
        self._is_live = is_live
        self._newest: dict[int, int] = {}
        touches = log.files.take(past)
        commits = touches.owners()
        files = self._resolve_by_time(log, past, touches.items, touches.offsets)
        dead = distinct(files[~is_live[files]])
        if len(dead):
            present = np.arange(len(is_live))
            present[dead] = [self.present(number) for number in dead.tolist()]
            files = present[files]
        keys = distinct(commits * len(is_live) + files)
        self.commits = keys // max(len(is_live), 1)
        self.files = keys % max(len(is_live), 1)

    def present(self, number: int) -> int:
        """Return the present file that a name leads to; the name itself if there is none."""
        at, seen = number, set()
        while not self._is_live[at] and at in self._newest and at not in seen:
            seen.add(at)
            at = self._newest[at]
        return at if self._is_live[at] else number

    def _resolve_by_time(
        self,
        log: CommitLog,
        past: NDArray[np.int64],
        names: NDArray[np.int64],
        offsets: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Return the name that each touched file got by the renames after the touch."""
        renames = log.renames.take(past)
        now = np.arange(len(self._is_live))
        files = names.copy()
        done = 0
        for position in np.flatnonzero(renames.lengths).tolist():
            end = int(offsets[position + 1])  # this commit's own touches use the new names
            files[done:end] = now[names[done:end]]
            done = end
            start, stop = renames.offsets[position : position + 2].tolist()
            pairs = renames.items[start:stop].reshape(-1, 2)
            now[pairs[:, 0]] = now[pairs[:, 1]]  # at once: two files may have swapped names
            for old in pairs[:, 0].tolist():
                self._newest.setdefault(old, int(now[old]))
        files[done:] = now[names[done:]]
        return files
