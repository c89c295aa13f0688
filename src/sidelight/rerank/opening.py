"""Open a reranker: its files are checked against their pins, then the engine is loaded."""

from __future__ import annotations

from pathlib import Path

from sidelight.rerank.manifest import MODEL_NAME, TOKENIZER_NAME, read_manifest, read_pinned
from sidelight.rerank.protocol import Reranker


def open_reranker(directory: Path, *, threads: int = 2) -> Reranker:
    """Return the cross-encoder in a directory.

    Raises:
        ModelError: it is missing, its files are damaged or exchanged, or the engine refuses them.
    """
    manifest = read_manifest(directory)
    graph = read_pinned(directory / MODEL_NAME, manifest.model)
    tokenizer = read_pinned(directory / TOKENIZER_NAME, manifest.tokenizer)
    from sidelight.rerank.onnx_reranker import OnnxReranker  # noqa: PLC0415 - light until called

    return OnnxReranker(manifest.name, graph, tokenizer, manifest.max_tokens, threads=threads)
