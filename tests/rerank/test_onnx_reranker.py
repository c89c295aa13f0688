"""A cross-encoder of a few hundred bytes: a pair's score is the mean of its tokens' values."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from helpers.tiny_model import FLOAT, INT64, WORDS, _bytes, _number, _value, word_tokenizer
from sidelight.errors import ModelError
from sidelight.rerank.manifest import MANIFEST_NAME, pin_model, read_manifest
from sidelight.rerank.opening import open_reranker

VALUES = {"a": 1.0, "b": 2.0, "c": -3.0, "nan": float("nan")}
INTS = 7  # AttributeProto.AttributeType


def scoring_graph(n_classes: int = 1) -> bytes:
    """Return an ONNX model: `logits` (1, classes) = the mean of the tokens' rows in a table.

    Of two classes, the first is always 0.
    """
    table = np.zeros((len(WORDS), n_classes), np.float32)
    table[:, -1] = [VALUES.get(word, 0.0) for word in WORDS]
    weights = (
        b"".join(_number(1, size) for size in table.shape)
        + _number(2, FLOAT)
        + _bytes(8, b"table")
        + _bytes(9, table.astype("<f4").tobytes())
    )
    gather = (
        _bytes(1, b"table") + _bytes(1, b"input_ids") + _bytes(2, b"rows") + _bytes(4, b"Gather")
    )
    axes = _bytes(1, b"axes") + _number(8, 1) + _number(20, INTS)
    keep = _bytes(1, b"keepdims") + _number(3, 0) + _number(20, 2)
    mean = (
        _bytes(1, b"rows")
        + _bytes(2, b"logits")
        + _bytes(4, b"ReduceMean")
        + _bytes(5, axes)
        + _bytes(5, keep)
    )
    graph = (
        _bytes(1, gather)
        + _bytes(1, mean)
        + _bytes(2, b"tiny")
        + _bytes(5, weights)
        + _bytes(11, _value("input_ids", INT64, ["batch", "tokens"]))
        + _bytes(12, _value("logits", FLOAT, ["batch", n_classes]))
    )
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 13))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "model.onnx").write_bytes(scoring_graph())
    (tmp_path / "tokenizer.json").write_bytes(word_tokenizer())
    pin_model(tmp_path, name="tiny", max_tokens=16, licence="CC0-1.0")
    return tmp_path


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
