"""BM25 over a view of a real index equals bm25s over its chunks, whatever else is stored."""

from __future__ import annotations

from collections.abc import Mapping

import bm25s
import numpy as np
import pytest

from helpers.workspace import Workspace
from indexing.walk import QUERIES, Walk, random_steps
from sidelight.indexing.place import revision_view
from sidelight.indexing.refresh import index_revision
from sidelight.lexical import Bm25Parameters
from sidelight.store.corpus import SCORE_DIGITS, open_corpus, rank_bm25
from sidelight.store.reader import read_chunks
from sidelight.store.snapshot import open_latest
from sidelight.store.views import find_view
from sidelight.tokens import query_terms, term_hash


def by_bm25s(
    work: Workspace, view: str, terms: Mapping[int, float], method: str
) -> list[tuple[float, bytes, int]]:
    """Return (score, path, line) of every chunk of the view that scores, best first."""
    rows = work.rows(
        "SELECT terms, doc.path, chunk.start_line FROM chunk JOIN doc ON doc.id = chunk.doc_id"
        " JOIN file ON file.doc_id = doc.id JOIN view ON view.id = file.view_id"
        " WHERE view.name = ? ORDER BY doc.path, chunk.ordinal",
        view,
    )
    corpus = []
    for packed, _, _ in rows:
        assert isinstance(packed, bytes)
        n = len(packed) // 10
        hashes, tfs = np.frombuffer(packed, "<u8", n), np.frombuffer(packed, "<u2", n, n * 8)
        corpus.append([str(h) for h, tf in zip(hashes, tfs, strict=True) for _ in range(tf)])
    engine = bm25s.BM25(k1=1.5, b=0.75, method=method)
    engine.index(corpus, show_progress=False)
    words = [str(term) for term in terms if str(term) in engine.vocab_dict]
    scores = np.round(engine.get_scores(words).astype(np.float64), SCORE_DIGITS).tolist()
    places = [
        (-score, path, line) for score, (_, path, line) in zip(scores, rows, strict=True) if score
    ]
    return [(-score, path, line) for score, path, line in sorted(places)]  # type: ignore[type-var]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """An index with a snapshot, dead rows, a delta and two more views."""
    walk = Walk(tmp_path_factory.mktemp("views") / "repo")
    work = Workspace.at(walk.repo)
    for at, (step, pick) in enumerate(random_steps(5, 36)):
        step(walk, pick)
        work.refresh()
        if at in (10, 20):
            index_revision(work.place, walk.repo.head(), revision_view(f"r{at}"))
        if at == 22:
            work.publish()
    return work


@pytest.mark.parametrize("method", ["lucene", "robertson", "atire"])
@pytest.mark.parametrize("view", ["worktree/", "rev/r10", "rev/r20"])
def test_every_view_scores_as_if_it_were_alone(work: Workspace, view: str, method: str) -> None:
    with work.open() as database, database.read() as connection:
        info = find_view(connection, view)
        assert info is not None
        corpus = open_corpus(connection, info, open_latest(database))
        assert corpus.snapshot is not None
        for query in QUERIES:
            terms = {term_hash(term): 1.0 for term in query_terms(query)}
            parameters = Bm25Parameters(method=method)
            ranked = rank_bm25(connection, corpus, terms, 10_000, corpus.live, parameters)
            chunks = read_chunks(connection, ranked.rows)
            ours = [
                (score, chunks[row].path, chunks[row].start_line)
                for row, score in zip(ranked.rows, ranked.scores, strict=True)
            ]
            assert ours == by_bm25s(work, view, terms, method)


def test_the_walk_left_dead_rows_and_a_delta(work: Workspace) -> None:
    with work.open() as database, database.read() as connection:
        info = find_view(connection, work.view)
        assert info is not None
        corpus = open_corpus(connection, info, open_latest(database))
    assert not corpus.live.all()
    assert len(corpus.ids) > corpus.n_snapshot > 0
