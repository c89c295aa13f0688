"""model.json: what is written is read back, and anything else is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.tiny_model import tiny_info, write_model
from sidelight.embedding import model_manifest
from sidelight.embedding.info import Pooling
from sidelight.embedding.manifest import (
    MAX_MANIFEST_BYTES,
    Manifest,
    ModelFile,
    Reference,
    identity_of,
    parse_manifest,
    read_manifest,
    render_manifest,
)
from sidelight.errors import ModelError

WHERE = Path("somewhere/model.json")
texts = st.text(st.characters(codec="utf-8"), max_size=40)
files = st.builds(
    ModelFile, st.text("0123456789abcdef", min_size=64, max_size=64), st.integers(0, 10**12)
)


@given(
    model=files,
    tokenizer=files,
    pooling=st.sampled_from(Pooling),
    prefixes=st.tuples(texts, texts),
    licence=texts,
    max_tokens=st.integers(1, 1_000_000),
    references=st.lists(st.builds(Reference, texts, st.binary(min_size=4, max_size=4)), max_size=3),
)
def test_a_manifest_survives_writing_and_reading(
    model: ModelFile,
    tokenizer: ModelFile,
    pooling: Pooling,
    prefixes: tuple[str, str],
    licence: str,
    max_tokens: int,
    references: list[Reference],
) -> None:
    settings: dict[str, Any] = {
        "pooling": pooling,
        "query_prefix": prefixes[0],
        "document_prefix": prefixes[1],
        "licence": licence,
        "max_tokens": max_tokens,
    }
    bare = tiny_info(**settings)
    info = tiny_info(**settings, sha256=identity_of(bare, model, tokenizer))
    manifest = Manifest(info, "int8", model, tokenizer, tuple(references), {"name": licence})
    assert parse_manifest(render_manifest(manifest).encode(), WHERE) == manifest


@pytest.fixture
def table(tmp_path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((write_model(tmp_path / "m") / "model.json").read_text())
    return loaded


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("id", "../../etc"),
        ("id", ""),
        ("id", 5),
        ("sha256", "0" * 63),
        ("sha256", None),
        ("dimensions", 0),
        ("dimensions", 10**9),
        ("dimensions", True),
        ("dimensions", "384"),
        ("max_tokens", -1),
        ("max_tokens", 1e3),
        ("pooling", "weighted"),
        ("pooling", ["mean"]),
        ("normalize", False),
        ("query_prefix", None),
        ("files", {}),
        ("files", {"model.onnx": {"sha256": "x", "size": 1}}),
        ("files", []),
        ("references", [{"text": "a", "vector": "!!"}]),
        ("references", [{"text": "a", "vector": "AAAA"}]),
        ("references", ["a"]),
        ("references", None),
        ("source", "x"),
        ("max_tokens", 9),  # plausible, but not what the sha256 was made from
        ("query_prefix", "other: "),
    ],
)
def test_a_malformed_field_is_refused(table: dict[str, Any], key: str, value: Any) -> None:
    table[key] = value
    with pytest.raises(ModelError, match="is damaged: ") as caught:
        parse_manifest(json.dumps(table).encode(), WHERE)
    assert str(WHERE) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("key", ["id", "sha256", "dimensions", "pooling", "files", "references"])
def test_a_missing_field_is_refused(table: dict[str, Any], key: str) -> None:
    del table[key]
    with pytest.raises(ModelError, match="is damaged: "):
        parse_manifest(json.dumps(table).encode(), WHERE)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b"{" * 100_000, b"[" * 100_000])
def test_what_is_no_manifest_is_refused(data: bytes) -> None:
    with pytest.raises(ModelError, match="is damaged: "):
        parse_manifest(data, WHERE)


def test_another_format_names_both_numbers(table: dict[str, Any]) -> None:
    table["format"] = 2
    with pytest.raises(ModelError, match="has format 2; this version reads 1"):
        parse_manifest(json.dumps(table).encode(), WHERE)


def test_an_endless_manifest_is_not_read_to_its_end(tmp_path: Path) -> None:
    with (tmp_path / "model.json").open("wb") as file:
        file.truncate(MAX_MANIFEST_BYTES * 1000)  # sparse
    with pytest.raises(ModelError, match="larger than"):
        read_manifest(tmp_path)


def test_the_shipped_manifest_names_no_place_of_any_machine() -> None:
    text = render_manifest(model_manifest())
    assert not any(word in text for word in ("/home", "/tmp", "/root", "/work", "site-packages"))  # noqa: S108
