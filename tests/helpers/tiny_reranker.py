"""A cross-encoder of a few hundred bytes: a pair's score is the mean of its tokens' values."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from helpers.tiny_model import FLOAT, INT64, WORDS, _bytes, _number, _value, word_tokenizer
from sidelight.rerank.manifest import pin_model

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


def write_reranker(directory: Path, *, n_classes: int = 1, max_tokens: int = 16) -> Path:
    """Write a reranker called `tiny`, pinned, into the folder, and return it."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "model.onnx").write_bytes(scoring_graph(n_classes))
    (directory / "tokenizer.json").write_bytes(word_tokenizer())
    pin_model(directory, name="tiny", max_tokens=max_tokens, licence="CC0-1.0")
    return directory
