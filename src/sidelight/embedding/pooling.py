"""Token vectors to one unit vector, in numpy float32. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sidelight.embedding.info import Pooling


def pool_tokens(tokens: NDArray[np.float32], pooling: Pooling) -> NDArray[np.float32]:
    """Return the unit vector (d,) of one text's token vectors (t, d), no padding among them.

    Mean, first, last or largest as in Sentence-Transformers' `Pooling`, then divided by its
    Euclidean length. A vector without direction (not finite, or zero) comes back as NaN.
    """
    if pooling is Pooling.MEAN:
        vector = tokens.mean(axis=0, dtype=np.float32)
    elif pooling is Pooling.CLS:
        vector = tokens[0]
    elif pooling is Pooling.LAST:
        vector = tokens[-1]
    else:
        vector = tokens.max(axis=0)
    length = np.sqrt(np.square(vector, dtype=np.float64).sum())
    if not np.isfinite(length) or length == 0.0:
        return np.full_like(vector, np.nan)
    unit: NDArray[np.float32] = (vector / length).astype(np.float32, copy=False)
    return unit
