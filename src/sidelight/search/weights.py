"""The weights of the features that order hits, with the evaluation that chose them.

Chosen on the `semble` questions (124 of seven repositories), where the result is flat around them:
changing any one by a third moves the mean by less than .005. `docs/evaluation.md` has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FeatureWeights:
    """Each multiplies a feature in [0, 1] and is added to the fused score, which is in [0, 1]."""

    path: float = 0.25  # share of the query's weight that the path holds
    stem: float = 0.15  # share of the file's own name that the query holds
    definition: float = 0.15  # share of the query's weight that the defined name holds
    second: float = 0.6  # the file's second best chunk, added to its best one's score …
    third: float = 0.3  # … and its third
    non_production: float = 0.8  # taken off tests, docs, examples, vendored code
    superseded: float = 0.5  # taken off what lies in v3/ beside a v4/


QUESTION = FeatureWeights()
