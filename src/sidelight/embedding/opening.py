"""Open a model: find it, check its files against its manifest, load it.

Every open hashes the files (about 20 ms for the shipped model), on a second thread while the
engine is being imported, so that a damaged or exchanged file is refused rather than searched with.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from sidelight.embedding.catalogue import DEFAULT_MODEL, model_directory
from sidelight.embedding.manifest import (
    MODEL_NAME,
    TOKENIZER_NAME,
    ModelFile,
    read_manifest,
)
from sidelight.embedding.protocol import Embedder
from sidelight.errors import ModelError

DEFAULT_THREADS = 2


def open_embedder(
    model: str | Path = DEFAULT_MODEL,
    *,
    models_dir: Path | None = None,
    threads: int = DEFAULT_THREADS,
) -> Embedder:
    """Return an embedder for `default`, a name in `models_dir`, or a model directory.

    `threads` is how many texts are embedded at the same time (one core each).

    Raises:
        ModelError: no such model, its files are damaged or exchanged, or the engine refuses them.
    """
    directory = model_directory(model, models_dir)
    manifest = read_manifest(directory)
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - light until called

    with ThreadPoolExecutor(1) as pool:
        graph = pool.submit(read_verified, directory / MODEL_NAME, manifest.model)
        tokenizer = pool.submit(read_verified, directory / TOKENIZER_NAME, manifest.tokenizer)
        # The slow import (numpy, the engine) happens here, beside the hashing.
        from sidelight.embedding.onnx_embedder import OnnxEmbedder  # noqa: PLC0415

        return OnnxEmbedder(manifest.info, graph.result(), tokenizer.result(), threads=threads)


def read_verified(path: Path, expected: ModelFile) -> bytes:
    """Return the file's bytes, which are those that `expected` describes.

    Raises:
        ModelError: the file is missing, unreadable, or not the one the manifest was written for.
    """
    try:
        if path.stat().st_size != expected.size:
            raise _other(path, f"{path.stat().st_size} bytes instead of {expected.size}")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise _other(path, "it is missing") from error
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != expected.sha256:
        raise _other(path, "its sha256 is another")
    return data


def _other(path: Path, why: str) -> ModelError:
    return ModelError(
        f"{path} is not the file that its model.json describes: {why}",
        hint="reinstall sidelight if it is the shipped model, else run `sidelight model export`"
        " again; `sidelight model use default` goes back to the shipped one",
    )
