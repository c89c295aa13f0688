"""Turn chunks and queries into terms. Pure: no files, no clock, the same on every machine.

One tokenizer serves the index and the query, so that both always agree; `versions.TOKENIZER`
rises with every change of what any text is turned into.
"""

from __future__ import annotations

from sidelight.tokens.embedded import embedding_text, split_words
from sidelight.tokens.terms import (
    document_terms,
    identifiers,
    literal_terms,
    query_terms,
    term_hash,
    text_terms,
)

__all__ = [
    "document_terms",
    "embedding_text",
    "identifiers",
    "literal_terms",
    "query_terms",
    "split_words",
    "term_hash",
    "text_terms",
]
