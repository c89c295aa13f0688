"""Code outside the diff that a text may resemble: by its rarest words, and by its vector if the
view has one of it. Finds candidates; whether they are alike is decided by their tokens."""

from __future__ import annotations

import sqlite3
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sidelight.lexical import Bm25Parameters, top_rows
from sidelight.model import Span
from sidelight.store.corpus import Corpus, document_frequency, rank_vectors, score_rows
from sidelight.store.reader import read_chunks
from sidelight.tokens import term_hash, text_terms

if TYPE_CHECKING:  # the engine is loaded when a vector is looked for
    from sidelight.dense.vectorfile import VectorFile

N_NEAR = 20  # chunks found by words, and by the vector
MAX_TERMS = 40  # rarest words of a body that find them


class NearCode:
    """Searches one view. The connection must stay open while it is asked."""

    def __init__(self, connection: sqlite3.Connection, corpus: Corpus) -> None:
        self._connection = connection
        self._corpus = corpus

    def __call__(self, path: bytes, span: Span, text: str) -> frozenset[bytes]:
        """Return the paths of code near a definition (its path, span and body)."""
        found = list(dict.fromkeys((*self._by_words(text), *self._by_vector(path, span))))
        documents = {info.doc_id for info in read_chunks(self._connection, found).values()}
        return frozenset(self._paths[doc_id] for doc_id in documents if doc_id in self._paths)

    @cached_property
    def _paths(self) -> dict[int, bytes]:
        rows = self._connection.execute(
            "SELECT doc_id, path FROM file WHERE view_id = ? AND doc_id IS NOT NULL",
            (self._corpus.view.id,),
        )
        return dict(rows)

    @cached_property
    def _vectors(self) -> VectorFile | None:
        snapshot = self._corpus.snapshot
        return None if snapshot is None else snapshot.open_vectors()

    def _by_words(self, text: str) -> list[int]:
        counts = {
            term: document_frequency(self._corpus, term_hash(term)) for term in text_terms(text)
        }
        rarest = sorted((t for t, n in counts.items() if n), key=lambda t: (counts[t], t))
        terms = {term_hash(term): 1.0 for term in rarest[:MAX_TERMS]}
        scores = score_rows(self._corpus, terms, Bm25Parameters())
        best = top_rows(np.where(self._corpus.live, scores, np.float32(0)), N_NEAR)
        return [int(self._corpus.ids[row]) for row in best]

    def _by_vector(self, path: bytes, span: Span) -> tuple[int, ...]:
        """Return the chunks whose vectors are nearest to that of the view's own chunk of the
        definition; () if it has none."""
        row = self._connection.execute(
            "SELECT vector FROM file JOIN chunk ON chunk.doc_id = file.doc_id"
            " JOIN embedding ON embedding.key = chunk.embedding"
            " WHERE file.view_id = ? AND file.path = ? AND chunk.start_byte <= ?"
            " AND chunk.end_byte > ? ORDER BY chunk.end_byte - chunk.start_byte LIMIT 1",
            (self._corpus.view.id, path, span.start_byte, span.start_byte),
        ).fetchone()
        if row is None:
            return ()
        query: NDArray[np.int8] = np.frombuffer(row[0], np.int8)
        corpus = self._corpus
        ranked = rank_vectors(self._connection, corpus, query, N_NEAR, corpus.live, self._vectors)
        return ranked.rows
