"""Vectors by content, kept across stores: a changed chunker embeds only the texts that it changed.

One SQLite file of float32 rows. Queries are never kept, since their time is measured.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sidelight.config import Config
from sidelight.embedding.info import ModelInfo, embedding_key
from sidelight.embedding.protocol import Embedder
from sidelight.errors import StorageError
from sidelight.indexing.place import EmbedderSource

BATCH_KEYS = 500  # SQLite's oldest limit of variables in a statement is 999
BUSY_S = 60.0


class CachedSource(EmbedderSource):
    """An embedder source that looks into the file at `path` before it asks `source`."""

    def __init__(self, source: EmbedderSource, path: Path) -> None:
        super().__init__(Config(), source.models_dir)
        self._cached = CachedEmbedder(source, VectorFile(path))
        self._source = source

    @property
    def sha256(self) -> str:
        """The model's identity, as the wrapped source has it."""
        return self._source.sha256

    def open(self) -> Embedder:
        """Return the caching embedder; the model is loaded when a text is not in the file."""
        return self._cached


class CachedEmbedder:
    """Conforms to `sidelight.embedding.Embedder`; rows are those of the wrapped one, bit by bit."""

    def __init__(self, source: EmbedderSource, file: VectorFile) -> None:
        self._source = source
        self._file = file
        self._opening = threading.Lock()

    @property
    def info(self) -> ModelInfo:
        """The wrapped model."""
        return self._model().info

    def embed(self, texts: Sequence[str], *, threads: int | None = None) -> NDArray[np.float32]:
        """Return float32 (n, dimensions), embedding only the texts that are not in the file.

        Raises:
            ModelError: see `Embedder.embed`.
            StorageError: the file cannot be read or written.
        """
        sha256 = self._source.sha256
        keys = [embedding_key(sha256, text) for text in texts]
        known = self._file.read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            rows = self._model().embed(list(missing.values()), threads=threads)
            new = dict(zip(missing, np.asarray(rows, np.float32), strict=True))
            self._file.write(new)
            known |= new
        if not keys:
            return self._model().embed([])
        return np.stack([known[key] for key in keys])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return float32 (dimensions,), always from the model."""
        return self._model().embed_query(text)

    def _model(self) -> Embedder:
        with self._opening:  # threads would load it twice
            return self._source.open()


class VectorFile:
    """The file of vectors at `path`, made with the first of them. Threads may share it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the vectors that are there."""
        found: dict[bytes, NDArray[np.float32]] = {}
        with self._connection() as connection:
            for start in range(0, len(keys), BATCH_KEYS):
                part = keys[start : start + BATCH_KEYS]
                marks = ",".join("?" * len(part))
                rows = connection.execute(
                    f"SELECT key, vector FROM vector WHERE key IN ({marks})",  # noqa: S608 - marks
                    part,
                )
                found.update((key, np.frombuffer(row, "<f4").copy()) for key, row in rows)
        return found

    def write(self, rows: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Add vectors; those that are there already stay."""
        packed = [(key, row.astype("<f4").tobytes()) for key, row in rows.items()]
        with self._connection() as connection:
            connection.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?)", packed)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection with one transaction; opening takes a fraction of one embedding."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._path, timeout=BUSY_S)
            try:
                with connection:
                    connection.execute(
                        "CREATE TABLE IF NOT EXISTS vector"
                        " (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
                    )
                    yield connection
            finally:
                connection.close()
        except (OSError, sqlite3.Error) as error:
            raise StorageError(
                f"the vectors in {self._path} cannot be used: {error}",
                hint="delete the file; it is made anew",
            ) from error
