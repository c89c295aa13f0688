"""The weights of the features that order hits, with the evaluation that chose them.

Chosen with `sidelight eval run` on the question cases; see `docs/evaluation.md` for the figures.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FeatureWeights:
    """Each multiplies a feature in [0, 1] and is added to the fused score, which is in [0, 1]."""

    path: float = 0.15  # share of the query's weight found in the path
    definition: float = 0.15  # … in the definition's qualified name
    siblings: float = 0.25  # the file's next best chunks, .5 and .25 of their scores
    non_production: float = 0.35  # taken off tests, docs, examples, vendored code


QUESTION = FeatureWeights()
