"""Ask bm25s and usearch, in memory, what our retrievers are asked over the index on disk."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any

import bm25s
import numpy as np
from bm25s.tokenization import Tokenized
from numpy.typing import NDArray

from benchmarks.measuring import timed
from benchmarks.stand_ins import RandomVectors
from benchmarks.tasks.indexing import place_of
from benchmarks.tasks.searching import sample_queries
from sidelight.embedding.quantize import quantize_rows
from sidelight.indexing.place import Place, worktree_view
from sidelight.lexical import Bm25Parameters
from sidelight.search import Searcher
from sidelight.store.corpus import rank_bm25, rank_vectors
from sidelight.store.database import Database
from sidelight.store.publishing import publish
from sidelight.store.snapshot import open_latest
from sidelight.tokens import query_terms, term_hash

POOL = 200


def compare(repository: str, rounds: int) -> dict[str, Any]:
    """Return milliseconds per query, median: ours and theirs, lexical and dense."""
    place = place_of(repository)
    questions, names = sample_queries(place)
    queries = questions + names
    _require_snapshot(place)
    with Searcher.open(place, worktree_view(place.repo)) as searcher:
        corpus, connection = searcher.corpus, searcher._database.connection  # noqa: SLF001
        rows = connection.execute("SELECT terms, n_terms FROM chunk ORDER BY id").fetchall()
        assert len(rows) == len(corpus.ids)
        lexical, ids_of = _bm25s_index([row[0] for row in rows])
        asked = [[term_hash(t) for t in query_terms(q)] for q in queries]
        asked = [[term for term in terms if term in ids_of] for terms in asked]
        own_terms = [dict.fromkeys(terms, 1.0) for terms in asked]
        parameters = Bm25Parameters()

        def ours(at: int) -> list[float]:
            found = rank_bm25(connection, corpus, own_terms[at], POOL, corpus.live, parameters)
            return list(found.scores)

        def theirs(at: int) -> list[float]:
            found = lexical.retrieve(
                [[ids_of[term] for term in asked[at]]],
                k=min(POOL, len(rows)),
                show_progress=False,
                n_threads=0,
                backend_selection="numpy",
            )
            scores: list[float] = found.scores[0].tolist()
            return scores

        at_least_some = [at for at, terms in enumerate(asked) if terms]
        _same_scores(ours, theirs, at_least_some)
        answer = {"bm25": _both(ours, theirs, at_least_some, rounds)}
        answer["dense"] = _dense(searcher, queries, rounds)
        return {"chunks": len(rows), **answer}


def _dense(searcher: Searcher, queries: list[str], rounds: int) -> dict[str, float]:
    corpus, connection = searcher.corpus, searcher._database.connection  # noqa: SLF001
    file = searcher._open_vectors()  # noqa: SLF001
    assert file is not None
    # Not at the top: our adapter, loaded by now, must import usearch first (docs/decisions/0004).
    from usearch.index import Index, MetricKind, ScalarKind  # noqa: PLC0415

    keys = corpus.ids[: len(file)]
    memory = Index(
        ndim=file.dimensions,
        metric=MetricKind.Cos,
        dtype=ScalarKind.I8,
        connectivity=2,
        expansion_add=1,
    )
    memory.add(keys.astype(np.uint64), file.rows(keys), threads=1, copy=True)
    vectors: NDArray[np.int8] = quantize_rows(RandomVectors().embed(queries))

    def ours(at: int) -> list[float]:
        found = rank_vectors(connection, corpus, vectors[at], POOL, corpus.live, file)
        return list(found.scores)

    def theirs(at: int) -> list[float]:
        found = memory.search(vectors[at], min(POOL, len(memory)), exact=True, threads=1)
        return [1 - float(distance) for distance in found.distances]

    everything = list(range(len(queries)))
    _same_scores(ours, theirs, everything)
    return _both(ours, theirs, everything, rounds)


def _require_snapshot(place: Place) -> None:
    """Publish one where the corpus is too small for the product to do so by itself."""
    with Database.open(place.directory, place.identity) as database:
        if open_latest(database) is None:
            publish(database)


def _bm25s_index(packed: list[bytes]) -> tuple[bm25s.BM25, dict[int, int]]:
    """Return a bm25s index of the chunks' terms, and the word id of each term's hash."""
    ids: dict[int, int] = {}
    documents = []
    for item in packed:
        n = len(item) // 10
        hashes = np.frombuffer(item, "<u8", n).tolist()
        counts = np.frombuffer(item, "<u2", n, n * 8)
        words = np.fromiter((ids.setdefault(h, len(ids)) for h in hashes), np.int64, n)
        documents.append(np.repeat(words, counts).tolist())
    engine = bm25s.BM25(k1=1.5, b=0.75, method="lucene", backend="numpy")
    tokens = Tokenized(ids=documents, vocab={str(h): i for h, i in ids.items()})
    engine.index(tokens, show_progress=False)
    return engine, ids


def _both(
    ours: Callable[[int], object], theirs: Callable[[int], object], queries: list[int], rounds: int
) -> dict[str, float]:
    """Time both for every query, alternately."""
    own, other = [], []
    for _ in range(rounds):
        for at in queries:
            own.append(timed(lambda: ours(at)))  # noqa: B023 - called at once
            other.append(timed(lambda: theirs(at)))  # noqa: B023
    return {
        "wall": 1000 * median(s.wall for s in own),
        "cpu": 1000 * median(s.cpu for s in own),
        "their_wall": 1000 * median(s.wall for s in other),
        "their_cpu": 1000 * median(s.cpu for s in other),
    }


def _same_scores(
    ours: Callable[[int], list[float]], theirs: Callable[[int], list[float]], queries: list[int]
) -> None:
    """Refuse to compare what does not give the same answers."""
    for at in queries[:20]:
        own = ours(at)
        other = sorted((s for s in theirs(at) if s > 0), reverse=True)[: len(own)]
        if not np.allclose(own[: len(other)], other, atol=2e-3):
            raise RuntimeError("the in-memory engine gives other scores")
