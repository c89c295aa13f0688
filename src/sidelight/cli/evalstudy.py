"""`sidelight eval compare|ablate|mine|tune|report`: what to conclude from cases, and new ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sidelight.cli.evalshared import (
    Workplace,
    case_options,
    format_option,
    open_workplace,
    progress_listener,
    write_file,
)
from sidelight.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from sidelight.evaluation.ablation import Ablation
    from sidelight.evaluation.fitting import Example, Weighable
    from sidelight.evaluation.questions import RecordedQuestion
    from sidelight.evaluation.results import ResultSet
    from sidelight.evaluation.runner import Failure

METRIC = "ndcg@10"
targets_option = click.option(
    "--targets",
    type=click.Choice(["source", "all"]),
    default="source",
    show_default=True,
    help="Which files of a diff case are wanted: no tests, or all.",
)


@click.command("compare")
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@click.option("--metric", default=METRIC, show_default=True, help="The figure that is compared.")
@format_option
def compare_command(before: str, after: str, metric: str, format_: str) -> None:
    """Compare two result sets on the cases that both answer.

    BEFORE and AFTER are files that `eval run --format json` wrote, as FILE or, where it holds
    several modes, FILE:MODE. The difference is called better or worse only if its 95 % interval
    leaves out 0.
    """
    from sidelight.evaluation.comparison import compare_results, comparison_json, render_comparison

    comparison = compare_results(_load_set(before), _load_set(after), metric)
    if format_ == "json":
        click.echo(json.dumps(comparison_json(comparison), indent=2))
    else:
        click.echo(render_comparison(comparison), nl=False)


def _load_set(text: str) -> ResultSet:
    from sidelight.evaluation.results import load_results

    if Path(text).exists():
        return load_results(Path(text)).of_mode(None)
    path, _, mode = text.rpartition(":")
    if path and Path(path).exists():
        return load_results(Path(path)).of_mode(mode)
    raise UsageError(f"{text} does not exist", hint="give FILE, or FILE:MODE")


@click.command("ablate")
@case_options
@targets_option
@format_option
def ablate_command(cases: tuple[Path, ...], targets: str, format_: str, **options: Any) -> None:
    """Drop each signal in turn and print what is lost without it, and how far it gets alone.

    The weights of the other signals stay as they are. Signals of diffs are asked for once and kept
    in the cache; questions are asked again without each signal.
    """
    from sidelight.evaluation.ablation import ablate_diffs, ablation_json, render_ablation
    from sidelight.evaluation.weightfile import as_mapping

    place = open_workplace(cases, **options)
    found: list[Ablation] = []
    failures: list[Failure] = []
    if "question" in place.tasks:
        ablated, failed = _ablate_questions(place)
        found += ablated
        failures += failed
    if "diff" in place.tasks:
        examples, failed = _examples(place, targets)
        failures += failed
        if examples:
            about = f"diffs, {targets} targets"
            found.append(ablate_diffs(about, examples, as_mapping(place.weights.diff)))
    if format_ == "json":
        value = {"ablations": [ablation_json(item) for item in found]}
        click.echo(json.dumps(value | _left_out(failures), indent=2))
    else:
        click.echo("\n".join(render_ablation(item) for item in found), nl=False)
    _stop_if_partial(failures)


def _ablate_questions(place: Workplace) -> tuple[list[Ablation], list[Failure]]:
    from sidelight.evaluation.ablation import ablate_runs
    from sidelight.evaluation.runner import Settings, run_cases
    from sidelight.evaluation.summary import QUESTIONS, summarise
    from sidelight.evaluation.variants import WHOLE, question_variants

    engines = question_variants(place.config, place.embedder(), place.weights.question)
    settings = Settings(engines, place.repos, place.cache, jobs=place.jobs)
    outcome = run_cases(place.files, settings, progress_listener())
    if outcome.interrupted:
        raise click.exceptions.Exit(ExitCode.INTERRUPTED)
    values = {
        mode: {
            score.case.id: score.values[METRIC]
            for score in summarise(place.files, outcome.results, mode, QUESTIONS).scores
        }
        for mode in engines
    }
    common = [case for case in values[WHOLE] if all(case in own for own in values.values())]
    if not common:
        return [], outcome.failures
    without = {
        mode.removeprefix(f"{WHOLE} without "): [own[case] for case in common]
        for mode, own in values.items()
        if mode != WHOLE
    }
    whole = [values[WHOLE][case] for case in common]
    return [ablate_runs("questions", whole, without)], outcome.failures


@click.command("mine")
@click.option(
    "--repo",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(),
    show_default="here",
    help="The repository whose history is read.",
)
@click.option("--rev", default="HEAD", show_default=True, help="The newest commit to take.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder for the case files: one of the earlier commits, one of the later.",
)
@click.option(
    "-n", "n", type=click.IntRange(2, 100_000), default=200, show_default=True, help="Cases."
)
@click.option(
    "--split",
    type=click.FloatRange(0, 1),
    default=0.6,
    show_default=True,
    help="Share of the cases, the earlier ones, that goes into the file for tuning.",
)
def mine_command(repo: Path, rev: str, out: Path, n: int, split: float) -> None:
    """Make diff cases from a repository's own history.

    Commits that change 2 to 8 source files become cases: a part of the files is shown, the others
    are to be found. Run them with `eval run OUT --repo DIR`.
    """
    from sidelight.evaluation.mining import Mining, case_lines, mine_cases, repository_name
    from sidelight.git.repository import open_repository

    repository = open_repository(repo)
    name = repository_name(repository)
    mined = mine_cases(repository, rev, name, Mining(n=n, earlier_share=split))
    stem = name.rpartition("/")[2]
    for part, records in (("tune", mined.tune), ("test", mined.test)):
        path = out / f"mined-{part}_{stem}.jsonl"
        write_file(path, case_lines(records))
        click.echo(f"{path}: {len(records)} cases")
    click.echo(f"{mined.n_fit:,} of {mined.n_commits:,} commits fit")


@click.command("tune")
@case_options
@targets_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the weights there, as TOML, if held-out cases gained beyond noise.",
)
@format_option
def tune_command(
    cases: tuple[Path, ...],
    targets: str,
    out: Path | None,
    format_: str,
    **options: Any,
) -> None:
    """Fit the weights of a diff's or question's signals; report them on cases held out.

    Cases of several repositories: each repository is reported with weights fitted on the others.
    Of one: its later commits with weights fitted on the earlier. The exit code is 1 if some cases
    could not be asked.
    """
    from sidelight.evaluation.tuning import render_tuned, tune_weights, tuned_json
    from sidelight.evaluation.weightfile import as_mapping

    place = open_workplace(cases, **options)
    examples: Sequence[Weighable]
    if place.tasks == {"question"}:
        table = "question"
        examples, start, failures = _questions(place)
    elif "question" in place.tasks:
        raise UsageError("questions and diffs have weights of their own", hint="tune one of them")
    else:
        table = "diff"
        examples, failures = _examples(place, targets)
        start = as_mapping(place.weights.diff)
    tuned = tune_weights(examples, start)
    written = None
    if out is not None and tuned.accepted:
        written = out
        write_file(out, _weights_text(tuned, table, targets).encode())
    if format_ == "json":
        value = tuned_json(tuned) | {"written": None if written is None else str(written)}
        click.echo(json.dumps(value | _left_out(failures), indent=2))
    else:
        click.echo(render_tuned(tuned), nl=False)
        if written is not None:
            click.echo(f"written to {written}: use it with --weights {written}")
        elif out is not None:
            click.echo("nothing was written: the gain on held-out cases is not beyond noise")
    _stop_if_partial(failures)


def _weights_text(tuned: Any, table: str, targets: str) -> str:
    from sidelight.evaluation.comparison import verdict_text
    from sidelight.evaluation.weightfile import render_weights

    about = f"diffs ({targets} targets)" if table == "diff" else "questions"
    comment = (
        f"Fitted by `sidelight eval tune` on {tuned.n_fitted} {about}.\n"
        f"nDCG@10 of {tuned.method}: {verdict_text(tuned.held_out)}"
    )
    return render_weights(table, tuned.weights, comment)


def _questions(
    place: Workplace,
) -> tuple[list[RecordedQuestion], dict[str, float], list[Failure]]:
    """Return the questions with their candidates, weights to begin with, and what failed."""
    from sidelight.evaluation.questions import Recording, record_questions, start_of

    own, listener = place.weights.question, progress_listener()
    settings = Recording(place.config, place.embedder(), own, place.repos, place.cache, listener)
    recorded, failures = record_questions(place.files, settings)
    return recorded, start_of(recorded, own), failures


def _examples(place: Workplace, targets: str) -> tuple[list[Example], list[Failure]]:
    """Return the diff cases with their signals, and what could not be asked."""
    from sidelight.evaluation.cases import DiffCase
    from sidelight.evaluation.changes import RelatedEngine
    from sidelight.evaluation.collecting import Collecting, collect_signals
    from sidelight.evaluation.fitting import Example
    from sidelight.evaluation.summary import Aim

    aim = Aim("diff", targets)
    cases = [
        case
        for file in place.files
        for case in file.cases
        if isinstance(case, DiffCase) and aim.wanted(case)
    ]
    engine = RelatedEngine(place.config, place.embedder())
    collected = collect_signals(
        cases, Collecting(engine, place.repos, place.cache, place.jobs, progress_listener())
    )
    if collected.interrupted:
        raise click.exceptions.Exit(ExitCode.INTERRUPTED)
    times = _times(place, [case for case in cases if case.id in collected.matrices])
    examples = [
        Example(
            case.id,
            case.repo,
            times.get(case.head, 0),
            collected.matrices[case.id],
            frozenset(target.path for target in aim.wanted(case)),
        )
        for case in cases
        if case.id in collected.matrices
    ]
    return examples, collected.failures


def _times(place: Workplace, cases: Sequence[Any]) -> dict[str, int]:
    from sidelight.evaluation.mining import commit_times
    from sidelight.git.repository import open_repository

    times: dict[str, int] = {}
    for repo in dict.fromkeys(case.repo for case in cases):
        git_dir = place.repos.find(repo)
        if git_dir is not None:
            heads = [case.head for case in cases if case.repo == repo]
            times |= commit_times(open_repository(git_dir), heads)
    return times


def _left_out(failures: Sequence[Failure]) -> dict[str, Any]:
    return {
        "state": "partial" if failures else "complete",
        "failures": [{"case": f.case, "repo": f.repo, "message": f.message} for f in failures],
    }


def _stop_if_partial(failures: Sequence[Failure]) -> None:
    """Say on stderr what was left out, and end with exit code 1 if anything was."""
    if not failures:
        return
    reasons = dict.fromkeys(failure.message for failure in failures)
    click.echo(f"PARTIAL RESULTS: {len(failures)} cases are missing:", err=True)
    for reason in list(reasons)[:5]:
        click.echo(f"  {reason}", err=True)
    raise click.exceptions.Exit(ExitCode.FAILURE)


@click.command("report")
@click.argument("results", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--ablation",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="What `eval ablate --format json` wrote.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The page, one HTML file without anything else.",
)
def report_command(results: Path, ablation: Path | None, out: Path) -> None:
    """Make one HTML page of RESULTS, which `eval run --format json` wrote.

    It shows the figures with their intervals by set and repository, what each signal is worth, and
    the worst cases with what came instead of their answers.
    """
    from sidelight.evaluation.ablation import load_ablations
    from sidelight.evaluation.page import render_page
    from sidelight.evaluation.results import load_results

    ablations = () if ablation is None else load_ablations(ablation)
    write_file(out, render_page(load_results(results), ablations).encode())
    click.echo(f"{out}: open it in a browser")
