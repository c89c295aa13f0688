"""Which files mention a name: by the postings of BM25, so that no other file is opened."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sidelight.lexical import gather
from sidelight.store.corpus import Corpus
from sidelight.tokens import literal_terms, term_hash


def documents_mentioning(corpus: Corpus, word: str) -> list[int] | None:
    """Return the ids of the view's documents whose text holds the word; None if any may.

    Every term of a word is in the chunks that hold it (see `tokens.literal_terms`); the ids are a
    superset of the documents that hold it in this case and place.
    """
    terms = literal_terms(f" {word} ")
    if not terms:
        return None
    rows: NDArray[np.int64] | None = None
    for term in terms:
        own = _rows_of(corpus, term_hash(term))
        rows = own if rows is None else np.intersect1d(rows, own, assume_unique=True)
    assert rows is not None  # noqa: S101 - there is at least one term
    return sorted(set(corpus.docs[rows].tolist()))  # np.unique would import numpy.ma first


def _rows_of(corpus: Corpus, term: int) -> NDArray[np.int64]:
    rows, _ = gather(corpus.delta, term, None)
    found = rows.astype(np.int64) + corpus.n_snapshot
    if corpus.snapshot is None:
        return found
    live = corpus.live if corpus.has_dead else None
    old, _ = gather(corpus.snapshot.postings, term, live)
    return np.concatenate((old.astype(np.int64), found))
