"""Inverted lists as flat arrays: built from chunks' packed terms, gathered for a query's terms.

Arrays only: no files, no database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HASH_BYTES, TF_BYTES = 8, 2


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
    """Return the inverted lists of chunks given as `store.rows.pack_terms` packs them."""
    counts = np.fromiter((len(item) // (HASH_BYTES + TF_BYTES) for item in packed), np.int64)
    total = int(counts.sum())
    hashes = np.empty(total, "<u8")
    tfs = np.empty(total, "<u2")
    at = 0
    for item, count in zip(packed, counts.tolist(), strict=True):
        hashes[at : at + count] = np.frombuffer(item, "<u8", count)
        tfs[at : at + count] = np.frombuffer(item, "<u2", count, count * HASH_BYTES)
        at += count
    rows = np.repeat(np.arange(len(packed), dtype=np.int32), counts)
    order = np.argsort(hashes, kind="stable")  # stable keeps the rows of a term ascending
    hashes = hashes[order]
    first = np.ones(total, np.bool_)
    first[1:] = hashes[1:] != hashes[:-1]
    offsets = np.append(np.flatnonzero(first), total).astype(np.int64)
    return Postings(
        terms=np.asarray(hashes[offsets[:-1]], np.uint64),
        offsets=offsets,
        rows=rows[order],
        tfs=np.asarray(tfs[order], np.uint16),
        lengths=np.asarray(lengths, np.int32),
    )


def gather(
    postings: Postings, term: int, live: NDArray[np.bool_] | None
) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """Return the rows that hold the term, and its frequency in each; only live rows if given."""
    at = int(np.searchsorted(postings.terms, np.uint64(term)))
    if at == len(postings.terms) or int(postings.terms[at]) != term:
        return np.empty(0, np.int32), np.empty(0, np.uint16)
    start, end = int(postings.offsets[at]), int(postings.offsets[at + 1])
    rows, tfs = postings.rows[start:end], postings.tfs[start:end]
    if live is None:
        return rows, tfs
    keep = live[rows]
    return rows[keep], tfs[keep]
