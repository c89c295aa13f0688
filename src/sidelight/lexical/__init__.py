"""BM25 over postings that we keep ourselves, scored by bm25s."""

from sidelight.lexical.bm25 import Bm25Parameters, QueryPostings, score_bm25, top_rows
from sidelight.lexical.postings import Postings, build_postings, gather

__all__ = [
    "Bm25Parameters",
    "Postings",
    "QueryPostings",
    "build_postings",
    "gather",
    "score_bm25",
    "top_rows",
]
