"""BM25 over postings that we keep ourselves, scored by bm25s."""

from sidelight.lexical.bm25 import (
    Bm25Parameters,
    QueryPostings,
    ScoredPostings,
    score_bm25,
    score_term,
    sum_scores,
    top_rows,
)
from sidelight.lexical.kept import KeptScores
from sidelight.lexical.postings import (
    Postings,
    build_postings,
    count_rows,
    gather,
)
from sidelight.lexical.spool import PostingsSpool, count_postings

__all__ = [
    "Bm25Parameters",
    "KeptScores",
    "Postings",
    "PostingsSpool",
    "QueryPostings",
    "ScoredPostings",
    "build_postings",
    "count_postings",
    "count_rows",
    "gather",
    "score_bm25",
    "score_term",
    "sum_scores",
    "top_rows",
]
