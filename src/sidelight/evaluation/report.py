"""Render figures as text or as JSON-ready values. Pure; it never prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sidelight.evaluation.cases import CaseFile, CaseProblem, DiffCase, QuestionCase
from sidelight.evaluation.intervals import Estimate
from sidelight.evaluation.metrics import file_ranks
from sidelight.evaluation.ports import DIFF, QUESTION
from sidelight.evaluation.runner import Outcome
from sidelight.evaluation.summary import Aim, CaseScore, ModeSummary, Row
from sidelight.evaluation.tables import aim_text, figure, interval, table

COLUMNS: Mapping[str, str] = {
    "recall@5": "R@5",
    "recall@10": "R@10",
    "recall@20": "R@20",
    "mrr": "MRR",
    "acc@1": "Acc@1",
    "acc@3": "Acc@3",
    "acc@5": "Acc@5",
    "acc@10": "Acc@10",
}
N_SHOWN = 10  # hits of a case in JSON
MAX_LISTED = 10  # problems of one kind in text; JSON has them all


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a run says: a summary for each mode and aim that were asked together."""

    files: tuple[CaseFile, ...]
    problems: tuple[CaseProblem, ...]
    outcome: Outcome
    modes: tuple[ModeSummary, ...]
    k: int

    def n_not_run(self, task: str) -> int:
        """Return the number of cases of a task that no mode was asked of."""
        if any(summary.aim.task == task for summary in self.modes):
            return 0
        return sum(case.task == task for file in self.files for case in file.cases)

    @property
    def partial(self) -> bool:
        """Return whether anything that was asked for is missing from the figures."""
        return bool(self.problems or self.outcome.failures or self.outcome.interrupted)


def render_text(report: Report) -> str:
    """Return the tables of every mode, a comparison of several, and what is missing."""
    blocks: list[str] = []
    if report.partial:
        blocks.append("PARTIAL RESULTS: the figures leave out what is listed at the end")
    asked = [summary for summary in report.modes if summary.total.n_asked]
    blocks += [_mode_block(summary, report.k) for summary in asked]
    for aim in dict.fromkeys(summary.aim for summary in asked):
        modes = [summary for summary in asked if summary.aim == aim]
        if len(modes) > 1:
            blocks.append(_comparison(modes))
    blocks += _remarks(report)
    return "\n\n".join(blocks) + "\n"


def _mode_block(summary: ModeSummary, k: int) -> str:
    """Return one mode's table: a line a case file, a line a set, the total, then the groupings."""
    about = aim_text(summary.aim)
    heading = (
        f"mode {summary.mode}, {about} (first {k} hits; 95 % intervals by bootstrap over cases)"
    )
    by_span = "own" if summary.aim.task == QUESTION else "span@10"
    header = ["", "cases", "nDCG@10", "95 %", *COLUMNS.values(), by_span, "query ms"]

    def cells(row: Row) -> list[str]:
        return _cells(row, summary.aim)

    rows = [cells(row) for row in summary.files]
    sets = [row for row in summary.families if row.label not in {f.label for f in summary.files}]
    rows += [[f"= {row.label}", *cells(row)[1:]] for row in sets]
    if len(summary.families) > 1:
        rows.append(cells(summary.total))
    lines = [heading, *table(header, rows)]
    for name, grouped in summary.by.items():
        if name != "repository" and len(grouped) > 1:
            lines += ["", *table([f"by {name}", *header[1:]], [cells(row) for row in grouped])]
    explained = {
        "own": "nDCG@10 of items by their first overlapping hit, averaged over repositories",
        "span@10": "one of the first ten hits overlaps lines that the hidden part touched",
    }
    lines.append(
        f"{by_span}: {explained[by_span]}; "
        f"{summary.n_trees} trees indexed in {summary.index_s:.1f} s"
    )
    return "\n".join(lines)


def _cells(row: Row, aim: Aim) -> list[str]:
    n = str(row.n) if not row.partial else f"{row.n}/{row.n_asked}"
    if not row.values:
        return [row.label, n, *["–"] * (len(COLUMNS) + 4)]
    main = row.values["ndcg@10"]
    if aim.task == DIFF:
        own = row.values["span_hit@10"].mean
    else:
        own = row.item_macro.mean if row.item_macro else 0.0
    return [
        row.label,
        n,
        figure(main.mean),
        interval(main),
        *(figure(row.values[name].mean) for name in COLUMNS),
        figure(own),
        f"{row.query_ms:.1f}",
    ]


def _comparison(modes: Sequence[ModeSummary]) -> str:
    """Return nDCG@10 of every set by mode."""
    labels = [row.label for row in modes[0].families]
    rows = [[label, *(_mean(mode.families[i]) for mode in modes)] for i, label in enumerate(labels)]
    rows.append(["total", *(_mean(mode.total) for mode in modes)])
    heading = f"nDCG@10, {aim_text(modes[0].aim)}"
    lines = table([heading, *(mode.mode for mode in modes)], rows)
    return "\n".join(lines)


def _mean(row: Row) -> str:
    if not row.values:
        return "–"
    return figure(row.values["ndcg@10"].mean) + (" (partial)" if row.partial else "")


def _remarks(report: Report) -> list[str]:
    blocks = [
        f"not run: {n} {task} cases, which no mode given answers"
        for task in (QUESTION, DIFF)
        if (n := report.n_not_run(task))
    ]
    if report.outcome.interrupted:
        blocks.append("interrupted: the same command goes on where this one stopped")
    if report.problems:
        lines = [str(problem) for problem in report.problems]
        blocks.append(_listed(f"{len(lines)} lines are no cases:", lines))
    if report.outcome.failures:
        reasons = Counter(f"{f.mode}: {f.message}" for f in report.outcome.failures)
        lines = [f"{message} ({n} cases)" for message, n in reasons.most_common()]
        n = len(report.outcome.failures)
        blocks.append(_listed(f"{n} answers are missing:", lines))
    return blocks


def _listed(title: str, lines: Sequence[str]) -> str:
    shown = [f"  {line}" for line in lines[:MAX_LISTED]]
    if len(lines) > MAX_LISTED:
        shown.append(f"  … and {len(lines) - MAX_LISTED} more (--format json lists all)")
    return "\n".join([title, *shown])


def as_json(report: Report) -> dict[str, Any]:
    """Return the report as JSON-ready values; `docs/evaluation.md` describes them."""
    return {
        "state": "partial" if report.partial else "complete",
        "interrupted": report.outcome.interrupted,
        "k": report.k,
        "resumed": report.outcome.n_resumed,
        "tables": [_table_json(summary) for summary in report.modes],
        "not_run": {task: report.n_not_run(task) for task in (QUESTION, DIFF)},
        "problems": [
            {"file": problem.file, "line": problem.line, "message": problem.message}
            for problem in report.problems
        ],
        "failures": [
            {"case": f.case, "repo": f.repo, "mode": f.mode, "message": f.message}
            for f in report.outcome.failures
        ],
    }


def _table_json(summary: ModeSummary) -> dict[str, Any]:
    return {
        "mode": summary.mode,
        "task": summary.aim.task,
        "targets": summary.aim.targets,
        "total": _row_json(summary.total),
        "sets": [_row_json(row) for row in summary.families],
        "files": [_row_json(row) for row in summary.files],
        "by": {name: [_row_json(row) for row in rows] for name, rows in summary.by.items()},
        "index_s": round(summary.index_s, 3),
        "trees": summary.n_trees,
        "cases": [_case_json(item) for item in summary.scores],
    }


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "label": row.label,
        "cases": row.n,
        "asked": row.n_asked,
        "query_ms": None if row.query_ms is None else round(row.query_ms, 3),
        "metrics": {name: _estimate_json(value) for name, value in row.values.items()},
        "own_protocol": None if row.item_macro is None else _estimate_json(row.item_macro),
    }


def _estimate_json(value: Estimate) -> dict[str, float]:
    return {
        "mean": round(value.mean, 6),
        "low": round(value.low, 6),
        "high": round(value.high, 6),
    }


def _case_json(item: CaseScore) -> dict[str, Any]:
    case, hits = item.case, item.result.ranking.hits
    ranks = file_ranks(hits, item.wanted)
    return {
        "id": case.id,
        "file": item.file,
        "repo": case.repo,
        "language": case.language,
        "query": case.query if isinstance(case, QuestionCase) else case.title,
        "focal": [_text(path) for path in case.focal] if isinstance(case, DiffCase) else [],
        "digest": case.digest,
        "settings": item.result.key.settings,
        "query_ms": round(item.result.ranking.query_ms, 3),
        "files": item.result.tree.n_files,
        "chunks": item.result.tree.n_chunks,
        "metrics": {name: round(value, 6) for name, value in item.values.items()},
        "ranks": {_text(path): ranks.get(path) for path in sorted(item.wanted)},
        "hits": [[_text(hit.path), hit.start_line, hit.end_line] for hit in hits[:N_SHOWN]],
    }


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
