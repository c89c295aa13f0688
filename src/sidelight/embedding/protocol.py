"""What the rest of Sidelight asks of an embedder. No engine, and numpy for type checkers only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from sidelight.embedding.info import ModelInfo

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into unit vectors, each a function of its own text and the model alone."""

    @property
    def info(self) -> ModelInfo:
        """The model that makes the vectors."""
        ...

    def embed(self, texts: Sequence[str], *, threads: int | None = None) -> NDArray[np.float32]:
        """Return float32 (n, dimensions), row i for `texts[i]` as a document.

        Order, company and number of `threads` (None: the embedder's own) never change a row.

        Raises:
            ModelError: the model gives no finite vector for a text.
        """
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return float32 (dimensions,) for `text` as a query; raises as `embed` does."""
        ...
