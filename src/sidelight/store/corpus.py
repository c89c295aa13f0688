"""What one view holds, as rows that retrievers rank: a snapshot's live rows, then the delta.

Rows 0 … s-1 are the snapshot's, live or not; rows s … s+d-1 are the view's chunks that the snapshot
lacks. Row numbers mean nothing outside one `Corpus`; chunk ids do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sidelight.dense import DeltaVectors, rank_dense
from sidelight.lexical import (
    Bm25Parameters,
    KeptScores,
    Postings,
    QueryPostings,
    ScoredPostings,
    build_postings,
    count_rows,
    gather,
    score_term,
    sum_scores,
    top_rows,
)
from sidelight.model import RankedList
from sidelight.store.reader import view_document_ids
from sidelight.store.snapshot import Snapshot
from sidelight.store.views import ViewInfo

if TYPE_CHECKING:
    from sidelight.dense.vectorfile import VectorFile

SCORE_DIGITS = 6  # scores are compared, shown and tied at this precision


@dataclass(frozen=True, slots=True)
class Corpus:
    """One view at one generation; opened once and asked often.

    `live` (s + d,) marks the view's rows; `lengths` (s + d,) counts terms; `ids` (s + d,) are chunk
    ids and `docs` (s + d,) document ids. `vectors` are those that the snapshot's file lacks.
    `places` (s + d,) numbers the rows' documents in the order of their paths (dead ones: 0).
    `has_dead` tells whether any row of the snapshot is not the view's.
    """

    view: ViewInfo
    snapshot: Snapshot | None
    delta: Postings
    ids: NDArray[np.int64]
    docs: NDArray[np.int64]
    places: NDArray[np.int32]
    lengths: NDArray[np.int32]
    live: NDArray[np.bool_]
    has_dead: bool
    vectors: DeltaVectors
    n_files: int
    n_live: int
    mean_length: float
    kept: KeptScores = field(default_factory=KeptScores)

    @property
    def n_snapshot(self) -> int:
        """How many rows the snapshot has."""
        return 0 if self.snapshot is None else len(self.snapshot.chunk_ids)


def open_corpus(
    connection: sqlite3.Connection,
    view: ViewInfo,
    snapshot: Snapshot | None,
    *,
    with_vectors: bool = True,
) -> Corpus:
    """Return the view's rows; the caller's read transaction is not older than `snapshot`.

    Without `with_vectors`, those that the snapshot's file lacks are not read: for rankings that
    ask for no vector.
    """
    documents = np.asarray(view_document_ids(connection, view.id), np.int64)
    after = 0 if snapshot is None else snapshot.max_chunk_id
    rows = connection.execute(
        "SELECT chunk.id, chunk.doc_id, chunk.terms, chunk.n_terms FROM chunk"
        " JOIN file ON file.doc_id = chunk.doc_id AND file.view_id = ?"
        " WHERE chunk.id > ? ORDER BY chunk.id",
        (view.id, after),
    ).fetchall()
    delta = build_postings([row[2] for row in rows], [row[3] for row in rows])
    delta_ids = np.asarray([row[0] for row in rows], np.int64)
    delta_docs = np.asarray([row[1] for row in rows], np.int64)
    old_live = np.zeros(0, np.bool_)
    if snapshot is not None:
        old_live = membership(snapshot.doc_ids, documents)
        ids = np.concatenate((snapshot.chunk_ids, delta_ids))
        docs = np.concatenate((snapshot.doc_ids, delta_docs))
        lengths = np.concatenate((snapshot.postings.lengths, delta.lengths))
    else:
        ids, docs, lengths = delta_ids, delta_docs, delta.lengths
    live = np.concatenate((old_live, np.ones(len(rows), np.bool_)))
    late: list[int] = []
    if snapshot is not None and with_vectors:
        late = np.intersect1d(snapshot.without_vector, ids[live], assume_unique=True).tolist()
    n_live = int(live.sum())
    total = int(lengths[live].sum(dtype=np.int64))
    return Corpus(
        view=view,
        snapshot=snapshot,
        delta=delta,
        ids=ids,
        docs=docs,
        places=_places(docs, documents),
        lengths=lengths,
        live=live,
        has_dead=not bool(old_live.all()),
        vectors=_delta_vectors(connection, view, after, late) if with_vectors else _no_vectors(),
        n_files=len(documents),
        n_live=n_live,
        mean_length=total / n_live if n_live else 1.0,
    )


def restrict(corpus: Corpus, documents: Collection[int] | None) -> NDArray[np.bool_]:
    """Return the mask of the view's rows, narrowed to some documents if any are named."""
    if documents is None:
        return corpus.live
    return corpus.live & membership(corpus.docs, np.asarray(sorted(documents), np.int64))


def score_rows(
    corpus: Corpus, terms: Mapping[int, float], parameters: Bm25Parameters
) -> NDArray[np.float32]:
    """Return every row's BM25 score for weighted term hashes, (s + d,); dead rows score 0.

    Document frequencies and lengths are the whole view's: a path filter changes no score.
    """

    def scored(term: int, weight: float) -> ScoredPostings:
        return corpus.kept.get(
            (term, weight, parameters),
            lambda: score_term(
                QueryPostings(weight, *_postings_of(corpus, term)),
                corpus.lengths,
                corpus.n_live,
                corpus.mean_length,
                parameters,
            ),
        )

    found = [scored(term, weight) for term, weight in terms.items()]
    return sum_scores([item for item in found if len(item.rows)], len(corpus.lengths), parameters)


def rank_bm25(
    connection: sqlite3.Connection,  # noqa: ARG001 - see rank_vectors
    corpus: Corpus,
    terms: Mapping[int, float],
    count: int,
    allowed: NDArray[np.bool_],
    parameters: Bm25Parameters,
) -> RankedList:
    """Return the `count` best of the allowed rows for weighted term hashes; see `score_rows`."""
    scores = score_rows(corpus, terms, parameters)
    if allowed is not corpus.live:
        scores = np.where(allowed, scores, np.float32(0))
    rows = top_rows(scores, count)
    return _ranked(corpus, "bm25", rows, scores[rows].astype(np.float64), count)


def rank_vectors(
    connection: sqlite3.Connection,  # noqa: ARG001 - what breaks ties is in the corpus
    corpus: Corpus,
    query: NDArray[np.int8],
    count: int,
    allowed: NDArray[np.bool_],
    file: VectorFile | None,
) -> RankedList:
    """Return the `count` best of the allowed rows by cosine to the query's int8 vector.

    `file` is the snapshot's, opened.
    """

    def is_allowed(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
        return allowed[np.searchsorted(corpus.ids, keys)]

    delta = corpus.vectors
    if len(delta.ids):
        keep = is_allowed(delta.ids)
        delta = DeltaVectors(delta.ids[keep], delta.rows[keep])
    ids, scores = rank_dense(query, count, file, is_allowed, delta)
    return _ranked(corpus, "dense", np.searchsorted(corpus.ids, ids), scores, count)


def rows_with_all(
    corpus: Corpus, terms: Collection[int], allowed: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return the ids of the allowed chunks that hold every one of the terms, by path and place."""
    if not terms:
        return _by_path(corpus, np.flatnonzero(allowed))
    rows: NDArray[np.int32] | None = None
    for term in terms:
        own, _ = _postings_of(corpus, term)
        rows = own if rows is None else np.intersect1d(rows, own, assume_unique=True)
    assert rows is not None  # noqa: S101 - there is at least one term
    return _by_path(corpus, rows[allowed[rows]])


def which_with_all(corpus: Corpus, terms: Collection[int], chunk_ids: Sequence[int]) -> list[int]:
    """Return those of a few live chunks that hold every one of the terms, in the given order.

    As `rows_with_all`, without looking through the long lists of common terms.
    """
    ids = np.asarray(chunk_ids, np.int64)
    rows = np.searchsorted(corpus.ids, ids).astype(np.int32)
    for term in terms:
        if not len(rows):
            break
        keep = _holds(corpus, term, rows)
        ids, rows = ids[keep], rows[keep]
    kept: list[int] = ids.tolist()
    return kept


def _holds(corpus: Corpus, term: int, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which of the rows, live ones, hold the term."""
    fresh, _ = gather(corpus.delta, term, None)
    found = _among(rows - np.int32(corpus.n_snapshot), fresh)
    if corpus.snapshot is not None:
        found |= _among(rows, gather(corpus.snapshot.postings, term, None)[0])
    return found


def _among(values: NDArray[np.int32], ascending: NDArray[np.int32]) -> NDArray[np.bool_]:
    if len(ascending) == 0:
        return np.zeros(len(values), np.bool_)
    at = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    found: NDArray[np.bool_] = ascending[at] == values
    return found


def document_frequency(corpus: Corpus, term: int) -> int:
    """Return how many of the view's chunks hold the term."""
    if corpus.has_dead or corpus.snapshot is None:
        return len(_postings_of(corpus, term)[0])
    return count_rows(corpus.snapshot.postings, term) + count_rows(corpus.delta, term)


def _by_path(corpus: Corpus, rows: NDArray[Any]) -> NDArray[np.int64]:
    """Return the live rows' chunk ids in the order of path and place in the file."""
    ids: NDArray[np.int64] = corpus.ids[rows]  # a document's chunks are numbered in its order
    order = np.lexsort((ids, corpus.places[rows]))
    return ids[order]


def _places(docs: NDArray[np.int64], documents: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return each row's document's number among `documents`, 0 for those that are not there."""
    highest = max(int(docs.max(initial=0)), int(documents.max(initial=0)))
    table = np.zeros(highest + 1, np.int32)
    table[documents] = np.arange(len(documents), dtype=np.int32)
    return table[docs]


def membership(values: NDArray[np.int64], members: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of the (small, positive) `values` are among `members`."""
    highest = max(int(values.max(initial=0)), int(members.max(initial=0)))
    table = np.zeros(highest + 1, np.bool_)
    table[members] = True
    return table[values]


def _postings_of(corpus: Corpus, term: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    rows, tfs = gather(corpus.delta, term, None)
    if corpus.snapshot is None:
        return rows, tfs
    live = corpus.live if corpus.has_dead else None
    old_rows, old_tfs = gather(corpus.snapshot.postings, term, live)
    if len(rows) == 0:
        return old_rows, old_tfs
    shifted = rows + np.int32(corpus.n_snapshot)
    return np.concatenate((old_rows, shifted)), np.concatenate((old_tfs, tfs))


def _delta_vectors(
    connection: sqlite3.Connection,
    view: ViewInfo,
    after: int,
    late: Sequence[int],
) -> DeltaVectors:
    """Read the vectors that the snapshot's file lacks: of newer chunks, and of late ones.

    `late` are live chunks of the snapshot that had none: those of other views, of which there may
    be many, are not asked for.
    """
    ids: list[int] = []
    packed: list[bytes] = []
    query = (
        "SELECT chunk.id, vector FROM chunk"
        " JOIN file ON file.doc_id = chunk.doc_id AND file.view_id = ?"
        " JOIN embedding ON embedding.key = chunk.embedding WHERE chunk.id {} ORDER BY chunk.id"
    )
    for start in range(0, len(late), 500):
        part = late[start : start + 500]
        marks = ",".join("?" * len(part))
        rows = connection.execute(query.format(f"IN ({marks})"), (view.id, *part))
        for chunk_id, vector in rows:
            ids.append(chunk_id)
            packed.append(vector)
    for chunk_id, vector in connection.execute(query.format("> ?"), (view.id, after)):
        ids.append(chunk_id)
        packed.append(vector)
    matrix = np.frombuffer(b"".join(packed), np.int8)
    if packed:
        return DeltaVectors(np.asarray(ids, np.int64), matrix.reshape(len(packed), -1))
    return _no_vectors()


def _no_vectors() -> DeltaVectors:
    return DeltaVectors(np.empty(0, np.int64), np.empty((0, 1), np.int8))


def _ranked(
    corpus: Corpus,
    retriever: str,
    rows: NDArray[np.int64],
    scores: NDArray[np.float64],
    count: int,
) -> RankedList:
    """Order by score, then path, then place in the file; keep `count`."""
    rounded = np.round(scores, SCORE_DIGITS)
    ids = corpus.ids[rows]  # a document's chunks are numbered in its order
    order = np.lexsort((ids, corpus.places[rows], -rounded))[:count]
    return RankedList(
        retriever,
        rows=tuple(ids[order].tolist()),
        scores=tuple(rounded[order].tolist()),
        pool=count,
    )
