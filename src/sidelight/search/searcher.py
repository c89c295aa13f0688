"""An open view that answers queries, and reopens itself when the index has moved on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from sidelight.config import SearchConfig
from sidelight.embedding.quantize import quantize_rows
from sidelight.errors import IndexMissingError
from sidelight.exact import needle_of, paths_with, rank_exact
from sidelight.fusion import reciprocal_rank_fusion, relative_score_fusion
from sidelight.globs import match_any
from sidelight.indexing.place import Place
from sidelight.lexical import Bm25Parameters
from sidelight.model import RankedList, Reason
from sidelight.search.collapse import collapse
from sidelight.search.features import Candidate, order, score_candidates, term_weights
from sidelight.search.request import (
    IndexInfo,
    SearchMode,
    SearchRequest,
    SearchResult,
    clean_query,
)
from sidelight.search.weights import QUESTION
from sidelight.store.corpus import (
    Corpus,
    document_frequency,
    open_corpus,
    rank_bm25,
    rank_vectors,
    restrict,
    rows_with_all,
)
from sidelight.store.database import Database
from sidelight.store.reader import (
    current_generation,
    find_view,
    pending_count,
    read_chunks,
    view_counts,
    view_documents,
)
from sidelight.store.snapshot import Snapshot, open_latest
from sidelight.symbols import rank_symbols
from sidelight.tokens import literal_terms, query_terms, term_hash

if TYPE_CHECKING:
    from sidelight.dense.vectorfile import VectorFile

MAX_QUERY_TERMS = 256  # the rarest are kept; a pasted log has thousands


@dataclass(frozen=True, slots=True)
class _Query:
    """A request prepared for the retrievers."""

    request: SearchRequest
    text: str
    terms: Mapping[str, float]
    allowed: NDArray[np.bool_]
    pool: int


class Searcher:
    """Answers queries over one view. Not for use by several threads at once."""

    def __init__(self, place: Place, database: Database, view: str) -> None:
        self._place = place
        self._database = database
        self._view = view
        self._snapshot: Snapshot | None = None
        self._vectors: VectorFile | None = None
        self._corpus: Corpus | None = None
        self._generation = -1

    @classmethod
    def open(cls, place: Place, view: str) -> Self:
        """Open the view; the model is loaded only when a query needs it.

        Raises:
            IndexMissingError: there is no index, or no such view.
            IndexStateError, StorageError: see `Database.open`.
        """
        searcher = cls(place, Database.open(place.directory, place.identity), view)
        try:
            searcher.reopen_if_changed()
        except BaseException:
            searcher.close()
            raise
        return searcher

    @property
    def corpus(self) -> Corpus:
        """The view's rows as of the last look."""
        if self._corpus is None:
            raise IndexMissingError("the view is not open")
        return self._corpus

    def reopen_if_changed(self) -> None:
        """Take up what was committed to the index since the last query."""
        with self._database.read() as connection:
            generation = current_generation(connection)
            n_vectors = pending_count(connection)
            stamp = hash((generation, n_vectors))
            if stamp == self._generation:
                return
            view = find_view(connection, self._view)
            if view is None:
                shown = self._view.removeprefix("rev/")
                raise IndexMissingError(
                    f"{shown} is not indexed"
                    if self._view.startswith("rev/")
                    else "this worktree is not indexed yet",
                    hint="run `sidelight index`"
                    + (f" --rev {shown}" if self._view.startswith("rev/") else ""),
                )
            snapshot = open_latest(self._database)
            if snapshot is None or self._snapshot is None or snapshot.name != self._snapshot.name:
                self._snapshot, self._vectors = snapshot, None
            self._corpus = open_corpus(connection, view, self._snapshot)
            self._generation = stamp

    def info(self) -> IndexInfo:
        """Return what the view shows; whether HEAD has moved on is for the caller to say."""
        view = self.corpus.view
        with self._database.read() as connection:
            files, chunks = view_counts(connection, view.id)
            pending = pending_count(connection, view.id)
        return IndexInfo(
            tree=view.tree,
            commit=view.commit,
            state="partial" if pending else "current",
            files=files,
            chunks=chunks,
        )

    def search(self, request: SearchRequest) -> SearchResult:
        """Return the best hits for the request.

        Raises:
            UsageError: the query is empty, or a path pattern is not one.
            ModelError: the model that a dense query needs cannot be loaded.
        """
        self.reopen_if_changed()
        text, notes = clean_query(request.query)
        with self._database.read():
            query = self._prepare(request, text)
            lists = [ranked for ranked in self._retrieve(query) if ranked.rows]
            candidates = self._order(query, lists)
            _explain_ranks(candidates, lists)
            if request.min_score is not None:
                candidates = [c for c in candidates if c.score >= request.min_score]
            hits = collapse(candidates, max(request.k, 0), self._terms_of())
        return SearchResult(text, self.info(), tuple(hits), notes)

    def close(self) -> None:
        """Release the database."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _prepare(self, request: SearchRequest, text: str) -> _Query:
        weighted = term_weights(query_terms(text), self._idf())
        if len(weighted) > MAX_QUERY_TERMS:
            rarest = sorted(weighted.items(), key=lambda item: (-item[1], item[0]))
            weighted = dict(rarest[:MAX_QUERY_TERMS])
        return _Query(
            request=request,
            text=text,
            terms=weighted,
            allowed=restrict(self.corpus, self._documents(request)),
            pool=3 * request.k,
        )

    def _documents(self, request: SearchRequest) -> set[int] | None:
        if not request.paths and not request.languages:
            return None
        matches = match_any(request.paths) if request.paths else (lambda _path: True)
        with self._database.read() as connection:
            return {
                doc_id
                for doc_id, path, language in view_documents(connection, self.corpus.view.id)
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

    def _retrieve(self, query: _Query) -> list[RankedList]:
        mode, config = query.request.mode, self._place.config.search
        wanted = {
            SearchMode.HYBRID: {
                name for name in SearchMode if name != "hybrid" and getattr(config, name).weight
            }
        }.get(mode, {mode})
        lists = []
        if SearchMode.BM25 in wanted:
            lists.append(self._bm25(query, config))
        if SearchMode.DENSE in wanted:
            lists.append(self._dense(query, config))
        if SearchMode.SYMBOL in wanted:
            lists.append(self._symbols(query, config))
        if SearchMode.EXACT in wanted:
            lists.append(self._exact(query, config))
        return lists

    def _bm25(self, query: _Query, config: SearchConfig) -> RankedList:
        counts = query_terms(query.text)
        terms = {term_hash(term): float(counts[term]) for term in query.terms}
        return rank_bm25(
            self._database.connection,
            self.corpus,
            terms,
            max(config.bm25.pool, query.pool),
            query.allowed,
            Bm25Parameters(k1=config.k1, b=config.b),
        )

    def _dense(self, query: _Query, config: SearchConfig) -> RankedList:
        count = max(config.dense.pool, query.pool)
        if self.corpus.n_live == 0:
            return RankedList("dense", (), (), count)
        vector = self._place.embedder.open().embed_query(query.text)
        return rank_vectors(
            self._database.connection,
            self.corpus,
            quantize_rows(vector[np.newaxis])[0],
            count,
            query.allowed,
            self._open_vectors(),
        )

    def _open_vectors(self) -> VectorFile | None:
        """Map the snapshot's vectors once, when the first query needs them."""
        if self._vectors is None and self._snapshot is not None:
            self._vectors = self._snapshot.open_vectors()
        return self._vectors

    def _symbols(self, query: _Query, config: SearchConfig) -> RankedList:
        count = max(config.symbol.pool, query.pool)
        ranked = rank_symbols(self._database.connection, self.corpus.view.id, query.text, count)
        return self._only_allowed(ranked, query)

    def _exact(self, query: _Query, config: SearchConfig) -> RankedList:
        count = max(config.exact.pool, query.pool)
        needle = needle_of(query.text)
        if needle is None:
            return RankedList("exact", (), (), count)
        alone = query.request.mode is SearchMode.EXACT
        certain = {term_hash(term) for term in literal_terms(query.text)}
        allowed = query.allowed
        if not certain and alone:
            paths = paths_with(self._place.repo, self.corpus.view.tree, needle)
            with self._database.read() as connection:
                documents = view_documents(connection, self.corpus.view.id)
                holders = {doc_id for doc_id, path, _ in documents if path in paths}
            allowed = allowed & restrict(self.corpus, holders)
        elif not certain:  # one signal among others: whole words are enough
            certain = {term_hash(term) for term in query_terms(query.text)}
        candidates = rows_with_all(self.corpus, certain, allowed).tolist()
        most = {} if not alone else {"most": None}
        return rank_exact(
            self._database.connection, self._place.repo, candidates, needle, count, **most
        )

    def _only_allowed(self, ranked: RankedList, query: _Query) -> RankedList:
        ids = self.corpus.ids
        rows = np.searchsorted(ids, np.asarray(ranked.rows, np.int64))
        keep = [bool(query.allowed[row]) if row < len(ids) else False for row in rows]
        return RankedList(
            ranked.retriever,
            tuple(r for r, ok in zip(ranked.rows, keep, strict=True) if ok),
            tuple(s for s, ok in zip(ranked.scores, keep, strict=True) if ok),
            ranked.pool,
        )

    def _order(self, query: _Query, lists: list[RankedList]) -> list[Candidate]:
        config = self._place.config.search
        if query.request.mode is not SearchMode.HYBRID:
            scores = {row: s for r in lists for row, s in zip(r.rows, r.scores, strict=True)}
            chunks = read_chunks(self._database.connection, list(scores))
            plain = [Candidate(chunk, scores[chunk.id]) for chunk in chunks.values()]
            return sorted(plain, key=order)
        weights = {ranked.retriever: getattr(config, ranked.retriever).weight for ranked in lists}
        if config.fusion == "rrf":
            fused = reciprocal_rank_fusion(lists, weights, k=config.rrf_k)
            scale = max(fused.values(), default=1.0)
            fused = {row: score / scale for row, score in fused.items()}
        else:
            fused = relative_score_fusion(lists, weights)
        chunks = read_chunks(self._database.connection, list(fused))
        return score_candidates(list(chunks.values()), fused, query.text, query.terms, QUESTION)

    def _terms_of(self) -> Callable[[int], frozenset[int]]:
        connection = self._database.connection

        def terms_of(chunk_id: int) -> frozenset[int]:
            row = connection.execute("SELECT terms FROM chunk WHERE id = ?", (chunk_id,)).fetchone()
            packed: bytes = row[0] if row else b""
            hashes = np.frombuffer(packed, "<u8", len(packed) // 10)
            return frozenset(hashes.tolist())

        return terms_of


def _explain_ranks(candidates: list[Candidate], lists: list[RankedList]) -> None:
    """Give every candidate the retrievers that found it, at which rank and with which score."""
    places = {
        ranked.retriever: {
            row: (at, ranked.scores[at - 1]) for at, row in enumerate(ranked.rows, 1)
        }
        for ranked in lists
    }
    for candidate in candidates:
        found = [
            Reason(
                name, f"rank {rows[candidate.chunk.id][0]}", round(rows[candidate.chunk.id][1], 4)
            )
            for name, rows in places.items()
            if candidate.chunk.id in rows
        ]
        candidate.reasons[:0] = found
