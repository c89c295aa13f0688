"""All commits that are stored, as arrays; and the past of one of them, in a fixed order.

Commits are numbered so that parents come before children. Arrays only: no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sidelight.history.rows import WORD_BYTES

StoredCommit = tuple[int, bytes, bytes, int, int, int, bytes, bytes, bytes]


@dataclass(frozen=True, slots=True)
class Lists:
    """Many short lists in two arrays: list i is `items[offsets[i]:offsets[i + 1]]`."""

    items: NDArray[np.int64]
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The length of each list."""
        return np.diff(self.offsets)

    def take(self, rows: NDArray[np.int64]) -> Lists:
        """Return the lists of some rows, in their order."""
        lengths = self.offsets[rows + 1] - self.offsets[rows]
        offsets = np.append(0, np.cumsum(lengths)).astype(np.int64)
        places = np.repeat(self.offsets[rows] - offsets[:-1], lengths)
        return Lists(self.items[places + np.arange(offsets[-1])], offsets)

    def owners(self) -> NDArray[np.int64]:
        """Return, for each item, the number of its list."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.lengths)


@dataclass(frozen=True, slots=True)
class CommitLog:
    """Every stored commit, whatever view it belongs to; n commits, p paths.

    `files` holds path numbers, `renames` alternating old and new ones, `terms` 32-bit hashes.
    `number` finds a commit by its id.
    """

    number: dict[bytes, int]
    oids: Sequence[bytes]
    parents: Lists
    times: NDArray[np.int64]
    edges: NDArray[np.int64]
    n_files: NDArray[np.int64]
    files: Lists
    renames: Lists
    terms: Lists
    paths: Sequence[bytes]

    def past(self, tips: Iterable[int]) -> NDArray[np.int64]:
        """Return the tips and their ancestors, newest first: a function of the commits alone.

        A commit counts as made one second after its newest parent if its clock says less (git's
        "corrected commit date"), so none precedes its child; equal times are ordered by id.
        """
        parents, offsets = self.parents.items.tolist(), self.parents.offsets.tolist()
        times = self.times.tolist()
        for child in range(len(times)):
            for parent in parents[offsets[child] : offsets[child + 1]]:
                times[child] = max(times[child], times[parent] + 1)
        reached = bytearray(len(times))
        for tip in tips:
            reached[tip] = 1
        for child in range(len(times) - 1, -1, -1):
            if reached[child]:
                for parent in parents[offsets[child] : offsets[child + 1]]:
                    reached[parent] = 1
        rows = np.flatnonzero(np.frombuffer(reached, np.uint8))
        heads = np.frombuffer(b"".join(self.oids[row][:8] for row in rows.tolist()), ">u8")
        return rows[np.lexsort((heads, -np.asarray(times, np.int64)[rows]))]


def build_log(commits: Sequence[StoredCommit], paths: Sequence[tuple[bytes, int]]) -> CommitLog:
    """Return the arrays of the tables' rows.

    A commit is (id, oid, parents, time, edge, n_files, files, renames, terms), a path (path, id);
    both with ids ascending.

    Raises:
        ValueError: a packed column is cut, or names a row that is not there.
    """
    ids, oids, parents, times, edges, n_files, files, renames, terms = (
        zip(*commits, strict=True) if commits else ((),) * 9
    )
    commit_ids = np.asarray(ids, np.int64)
    path_ids = np.asarray([number for _, number in paths], np.int64)
    family = _lists(parents, commit_ids)
    if (family.items >= family.owners()).any():
        raise ValueError("a parent comes after its child")
    return CommitLog(
        number={oid: row for row, oid in enumerate(oids)},
        oids=oids,
        parents=family,
        times=np.asarray(times, np.int64),
        edges=np.asarray(edges, np.int64),
        n_files=np.asarray(n_files, np.int64),
        files=_lists(files, path_ids),
        renames=_lists(renames, path_ids),
        terms=_lists(terms, None),
        paths=[path for path, _ in paths],
    )


def distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the distinct values, ascending. `np.unique` would import `numpy.ma` first: 25 ms."""
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def _lists(packed: Sequence[bytes], ids: NDArray[np.int64] | None) -> Lists:
    """Unpack a column; numbers that are ids become row numbers."""
    sizes = np.asarray([len(item) for item in packed], np.int64)
    if (sizes % WORD_BYTES).any():
        raise ValueError("a packed column is cut")
    offsets = np.append(0, np.cumsum(sizes // WORD_BYTES)).astype(np.int64)
    items = np.frombuffer(b"".join(packed), "<u4").astype(np.int64)
    if ids is not None and len(items):
        places = np.minimum(np.searchsorted(ids, items), max(len(ids) - 1, 0))
        if len(ids) == 0 or (ids[places] != items).any():
            raise ValueError("a packed column names a row that is not there")
        items = places.astype(np.int64)
    return Lists(items, offsets)
