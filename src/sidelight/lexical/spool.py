"""Inverted lists of more postings than should be in memory: split by hash on disk, sorted in parts.

The result is what `build_postings` would give, straight into the files of a snapshot.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from sidelight.lexical.postings import PACKED_BYTES, invert, unpack

SORTED_AT_ONCE = 500_000  # postings, of about 8,000 chunks
GATHERED_BYTES = 4_000_000  # of packed terms, before they are split
MOST_BITS = 8  # of a hash, that choose its part
POSTING = np.dtype([("hash", "<u8"), ("row", "<i4"), ("tf", "<u2")])


class PostingsSpool:
    """Takes chunks' packed terms in row order, and writes them inverted."""

    def __init__(self, folder: Path, n_postings: int, *, at_once: int = SORTED_AT_ONCE) -> None:
        self._n = n_postings
        bits = min(MOST_BITS, max(0, n_postings // max(at_once, 1)).bit_length())
        self._shift = np.uint64(64 - bits)
        self._paths = [folder / f"postings.{part}.raw" for part in range(1 << bits)]
        self._packed: list[bytes] = []
        self._n_packed = 0
        self._n_rows = 0

    def add(self, packed: bytes) -> None:
        """Add the next row's terms; see `unpack`."""
        self._packed.append(packed)
        self._n_packed += len(packed)
        if self._n_packed >= GATHERED_BYTES:
            self._split()

    def write(
        self, rows_file: IO[bytes], tfs_file: IO[bytes]
    ) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Append rows and frequencies, sorted by term and row, to files; the spool is used up.

        Returns:
            The distinct terms (t,) and their offsets (t + 1,).
        """
        self._split()
        terms, offsets, at = [np.empty(0, np.uint64)], [np.empty(0, np.int64)], 0
        for path in self._paths:
            postings = np.fromfile(path, POSTING)
            path.unlink()
            found, own, order = invert(np.ascontiguousarray(postings["hash"]))
            rows_file.write(np.asarray(postings["row"][order], np.int32).tobytes())
            tfs_file.write(np.asarray(postings["tf"][order], np.uint16).tobytes())
            terms.append(found)
            offsets.append(own[:-1] + at)
            at += len(postings)
        return np.concatenate(terms), np.append(np.concatenate(offsets), at).astype(np.int64)

    def _split(self) -> None:
        """Move what was gathered to the files of its parts."""
        hashes, rows, tfs = unpack(self._packed, self._n_rows)
        self._n_rows += len(self._packed)
        self._packed, self._n_packed = [], 0
        parts: NDArray[Any] = np.zeros(len(hashes), np.uint8)
        if len(self._paths) > 1:
            parts = (hashes >> self._shift).astype(np.uint8)
        order = np.argsort(parts, kind="stable")
        postings = np.empty(len(hashes), POSTING)
        postings["hash"], postings["row"], postings["tf"] = hashes[order], rows[order], tfs[order]
        ends = np.searchsorted(parts[order], np.arange(len(self._paths)), side="right")
        for path, part in zip(self._paths, np.split(postings, ends[:-1]), strict=True):
            with path.open("ab") as file:
                file.write(part.tobytes())


def count_postings(packed_bytes: int) -> int:
    """Return how many postings so many bytes of packed terms hold."""
    return packed_bytes // PACKED_BYTES
