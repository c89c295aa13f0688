"""The adapter to bm25s: it scores a matrix that holds the query's terms only.

bm25s scores eagerly and cannot add or remove documents. Its scores of a term depend on nothing but
that term's postings, the live documents' number and their average length; so a matrix of the
query's terms, filled here from live statistics, gives what a full rebuild gives, bit for bit.

bm25s is imported when something is scored: it loads tqdm and asyncio, 60 ms, and the graph, which
needs postings alone, does without.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Bm25Parameters:
    """The variant and its constants; defaults as Lucene's (Kamphuis et al., ECIR 2020).

    `method` is one of bm25s's that score absent terms 0: lucene, robertson, atire.
    """

    k1: float = 1.5
    b: float = 0.75
    method: str = "lucene"


@dataclass(frozen=True, slots=True)
class QueryPostings:
    """One query term: its weight in the query, the live rows that hold it, its frequencies."""

    weight: float
    rows: NDArray[np.int32]
    tfs: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class ScoredPostings:
    """One query term's share of the score of each row that holds it."""

    rows: NDArray[np.int32]
    scores: NDArray[np.float32]


def score_bm25(
    terms: Sequence[QueryPostings],
    lengths: NDArray[np.int32],
    n_documents: int,
    mean_length: float,
    parameters: Bm25Parameters,
) -> NDArray[np.float32]:
    """Return the score of each row, (len(lengths),); rows without any of the terms score 0.

    score(q, d) = Σ_t weight(t) · idf(t) · tfc(t, d), the two parts by bm25s's own scorers;
    `n_documents` and `mean_length` are those of the live rows.
    """
    scored = [score_term(term, lengths, n_documents, mean_length, parameters) for term in terms]
    return sum_scores(scored, len(lengths), parameters)


def score_term(
    term: QueryPostings,
    lengths: NDArray[np.int32],
    n_documents: int,
    mean_length: float,
    parameters: Bm25Parameters,
) -> ScoredPostings:
    """Return weight(t) · idf(t) · tfc(t, d) for each row d of one term; see `score_bm25`."""
    from bm25s.scoring import _select_idf_scorer, _select_tfc_scorer  # noqa: PLC0415

    idf_of = _select_idf_scorer(parameters.method)
    tfc_of = _select_tfc_scorer(parameters.method)
    idf = np.float32(idf_of(len(term.rows), N=n_documents) if len(term.rows) else 0.0)
    tfc = tfc_of(
        tf_array=term.tfs.astype(np.float32),  # as bm25s has them: atire rounds in between
        l_d=lengths[term.rows],
        l_avg=mean_length,
        k1=parameters.k1,
        b=parameters.b,
        delta=None,
    )
    return ScoredPostings(term.rows, np.asarray(idf * tfc * term.weight, np.float32))


def sum_scores(
    terms: Sequence[ScoredPostings], n_rows: int, parameters: Bm25Parameters
) -> NDArray[np.float32]:
    """Return each row's sum over the terms, (n_rows,), added up by bm25s in the terms' order."""
    if not terms:
        return np.zeros(n_rows, np.float32)
    import bm25s  # noqa: PLC0415

    engine = bm25s.BM25(k1=parameters.k1, b=parameters.b, method=parameters.method)
    engine.nonoccurrence_array = None  # these methods score absent terms 0
    engine.scores = {
        "data": np.concatenate([term.scores for term in terms]),
        "indices": np.concatenate([term.rows for term in terms]),
        "indptr": np.cumsum([0, *(len(term.rows) for term in terms)], dtype=np.int64),
        "num_docs": n_rows,
    }
    scores: NDArray[np.float32] = engine.get_scores_from_ids(list(range(len(terms))))
    return scores


def top_rows(scores: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """Return the rows with the `count` highest positive scores and all that tie with the last.

    bm25s's selection breaks ties arbitrarily, so it only finds the last score wanted. It sees the
    positive ones only: among many equal zeros it takes 8 ms where it else takes .1 (100k rows).
    """
    positive: NDArray[np.int64] = np.flatnonzero(scores > 0)
    if count == 0:
        return positive[:0]
    if len(positive) <= count:
        return positive
    from bm25s.selection import topk  # noqa: PLC0415

    kept = scores[positive]
    best, _ = topk(kept, count, backend="numpy", sorted=False)
    rows: NDArray[np.int64] = positive[kept >= best.min()]
    return rows
