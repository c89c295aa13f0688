"""The adapter on tiny models: pooling, prefixes, errors, threads."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from helpers.tiny_model import default_table, lookup_graph, word_tokenizer, write_model
from sidelight.embedding import Pooling, open_embedder
from sidelight.embedding.onnx_embedder import OnnxEmbedder, share_rows
from sidelight.errors import ModelError

A, B, C = default_table()[1:4]


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        (Pooling.MEAN, (A + B + C) / 3),
        (Pooling.CLS, A),
        (Pooling.LAST, C),
        (Pooling.MAX, np.array([1, 2, 0, 1])),
    ],
)
def test_token_vectors_are_pooled(tmp_path: Path, pooling: Pooling, expected: np.ndarray) -> None:
    embedder = open_embedder(write_model(tmp_path / "tiny", pooling=pooling))
    vector = embedder.embed(["a b c"])[0]
    np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=1e-6)


def test_prefixes_belong_to_queries_and_documents(tmp_path: Path) -> None:
    embedder = open_embedder(
        write_model(
            tmp_path / "tiny",
            query_prefix="query: ",
            document_prefix="document: ",
            pooling=Pooling.CLS,
        )
    )
    np.testing.assert_allclose(embedder.embed_query("a"), [0, 0, 0, 1])
    np.testing.assert_allclose(embedder.embed(["a"])[0], [0, 0, 0, -1])


def test_presets_of_the_tokenizer_file_are_overridden(tmp_path: Path) -> None:
    # The file says: cut at 2 tokens, pad to 4 with row 0. The model reads up to 3, unpadded.
    embedder = open_embedder(write_model(tmp_path / "tiny", max_tokens=3, pooling=Pooling.LAST))
    np.testing.assert_allclose(embedder.embed(["a"])[0], A)
    np.testing.assert_allclose(embedder.embed(["b a a b b"])[0], A)


def test_a_text_without_tokens_reads_as_token_zero(tmp_path: Path) -> None:
    embedder = open_embedder(write_model(tmp_path / "tiny"))
    np.testing.assert_allclose(embedder.embed(["", "  "]), [[0.5] * 4] * 2)


@pytest.mark.parametrize("word", ["nan", "zero"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_vector_without_direction_is_refused(tmp_path: Path, word: str, threads: int) -> None:
    embedder = open_embedder(write_model(tmp_path / "tiny"))
    with pytest.raises(ModelError, match="no finite vector for the text"):
        embedder.embed(["a"] * 20 + [word] + ["b"] * 20, threads=threads)
    np.testing.assert_allclose(embedder.embed(["a"])[0], A)  # it goes on working


def test_another_number_of_dimensions_is_refused(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "tiny", dimensions=5)
    with pytest.raises(ModelError, match=r"gives 4 dimensions, its model\.json promises 5"):
        open_embedder(directory)


def test_a_graph_with_unknown_inputs_is_refused(tmp_path: Path) -> None:
    graph = lookup_graph(default_table(), input_name="pixel_values")
    with pytest.raises(ModelError, match="asks for the inputs pixel_values"):
        open_embedder(write_model(tmp_path / "tiny", graph=graph))


@pytest.mark.parametrize("graph", [b"", b"not a graph", lookup_graph(default_table())[:-40]])
def test_a_graph_that_cannot_be_read_is_refused(tmp_path: Path, graph: bytes) -> None:
    with pytest.raises(ModelError, match="onnxruntime refuses model tiny"):
        open_embedder(write_model(tmp_path / "tiny", graph=graph))


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\xfe", word_tokenizer()[:-20]])
def test_a_tokenizer_that_cannot_be_read_is_refused(tmp_path: Path, data: bytes) -> None:
    info = open_embedder(write_model(tmp_path / "tiny")).info
    with pytest.raises(ModelError, match="the tokenizer of model tiny cannot be read"):
        OnnxEmbedder(info, lookup_graph(default_table()), data)


def test_a_token_outside_the_table_is_an_error_of_the_model(tmp_path: Path) -> None:
    embedder = open_embedder(write_model(tmp_path / "tiny", default_table()[:2]))
    with pytest.raises(ModelError, match="failed on a text of 1 tokens"):
        embedder.embed(["c"])


def test_every_row_is_drawn_once() -> None:
    seen: list[int] = []
    lock = threading.Lock()

    def fill(rows: object) -> None:
        for row in rows:  # type: ignore[attr-defined]
            with lock:
                seen.append(row)

    share_rows(fill, 1000, 4)
    assert sorted(seen) == list(range(1000))


def test_an_interrupt_stops_all_threads() -> None:
    drawn: list[int] = []
    started = threading.Event()

    def fill(rows: object) -> None:
        for row in rows:  # type: ignore[attr-defined]
            drawn.append(row)
            if threading.current_thread() is threading.main_thread():
                started.wait(10)
                raise KeyboardInterrupt
            started.set()

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        share_rows(fill, 10_000_000, 2)
    assert threading.active_count() == before
    assert len(drawn) < 10_000_000
