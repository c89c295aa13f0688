"""A cross-encoder of a few hundred bytes: a pair's score is the mean of its tokens' values."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from helpers.tiny_reranker import scoring_graph, write_reranker
from sidelight.errors import ModelError
from sidelight.rerank.manifest import MANIFEST_NAME, pin_model, read_manifest
from sidelight.rerank.opening import open_reranker


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return write_reranker(tmp_path)


def test_each_pair_is_scored_by_itself(directory: Path) -> None:
    reranker = open_reranker(directory)
    scores = reranker.score("a", ["a", "b b", "c", ""])
    assert scores.dtype == np.float32
    assert scores.tolist() == pytest.approx([1.0, 5 / 3, -1.0, 1.0])
    assert reranker.score("a", ["c", "a"]).tolist() == pytest.approx([-1.0, 1.0])
    assert reranker.score("a", []).shape == (0,)
    assert reranker.name == "tiny"


def test_a_pair_is_cut_to_the_tokens_that_the_model_takes(directory: Path) -> None:
    pin_model(directory, name="tiny", max_tokens=4, licence="")
    (score,) = open_reranker(directory).score("a a", ["b b b b b b b b"])
    assert score == pytest.approx((1 + 1 + 2 + 2) / 4)


def test_of_two_classes_the_lead_of_yes_counts(directory: Path) -> None:
    (directory / "model.onnx").write_bytes(scoring_graph(2))
    pin_model(directory, name="tiny", max_tokens=16, licence="")
    assert open_reranker(directory).score("b", ["b", "c"]).tolist() == pytest.approx([2.0, -0.5])


def test_what_is_no_score_is_refused(directory: Path) -> None:
    with pytest.raises(ModelError, match="finite"):
        open_reranker(directory).score("a", ["nan"])
    (directory / "model.onnx").write_bytes(scoring_graph(3))
    pin_model(directory, name="tiny", max_tokens=16, licence="")
    with pytest.raises(ModelError, match="3 numbers"):
        open_reranker(directory).score("a", ["b"])
    (directory / "model.onnx").write_bytes(b"no graph")
    pin_model(directory, name="tiny", max_tokens=16, licence="")
    with pytest.raises(ModelError, match="refuses"):
        open_reranker(directory)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_an_exchanged_file_is_refused(directory: Path, name: str) -> None:
    path = directory / name
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelError, match="not the file"):
        open_reranker(directory)
    path.unlink()
    with pytest.raises(ModelError, match="cannot be read"):
        open_reranker(directory)


def test_a_manifest_is_read_as_it_was_written(directory: Path) -> None:
    manifest = pin_model(directory, name="other", max_tokens=512, licence="MIT")
    assert read_manifest(directory) == manifest


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"name": "../x"},
        {"name": None},
        {"licence": 3},
        {"max_tokens": True},
        {"max_tokens": 1},
        {"max_tokens": 10**9},
        {"files": None},
        {"files": {"model.onnx": {"sha256": "0", "size": 1}}},
    ],
)
def test_a_malformed_manifest_is_refused(directory: Path, change: dict[str, object]) -> None:
    path = directory / MANIFEST_NAME
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ModelError, match="damaged"):
        read_manifest(directory)


def test_a_folder_without_a_manifest_names_the_command_that_writes_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="holds no reranker") as caught:
        open_reranker(tmp_path)
    assert "pin-reranker" in caught.value.hint
    with pytest.raises(ModelError, match="cannot be read"):
        pin_model(tmp_path, name="x", max_tokens=8, licence="")
    with pytest.raises(ModelError, match="no name"):
        pin_model(tmp_path, name="../x", max_tokens=8, licence="")


def test_the_port_loads_no_engine() -> None:
    code = "import sys, sidelight.rerank.opening; print('onnxruntime' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
