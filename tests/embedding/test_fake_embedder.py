"""The fake that other tests use keeps the protocol's promises."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.fake_embedder import DIMENSIONS, FakeEmbedder
from sidelight.embedding import Embedder
from sidelight.errors import ModelError


def test_the_fake_conforms_and_counts() -> None:
    fake = FakeEmbedder()
    embedder: Embedder = fake
    rows = embedder.embed(["parse user token", "user token parser", "socket closed"])
    assert rows.shape == (3, DIMENSIONS)
    assert embedder.embed([]).shape == (0, DIMENSIONS)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert rows[0] @ rows[1] > rows[0] @ rows[2]
    assert embedder.embed_query("parse user token").tobytes() == rows[0].tobytes()
    assert (fake.n_embedded, fake.n_queries) == (3, 1)


def test_the_fake_gives_the_same_vectors_in_every_process() -> None:
    np.testing.assert_allclose(
        FakeEmbedder().embed_query("a")[:3], [0.0111, 0.1416, 0.1662], atol=1e-4
    )


def test_another_fake_is_another_model() -> None:
    one, other = FakeEmbedder(), FakeEmbedder("other")
    assert one.info.sha256 != other.info.sha256
    assert one.embed_query("a").tobytes() != other.embed_query("a").tobytes()


def test_the_fake_fails_when_told_to() -> None:
    with pytest.raises(ModelError):
        FakeEmbedder(fail_on="boom").embed(["a", "b boom"])
