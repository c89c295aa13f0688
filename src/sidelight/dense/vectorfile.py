"""The adapter to usearch: one immutable file of int8 vectors keyed by chunk id.

Below `HNSW_FROM` vectors every search is an exact scan, and the graph that usearch insists on is
the cheapest it can build. Above, it is a real HNSW graph. The scan goes over the file's own matrix
with the kernels that usearch brings along: by them alone it takes half of what usearch's search
takes. Import this module only where vectors are searched or written: its engines take a third of
a second to load.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, Self

import numpy as np
import onnxruntime  # noqa: F401 - must come first: imported after usearch 2.26, it crashes
from numpy.typing import NDArray
from usearch.index import Index, MetricKind, ScalarKind

import numkong  # isort: skip - brought by usearch; must not come before onnxruntime either

# Measured at 100k vectors: exact scan 4-7 ms, HNSW .24 ms but 44-74 s to build and .96 recall.
HNSW_FROM = 2_000_000
HNSW_CONNECTIVITY = 16
HNSW_EXPANSION = 128
LEAST_CONNECTIVITY = 2  # usearch refuses less
MATRIX_AT = 8  # bytes: the numbers of rows and columns, then the rows in the order they were added
PROBES = 16  # rows that are compared with what usearch says of them before the matrix is trusted


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


class VectorMatrix:
    """The rows of a vector file as they lie in it, for exact scans: `keys` (n,) name `rows` (n, d).

    `squares` (n,) are the rows' squared lengths.
    """

    def __init__(self, keys: NDArray[np.int64], rows: NDArray[np.int8]) -> None:
        self.keys = keys
        self._rows = rows
        nothing = np.zeros((1, rows.shape[1]), np.int8)
        self.squares = _cross(nothing, rows, "sqeuclidean")
        lengths = np.sqrt(self.squares).astype(np.float32)
        self._inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)

    def products(self, query: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return query · row for each row, (n,), exactly: they are integers."""
        return _cross(query[np.newaxis], self._rows, "dot")

    def nearness(self, products: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return |query| · cos(row, query) for each row, (n,), to six digits or so."""
        near: NDArray[np.float32] = products.astype(np.float32) * self._inverse
        return near


class VectorFile:
    """A mapped vector file. `hnsw` tells whether searches are approximate.

    `matrix` is there if the file can be scanned without usearch: not for a graph's approximate
    search, nor if usearch ever lays out its files in another way.
    """

    def __init__(self, index: Index, *, hnsw: bool, matrix: VectorMatrix | None) -> None:
        self._index = index
        self.hnsw = hnsw
        self.matrix = matrix

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
        return cls(index, hnsw=hnsw, matrix=None if hnsw else _map_matrix(path, index))

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


def _map_matrix(path: Path, index: Index) -> VectorMatrix | None:
    """Return the rows that usearch saved in front of its graph, if they are where we expect them.

    They lie in the order they were added, which is that of ascending keys.
    """
    n, width = len(index), int(index.ndim)
    if n == 0 or path.stat().st_size < MATRIX_AT + n * width:
        return None
    header = np.fromfile(path, "<u4", 2)
    if header.tolist() != [n, width]:
        return None
    rows = np.asarray(np.memmap(path, np.int8, "r", offset=MATRIX_AT, shape=(n, width)))
    keys = np.sort(np.asarray(index.keys, dtype=np.int64))
    probes = np.unique(np.linspace(0, n - 1, PROBES).astype(np.int64))
    if not np.array_equal(index.get(keys[probes].astype(np.uint64)), rows[probes]):
        return None
    return VectorMatrix(keys, rows)


def _cross(
    one: NDArray[np.int8], rows: NDArray[np.int8], metric: Literal["dot", "sqeuclidean"]
) -> NDArray[np.float64]:
    """Return the metric between one vector (1, d) and each row (n, d), (n,); no GIL is held."""
    found: NDArray[np.float64] = np.asarray(numkong.cdist(one, rows, metric=metric)).reshape(-1)
    return found
