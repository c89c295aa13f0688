"""A reranker directory's `reranker.json`: which files it has, pinned by hash. No engine.

It may come from a stranger: every field is checked, and only the two fixed names beside it are
ever opened.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sidelight.embedding.manifest import ModelFile
from sidelight.errors import ModelError

FORMAT = 1
MANIFEST_NAME = "reranker.json"
MODEL_NAME = "model.onnx"
TOKENIZER_NAME = "tokenizer.json"
MAX_MANIFEST_BYTES = 64_000
MAX_TOKENS = 100_000

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class RerankerManifest:
    """What `reranker.json` says. `max_tokens` bounds query and text together."""

    name: str
    max_tokens: int
    licence: str
    model: ModelFile
    tokenizer: ModelFile


def read_manifest(directory: Path) -> RerankerManifest:
    """Return the checked manifest of a reranker's directory.

    Raises:
        ModelError: there is none, or a field is missing or malformed.
    """
    path = directory / MANIFEST_NAME
    try:
        with path.open("rb") as file:
            data = file.read(MAX_MANIFEST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ModelError(
            f"{directory} holds no reranker: {MANIFEST_NAME} is missing",
            hint="`sidelight model pin-reranker DIR` writes it for a model that you trust",
        ) from error
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > MAX_MANIFEST_BYTES:
        raise _damaged(path, f"larger than {MAX_MANIFEST_BYTES} bytes")
    try:
        table = json.loads(data)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise _damaged(path, "it is not JSON") from error
    if not isinstance(table, dict) or table.get("format") != FORMAT:
        raise _damaged(path, f"its format is not {FORMAT}")
    return _checked(path, table)


def pin_model(directory: Path, *, name: str, max_tokens: int, licence: str) -> RerankerManifest:
    """Write the manifest of the files that are in the directory now, and return it.

    Raises:
        ModelError: a file is missing, the name or the number of tokens is no good, or the folder
            cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise ModelError(f"{name!r} is no name for a model", hint="letters, digits and ._+-")
    if not 1 < max_tokens <= MAX_TOKENS:
        raise ModelError(f"a pair has 2 to {MAX_TOKENS} tokens, not {max_tokens}")
    files = [_pinned(directory / file) for file in (MODEL_NAME, TOKENIZER_NAME)]
    manifest = RerankerManifest(name, max_tokens, licence, *files)
    table = {
        "format": FORMAT,
        "name": name,
        "max_tokens": max_tokens,
        "licence": licence,
        "files": {
            MODEL_NAME: {"sha256": manifest.model.sha256, "size": manifest.model.size},
            TOKENIZER_NAME: {"sha256": manifest.tokenizer.sha256, "size": manifest.tokenizer.size},
        },
    }
    path = directory / MANIFEST_NAME
    try:
        path.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise ModelError(f"{path} cannot be written: {error.strerror}") from error
    return manifest


def read_pinned(path: Path, expected: ModelFile) -> bytes:
    """Return the file's bytes, which are those that were pinned.

    Raises:
        ModelError: the file is missing, unreadable, or another one.
    """
    try:
        data = path.read_bytes() if path.stat().st_size == expected.size else b""
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) != expected.size or hashlib.sha256(data).hexdigest() != expected.sha256:
        raise ModelError(
            f"{path} is not the file that {MANIFEST_NAME} describes",
            hint="put the former file back, or pin it: `sidelight model pin-reranker DIR`",
        )
    return data


def _pinned(path: Path) -> ModelFile:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return ModelFile(digest, file.tell())
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read: {error.strerror}",
            hint=f"a reranker is a folder with {MODEL_NAME} and {TOKENIZER_NAME}",
        ) from error


def _checked(path: Path, table: dict[str, Any]) -> RerankerManifest:
    name, licence, tokens = table.get("name"), table.get("licence"), table.get("max_tokens")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _damaged(path, "`name` is missing or malformed")
    if not isinstance(licence, str):
        raise _damaged(path, "`licence` is missing or malformed")
    if type(tokens) is not int or not 1 < tokens <= MAX_TOKENS:
        raise _damaged(path, f"`max_tokens` must be a whole number from 2 to {MAX_TOKENS}")
    files = table.get("files")
    if not isinstance(files, dict):
        raise _damaged(path, "`files` is missing or malformed")
    found = [_file(path, files.get(file)) for file in (MODEL_NAME, TOKENIZER_NAME)]
    return RerankerManifest(name, tokens, licence, *found)


def _file(path: Path, entry: object) -> ModelFile:
    sha256 = entry.get("sha256") if isinstance(entry, dict) else None
    size = entry.get("size") if isinstance(entry, dict) else None
    if not isinstance(sha256, str) or not _SHA256.fullmatch(sha256) or type(size) is not int:
        raise _damaged(path, "`files` is malformed")
    return ModelFile(sha256, size)


def _damaged(path: Path, why: str) -> ModelError:
    return ModelError(
        f"{path} is damaged: {why}", hint="`sidelight model pin-reranker DIR` writes it anew"
    )
