"""Embedding models of a few hundred bytes, for tests: each token's vector is a row of a table.

    directory = write_model(tmp_path / "tiny", table, pooling=Pooling.CLS)
    embedder = open_embedder(directory)
    embedder.embed(["a b"])        # pools table[id("a")] and table[id("b")]

The graph is one ONNX Gather, written here byte by byte: tests need no `onnx` package. The
vocabulary is the words of `WORDS`; anything else is row 0.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sidelight.embedding.info import ModelInfo, Pooling
from sidelight.embedding.manifest import Manifest, ModelFile, identity_of, render_manifest

WORDS = ("[UNK]", "a", "b", "c", "query:", "document:", "nan", "zero")
FLOAT, INT64 = 1, 7  # TensorProto.DataType


def default_table() -> NDArray[np.float32]:
    """Return one row (4 values) per word; `nan` has no finite vector and `zero` no direction."""
    table = np.array(
        [
            [0.5, 0.5, 0.5, 0.5],
            [1, 0, 0, 0],
            [0, 2, 0, 0],
            [0, 0, -3, 1],
            [0, 0, 0, 9],
            [0, 0, 0, -9],
            [np.nan, 1, 1, 1],
            [0, 0, 0, 0],
        ],
        dtype=np.float32,
    )
    assert len(table) == len(WORDS)
    return table


def tiny_info(**changes: Any) -> ModelInfo:
    """Return the settings of a tiny model, without an identity; see `write_model`."""
    info = ModelInfo(
        id="tiny",
        sha256="",
        dimensions=4,
        max_tokens=8,
        pooling=Pooling.MEAN,
        query_prefix="",
        document_prefix="",
        licence="CC0-1.0",
    )
    return replace(info, **changes)


def write_model(
    directory: Path,
    table: NDArray[np.float32] | None = None,
    *,
    graph: bytes | None = None,
    **settings: Any,
) -> Path:
    """Write a model directory that `open_embedder` accepts; `graph` replaces the Gather."""
    directory.mkdir(parents=True)
    table = default_table() if table is None else table
    graph = lookup_graph(table) if graph is None else graph
    tokenizer = word_tokenizer()
    (directory / "model.onnx").write_bytes(graph)
    (directory / "tokenizer.json").write_bytes(tokenizer)
    files = (_file(graph), _file(tokenizer))
    info = tiny_info(**({"id": directory.name, "dimensions": table.shape[1]} | settings))
    info = replace(info, sha256=identity_of(info, *files))
    manifest = Manifest(info, "fp32", *files)
    (directory / "model.json").write_text(render_manifest(manifest), encoding="utf-8")
    return directory


def word_tokenizer() -> bytes:
    """Return a tokenizer.json that splits at spaces, with presets that must be overridden."""
    padding = {
        "strategy": {"Fixed": 4},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[UNK]",
    }
    table = {
        "version": "1.0",
        "truncation": {
            "direction": "Right",
            "max_length": 2,
            "strategy": "LongestFirst",
            "stride": 0,
        },
        "padding": padding,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: number for number, word in enumerate(WORDS)},
            "unk_token": "[UNK]",
        },
    }
    return json.dumps(table).encode()


def lookup_graph(table: NDArray[np.float32], *, input_name: str = "input_ids") -> bytes:
    """Return an ONNX model: `last_hidden_state` = `table` rows of the int64 (1, n) input."""
    weights = (
        b"".join(_number(1, size) for size in table.shape)
        + _number(2, FLOAT)
        + _bytes(8, b"table")
        + _bytes(9, table.astype("<f4").tobytes())
    )
    node = (
        _bytes(1, b"table")
        + _bytes(1, input_name.encode())
        + _bytes(2, b"last_hidden_state")
        + _bytes(4, b"Gather")
    )
    graph = (
        _bytes(1, node)
        + _bytes(2, b"tiny")
        + _bytes(5, weights)
        + _bytes(11, _value(input_name, INT64, ["batch", "tokens"]))
        + _bytes(12, _value("last_hidden_state", FLOAT, ["batch", "tokens", table.shape[1]]))
    )
    opset = _bytes(1, b"") + _number(2, 13)
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, opset)


def _value(name: str, kind: int, shape: list[str | int]) -> bytes:
    dims = b"".join(
        _bytes(1, _number(1, size) if isinstance(size, int) else _bytes(2, size.encode()))
        for size in shape
    )
    tensor = _number(1, kind) + _bytes(2, dims)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, tensor))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _file(data: bytes) -> ModelFile:
    return ModelFile(hashlib.sha256(data).hexdigest(), len(data))
