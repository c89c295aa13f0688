"""The adapter to usearch: one immutable file of int8 vectors keyed by chunk id.

Below `HNSW_FROM` vectors every search is an exact scan, and the graph that usearch insists on is
the cheapest it can build. Above, it is a real HNSW graph. Import this module only where vectors
are searched or written: its engines take a third of a second to load.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Self

import numpy as np
import onnxruntime  # noqa: F401 - must come first: imported after usearch 2.26, it crashes
from numpy.typing import NDArray
from usearch.index import Index, MetricKind, ScalarKind

# Measured at 100k vectors: exact scan 4-7 ms, HNSW .24 ms but 44-74 s to build and .96 recall.
HNSW_FROM = 500_000
HNSW_CONNECTIVITY = 16
HNSW_EXPANSION = 128
LEAST_CONNECTIVITY = 2  # usearch refuses less


def build_vector_file(
    path: Path, keys: NDArray[np.int64], rows: NDArray[np.int8], *, hnsw_from: int = HNSW_FROM
) -> None:
    """Write the vectors `rows` (n, d), named by `keys` (n,), as a new file at `path`."""
    write_vector_file(path, keys, [rows] if len(rows) else [], rows.shape[1], hnsw_from=hnsw_from)


def write_vector_file(
    path: Path,
    keys: NDArray[np.int64],
    batches: Iterable[NDArray[np.int8]],
    dimensions: int,
    *,
    hnsw_from: int = HNSW_FROM,
) -> None:
    """Write vectors that come in batches of rows, in the order of `keys`, as `build_vector_file`.

    One thread adds them: only then are two builds of the same rows identical, however batched.
    """
    hnsw = len(keys) >= hnsw_from
    index = Index(
        ndim=dimensions,
        metric=MetricKind.Cos,
        dtype=ScalarKind.I8,
        connectivity=HNSW_CONNECTIVITY if hnsw else LEAST_CONNECTIVITY,
        expansion_add=HNSW_EXPANSION if hnsw else 1,
        expansion_search=HNSW_EXPANSION,
    )
    at = 0
    for rows in batches:
        own = keys[at : at + len(rows)].astype(np.uint64)
        index.add(own, rows, threads=1, copy=True)
        at += len(rows)
    index.save(str(path))


class VectorFile:
    """A mapped vector file. `hnsw` tells whether searches are approximate."""

    def __init__(self, index: Index, *, hnsw: bool) -> None:
        self._index = index
        self.hnsw = hnsw

    @classmethod
    def open(cls, path: Path, *, hnsw_from: int = HNSW_FROM) -> Self:
        """Map the file. Its checksum must have been verified: usearch checks nothing.

        Raises:
            ValueError: usearch cannot make sense of it.
        """
        index = Index.restore(str(path), view=True) if path.exists() else None
        if index is None:
            raise ValueError(f"{path.name} is not a vector file")
        hnsw = len(index) >= hnsw_from
        if hnsw:
            index.expansion_search = HNSW_EXPANSION  # restoring resets it
        return cls(index, hnsw=hnsw)

    def __len__(self) -> int:
        return len(self._index)

    @property
    def dimensions(self) -> int:
        """The length of each vector."""
        return int(self._index.ndim)

    def nearest(self, query: NDArray[np.int8], count: int) -> NDArray[np.int64]:
        """Return the keys of the `count` nearest vectors by cosine, nearest first."""
        count = min(count, len(self))
        if count == 0:
            return np.empty(0, np.int64)
        found = self._index.search(query, count, exact=not self.hnsw, threads=1)
        return np.asarray(found.keys, dtype=np.int64)[: len(found)]

    def rows(self, keys: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return the vectors (n, d) of keys that are in the file."""
        if len(keys) == 0:
            return np.empty((0, self.dimensions), np.int8)
        return np.asarray(self._index.get(keys.astype(np.uint64)), dtype=np.int8)
