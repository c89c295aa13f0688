"""Compare two result sets case by case, and say which differences are more than noise. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sidelight.errors import UsageError
from sidelight.evaluation.paired import Paired, Verdict, compare_pairs
from sidelight.evaluation.results import CaseFigures, ResultSet
from sidelight.evaluation.summary import Aim
from sidelight.evaluation.tables import aim_text, figure, interval, signed, table

N_EXTREMES = 5  # cases shown that gained most, and that lost most


@dataclass(frozen=True, slots=True)
class Moved:
    """A case whose figure changed."""

    id: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class AimComparison:
    """The paired differences of one aim: over all cases, by set, and by repository.

    `unpaired` cases are in one of the two only, or their content changed in between.
    """

    aim: Aim
    total: Paired
    families: tuple[Paired, ...]
    repositories: tuple[Paired, ...]
    unpaired: int
    gained: tuple[Moved, ...]
    lost: tuple[Moved, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two result sets, compared by one metric."""

    before: str
    after: str
    metric: str
    aims: tuple[AimComparison, ...]
    partial: bool


def compare_results(before: ResultSet, after: ResultSet, metric: str) -> Comparison:
    """Return the comparison of two result sets of one mode each.

    Raises:
        UsageError: they have no case in common, or no such metric.
    """
    aims = []
    for own in before.tables:
        for other in after.tables:
            if own.aim == other.aim:
                compared = _compare_aim(own.aim, own.cases, other.cases, metric)
                if compared is not None:
                    aims.append(compared)
    if not aims:
        raise UsageError(
            f"{before.name} and {after.name} have no case in common",
            hint="they must answer the same cases, unchanged",
        )
    partial = before.partial or after.partial
    return Comparison(before.name, after.name, metric, tuple(aims), partial)


def _compare_aim(
    aim: Aim, before: Mapping[str, CaseFigures], after: Mapping[str, CaseFigures], metric: str
) -> AimComparison | None:
    common = [
        (case, after[case.id])
        for case in before.values()
        if case.id in after and after[case.id].digest == case.digest
    ]
    if not common:
        return None
    if metric not in common[0][0].values or metric not in common[0][1].values:
        known = ", ".join(common[0][0].values)
        raise UsageError(f"there is no metric {metric}", hint=f"known: {known}")
    moved = [Moved(a.id, a.values[metric], b.values[metric]) for a, b in common]
    moved.sort(key=lambda item: (item.after - item.before, item.id))

    def grouped(label_of: Callable[[CaseFigures], str]) -> tuple[Paired, ...]:
        groups: dict[str, list[tuple[float, float]]] = {}
        for a, b in common:
            groups.setdefault(label_of(a), []).append((a.values[metric], b.values[metric]))
        return tuple(compare_pairs(label, pairs) for label, pairs in sorted(groups.items()))

    return AimComparison(
        aim=aim,
        total=compare_pairs("total", [(item.before, item.after) for item in moved]),
        families=grouped(lambda case: case.family),
        repositories=grouped(lambda case: case.repo),
        unpaired=len(before.keys() | after.keys()) - len(common),
        gained=tuple(item for item in moved[::-1][:N_EXTREMES] if item.after > item.before),
        lost=tuple(item for item in moved[:N_EXTREMES] if item.after < item.before),
    )


def render_comparison(comparison: Comparison) -> str:
    """Return the comparison as text, the verdict of each aim in its last line."""
    head = [f"{comparison.metric}: {comparison.before} → {comparison.after}"]
    if comparison.partial:
        head.insert(0, "PARTIAL RESULTS: one of the two leaves cases out; the others are compared")
    blocks = ["\n".join(head)]
    blocks += [_render_aim(aim) for aim in comparison.aims]
    return "\n\n".join(blocks) + "\n"


def _render_aim(aim: AimComparison) -> str:
    lines = [aim_text(aim.aim)]
    rows = [paired_cells(row) for row in aim.repositories if len(aim.repositories) > 1]
    if len(aim.families) > 1:
        rows += [[f"= {row.label}", *paired_cells(row)[1:]] for row in aim.families]
    rows.append(paired_cells(aim.total))
    lines += table(PAIRED_HEADER, rows)
    for title, moved in (("gained most", aim.gained), ("lost most", aim.lost)):
        if moved:
            shown = (f"{m.id} {figure(m.before)}→{figure(m.after)}" for m in moved)
            lines.append(f"{title}: {', '.join(shown)}")
    if aim.unpaired:
        lines.append(f"{aim.unpaired} cases are not in both, or differ, and are left out")
    lines.append(verdict_text(aim.total))
    return "\n".join(lines)


PAIRED_HEADER = ("", "cases", "before", "after", "change", "95 %", "up", "down", "verdict")


def paired_cells(row: Paired) -> list[str]:
    """Return the cells of one paired difference, under `PAIRED_HEADER`."""
    return [
        row.label,
        str(row.n),
        figure(row.before),
        figure(row.after),
        signed(row.difference.mean),
        interval(row.difference, signed),
        str(row.n_better),
        str(row.n_worse),
        str(row.verdict),
    ]


def verdict_text(row: Paired) -> str:
    """Return the verdict as a sentence."""
    change = f"{signed(row.difference.mean)} ({interval(row.difference, signed)})"
    match row.verdict:
        case Verdict.BETTER | Verdict.WORSE:
            return f"{row.verdict}: {change} on {row.n} cases"
        case Verdict.NOISE:
            return f"no difference shown: {change} on {row.n} cases may be noise"
        case _:
            return f"too few cases to tell: {change} on {row.n}"


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as JSON-ready values; `docs/evaluation.md` describes them."""
    return {
        "before": comparison.before,
        "after": comparison.after,
        "metric": comparison.metric,
        "state": "partial" if comparison.partial else "complete",
        "aims": [
            {
                "task": aim.aim.task,
                "targets": aim.aim.targets,
                "total": paired_json(aim.total),
                "sets": [paired_json(row) for row in aim.families],
                "repositories": [paired_json(row) for row in aim.repositories],
                "unpaired": aim.unpaired,
                "gained": [_moved_json(item) for item in aim.gained],
                "lost": [_moved_json(item) for item in aim.lost],
            }
            for aim in comparison.aims
        ],
    }


def paired_json(row: Paired) -> dict[str, Any]:
    """Return one paired difference as JSON-ready values."""
    return {
        "label": row.label,
        "cases": row.n,
        "before": round(row.before, 6),
        "after": round(row.after, 6),
        "change": round(row.difference.mean, 6),
        "low": round(row.difference.low, 6),
        "high": round(row.difference.high, 6),
        "better": row.n_better,
        "worse": row.n_worse,
        "verdict": str(row.verdict),
    }


def _moved_json(item: Moved) -> dict[str, Any]:
    return {"id": item.id, "before": round(item.before, 6), "after": round(item.after, 6)}
