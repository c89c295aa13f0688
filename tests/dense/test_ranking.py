"""Nearest rows against brute force: exact scan, dead rows, delta, and ties by the hundred."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sidelight.dense import DeltaVectors, cosine_similarities, rank_dense
from sidelight.dense.vectorfile import VectorFile, build_vector_file, write_vector_file
from sidelight.embedding.quantize import quantize_rows

NOTHING = DeltaVectors(np.empty(0, np.int64), np.empty((0, 1), np.int8))
DIMENSIONS = 24


def unit_rows(dice: np.random.Generator, n: int, distinct: int | None = None) -> NDArray[np.int8]:
    rows = dice.normal(size=(distinct or n, DIMENSIONS)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return quantize_rows(rows)[dice.integers(0, len(rows), n)] if distinct else quantize_rows(rows)


def brute_force(
    ids: NDArray[np.int64], rows: NDArray[np.int8], query: NDArray[np.int8], count: int
) -> dict[int, float]:
    """Return the `count` best by cosine in double precision, and whatever ties with the last."""
    wide, asked = rows.astype(np.float64), query.astype(np.float64)
    norms = np.linalg.norm(wide, axis=1) * np.linalg.norm(asked)
    scores = np.divide(wide @ asked, norms, out=np.zeros(len(rows)), where=norms > 0)
    scores = np.round(scores, 12)
    if len(scores) > count:
        least = np.sort(scores)[::-1][count - 1]
        ids, scores = ids[scores >= least], scores[scores >= least]
    return dict(zip(ids.tolist(), scores.tolist(), strict=True))


def everything(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.ones(len(keys), np.bool_)


def found(
    query: NDArray[np.int8],
    count: int,
    file: VectorFile | None,
    delta: DeltaVectors = NOTHING,
    is_live: object = everything,
) -> dict[int, float]:
    ids, scores = rank_dense(query, count, file, is_live, delta)  # type: ignore[arg-type]
    assert len(ids) == len(set(ids.tolist()))
    return dict(zip(ids.tolist(), scores.tolist(), strict=True))


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 1 << 30),
    n=st.integers(1, 400),
    n_delta=st.integers(0, 40),
    count=st.integers(1, 60),
    distinct=st.one_of(st.none(), st.integers(1, 6)),
    dead=st.floats(0, 0.99),
)
def test_answers_equal_brute_force_over_the_live_rows(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    n: int,
    n_delta: int,
    count: int,
    distinct: int | None,
    dead: float,
) -> None:
    dice = np.random.default_rng(seed)
    rows = unit_rows(dice, n + n_delta, distinct)
    ids = np.sort(dice.choice(10_000, n + n_delta, replace=False)).astype(np.int64) + 1
    live = dice.random(n) >= dead
    path = tmp_path_factory.mktemp("dense") / "vectors"
    build_vector_file(path, ids[:n], rows[:n])
    members = set(ids[:n][live].tolist())
    query = unit_rows(dice, 1)[0]

    def is_live(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.asarray([key in members for key in keys.tolist()], np.bool_)

    delta = DeltaVectors(ids[n:], rows[n:])
    kept = np.concatenate((live, np.ones(n_delta, np.bool_)))
    expected = brute_force(ids[kept], rows[kept], query, count)
    answer = found(query, count, VectorFile.open(path), delta, is_live)
    best = dict(sorted(answer.items(), key=lambda item: (-item[1], item[0])))
    cut = sorted(best.values(), reverse=True)[: len(expected)]
    assert cut == sorted(expected.values(), reverse=True)
    assert {key: answer[key] for key in expected} == expected


def test_all_copies_that_tie_with_the_last_row_are_returned(tmp_path: Path) -> None:
    dice = np.random.default_rng(1)
    rows = np.concatenate((unit_rows(dice, 5), np.repeat(unit_rows(dice, 1), 700, axis=0)))
    ids = np.arange(1, len(rows) + 1, dtype=np.int64)
    build_vector_file(tmp_path / "vectors", ids, rows)
    answer = found(rows[-1], 10, VectorFile.open(tmp_path / "vectors"))
    assert set(range(6, 706)) <= set(answer)


def test_a_file_and_a_delta_give_the_same_scores_to_the_last_bit(tmp_path: Path) -> None:
    dice = np.random.default_rng(2)
    rows = unit_rows(dice, 500)
    ids = np.arange(1, 501, dtype=np.int64)
    build_vector_file(tmp_path / "vectors", ids, rows)
    file = VectorFile.open(tmp_path / "vectors")
    for query in unit_rows(dice, 20):
        by_file = found(query, 500, file)
        by_delta = found(query, 500, None, DeltaVectors(ids, rows))
        assert by_file == by_delta


def test_scanning_the_matrix_and_asking_usearch_give_the_same_rows_and_scores(
    tmp_path: Path,
) -> None:
    dice = np.random.default_rng(6)
    rows = unit_rows(dice, 900, distinct=300)
    ids = np.arange(1, 901, dtype=np.int64) * 3
    build_vector_file(tmp_path / "vectors", ids, rows)
    scanned, asked = (VectorFile.open(tmp_path / "vectors") for _ in range(2))
    assert scanned.matrix is not None
    asked.matrix = None

    def every_seventh(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
        return keys % 7 == 0

    for query in unit_rows(dice, 20):
        for is_live in (everything, every_seventh):
            assert found(query, 50, scanned, NOTHING, is_live) == found(
                query, 50, asked, NOTHING, is_live
            )


def test_rows_that_are_not_in_the_order_of_their_keys_are_left_to_usearch(tmp_path: Path) -> None:
    dice = np.random.default_rng(7)
    rows = unit_rows(dice, 300)
    ids = np.arange(300, 0, -1, dtype=np.int64)
    build_vector_file(tmp_path / "vectors", ids, rows)
    file = VectorFile.open(tmp_path / "vectors")
    assert file.matrix is None
    assert found(rows[7], 5, file) == brute_force(ids, rows, rows[7], 5)


def test_two_builds_of_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    rows = unit_rows(np.random.default_rng(3), 300)
    ids = np.arange(1, 301, dtype=np.int64)
    build_vector_file(tmp_path / "one", ids, rows)
    build_vector_file(tmp_path / "two", ids, rows)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    batches = [rows[:7], rows[7:200], rows[200:]]
    write_vector_file(tmp_path / "batched", ids, batches, rows.shape[1])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "batched").read_bytes()


def test_more_rows_than_there_are_may_be_asked_for(tmp_path: Path) -> None:
    rows = unit_rows(np.random.default_rng(4), 3)
    build_vector_file(tmp_path / "vectors", np.asarray([7, 8, 9], np.int64), rows)
    file = VectorFile.open(tmp_path / "vectors")
    assert set(file.nearest(rows[0], 1000).tolist()) == {7, 8, 9}
    assert set(found(rows[0], 1000, file)) == {7, 8, 9}
    assert found(rows[0], 5, None) == {}


def test_a_graph_is_searched_until_enough_live_rows_are_found(tmp_path: Path) -> None:
    """Above the limit the file is a graph, whose answers are approximate; few rows are alive."""
    dice = np.random.default_rng(5)
    rows = unit_rows(dice, 3000)
    ids = np.arange(1, 3001, dtype=np.int64)
    build_vector_file(tmp_path / "vectors", ids, rows, hnsw_from=1000)
    file = VectorFile.open(tmp_path / "vectors", hnsw_from=1000)
    assert file.hnsw

    def every_fiftieth(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
        return keys % 50 == 0

    for query in unit_rows(dice, 10):
        answer = found(query, 10, file, NOTHING, every_fiftieth)
        expected = brute_force(ids[49::50], rows[49::50], query, 10)
        assert len(answer) >= 10
        assert len(set(answer) & set(expected)) >= 8


def test_zero_rows_score_zero_and_never_fail() -> None:
    rows = np.zeros((2, 4), np.int8)
    assert cosine_similarities(rows, np.ones(4, np.int8)).tolist() == [0.0, 0.0]
    assert cosine_similarities(rows + 1, np.zeros(4, np.int8)).tolist() == [0.0, 0.0]
    assert cosine_similarities(np.empty((0, 4), np.int8), np.ones(4, np.int8)).tolist() == []


@pytest.mark.parametrize("content", [b"", b"usearch", b"\0" * 4096])
def test_what_is_no_vector_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "vectors").write_bytes(content)
    with pytest.raises((ValueError, RuntimeError)):
        VectorFile.open(tmp_path / "vectors")


def test_a_missing_vector_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a vector file"):
        VectorFile.open(tmp_path / "vectors")
