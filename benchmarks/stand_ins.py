"""Embedders that stand in for the model where its time is not the question.

They carry the shipped model's identity, so that an index made with them is opened by the real
commands; their vectors are noise, which costs the same to store and to search.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sidelight.embedding import Embedder, ModelInfo, open_embedder
from sidelight.embedding.catalogue import model_info


class RandomVectors:
    """Gives every text its own random unit vector, the same in every process."""

    def __init__(self) -> None:
        self._info = model_info()

    @property
    def info(self) -> ModelInfo:
        """The shipped model's."""
        return self._info

    def embed(
        self,
        texts: Sequence[str],
        *,
        threads: int | None = None,  # noqa: ARG002 - the protocol has it
    ) -> NDArray[np.float32]:
        """Return float32 (n, dimensions) unit rows."""
        size = self._info.dimensions
        raw = b"".join(
            hashlib.shake_128(text.encode("utf-8", "surrogatepass")).digest(size) for text in texts
        )
        rows = np.frombuffer(raw, np.uint8).reshape(len(texts), size).astype(np.float32) - 127.5
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return float32 (dimensions,), unit length."""
        row: NDArray[np.float32] = self.embed([text])[0]
        return row


class RealQueries(RandomVectors):
    """Random vectors for documents, the shipped model for queries: what a query costs in full."""

    def __init__(self) -> None:
        super().__init__()
        self._model: Embedder = open_embedder()

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the model's vector."""
        return self._model.embed_query(text)
