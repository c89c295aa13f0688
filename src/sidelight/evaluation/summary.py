"""Turn rankings into figures: per case file, set, repository, language, category. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from sidelight.evaluation.cases import Case, CaseFile, DiffCase, QuestionCase, Target
from sidelight.evaluation.intervals import Estimate, estimate
from sidelight.evaluation.ledger import Result
from sidelight.evaluation.metrics import METRICS, score
from sidelight.evaluation.ports import DIFF, QUESTION


@dataclass(frozen=True, slots=True)
class Aim:
    """Which cases a table is about, and which of their targets are wanted.

    Diff cases are counted twice: with `source`, tests are not wanted, and cases that want nothing
    else are left out; with `all`, every other file of the change is wanted.
    """

    task: str
    targets: str = "all"

    def wanted(self, case: Case) -> tuple[Target, ...]:
        """Return the wanted targets, relevant and secondary; none if the case is not counted."""
        if case.task != self.task:
            return ()
        if self.targets == "source":
            return tuple(target for target in case.targets if target.kind != "test")
        return case.targets


QUESTIONS = Aim(QUESTION)
AIMS = (QUESTIONS, Aim(DIFF, "source"), Aim(DIFF))


@dataclass(frozen=True, slots=True)
class CaseScore:
    """One answered case with its figures, and the paths that were wanted."""

    case: Case
    file: str
    result: Result
    wanted: frozenset[bytes]
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
    """All figures of one mode and aim. `families` group files by set (`semble`, `issue_loc`)."""

    mode: str
    aim: Aim
    files: tuple[Row, ...]
    families: tuple[Row, ...]
    total: Row
    by: Mapping[str, tuple[Row, ...]]
    scores: tuple[CaseScore, ...]
    index_s: float
    n_trees: int


def _names_gold_path(case: Case) -> str | None:
    if not isinstance(case, QuestionCase) or case.names_gold_path is None:
        return None
    return "yes" if case.names_gold_path else "no"


GROUPINGS: Mapping[str, Callable[[Case], str | None]] = {
    "repository": lambda case: case.repo,
    "language": lambda case: case.language,
    "category": lambda case: case.category if isinstance(case, QuestionCase) else None,
    "names_gold_path": _names_gold_path,
}


def summarise(
    files: Sequence[CaseFile],
    results: Mapping[tuple[str, str], Result],
    mode: str,
    aim: Aim = QUESTIONS,
) -> ModeSummary:
    """Return the figures of one mode over the cases of these files that the aim counts."""
    asked = [(case, file) for file in files for case in file.cases if aim.wanted(case)]
    scores = [
        score_case(case, file.name, result, aim)
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
        aim=aim,
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


def score_case(case: Case, file: str, result: Result, aim: Aim) -> CaseScore:
    """Return a case's figures; of a diff, the wanted lines are those that the change touched."""
    targets = aim.wanted(case)
    if isinstance(case, DiffCase):
        lines = result.touched
        relevant = tuple(replace(target, lines=lines.get(target.path, ())) for target in targets)
        values = score(result.ranking.hits, relevant)
    else:
        values = score(result.ranking.hits, case.relevant, case.secondary)
    return CaseScore(case, file, result, frozenset(target.path for target in targets), values)


def _rows(
    asked: Iterable[tuple[str | None, Case]], scored: Iterable[tuple[str | None, CaseScore]]
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
