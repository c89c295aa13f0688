"""BM25 over live statistics equals a full bm25s build of the live documents, bit for bit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import bm25s
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sidelight.lexical import (
    Bm25Parameters,
    Postings,
    QueryPostings,
    build_postings,
    gather,
    score_bm25,
    top_rows,
)
from sidelight.store.rows import MAX_TF, pack_terms

METHODS = ("lucene", "robertson", "atire")
VOCABULARY = 12
Document = Sequence[int]  # term hashes, with repeats


def packed(documents: Sequence[Document]) -> Postings:
    return build_postings(
        [pack_terms(Counter(document)) for document in documents],
        [len(document) for document in documents],
    )


def by_bm25s(
    documents: Sequence[Document], query: Mapping[int, float], parameters: Bm25Parameters
) -> NDArray[np.float32]:
    """Return the scores of a full bm25s build; each term is added as often as it weighs."""
    engine = bm25s.BM25(k1=parameters.k1, b=parameters.b, method=parameters.method)
    corpus = [[str(term) for term in document] for document in documents]
    engine.index(corpus, show_progress=False)
    words = [str(term) for term, weight in query.items() for _ in range(int(weight))]
    known = [word for word in words if word in engine.vocab_dict]
    if not known:
        return np.zeros(len(documents), np.float32)
    scores: NDArray[np.float32] = engine.get_scores(known)
    return scores


def by_sidelight(
    documents: Sequence[Document],
    live: Sequence[bool],
    n_snapshot: int,
    query: Mapping[int, float],
    parameters: Bm25Parameters,
) -> NDArray[np.float32]:
    """Return the live rows' scores: some rows from a snapshot, the others from a delta."""
    mask = np.asarray([*live[:n_snapshot], *([True] * (len(documents) - n_snapshot))], np.bool_)
    old, new = packed(documents[:n_snapshot]), packed(documents[n_snapshot:])
    lengths = np.concatenate((old.lengths, new.lengths))
    terms = []
    for term, weight in query.items():
        rows, tfs = gather(old, term, mask)
        more_rows, more_tfs = gather(new, term, None)
        terms.append(
            QueryPostings(
                weight,
                np.concatenate((rows, more_rows + np.int32(n_snapshot))),
                np.concatenate((tfs, more_tfs)),
            )
        )
    n_live = int(mask.sum())
    mean = int(lengths[mask].sum(dtype=np.int64)) / n_live if n_live else 1.0
    present = [item for item in terms if len(item.rows)]
    return score_bm25(present, lengths, n_live, mean, parameters)[mask]


DOCUMENTS = st.lists(
    st.lists(st.integers(1, VOCABULARY), min_size=1, max_size=30), min_size=1, max_size=25
)


@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    documents=DOCUMENTS,
    data=st.data(),
    k1=st.floats(0.5, 2.5),
    b=st.floats(0, 1),
)
def test_scores_equal_a_full_build(
    method: str, documents: list[list[int]], data: st.DataObject, k1: float, b: float
) -> None:
    n_snapshot = data.draw(st.integers(0, len(documents)))
    live = data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents)))
    live[n_snapshot:] = [True] * (len(documents) - n_snapshot)
    query = data.draw(st.dictionaries(st.integers(1, VOCABULARY + 2), st.just(1.0), max_size=6))
    kept = [document for document, alive in zip(documents, live, strict=True) if alive]
    if not kept:
        return
    parameters = Bm25Parameters(k1=k1, b=b, method=method)
    ours = by_sidelight(documents, live, n_snapshot, query, parameters)
    theirs = by_bm25s(kept, query, parameters)
    assert ours.dtype == theirs.dtype
    assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_a_term_that_is_asked_twice_counts_twice(method: str) -> None:
    documents = [[1, 1, 2], [2, 3], [1, 3, 3, 3]]
    parameters = Bm25Parameters(method=method)
    ours = by_sidelight(documents, [True] * 3, 2, {1: 2.0, 3: 1.0}, parameters)
    theirs = by_bm25s(documents, {1: 2.0, 3: 1.0}, parameters)
    assert np.allclose(ours, theirs, rtol=1e-6, atol=0)


def test_statistics_are_those_of_the_live_rows() -> None:
    """A term that only dead documents hold scores nothing and changes nothing."""
    documents = [[1, 2], [9, 9, 9, 9, 9, 9, 9, 9], [1, 3]]
    alone = by_bm25s([[1, 2], [1, 3]], {2: 1.0}, Bm25Parameters())
    ours = by_sidelight(documents, [True, False, True], 3, {9: 1.0, 2: 1.0}, Bm25Parameters())
    assert ours.tolist() == alone.tolist()


def test_no_terms_and_no_rows_score_nothing() -> None:
    assert score_bm25([], np.asarray([3, 4], np.int32), 2, 3.5, Bm25Parameters()).tolist() == [0, 0]
    assert score_bm25([], np.empty(0, np.int32), 0, 1.0, Bm25Parameters()).tolist() == []


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), max_size=40), st.integers(0, 50))
def test_top_rows_are_the_best_positive_ones_and_all_ties(scores: list[float], count: int) -> None:
    array = np.asarray(scores, np.float32)
    rows = top_rows(array, count).tolist()
    positive = sorted((s for s in scores if s > 0), reverse=True)
    if count == 0 or not positive:
        assert rows == []
        return
    least = positive[min(count, len(positive)) - 1]
    assert rows == [row for row, score in enumerate(scores) if score >= least]


@given(st.dictionaries(st.integers(0, (1 << 64) - 1), st.integers(1, 70_000), max_size=20))
def test_packed_terms_come_back_as_postings(terms: dict[int, int]) -> None:
    postings = build_postings([pack_terms(terms)], [sum(terms.values())])
    assert postings.terms.tolist() == sorted(terms)
    for term, count in terms.items():
        rows, tfs = gather(postings, term, None)
        assert rows.tolist() == [0]
        assert tfs.tolist() == [min(count, MAX_TF)]


@given(
    st.lists(st.sets(st.integers(0, 30), max_size=8), max_size=15),
    st.integers(0, 32),
    st.randoms(use_true_random=False),
)
def test_gathered_rows_are_the_live_documents_with_the_term(
    documents: list[set[int]], term: int, dice: object
) -> None:
    live = np.asarray([getattr(dice, "random")() < 0.6 for _ in documents], np.bool_)  # noqa: B009
    postings = packed([sorted(document) for document in documents])
    rows, tfs = gather(postings, term, live)
    assert rows.tolist() == [r for r, d in enumerate(documents) if live[r] and term in d]
    assert tfs.tolist() == [1] * len(rows)
