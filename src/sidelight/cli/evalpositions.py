"""`sidelight eval positions`: does the place in the context matter to the configured model?"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from sidelight.cli.context import format_option, place_of, print_json
from sidelight.errors import ExitCode, SidelightError, UsageError

if TYPE_CHECKING:
    from sidelight.evaluation.positions import PositionReport


@click.command("positions")
@click.option(
    "-n",
    "--cases",
    "n_cases",
    type=click.IntRange(1, 1000),
    default=12,
    show_default=True,
    help="Definitions that are looked for.",
)
@click.option(
    "--sources",
    "n_sources",
    type=click.IntRange(2, 200),
    default=9,
    show_default=True,
    help="Sources in each context.",
)
@click.option(
    "--places",
    "n_places",
    type=click.IntRange(2, 50),
    default=5,
    show_default=True,
    help="Places that are compared, from the first to the last.",
)
@click.option(
    "--budget",
    type=click.IntRange(0, 1_000_000_000),
    metavar="TOKENS",
    help="What all requests may cost. Default: llm.budget_tokens; 0 is no limit.",
)
@format_option
@click.pass_context
def positions_command(
    ctx: click.Context,
    n_cases: int,
    n_sources: int,
    n_places: int,
    budget: int | None,
    format_: str,
) -> None:
    """Measure whether the place in the context matters for the configured model.

    Each case hides one definition of the indexed tree among others like it, at one place after the
    other, and asks which source holds it: cases times places requests. The exit code is 1 if it
    could not be finished.
    """
    from sidelight.evaluation.positions import as_json, collect_cases, measure, spread
    from sidelight.indexing.place import worktree_view
    from sidelight.llm.budget import Budget
    from sidelight.llm.opening import open_chat_model
    from sidelight.llm.settings import llm_settings
    from sidelight.packing.reading import open_reader
    from sidelight.search import Searcher

    place = place_of(ctx)
    settings = llm_settings(place.config.llm, os.environ)
    tokens = settings.budget_tokens if budget is None else budget or None
    model = open_chat_model(settings, Budget(tokens, settings.budget_usd))
    if model is None:
        raise UsageError(
            "no language model is configured",
            hint="set SIDELIGHT_LLM_BASE_URL and SIDELIGHT_LLM_MODEL; see docs/ask.md",
        )
    view = worktree_view(place.repo)
    with Searcher.open(place, view) as searcher:
        tree = searcher.info().tree
    with open_reader(place, view, tree) as reader:
        cases = collect_cases(place.repo, tree, reader, n_cases, n_sources)
    if not cases:
        raise SidelightError(
            f"this repository has too few definitions for contexts of {n_sources} sources",
            hint="lower --sources",
        )
    report = measure(model, cases, spread(n_places, n_sources), n_sources, _tick)
    if format_ == "json":
        print_json(as_json(report, model.info.model))
    else:
        _print(report, model.info.model, len(cases))
    if report.stopped:
        raise click.exceptions.Exit(ExitCode.FAILURE)


def _tick(done: int, total: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {total}", nl=done == total, err=True)


def _print(report: PositionReport, model: str, n_cases: int) -> None:
    from sidelight.evaluation.positions import advise
    from sidelight.evaluation.tables import figure, interval, table

    if report.right:
        rows = [
            [f"{place + 1} of {report.n_sources}", figure(value.mean), interval(value)]
            for place, value in zip(report.places, report.accuracies(), strict=True)
        ]
        click.echo("\n".join(table(["place", "right", "95 %"], rows)))
    _, order, words = advise(report)
    click.echo(f"{model}: {words}")
    click.echo(f"order to pack in: {order.value}")
    asked = f"{len(report.right)} of {n_cases} cases"
    unusable = f", {report.invalid} answers could not be used" if report.invalid else ""
    click.echo(f"{asked}{unusable}; {report.usage.tokens:,} tokens", err=True)
    if report.stopped:
        click.echo(f"note: stopped: {report.stopped}", err=True)
