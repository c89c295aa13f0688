"""An open view that answers queries, and reopens itself when the index has moved on."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sidelight.errors import DamagedIndexError, IndexMissingError
from sidelight.fusion import reciprocal_rank_fusion, relative_score_fusion
from sidelight.git.blobs import BlobReader
from sidelight.indexing.place import Place
from sidelight.model import RankedList, display_path
from sidelight.rerank import Reranker
from sidelight.rerank.opening import open_reranker
from sidelight.search.features import Candidate, FileSignals, Scoring, order
from sidelight.search.finishing import Finish
from sidelight.search.names import NameCover
from sidelight.search.question import QueryKind
from sidelight.search.questionpast import QuestionPast
from sidelight.search.questionpaths import named_line, named_paths
from sidelight.search.request import (
    IndexInfo,
    SearchMode,
    SearchRequest,
    SearchResult,
    clean_query,
)
from sidelight.search.reranking import rerank_candidates
from sidelight.search.retrieval import Query, Retrieval
from sidelight.search.weights import QUESTION, FeatureWeights
from sidelight.store.corpus import Corpus, open_corpus
from sidelight.store.database import Database
from sidelight.store.reader import document_chunks, read_chunks
from sidelight.store.snapshot import Snapshot, open_latest
from sidelight.store.views import current_generation, find_view, pending_count

if TYPE_CHECKING:
    from sidelight.dense.vectorfile import VectorFile


MAX_CANDIDATES = 80  # whose features are looked at; 120 give no more on the cases, 60 less


class Searcher:
    """Answers queries over one view. Not for use by several threads at once."""

    def __init__(
        self,
        place: Place,
        database: Database,
        view: str,
        weights: FeatureWeights = QUESTION,
        reranker: Reranker | None = None,
    ) -> None:
        self._place = place
        self._weights = weights
        self._reranker = reranker
        self._past = QuestionPast(place.repo)
        self._database = database
        self._view = view
        self._snapshot: Snapshot | None = None
        self._vectors: VectorFile | None = None
        self._blobs = BlobReader(place.repo)  # starts git with the first blob that is asked for
        self._aside = ThreadPoolExecutor(1, "sidelight-dense")  # starts with the first hybrid query
        self._corpus: Corpus | None = None
        self._generation = -1

    @classmethod
    def open(
        cls,
        place: Place,
        view: str,
        *,
        weights: FeatureWeights = QUESTION,
        reranker: Reranker | None = None,
    ) -> Self:
        """Open the view; models are loaded only when a query needs them.

        Without `reranker`, the one that the configuration names is used, if it names one.

        Raises:
            IndexMissingError: there is no index, or no such view.
            IndexStateError, StorageError: see `Database.open`.
        """
        database = Database.open(place.directory, place.identity)
        searcher = cls(place, database, view, weights, reranker)
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
                    hint=f"run `sidelight index --rev {shown}`"
                    if self._view.startswith("rev/")
                    else "run `sidelight index`",
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
            pending = pending_count(connection, view.id)
        return IndexInfo(
            tree=view.tree,
            commit=view.commit,
            state="partial" if pending else "current",
            files=self.corpus.n_files,
            chunks=self.corpus.n_live,
        )

    def search(self, request: SearchRequest) -> SearchResult:
        """Return the best hits for the request.

        Raises:
            UsageError: the query is empty, or a path pattern is not one.
            ModelError: a model that the query needs cannot be loaded, or fails.
        """
        text, notes = clean_query(request.query)
        if self._database.is_replaced():
            self._reconnect()
        try:
            return self._answer(request, text, notes)
        except DamagedIndexError:
            if self._snapshot is None:
                raise
            self._drop_snapshot()  # removed or damaged since it was opened: it is not needed
            return self._answer(request, text, notes)

    def scoring(self, request: SearchRequest) -> tuple[QueryKind, Scoring]:
        """Return a hybrid query's kind, and what any weights order: for fitting them.

        Raises:
            UsageError, ModelError, DamagedIndexError: see `search`.
        """
        text, _ = clean_query(request.query)
        with self._database.read() as connection:
            self.reopen_if_changed()
            retrieval = self._retrieval(connection)
            query = retrieval.prepare(request, text)
            lists = [ranked for ranked in retrieval.run(query, lambda: None) if ranked.rows]
            return query.parts.kind, self._scoring(query, lists)

    def _retrieval(self, connection: sqlite3.Connection) -> Retrieval:
        return Retrieval(
            self._place,
            connection,
            self.corpus,
            self._open_vectors,
            self._blobs.read,
            self._aside,
            self._weights,
        )

    def _answer(self, request: SearchRequest, text: str, notes: tuple[str, ...]) -> SearchResult:
        with self._database.read() as connection:  # one state of the index for all that follows
            self.reopen_if_changed()
            retrieval = self._retrieval(connection)
            query = retrieval.prepare(request, text)
            lists = [
                ranked
                for ranked in retrieval.run(query, lambda: self._read_past(connection, query))
                if ranked.rows
            ]
            candidates = self._order(query, lists)
            candidates = self._rerank(query, candidates)
            hits = self._finish(request).hits(candidates, lists, max(request.k, 0), query.terms)
            if request.min_score is not None:  # scores descend, so the last ones go
                hits = [hit for hit in hits if hit.score >= request.min_score]
            return SearchResult(text, self.info(), tuple(hits), notes)

    def close(self) -> None:
        """Release the database, git and the thread."""
        self._aside.shutdown()
        self._blobs.close()
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

    def _finish(self, request: SearchRequest) -> Finish:
        connection, read_blob = self._database.connection, self._blobs.read
        if request.plain or request.mode is not SearchMode.HYBRID:
            return Finish(connection, read_blob)
        config = self._place.config.search
        return Finish(connection, read_blob, config.diversity, config.granularity)

    def _reconnect(self) -> None:
        """Open the database that stands in the place of ours (it was rebuilt or imported)."""
        fresh = Database.open(self._place.directory, self._place.identity)
        self._database.close()
        self._database, self._generation = fresh, -1
        self._snapshot, self._vectors = None, None

    def _drop_snapshot(self) -> None:
        """Go on without the snapshot; the next change of the index brings another."""
        with self._database.read() as connection:
            self._snapshot, self._vectors = None, None
            self._corpus = open_corpus(connection, self.corpus.view, None)

    def _open_vectors(self) -> VectorFile | None:
        """Map the snapshot's vectors once, when the first query needs them."""
        if self._vectors is None and self._snapshot is not None:
            self._vectors = self._snapshot.open_vectors()
        return self._vectors

    def _order(self, query: Query, lists: list[RankedList]) -> list[Candidate]:
        if query.request.mode is not SearchMode.HYBRID:
            scores = {row: s for r in lists for row, s in zip(r.rows, r.scores, strict=True)}
            chunks = read_chunks(self._database.connection, list(scores))
            plain = [Candidate(chunk, scores[chunk.id]) for chunk in chunks.values()]
            return sorted(plain, key=order)
        return self._scoring(query, lists).candidates(query.weights)

    def _scoring(self, query: Query, lists: list[RankedList]) -> Scoring:
        config = self._place.config.search
        weights = {ranked.retriever: getattr(config, ranked.retriever).weight for ranked in lists}
        if config.fusion == "rrf":
            fused = reciprocal_rank_fusion(lists, weights, k=config.rrf_k)
            scale = max(fused.values(), default=1.0)
            fused = {row: score / scale for row, score in fused.items()}
        else:
            fused = relative_score_fusion(lists, weights)
        most = max(MAX_CANDIDATES, 4 * query.request.k)
        chunks = read_chunks(self._database.connection, _best(fused, most))
        view, connection = self.corpus.view, self._database.connection
        named, line = named_paths(query.text), named_line(query.parts.title)
        if line:  # `tree.go:81`: words seldom lead to the very lines
            docs = {c.doc_id for c in chunks.values() if named.certainty(display_path(c.path))}
            for chunk in (c for doc in docs for c in document_chunks(connection, doc)):
                if chunk.start_line <= line <= chunk.end_line:
                    chunks[chunk.id] = chunk
                    fused.setdefault(chunk.id, 0.0)
        files = {chunk.path for chunk in chunks.values()}
        signals = FileSignals(
            self._past.message_scores(connection, view, query.told, files),
            self._past.recent_scores(connection, view, files) if query.weights.recent else {},
            named,
        )
        names = NameCover(query.terms, query.counts)
        return Scoring(list(chunks.values()), fused, query.parts.title, names, signals)

    def _read_past(self, connection: sqlite3.Connection, query: Query) -> None:
        """Read the view's past while the model works, if the query is one that asks it."""
        if query.told or query.weights.recent:
            self._past.prepare(connection, self.corpus.view)

    def _rerank(self, query: Query, candidates: list[Candidate]) -> list[Candidate]:
        """Let the reranker, if there is one, read the first of a hybrid query's candidates."""
        config = self._place.config.search
        if query.request.mode is not SearchMode.HYBRID:
            return candidates
        if self._reranker is None:
            if not config.rerank:
                return candidates
            self._reranker = open_reranker(
                Path(config.rerank), threads=self._place.config.embedding.threads
            )
        return rerank_candidates(
            candidates,
            query.parts.text,
            self._reranker,
            self._blobs.read,
            most=config.rerank_most,
            share=config.rerank_share,
        )


def _best(fused: dict[int, float], most: int) -> list[int]:
    """Return the rows with the `most` best fused scores, and all that tie with the last."""
    if len(fused) <= most:
        return list(fused)
    last = sorted(fused.values(), reverse=True)[most - 1]
    return [row for row, score in fused.items() if score >= last]
