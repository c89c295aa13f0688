"""Texts to unit vectors. Importing this package stays light: no numpy, no engine.

The model runs in `onnx_embedder`, which `open_embedder` imports when it is called.
"""

from sidelight.embedding.catalogue import (
    DEFAULT_MODEL,
    SHIPPED_ID,
    default_models_directory,
    list_models,
    model_directory,
    model_info,
    model_manifest,
    model_sha,
)
from sidelight.embedding.info import ModelInfo, Pooling, embedding_key
from sidelight.embedding.opening import open_embedder
from sidelight.embedding.protocol import Embedder
from sidelight.embedding.runtime import runtime_info

__all__ = [
    "DEFAULT_MODEL",
    "SHIPPED_ID",
    "Embedder",
    "ModelInfo",
    "Pooling",
    "default_models_directory",
    "embedding_key",
    "list_models",
    "model_directory",
    "model_info",
    "model_manifest",
    "model_sha",
    "open_embedder",
    "runtime_info",
]
