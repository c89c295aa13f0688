"""A fast embedder for other people's tests: hashed bags of words, no model, no files.

    embedder = FakeEmbedder()
    open_index(repo, embedder=embedder)
    assert embedder.n_embedded == 12      # texts embedded so far, queries not counted

The same text gives the same unit vector in every process; texts that share words are close.
`FakeEmbedder("other")` is another model: other sha256, other vectors.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sidelight.embedding import ModelInfo, Pooling
from sidelight.errors import ModelError

DIMENSIONS = 32


class FakeEmbedder:
    """Conforms to `sidelight.embedding.Embedder`; counts what it embeds."""

    def __init__(self, model: str = "fake", *, fail_on: str | None = None) -> None:
        """Make the model called `model`; `fail_on` is a word whose texts raise ModelError."""
        self._model = model
        self._fail_on = fail_on
        self._lock = threading.Lock()
        self.n_embedded = 0
        self.n_queries = 0
        self.info = ModelInfo(
            id=model,
            sha256=hashlib.sha256(model.encode()).hexdigest(),
            dimensions=DIMENSIONS,
            max_tokens=256,
            pooling=Pooling.MEAN,
            query_prefix="",
            document_prefix="",
            licence="none",
        )

    def embed(
        self,
        texts: Sequence[str],
        *,
        threads: int | None = None,  # noqa: ARG002 - the protocol has it
    ) -> NDArray[np.float32]:
        """Return float32 (n, 32) unit rows and count the texts."""
        rows = [self._vector(text) for text in texts]
        with self._lock:
            self.n_embedded += len(rows)
        return np.array(rows, dtype=np.float32).reshape(len(rows), DIMENSIONS)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return float32 (32,), unit length."""
        with self._lock:
            self.n_queries += 1
        return self._vector(text)

    def _vector(self, text: str) -> NDArray[np.float32]:
        if self._fail_on is not None and self._fail_on in text:
            raise ModelError(f"the fake model was told to fail on {self._fail_on!r}")
        vector = np.zeros(DIMENSIONS, dtype=np.float32)
        for word in re.findall(r"\w+", text.lower()) or [""]:
            digest = hashlib.blake2b(f"{self._model}\0{word}".encode("utf-8", "replace")).digest()
            signs = np.frombuffer(digest[:DIMENSIONS], dtype=np.uint8)
            vector += signs.astype(np.float32) - 127.5
        return (vector / np.linalg.norm(vector)).astype(np.float32)
