"""The model in the package: its vectors depend on their own text and on nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sidelight.embedding import Embedder, model_info, open_embedder
from sidelight.embedding.onnx_embedder import OnnxEmbedder
from sidelight.embedding.samples import SAMPLES
from sidelight.embedding.verifying import verify_model

ODD_TEXTS = (
    "",
    " ",
    "\n\n\t",
    "\0",
    "a\0b\0",
    "🚀👩‍👩‍👧‍👦",
    "\ud800 lone surrogate",
    "\x1b[31m control \x7f",
    "関数を再試行する",
    "x" * 5_000,
    "}" * 3_000,
    " " * 100_000 + "far away",
    "def f(): pass\n" * 50_000,
    "\u202eright to left",
)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return open_embedder()


def test_vectors_are_unit_rows_of_the_promised_shape(embedder: Embedder) -> None:
    vectors = embedder.embed(SAMPLES)
    assert vectors.shape == (len(SAMPLES), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_order_company_and_threads_do_not_change_a_vector(embedder: Embedder) -> None:
    alone = [embedder.embed([text], threads=1)[0] for text in SAMPLES]
    order = list(range(len(SAMPLES)))
    random.Random(7).shuffle(order)
    for threads in (1, 2, 5):
        together = embedder.embed([SAMPLES[row] for row in order], threads=threads)
        for place, row in enumerate(order):
            assert together[place].tobytes() == alone[row].tobytes()


def test_a_second_session_gives_the_same_bytes(embedder: Embedder) -> None:
    again = open_embedder(threads=1)
    assert again.embed(SAMPLES[:4]).tobytes() == embedder.embed(SAMPLES[:4]).tobytes()


def test_a_query_without_prefix_is_embedded_like_a_document(embedder: Embedder) -> None:
    text = "where are retries handled"
    assert embedder.embed_query(text).tobytes() == embedder.embed([text])[0].tobytes()


def test_texts_are_cut_at_256_tokens(embedder: Embedder) -> None:
    assert isinstance(embedder, OnnxEmbedder)
    full = "word " * 254  # and two special tokens
    assert embedder.count_tokens(full) == 256
    assert embedder.count_tokens(full + "more") == 256
    rows = embedder.embed([full, full + "zebra " * 300, full.rsplit(" ", 2)[0]])
    assert rows[0].tobytes() == rows[1].tobytes()
    assert rows[0].tobytes() != rows[2].tobytes()


@pytest.mark.parametrize("text", ODD_TEXTS, ids=lambda text: ascii(text[:20]))
def test_odd_text_has_a_vector(embedder: Embedder, text: str) -> None:
    vector = embedder.embed_query(text)
    assert np.isfinite(vector).all()
    assert vector.tobytes() == embedder.embed([text])[0].tobytes()


def test_meaning_orders_neighbours(embedder: Embedder) -> None:
    query = embedder.embed_query("retry a failed call with growing delays")
    scores = embedder.embed(SAMPLES[1:4]) @ query  # retry in Python, shutdown in Go, a manual
    assert int(scores.argmax()) == 0


def test_shipped_model_gives_the_vectors_of_its_build() -> None:
    found = verify_model()
    assert found.passed
    assert len(found.cosines) == 4
    assert min(found.cosines) > 0.99


def test_shipped_model_is_the_one_that_indexes_were_built_with() -> None:
    # Changing this makes every user embed everything again: do so knowingly.
    info = model_info()
    assert info.sha256 == "b47f4b803979bb6bf1571bab38ecb309ea2131c3485c1ea560773d9b207c36f5"
    assert (info.id, info.dimensions, info.max_tokens) == ("all-MiniLM-L6-v2-int8", 384, 256)
    assert info.licence == "Apache-2.0"
