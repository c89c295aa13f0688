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
    PACKED_BYTES,
    Postings,
    PostingsBuilder,
    build_postings,
    count_rows,
    gather,
)

__all__ = [
    "PACKED_BYTES",
    "Bm25Parameters",
    "KeptScores",
    "Postings",
    "PostingsBuilder",
    "QueryPostings",
    "ScoredPostings",
    "build_postings",
    "count_rows",
    "gather",
    "score_bm25",
    "score_term",
    "sum_scores",
    "top_rows",
]
