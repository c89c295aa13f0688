"""Dense retrieval over int8 vectors: usearch's exact scan or HNSW, rescored exactly.

`vectorfile`, which loads usearch, is imported by those alone who open or write a vector file.
"""

from sidelight.dense.ranking import DeltaVectors, cosine_similarities, rank_dense

__all__ = ["DeltaVectors", "cosine_similarities", "rank_dense"]
