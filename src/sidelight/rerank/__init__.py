"""Score a query against texts, pair by pair. The model is the user's; none is shipped.

`sidelight.rerank.opening` opens one, `sidelight.rerank.blending` puts its scores to use. Light:
no engine is imported before a model is opened.
"""

from sidelight.rerank.protocol import Reranker

__all__ = ["Reranker"]
