"""Turn rankings into figures: per case file, set, repository, language, category. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from sidelight.evaluation.cases import CaseFile, QuestionCase
from sidelight.evaluation.intervals import Estimate, estimate
from sidelight.evaluation.ledger import Result
from sidelight.evaluation.metrics import METRICS, score


@dataclass(frozen=True, slots=True)
class CaseScore:
    """One answered case with its figures."""

    case: QuestionCase
    file: str
    result: Result
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """Figures of a group of cases: `n` answered of `n_asked`.

    `values` average over cases. `item_macro` is semble's own protocol: item nDCG@10, averaged
    within each repository and then over repositories. Without answers, `values` is empty.
    """

    label: str
    n: int
    n_asked: int
    values: Mapping[str, Estimate]
    item_macro: Estimate | None
    query_ms: float | None

    @property
    def partial(self) -> bool:
        """Return whether some of the group's cases have no answer."""
        return self.n < self.n_asked


@dataclass(frozen=True, slots=True)
class ModeSummary:
    """All figures of one mode. `families` group files by set (`semble`, `issue_loc`)."""

    mode: str
    files: tuple[Row, ...]
    families: tuple[Row, ...]
    total: Row
    by: Mapping[str, tuple[Row, ...]]
    scores: tuple[CaseScore, ...]
    index_s: float
    n_trees: int


GROUPINGS: Mapping[str, Callable[[QuestionCase], str | None]] = {
    "repository": lambda case: case.repo,
    "language": lambda case: case.language,
    "category": lambda case: case.category,
    "names_gold_path": lambda case: (
        None if case.names_gold_path is None else "yes" if case.names_gold_path else "no"
    ),
}


def summarise(
    files: Sequence[CaseFile], results: Mapping[tuple[str, str], Result], mode: str
) -> ModeSummary:
    """Return the figures of one mode over the question cases of these files."""
    asked = [
        (case, file) for file in files for case in file.cases if isinstance(case, QuestionCase)
    ]
    scores = [
        CaseScore(
            case, file.name, result, score(result.ranking.hits, case.relevant, case.secondary)
        )
        for case, file in asked
        if (result := results.get((case.id, mode))) is not None
    ]
    family = {file.name: file.family for file in files}
    trees = {(s.case.repo, s.case.base): s.result.tree.index_s for s in scores}
    by: dict[str, tuple[Row, ...]] = {}
    for name, group in GROUPINGS.items():
        rows = _rows(
            [(group(case), case) for case, _ in asked], [(group(s.case), s) for s in scores]
        )
        if rows:
            by[name] = tuple(sorted(rows, key=lambda row: row.label))
    return ModeSummary(
        mode=mode,
        files=_rows([(file.name, case) for case, file in asked], [(s.file, s) for s in scores]),
        families=_rows(
            [(file.family, case) for case, file in asked], [(family[s.file], s) for s in scores]
        ),
        total=row("total", len(asked), scores),
        by=by,
        scores=tuple(scores),
        index_s=sum(trees.values()),
        n_trees=len(trees),
    )


def _rows(
    asked: Iterable[tuple[str | None, QuestionCase]], scored: Iterable[tuple[str | None, CaseScore]]
) -> tuple[Row, ...]:
    """Return a row for each label, in order of first appearance; None is in no group."""
    counts: dict[str, int] = {}
    groups: dict[str, list[CaseScore]] = {}
    for label, _ in asked:
        if label is not None:
            counts[label] = counts.get(label, 0) + 1
    for label, item in scored:
        if label is not None:
            groups.setdefault(label, []).append(item)
    return tuple(row(label, n, groups.get(label, [])) for label, n in counts.items())


def row(label: str, n_asked: int, scores: Sequence[CaseScore]) -> Row:
    """Return the figures of one group of cases."""
    if not scores:
        return Row(label, 0, n_asked, {}, None, None)
    values = {name: estimate(_by_repository(scores, name)) for name in METRICS}
    return Row(
        label=label,
        n=len(scores),
        n_asked=n_asked,
        values=values,
        item_macro=estimate(_by_repository(scores, "item_ndcg@10"), macro=True),
        query_ms=median(s.result.ranking.query_ms for s in scores),
    )


def _by_repository(scores: Iterable[CaseScore], metric: str) -> dict[str, list[float]]:
    strata: dict[str, list[float]] = {}
    for item in scores:
        strata.setdefault(item.case.repo, []).append(item.values[metric])
    return strata
