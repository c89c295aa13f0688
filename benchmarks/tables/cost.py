"""What review notes cost a pull request in tokens: the diff alone, and with the code around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring import percentile, run_task
from benchmarks.options import ROOT, Options
from benchmarks.results import Table
from sidelight.config import load_config
from sidelight.evaluation.cases import DiffCase, load_cases
from sidelight.evaluation.repositories import find_git_dir
from sidelight.llm.budget import Prices

CASES = ROOT / "evaluation" / "cases"
EACH = 4  # of each repository
MODES = (("diff", "the diff alone"), ("full", "with context"))


def run(options: Options) -> Table:
    """Count what a model reads and writes for real pull requests of several repositories."""
    table = Table("cost", "Review notes: tokens of a language model for a pull request")
    rows: list[Mapping[str, Any]] = []
    for file, git_dir, ids in _chosen(options):
        folder = str(options.work / "cost" / file.stem)
        answer = run_task(
            "costing:repository", git_dir=str(git_dir), cases=str(file), ids=ids, folder=folder
        )
        rows += answer["rows"]
    prices = _prices(options.config)
    for mode, label in MODES:
        _add(table, label, [row[mode] for row in rows], prices)
    if rows:
        table.notes.append(_note(len(rows), prices))
    else:
        table.notes.append("no repository of the cases below --repos: nothing was counted")
    return table


def _chosen(options: Options) -> Iterator[tuple[Path, Path, list[str]]]:
    """Yield the case file, the git directory and some cases, evenly spread, of each repository."""
    each = 1 if options.small else EACH
    files = sorted(CASES.glob("prmerge_*.jsonl"))
    for path in files[:2] if options.small else files:
        cases = [c for f in load_cases([path]).files for c in f.cases if isinstance(c, DiffCase)]
        git_dir = find_git_dir(options.repos, cases[0].repo) if options.repos and cases else None
        if git_dir is not None:
            step = max(1, len(cases) // each)
            yield path, git_dir, [case.id for case in cases[::step][:each]]


def _prices(folder: Path | None) -> Prices:
    """Return the prices that a folder's configuration gives, if it does."""
    config = load_config(folder).llm
    known = config.price_prompt >= 0 and config.price_completion >= 0
    return Prices(config.price_prompt, config.price_completion) if known else Prices()


def _add(table: Table, label: str, rows: Sequence[Mapping[str, int]], prices: Prices) -> None:
    if not rows:
        return
    totals = [row["prompt"] + row["completion"] for row in rows]
    costs = [prices.cost(row["prompt"], row["completion"]) for row in rows]
    known = [cost for cost in costs if cost is not None]

    def both(values: Sequence[float]) -> tuple[float, float]:
        return percentile(values, 0.5), percentile(values, 0.9)

    prompt, completion = both([r["prompt"] for r in rows]), both([r["completion"] for r in rows])
    total = both(totals)
    table.add(
        the_model_sees=label,
        pull_requests=len(rows),
        calls=percentile([row["calls"] for row in rows], 0.5),
        prompt_median=prompt[0],
        prompt_p90=prompt[1],
        answers_median=completion[0],
        answers_p90=completion[1],
        total_median=total[0],
        total_p90=total[1],
        second_looks="{:.0%}".format(sum(r["prompt_second"] for r in rows) / (sum(totals) or 1)),
        dollars_median=both(known)[0] if known else None,
        dollars_p90=both(known)[1] if known else None,
    )


def _note(n: int, prices: Prices) -> str:
    cost = (
        f"priced at ${prices.prompt:g} (llm.price_prompt) and ${prices.completion:g}"
        " (llm.price_completion) a million tokens, by the configuration of --config"
        if prices.prompt is not None
        else "without --config, whose llm.price_prompt and llm.price_completion count, no price"
    )
    return (
        f"{n} pull requests, `evaluation/cases/prmerge_*`, {EACH} of each repository; tokens by"
        " `sidelight.packing.counting` (an estimate for any model; the schema of the answer is"
        " counted with the prompt); a scripted model proposes a note for each group of hunks and"
        " confirms it, so that up to five notes have their second look; titles only, the cases have"
        f" no descriptions; {cost}"
    )
