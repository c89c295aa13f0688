"""Inverted lists as flat arrays: built from chunks' packed terms, gathered for a query's terms.

Arrays only: no files, no database.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HASH_BYTES, TF_BYTES = 8, 2
SORTED_AT_ONCE = 500_000  # postings, of about 8,000 chunks
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

    def __init__(self, n_postings: int, *, sorted_at_once: int = SORTED_AT_ONCE) -> None:
        self._sorted_at_once = sorted_at_once
        self._hashes = np.empty(n_postings, "<u8")
        self._tfs = np.empty(n_postings, "<u2")
        self._ends = array("q")  # of each row's postings: less than a row number with each
        self._at = 0

    def add(self, packed: bytes) -> None:
        """Add the next row: terms as `store.rows.pack_terms` packs them, hashes, then counts."""
        count = len(packed) // PACKED_BYTES
        end = self._at + count
        self._hashes[self._at : end] = np.frombuffer(packed, "<u8", count)
        self._tfs[self._at : end] = np.frombuffer(packed, "<u2", count, count * HASH_BYTES)
        self._ends.append(end)
        self._at = end

    def finish(self, lengths: NDArray[np.int32]) -> Postings:
        """Return the inverted lists; the builder is used up.

        Many postings are sorted in parts, by the first bits of their hashes: sorted at once they
        would take 26 bytes more each.
        """
        ends = np.asarray(self._ends, np.int64)
        n = len(self._hashes)
        rows, tfs = np.empty(n, np.int32), np.empty(n, np.uint16)
        terms: list[NDArray[np.uint64]] = []
        firsts: list[NDArray[np.int64]] = []
        at = 0
        for part in self._parts():
            hashes = self._hashes[part]
            order = np.argsort(hashes, kind="stable")  # stable: a term's rows stay ascending
            hashes = hashes[order]
            end = at + len(part)
            rows[at:end] = np.searchsorted(ends, part, side="right")[order]
            tfs[at:end] = self._tfs[part[order]]
            first = np.ones(len(hashes), np.bool_)
            first[1:] = hashes[1:] != hashes[:-1]
            terms.append(np.asarray(hashes[first], np.uint64))
            firsts.append(np.flatnonzero(first) + at)
            at = end
        self._hashes, self._tfs = np.empty(0, "<u8"), np.empty(0, "<u2")
        return Postings(
            terms=np.concatenate(terms),
            offsets=np.append(np.concatenate(firsts), n).astype(np.int64),
            rows=rows,
            tfs=tfs,
            lengths=lengths,
        )

    def _parts(self) -> Iterator[NDArray[np.int64]]:
        """Yield the postings' numbers, ascending, part by part of the hashes' range."""
        if len(self._hashes) <= self._sorted_at_once:
            yield np.arange(len(self._hashes))
            return
        highest = self._hashes.view(np.uint8)[HASH_BYTES - 1 :: HASH_BYTES] >> 4  # little-endian
        for part in range(16):
            yield np.flatnonzero(highest == part)


def build_postings(packed: Sequence[bytes], lengths: Sequence[int]) -> Postings:
    """Return the inverted lists of a few chunks."""
    builder = PostingsBuilder(sum(len(item) for item in packed) // PACKED_BYTES)
    for item in packed:
        builder.add(item)
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
