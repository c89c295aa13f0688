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


def build_postings(packed: Sequence[bytes], lengths: Sequence[int]) -> Postings:
    """Return the inverted lists of a few chunks."""
    hashes, rows, tfs = unpack(packed, 0)
    terms, offsets, order = invert(hashes)
    return Postings(terms, offsets, rows[order], tfs[order], np.asarray(lengths, np.int32))


def unpack(
    packed: Sequence[bytes], first_row: int
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint16]]:
    """Return term hash, row and frequency of each posting, (p,) each, of rows from `first_row` on.

    Each item is one row's, as `store.rows.pack_terms` packs them: hashes, then counts.
    """
    counts = [len(item) // PACKED_BYTES for item in packed]
    hashes = b"".join(item[: n * HASH_BYTES] for item, n in zip(packed, counts, strict=True))
    tfs = b"".join(item[n * HASH_BYTES :] for item, n in zip(packed, counts, strict=True))
    rows = np.arange(first_row, first_row + len(packed), dtype=np.int32)
    return (
        np.frombuffer(hashes, "<u8").astype(np.uint64, copy=False),
        np.repeat(rows, counts),
        np.frombuffer(tfs, "<u2").astype(np.uint16, copy=False),
    )


def invert(
    hashes: NDArray[np.uint64],
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct terms, ascending, their offsets, and the order that sorts the postings.

    The order is stable: a term's rows stay as they came.
    """
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    offsets = np.append(np.flatnonzero(first), len(ordered)).astype(np.int64)
    return ordered[first], offsets, order


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
