"""The terms of many paths, as arrays: those of its parts, each of which is split once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sidelight.history.log import Lists
from sidelight.history.rows import short_hash
from sidelight.tokens import text_terms


def path_terms(paths: Sequence[bytes]) -> Lists:
    """Return the 32-bit term hashes of each path, repeated as often as they occur."""
    known: dict[bytes, int] = {}
    parts: list[list[int]] = []
    rows: list[int] = []
    counts: list[int] = []
    for path in paths:
        pieces = path.split(b"/")
        counts.append(len(pieces))
        for piece in pieces:
            number = known.get(piece)
            if number is None:
                number = known[piece] = len(parts)
                terms = text_terms(piece.decode("utf-8", "replace"))
                parts.append([short_hash(term) for term, n in terms.items() for _ in range(n)])
            rows.append(number)
    sizes = np.asarray([len(part) for part in parts], np.int64)
    flat = np.asarray([value for part in parts for value in part], np.int64)
    words = Lists(flat, np.append(0, np.cumsum(sizes)).astype(np.int64))
    chosen = words.take(np.asarray(rows, np.int64))
    ends = np.append(0, np.cumsum(counts)).astype(np.int64)
    return Lists(chosen.items, chosen.offsets[ends])
