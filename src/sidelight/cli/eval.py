"""`sidelight eval`: how good retrieval is, on cases. Engines are imported when a command runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sidelight.cli.evallog import log_command, review_command
from sidelight.cli.evalpositions import positions_command
from sidelight.cli.evalshared import (
    Workplace,
    case_options,
    format_option,
    open_workplace,
    progress_listener,
)
from sidelight.cli.evalstudy import (
    ablate_command,
    compare_command,
    mine_command,
    report_command,
    tune_command,
)
from sidelight.errors import ExitCode

if TYPE_CHECKING:
    from sidelight.evaluation.ports import Engine

QUESTION_MODES = ("hybrid", "bm25", "dense", "symbol", "exact")
DIFF_MODES = (
    "related",
    "related-no-title",
    "related-no-history",
    "related-no-graph",
    "related-structural",
)
MODES = (*QUESTION_MODES, *DIFF_MODES, "file-bm25")
DEFAULT_MODES = {"question": "hybrid", "diff": "related"}


@click.group("eval")
def eval_group() -> None:
    """Measure retrieval on cases whose answers real commits or published annotators made."""


@eval_group.command("run")
@case_options
@click.option(
    "--mode",
    "modes",
    multiple=True,
    type=click.Choice(MODES),
    help="What is asked, also several times. Default: hybrid for questions, related for diffs.",
)
@click.option(
    "-k",
    "--hits",
    "k",
    type=click.IntRange(10, 1000),
    default=100,
    show_default=True,
    help="Hits asked for; several may lie in one file.",
)
@format_option
def run_command(
    cases: tuple[Path, ...], modes: tuple[str, ...], k: int, format_: str, **options: Any
) -> None:
    """Run CASES (files, or folders of *.jsonl) and print nDCG, recall, MRR and accuracy.

    Answers are kept in the cache one by one: a run that was stopped goes on, and answers made by
    other code or settings are asked anew. The exit code is 1 if a figure leaves anything out.
    """
    from sidelight.evaluation.report import Report, as_json, render_text
    from sidelight.evaluation.runner import Settings, run_cases
    from sidelight.evaluation.summary import AIMS, summarise

    place = open_workplace(cases, **options)
    wanted = tuple(dict.fromkeys(modes)) or tuple(
        mode for task, mode in DEFAULT_MODES.items() if task in place.tasks
    )
    engines = _engines(wanted, place)
    settings = Settings(engines, place.repos, place.cache, k, place.jobs)
    outcome = run_cases(place.files, settings, progress_listener())
    report = Report(
        files=place.files,
        problems=place.case_set.problems,
        outcome=outcome,
        modes=tuple(
            summarise(place.files, outcome.results, mode, aim)
            for mode in wanted
            for aim in AIMS
            if aim.task in place.tasks & engines[mode].tasks(mode)
        ),
        k=k,
    )
    if format_ == "json":
        click.echo(json.dumps(as_json(report), indent=2))
    else:
        click.echo(render_text(report), nl=False)
    if outcome.interrupted:
        raise click.exceptions.Exit(ExitCode.INTERRUPTED)
    if report.partial:
        raise click.exceptions.Exit(ExitCode.FAILURE)


def _engines(modes: tuple[str, ...], place: Workplace) -> dict[str, Engine]:
    """Return the engine of every mode; the modes of one engine share its open indexes."""
    from sidelight.evaluation import baseline

    engines: dict[str, Engine] = {}
    if baseline.MODE in modes:
        engines[baseline.MODE] = baseline.FileBm25()
    if set(modes) - {baseline.MODE}:
        from sidelight.evaluation.changes import RelatedEngine, recipes
        from sidelight.evaluation.engine import SearchEngine

        embedder = place.embedder()
        search = SearchEngine(place.config, embedder, place.weights.question)
        related = RelatedEngine(place.config, embedder, recipes(place.weights.diff))
        for own in (search, related):
            engines |= {mode: own for mode in modes if own.tasks(mode)}
    return {mode: engines[mode] for mode in modes}


for _command in (
    compare_command,
    ablate_command,
    mine_command,
    tune_command,
    report_command,
    log_command,
    review_command,
    positions_command,
):
    eval_group.add_command(_command)
