"""Inverted lists as flat arrays: built from chunks' packed terms, gathered for a query's terms.

Arrays only: no files, no database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HASH_BYTES, TF_BYTES = 8, 2
PACKED_BYTES = HASH_BYTES + TF_BYTES


@dataclass(frozen=True, slots=True)
class Postings:
    """Term t's rows are `rows[offsets[t]:offsets[t + 1]]`, ascending, with as many `tfs`.

    Shapes: `terms` (t,) sorted 64-bit hashes, `offsets` (t + 1,), `rows` and `tfs` (p,),
    `lengths` (n,) in terms, one a row.
    """

    terms: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    rows: NDArray[np.int32]
    tfs: NDArray[np.uint16]
    lengths: NDArray[np.int32]


class PostingsBuilder:
    """Inverts chunks' packed terms, one chunk after the other in row order."""

    def __init__(self, n_postings: int) -> None:
        self._hashes = np.empty(n_postings, "<u8")
        self._tfs = np.empty(n_postings, "<u2")
        self._rows = np.empty(n_postings, np.int32)
        self._at = 0

    def add(self, row: int, packed: bytes) -> None:
        """Add a chunk's terms as `store.rows.pack_terms` packs them: hashes, then frequencies."""
        count = len(packed) // PACKED_BYTES
        end = self._at + count
        self._hashes[self._at : end] = np.frombuffer(packed, "<u8", count)
        self._tfs[self._at : end] = np.frombuffer(packed, "<u2", count, count * HASH_BYTES)
        self._rows[self._at : end] = row
        self._at = end

    def finish(self, lengths: NDArray[np.int32]) -> Postings:
        """Return the inverted lists; the builder is used up."""
        order = np.argsort(self._hashes, kind="stable")  # stable: a term's rows stay ascending
        hashes = self._hashes[order]
        first = np.ones(len(hashes), np.bool_)
        first[1:] = hashes[1:] != hashes[:-1]
        offsets = np.append(np.flatnonzero(first), len(hashes)).astype(np.int64)
        return Postings(
            terms=np.asarray(hashes[offsets[:-1]], np.uint64),
            offsets=offsets,
            rows=self._rows[order],
            tfs=np.asarray(self._tfs[order], np.uint16),
            lengths=lengths,
        )


def build_postings(packed: Sequence[bytes], lengths: Sequence[int]) -> Postings:
    """Return the inverted lists of a few chunks."""
    builder = PostingsBuilder(sum(len(item) for item in packed) // PACKED_BYTES)
    for row, item in enumerate(packed):
        builder.add(row, item)
    return builder.finish(np.asarray(lengths, np.int32))


def gather(
    postings: Postings, term: int, live: NDArray[np.bool_] | None
) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """Return the rows that hold the term, and its frequency in each; only live rows if given."""
    start, end = _bounds(postings, term)
    rows, tfs = postings.rows[start:end], postings.tfs[start:end]
    if live is None:
        return rows, tfs
    keep = live[rows]
    return rows[keep], tfs[keep]


def count_rows(postings: Postings, term: int) -> int:
    """Return how many rows hold the term."""
    start, end = _bounds(postings, term)
    return end - start


def _bounds(postings: Postings, term: int) -> tuple[int, int]:
    at = int(postings.terms.searchsorted(np.uint64(term)))
    if at == len(postings.terms) or int(postings.terms[at]) != term:
        return 0, 0
    return int(postings.offsets[at]), int(postings.offsets[at + 1])
