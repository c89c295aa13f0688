"""Rank chunks by cosine over a vector file and the vectors that are not in it yet.

Scores come from one integer formula whichever side a row is on, so that an index refreshed in
steps and one built afresh agree to the last bit. No files are opened here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sidelight.dense.vectorfile import VectorFile, VectorMatrix

SLACK = 16  # rows asked for beyond those wanted, so that one question is nearly always enough
MARGIN = 1e-5  # usearch's float scores are surely closer than this to the exact ones


@dataclass(frozen=True, slots=True)
class DeltaVectors:
    """Vectors of chunks that the vector file lacks: `ids` (n,) and `rows` (n, d)."""

    ids: NDArray[np.int64]
    rows: NDArray[np.int8]


def cosine_similarities(rows: NDArray[np.int8], query: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return cos(row, query) for int8 rows (n, d): exact integer products, one float division.

    Doubles hold the integers: no sum reaches 2^53, so that the order of adding does not matter.
    """
    if len(rows) == 0:
        return np.empty(0, np.float64)
    wide, asked = rows.astype(np.float64), query.astype(np.float64)
    return _cosines(wide @ asked, np.einsum("ij,ij->i", wide, wide), float(asked @ asked))


def _cosines(
    products: NDArray[np.float64], squares: NDArray[np.float64], square: float
) -> NDArray[np.float64]:
    """Return the cosines for products (n,) with a query of squared length `square`."""
    scale = np.sqrt(squares) * math.sqrt(square)
    result = np.zeros(len(products), np.float64)
    np.divide(products, scale, out=result, where=scale > 0)
    return np.round(result, 12)  # the last bits of a square root differ between CPU families


def rank_dense(
    query: NDArray[np.int8],
    count: int,
    file: VectorFile | None,
    is_live: Callable[[NDArray[np.int64]], NDArray[np.bool_]],
    delta: DeltaVectors,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return ids and cosines of at least the `count` best live rows, in no particular order.

    Every row that ties with the last one wanted is returned too; the caller breaks ties.
    `is_live` tells of vector-file keys whether the view holds them.
    """
    ids, scores = [delta.ids], [cosine_similarities(delta.rows, query)]
    if file is not None and len(file):
        if file.matrix is not None:
            keys, exact = _scan(query, count, file.matrix, is_live)
        else:
            keys, exact = _nearest_live(query, count, file, is_live)
        ids.append(keys)
        scores.append(exact)
    all_ids, all_scores = np.concatenate(ids), np.concatenate(scores)
    if len(all_ids) <= count:
        return all_ids, all_scores
    last = np.partition(all_scores, len(all_scores) - count)[len(all_scores) - count]
    keep = all_scores >= last
    return all_ids[keep], all_scores[keep]


def _scan(
    query: NDArray[np.int8],
    count: int,
    matrix: VectorMatrix,
    is_live: Callable[[NDArray[np.int64]], NDArray[np.bool_]],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return keys and cosines of the `count` best live rows and of all that tie with the last.

    Every row's product is known; who is alive is asked of the best ones only, and of more of them
    until enough are.
    """
    asked = query.astype(np.float64)
    square = float(asked @ asked)
    products = matrix.products(query)
    near = matrix.nearness(products)
    margin = np.float32(MARGIN * math.sqrt(square))
    ask, n = count + SLACK, len(products)
    while True:
        if ask < n:
            last = np.partition(near, n - ask)[n - ask]
            best = np.flatnonzero(near >= last - margin)
        else:
            best = np.arange(n)
        keys = matrix.keys[best]
        live = is_live(keys)
        if len(best) == n or np.count_nonzero(live) >= count:
            best = best[live]
            exact = _cosines(products[best], matrix.squares[best], square)
            return keys[live], exact
        ask *= 4


def _nearest_live(
    query: NDArray[np.int8],
    count: int,
    file: VectorFile,
    is_live: Callable[[NDArray[np.int64]], NDArray[np.bool_]],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return keys and cosines of the `count` best live rows and of all that tie with the last.

    More rows are asked for until the farthest one, live or not, is surely worse than the last one
    wanted, or the file is exhausted: copies of one text may tie by the hundred.
    """
    ask = count + SLACK
    while True:
        keys = file.nearest(query, ask)
        live = is_live(keys)
        everything = cosine_similarities(file.rows(keys), query)
        scores = everything[live]
        if len(keys) < ask or ask >= len(file):
            return keys[live], scores
        if len(scores) >= count:
            last = np.partition(scores, len(scores) - count)[len(scores) - count]
            if everything[-1] < last - MARGIN:
                return keys[live], scores
        share = max(len(scores) / len(keys), 0.05)
        ask = min(len(file), max(ask * 2, int((count + SLACK) / share * 1.2)))
