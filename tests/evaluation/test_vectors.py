"""Vectors by content: the same rows as without the file, and each text embedded once."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.fake_embedder import FakeEmbedder
from sidelight.errors import ModelError, StorageError
from sidelight.evaluation.vectors import CachedSource
from sidelight.indexing.place import FixedEmbedder


def source(model: FakeEmbedder, path: Path) -> CachedSource:
    return CachedSource(FixedEmbedder(model), path)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.text(max_size=8), max_size=5), max_size=4))
def test_rows_equal_those_of_the_model(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[str]]
) -> None:
    model = FakeEmbedder()
    cached = source(model, tmp_path_factory.mktemp("vectors") / "v.db").open()
    for batch in batches:
        rows = cached.embed(batch)
        np.testing.assert_array_equal(rows, FakeEmbedder().embed(batch))
        assert rows.dtype == np.float32
    assert model.n_embedded == len({text for batch in batches for text in batch})


def test_another_process_embeds_nothing_anew(tmp_path: Path) -> None:
    texts = [f"text {n}" for n in range(1200)]
    first = source(FakeEmbedder(), tmp_path / "v.db").open().embed(texts)
    model = FakeEmbedder()
    again = source(model, tmp_path / "v.db").open().embed(texts)
    np.testing.assert_array_equal(first, again)
    assert model.n_embedded == 0


def test_another_model_has_its_own_vectors(tmp_path: Path) -> None:
    source(FakeEmbedder(), tmp_path / "v.db").open().embed(["a"])
    other = FakeEmbedder("other")
    rows = source(other, tmp_path / "v.db").open().embed(["a"])
    assert other.n_embedded == 1
    np.testing.assert_array_equal(rows, FakeEmbedder("other").embed(["a"]))


def test_queries_always_ask_the_model(tmp_path: Path) -> None:
    model = FakeEmbedder()
    cached = source(model, tmp_path / "v.db").open()
    cached.embed_query("a")
    cached.embed_query("a")
    assert model.n_queries == 2
    assert cached.info == model.info


def test_failure_of_the_model_keeps_the_file_as_it_was(tmp_path: Path) -> None:
    broken = source(FakeEmbedder(fail_on="bad"), tmp_path / "v.db").open()
    with pytest.raises(ModelError):
        broken.embed(["good", "bad"])
    model = FakeEmbedder()
    source(model, tmp_path / "v.db").open().embed(["good"])
    assert model.n_embedded == 1


def test_threads_may_share_the_file(tmp_path: Path) -> None:
    cached = source(FakeEmbedder(), tmp_path / "v.db").open()
    threads = [
        threading.Thread(target=cached.embed, args=([f"{n} {m}" for m in range(20)],))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    model = FakeEmbedder()
    source(model, tmp_path / "v.db").open().embed([f"{n} {m}" for n in range(4) for m in range(20)])
    assert model.n_embedded == 0


def test_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "v.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StorageError, match="cannot be used") as caught:
        source(FakeEmbedder(), tmp_path / "v.db").open().embed(["a"])
    assert "delete the file" in caught.value.hint
