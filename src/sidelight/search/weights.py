"""The weights of the features that order hits, with the evaluation that chose them.

Chosen by `sidelight eval run evaluation/cases/semble_*.jsonl evaluation/cases/issue_loc_*.jsonl`;
`docs/evaluation.md` has the figures, and what they are with weights fitted on other repositories.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sidelight.search.question import QueryKind


@dataclass(frozen=True, slots=True)
class FeatureWeights:
    """Each multiplies a feature in [0, 1] and is added to the fused score, which is in [0, 1].

    Those from `title` on weigh the parts of an issue's text against each other.
    """

    path: float = 0.25  # share of the query's weight that the path holds
    stem: float = 0.15  # share of the file's own name that the query holds
    definition: float = 0.15  # share of the query's weight that the defined name holds
    message: float = 0.3  # the question against subjects of commits that touched the file
    mention: float = 0.3  # the text names the path
    second: float = 0.6  # the file's second best chunk, added to its best one's score …
    third: float = 0.3  # … and its third
    non_production: float = 0.8  # taken off tests, docs, examples, vendored code
    superseded: float = 0.5  # taken off what lies in v3/ beside a v4/
    title: float = 1.0
    prose: float = 0.5
    code: float = 0.1
    message_prose: float = 0.0  # the prose against the title in commit messages


QUESTION = FeatureWeights()

# What a kind of query changes, as factors: so a weight of 0 stays 0 when signals are dropped.
FACTORS: Mapping[QueryKind, Mapping[str, float]] = {}


def weights_for(kind: QueryKind, base: FeatureWeights) -> FeatureWeights:
    """Return the weights for one kind of query."""
    factors = FACTORS.get(kind, {})
    return replace(base, **{name: getattr(base, name) * factor for name, factor in factors.items()})
