"""BM25 over postings that we keep ourselves, scored by bm25s."""

from sidelight.lexical.bm25 import Bm25Parameters, QueryPostings, score_bm25, top_rows
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
    "Postings",
    "PostingsBuilder",
    "QueryPostings",
    "build_postings",
    "count_rows",
    "gather",
    "score_bm25",
    "top_rows",
]
