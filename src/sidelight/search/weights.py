"""The weights of the features that order hits, with the evaluation that chose them.

Chosen by `sidelight eval run evaluation/cases/semble_*.jsonl evaluation/cases/issue_loc_*.jsonl`;
`docs/evaluation.md` has the figures, and what they are with weights fitted on other repositories.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from sidelight.search.question import QueryKind


@dataclass(frozen=True, slots=True)
class FeatureWeights:
    """Each multiplies a feature in [0, 1] and is added to the fused score, which is in [0, 1].

    Those from `title` on weigh the parts of an issue's text against each other.
    """

    path: float = 0.25  # share of the query's weight that the path holds
    stem: float = 0.15  # share of the file's own name that the query holds
    definition: float = 0.15  # share of the query's weight that the defined name holds
    named: float = 0.0  # share of the defined name's weight that the query holds
    message: float = 0.3  # the question against subjects of commits that touched the file
    recent: float = 0.0  # how much was done in the file lately
    mention: float = 0.35  # the text names the path
    second: float = 0.6  # the file's second best chunk, added to its best one's score …
    third: float = 0.3  # … and its third
    non_production: float = 0.8  # taken off tests, docs, examples, vendored code
    superseded: float = 0.5  # taken off what lies in v3/ beside a v4/
    title: float = 1.0
    prose: float = 0.5
    code: float = 0.5


QUESTION = FeatureWeights()

# A long text holds the words of many paths and names by chance: its share of them says nothing,
# theirs of it does.
ISSUE = replace(QUESTION, path=0.0, stem=0.0, definition=0.0, named=0.3, message=0.2, recent=0.2)
# A name is asked for where it is defined, not where a file speaks of it most often.
NAME = replace(QUESTION, second=0.3, third=0.15)
# Who writes a path wants that file, whatever it is.
PATH = replace(QUESTION, mention=2.0, non_production=0.0, superseded=0.0)

BY_KIND = {
    QueryKind.IDENTIFIER: NAME,
    QueryKind.PATH: PATH,
    QueryKind.ERROR: ISSUE,
    QueryKind.QUESTION: QUESTION,
    QueryKind.ISSUE: ISSUE,
}


def weights_for(kind: QueryKind, base: FeatureWeights) -> FeatureWeights:
    """Return the weights for one kind of query.

    What `base` has otherwise than `QUESTION` was set on purpose, and holds for every kind.
    """
    changed = {
        field.name: getattr(base, field.name)
        for field in fields(base)
        if getattr(base, field.name) != getattr(QUESTION, field.name)
    }
    return replace(BY_KIND[kind], **changed)
