"""A model directory's `model.json`: read, checked, written.

Light on purpose: no numpy, no engine. A manifest may come from a stranger, so every field is
checked before use and only the two fixed file names beside it are ever opened.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sidelight.embedding.info import ModelInfo, Pooling, identity_sha256
from sidelight.errors import ModelError

FORMAT = 1
MANIFEST_NAME = "model.json"
MODEL_NAME = "model.onnx"
TOKENIZER_NAME = "tokenizer.json"

MAX_MANIFEST_BYTES = 4_000_000
MAX_DIMENSIONS = 16_384
MAX_TOKENS = 1_000_000

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file beside the manifest, as it was when the model was built."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A document and its vector when the model was built: int8, the largest |value| is 127."""

    text: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that `model.json` says. `source`, `build`, `verification` are for people."""

    info: ModelInfo
    precision: str
    model: ModelFile
    tokenizer: ModelFile
    references: tuple[Reference, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)
    build: Mapping[str, Any] = field(default_factory=dict)
    verification: Mapping[str, Any] = field(default_factory=dict)


def read_manifest(directory: Path) -> Manifest:
    """Return the checked manifest of a model directory.

    Raises:
        ModelError: there is none, it is not ours, or a field is missing, malformed or untrue.
    """
    path = directory / MANIFEST_NAME
    try:
        with path.open("rb") as file:
            data = file.read(MAX_MANIFEST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ModelError(
            f"{directory} holds no embedding model: {MANIFEST_NAME} is missing",
            hint="`sidelight model list` shows what is installed;"
            " `sidelight model export ID|DIR` makes one",
        ) from error
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > MAX_MANIFEST_BYTES:
        raise _damaged(path, f"larger than {MAX_MANIFEST_BYTES} bytes")
    return parse_manifest(data, path)


def parse_manifest(data: bytes, path: Path) -> Manifest:
    """Return the manifest in `data`; `path` is only named in errors. Raises as `read_manifest`."""
    try:
        table = json.loads(data)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise _damaged(path, "it is not JSON") from error
    if not isinstance(table, dict) or type(table.get("format")) is not int:
        raise _damaged(path, "it has no format number")
    if table["format"] != FORMAT:
        raise ModelError(
            f"{path} has format {table['format']}; this version reads {FORMAT}",
            hint="export the model again with this version: `sidelight model export`",
        )
    return _Reader(path, table).manifest()


def render_manifest(manifest: Manifest) -> str:
    """Return the text of `model.json`; `parse_manifest` gives the same manifest back."""
    return json.dumps(manifest_table(manifest), indent=2, ensure_ascii=False) + "\n"


def manifest_table(manifest: Manifest) -> dict[str, Any]:
    """Return the JSON object that `model.json` holds."""
    info = manifest.info
    return {
        "format": FORMAT,
        "id": info.id,
        "sha256": info.sha256,
        "dimensions": info.dimensions,
        "max_tokens": info.max_tokens,
        "pooling": str(info.pooling),
        "normalize": True,
        "query_prefix": info.query_prefix,
        "document_prefix": info.document_prefix,
        "licence": info.licence,
        "precision": manifest.precision,
        "files": {
            MODEL_NAME: {"sha256": manifest.model.sha256, "size": manifest.model.size},
            TOKENIZER_NAME: {"sha256": manifest.tokenizer.sha256, "size": manifest.tokenizer.size},
        },
        "source": dict(manifest.source),
        "build": dict(manifest.build),
        "verification": dict(manifest.verification),
        "references": [
            {"text": item.text, "vector": base64.b64encode(item.vector).decode("ascii")}
            for item in manifest.references
        ],
    }


def identity_of(info: ModelInfo, model: ModelFile, tokenizer: ModelFile) -> str:
    """Return the `sha256` that belongs to the settings in `info` and to these files."""
    return identity_sha256(
        model_sha256=model.sha256,
        tokenizer_sha256=tokenizer.sha256,
        max_tokens=info.max_tokens,
        pooling=info.pooling,
        query_prefix=info.query_prefix,
        document_prefix=info.document_prefix,
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """The manifest's JSON object with its path, which every complaint names."""

    path: Path
    table: Mapping[str, Any]

    def manifest(self) -> Manifest:
        model, tokenizer = self._file(MODEL_NAME), self._file(TOKENIZER_NAME)
        info = self._info(model, tokenizer)
        return Manifest(
            info=info,
            precision=self._text("precision"),
            model=model,
            tokenizer=tokenizer,
            references=self._references(info.dimensions),
            source=self._object("source"),
            build=self._object("build"),
            verification=self._object("verification"),
        )

    def _info(self, model: ModelFile, tokenizer: ModelFile) -> ModelInfo:
        pooling = self._text("pooling")
        if pooling not in tuple(Pooling):
            raise _damaged(self.path, f"unknown pooling {pooling!r}")
        if self.table.get("normalize") is not True:
            raise _damaged(self.path, "`normalize` must be true")
        info = ModelInfo(
            id=self._text("id", _ID),
            sha256=self._text("sha256", _SHA256),
            dimensions=self._number("dimensions", MAX_DIMENSIONS),
            max_tokens=self._number("max_tokens", MAX_TOKENS),
            pooling=Pooling(pooling),
            query_prefix=self._text("query_prefix"),
            document_prefix=self._text("document_prefix"),
            licence=self._text("licence"),
        )
        if identity_of(info, model, tokenizer) != info.sha256:
            raise _damaged(self.path, "its sha256 does not belong to its own settings")
        return info

    def _text(self, key: str, pattern: re.Pattern[str] | None = None) -> str:
        value = self.table.get(key)
        if not isinstance(value, str) or (pattern is not None and not pattern.fullmatch(value)):
            raise _damaged(self.path, f"`{key}` is missing or malformed")
        return value

    def _number(self, key: str, most: int) -> int:
        value = self.table.get(key)
        if type(value) is not int or not 1 <= value <= most:
            raise _damaged(self.path, f"`{key}` must be a whole number from 1 to {most}")
        return value

    def _object(self, key: str) -> Mapping[str, Any]:
        value = self.table.get(key)
        if not isinstance(value, dict):
            raise _damaged(self.path, f"`{key}` is missing or malformed")
        return value

    def _file(self, name: str) -> ModelFile:
        entry = self._object("files").get(name)
        if not isinstance(entry, dict):
            raise _damaged(self.path, f"`files` does not tell about {name}")
        sha256, size = entry.get("sha256"), entry.get("size")
        if not isinstance(sha256, str) or not _SHA256.fullmatch(sha256) or type(size) is not int:
            raise _damaged(self.path, f"`files` is malformed for {name}")
        return ModelFile(sha256, size)

    def _references(self, dimensions: int) -> tuple[Reference, ...]:
        items = self.table.get("references")
        if not isinstance(items, list):
            raise _damaged(self.path, "`references` is missing or malformed")
        found = []
        for item in items:
            text = item.get("text") if isinstance(item, dict) else None
            coded = item.get("vector") if isinstance(item, dict) else None
            if not isinstance(text, str) or not isinstance(coded, str):
                raise _damaged(self.path, "`references` is malformed")
            try:
                vector = base64.b64decode(coded, validate=True)
            except (binascii.Error, ValueError) as error:
                raise _damaged(self.path, "a reference vector is not base64") from error
            if len(vector) != dimensions:
                raise _damaged(self.path, "a reference vector has the wrong length")
            found.append(Reference(text, vector))
        return tuple(found)


def _damaged(path: Path, why: str) -> ModelError:
    return ModelError(
        f"{path} is damaged: {why}",
        hint="export the model again, or reinstall sidelight if it is the shipped one",
    )
