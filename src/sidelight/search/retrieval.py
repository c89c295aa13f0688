"""Ask the retrievers that a request wants, each for its pool, over the rows it allows."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, wait
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sidelight.embedding.quantize import quantize_rows
from sidelight.exact import needle_of, paths_with, rank_exact
from sidelight.globs import match_any
from sidelight.indexing.place import Place
from sidelight.lexical import Bm25Parameters
from sidelight.model import RankedList
from sidelight.search.pathkind import PathKind, asked_kinds, path_kind
from sidelight.search.question import (
    LONG_KINDS,
    QueryParts,
    message_terms,
    question_terms,
    split_query,
)
from sidelight.search.request import SearchMode, SearchRequest
from sidelight.search.weights import QUESTION, FeatureWeights, weights_for
from sidelight.store.corpus import (
    Corpus,
    document_frequency,
    rank_bm25,
    rank_vectors,
    restrict,
    rows_with_all,
    which_with_all,
)
from sidelight.store.reader import view_documents
from sidelight.symbols import rank_symbols
from sidelight.tokens import literal_terms, term_hash

if TYPE_CHECKING:
    from sidelight.dense.vectorfile import VectorFile

EXACT_WITHIN = 30  # best rows by BM25 that are read when exact strings are one signal of several
ASIDE_FROM = 50_000  # chunks; fewer are scanned sooner than two threads take turns
MAX_QUERY_TERMS = 256  # the rarest are kept; a pasted log has thousands
RETRIEVERS = (SearchMode.BM25, SearchMode.DENSE, SearchMode.SYMBOL, SearchMode.EXACT)


@dataclass(frozen=True, slots=True)
class Query:
    """A request prepared for one corpus: its terms with their weights, and the rows it allows.

    `counts` are the terms' frequencies in the query, by `question_terms`; `terms` are these times
    the inverse document frequency in the view. `told` are those to look for in commit messages.
    BM25 and vectors rank the rows `looked_at`; `weights` are for the query's kind.
    """

    request: SearchRequest
    text: str
    parts: QueryParts
    terms: Mapping[str, float]
    counts: Mapping[str, float]
    told: Mapping[str, float]
    weights: FeatureWeights
    allowed: NDArray[np.bool_]
    looked_at: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What the retrievers work on; made anew for each query.

    `aside` runs the dense retriever of a hybrid query while the others work, if that takes long.
    """

    place: Place
    connection: sqlite3.Connection
    corpus: Corpus
    open_vectors: Callable[[], VectorFile | None]
    read_blob: Callable[[str], bytes]
    aside: Executor
    weights: FeatureWeights = QUESTION

    def prepare(self, request: SearchRequest, text: str) -> Query:
        """Return the query; terms that the view lacks are left out."""
        parts = split_query(text)
        weights = weights_for(parts.kind, self.weights)
        counts = question_terms(parts, title=weights.title, prose=weights.prose, code=weights.code)
        idf = self._idf()
        terms = {term: n * idf(term) for term, n in counts.items() if idf(term) > 0}
        if len(terms) > MAX_QUERY_TERMS:
            rarest = sorted(terms.items(), key=lambda item: (-item[1], item[0]))
            terms = dict(rarest[:MAX_QUERY_TERMS])
        allowed = restrict(self.corpus, self._documents(request))
        looked_at = self._looked_at(request, parts, allowed)
        told = message_terms(parts) if weights.message else {}
        return Query(request, text, parts, terms, counts, told, weights, allowed, looked_at)

    def run(self, query: Query, meanwhile: Callable[[], None]) -> list[RankedList]:
        """Return the lists of the retrievers that the request's mode wants; empty ones are kept.

        `meanwhile` is called while the model of a hybrid query is loaded, if it is.
        """
        mode, config = query.request.mode, self.place.config.search
        retrievers = {
            SearchMode.BM25: self.bm25,
            SearchMode.DENSE: self.dense,
            SearchMode.SYMBOL: self.symbols,
            SearchMode.EXACT: self.exact,
        }
        if mode is not SearchMode.HYBRID:
            return [retrievers[mode](query)]
        wanted = [name for name in RETRIEVERS if getattr(config, name).weight]
        lists: dict[SearchMode, RankedList] = {}
        dense = None
        if SearchMode.DENSE in wanted and self._is_dense_slow():
            dense = self.aside.submit(self.dense, query)
        try:
            for name in wanted:
                if name is SearchMode.EXACT:
                    words = lists.get(SearchMode.BM25) or self.bm25(query)
                    lists[name] = self.exact(query, words.rows[:EXACT_WITHIN])
                elif name is not SearchMode.DENSE or dense is None:
                    lists[name] = retrievers[name](query)
            meanwhile()
        finally:
            if dense is not None:
                wait([dense])  # nothing of a query outlives it
        if dense is not None:
            lists[SearchMode.DENSE] = dense.result()
        return [lists[name] for name in wanted]

    def bm25(self, query: Query) -> RankedList:
        """Return the best rows by BM25 over the view's statistics."""
        config = self.place.config.search
        terms = {term_hash(term): float(query.counts[term]) for term in query.terms}
        return rank_bm25(
            self.connection,
            self.corpus,
            terms,
            self._pool(query.request, SearchMode.BM25),
            query.looked_at,
            Bm25Parameters(k1=config.k1, b=config.b),
        )

    def dense(self, query: Query) -> RankedList:
        """Return the best rows by cosine to the query's vector."""
        count = self._pool(query.request, SearchMode.DENSE)
        if self.corpus.n_live == 0:
            return RankedList("dense", (), (), count)
        vector = self.place.embedder.open().embed_query(query.text)
        return rank_vectors(
            self.connection,
            self.corpus,
            quantize_rows(vector[np.newaxis])[0],
            count,
            query.looked_at,
            self.open_vectors(),
        )

    def _is_dense_slow(self) -> bool:
        """Return whether the model has to be loaded, or the scan outlasts what a thread costs.

        Both hold no lock of Python's and need no connection; waking each other takes two threads
        longer than a short scan.
        """
        return not self.place.embedder.is_open or self.corpus.n_live >= ASIDE_FROM

    def symbols(self, query: Query) -> RankedList:
        """Return the definitions of the names in the query."""
        count = self._pool(query.request, SearchMode.SYMBOL)
        ids = self.corpus.ids

        def is_allowed(chunk_id: int) -> bool:
            at = int(np.searchsorted(ids, chunk_id))
            return at < len(ids) and bool(query.allowed[at])

        limits = query.request.paths or query.request.languages
        return rank_symbols(
            self.connection,
            self.corpus.view.id,
            query.text,
            count,
            is_allowed if limits else None,
        )

    def exact(self, query: Query, within: Sequence[int] | None = None) -> RankedList:
        """Return the chunks that hold the query to the letter.

        As one signal among others it looks at the chunks `within` alone. Without them it is
        complete, and lets git search the tree if the query has no whole word to go by.
        """
        count = self._pool(query.request, SearchMode.EXACT)
        needle = needle_of(query.text)
        if needle is None:
            return RankedList("exact", (), (), count)
        terms = {term_hash(term) for term in literal_terms(query.text)}
        if within is not None:
            words = {term_hash(term) for term in query.counts}
            candidates = which_with_all(self.corpus, words, within)
        elif terms:
            candidates = rows_with_all(self.corpus, terms, query.allowed).tolist()
        else:
            holders = query.allowed & self._holders(needle)
            candidates = self.corpus.ids[holders].tolist()
        return rank_exact(self.connection, self.read_blob, candidates, needle, count)

    def _holders(self, needle: bytes) -> NDArray[np.bool_]:
        paths = paths_with(self.place.repo, self.corpus.view.tree, needle)
        documents = view_documents(self.connection, self.corpus.view.id)
        return restrict(self.corpus, {doc_id for doc_id, path, _ in documents if path in paths})

    def _looked_at(
        self, request: SearchRequest, parts: QueryParts, allowed: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Return the rows for BM25 and vectors: of long texts, those of production code.

        An issue tells how the code is used, as tests do: they would fill the lists, and set the
        scale on which the code that it asks for is nothing. If there is little such code, all rows.
        """
        if request.mode is not SearchMode.HYBRID or parts.kind not in LONG_KINDS:
            return allowed
        wanted = asked_kinds(parts.title) | {PathKind.PRODUCTION}
        documents = view_documents(self.connection, self.corpus.view.id)
        looked_at = allowed & restrict(
            self.corpus, {doc_id for doc_id, path, _ in documents if path_kind(path) in wanted}
        )
        return (
            looked_at if int(looked_at.sum()) >= self._pool(request, SearchMode.BM25) else allowed
        )

    def _pool(self, request: SearchRequest, name: SearchMode) -> int:
        """Return how many rows to ask for: enough for `k` hits after collapsing."""
        configured: int = getattr(self.place.config.search, name).pool
        return max(configured, 3 * request.k)

    def _documents(self, request: SearchRequest) -> set[int] | None:
        if not request.paths and not request.languages:
            return None
        matches = match_any(request.paths) if request.paths else (lambda _path: True)
        return {
            doc_id
            for doc_id, path, language in view_documents(self.connection, self.corpus.view.id)
            if matches(path) and (not request.languages or language in request.languages)
        }

    def _idf(self) -> Callable[[str], float]:
        corpus = self.corpus

        @cache
        def idf(term: str) -> float:
            frequency = document_frequency(corpus, term_hash(term))
            if frequency == 0:
                return 0.0
            return math.log(1 + (corpus.n_live - frequency + 0.5) / (frequency + 0.5))

        return idf
