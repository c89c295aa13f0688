"""The terms of many paths, as arrays: those of its parts, each of which is split once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sidelight.history.log import Lists
from sidelight.history.rows import HASH_MASK
from sidelight.tokens import term_hash, text_terms


@dataclass(frozen=True, slots=True)
class PathTerms:
    """The terms of n paths: `numbers` numbers the distinct ones, `lists` has those of each path,
    repeated as often as they occur there."""

    numbers: dict[str, int]
    lists: Lists

    def hashed(self) -> Lists:
        """Return the 32-bit hashes of each path's terms, as subjects have them."""
        hashes = np.asarray([term_hash(term) & HASH_MASK for term in self.numbers], np.int64)
        return Lists(hashes[self.lists.items], self.lists.offsets)

    def counts(self, term: str) -> NDArray[np.int64]:
        """Return how often a term occurs in each path, (n,)."""
        n = len(self.lists.offsets) - 1
        number = self.numbers.get(term)
        if number is None:
            return np.zeros(n, np.int64)
        places = np.flatnonzero(self.lists.items == number)
        owners = np.searchsorted(self.lists.offsets, places, side="right") - 1
        return np.bincount(owners, minlength=n)


def path_terms(paths: Sequence[bytes]) -> PathTerms:
    """Return the terms of each path."""
    numbers: dict[str, int] = {}
    known: dict[bytes, int] = {}
    flat: list[int] = []
    sizes: list[int] = []
    rows: list[int] = []
    counts: list[int] = []
    for path in paths:
        pieces = path.split(b"/")
        counts.append(len(pieces))
        for piece in pieces:
            row = known.get(piece)
            if row is None:
                row = known[piece] = len(sizes)
                before = len(flat)
                for term, n in text_terms(piece.decode("utf-8", "replace")).items():
                    number = numbers.setdefault(term, len(numbers))
                    flat += [number] * n if n > 1 else (number,)
                sizes.append(len(flat) - before)
            rows.append(row)
    words = Lists(np.asarray(flat, np.int64), _offsets(sizes))
    chosen = words.take(np.asarray(rows, np.int64))
    return PathTerms(numbers, Lists(chosen.items, chosen.offsets[_offsets(counts)]))


def _offsets(sizes: Sequence[int]) -> NDArray[np.int64]:
    return np.append(0, np.cumsum(np.asarray(sizes, np.int64))).astype(np.int64)
