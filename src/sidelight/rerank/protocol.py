"""What search asks of a reranker, be it a local model or an endpoint. No engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Reranker(Protocol):
    """Reads a query together with each text; a cross-encoder, not two encoders."""

    @property
    def name(self) -> str:
        """What the model is called."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32 (n,): how well each text answers the query; higher is better.

        The scale is the model's own. A score is a function of its pair alone: order and company
        change nothing.

        Raises:
            ModelError: the model fails, or gives no finite score.
        """
        ...
