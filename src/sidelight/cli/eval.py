"""`sidelight eval`: how good retrieval is, on cases. Engines are imported when a command runs."""

from __future__ import annotations

import json
import os
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sidelight.config import Config, parse_config
from sidelight.errors import ConfigError, ExitCode, UsageError

if TYPE_CHECKING:
    from sidelight.evaluation.ports import Engine
    from sidelight.evaluation.runner import Event

QUESTION_MODES = ("hybrid", "bm25", "dense", "symbol", "exact")
DIFF_MODES = ("related", "related-no-title", "related-no-history")
MODES = (*QUESTION_MODES, *DIFF_MODES, "file-bm25")
LINE_EVERY_S = 10.0  # of progress, where stderr is no terminal


@click.group("eval")
def eval_group() -> None:
    """Measure retrieval on cases whose answers real commits or published annotators made."""


@eval_group.command("run")
@click.argument(
    "cases", nargs=-1, required=True, metavar="CASES...", type=click.Path(path_type=Path)
)
@click.option(
    "--repos",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of the evaluated repositories: DIR/owner/name or DIR/owner+name.",
)
@click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".eval"),
    show_default=True,
    help="Where indexes and results are kept; never inside an evaluated repository.",
)
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
@click.option(
    "--limit", type=click.IntRange(min=1), help="Run so many cases only, spread over the files."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Repositories worked on at a time; with more than one, query times mean little.",
)
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A .sidelight.toml to evaluate. Default: the built-in settings.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What is written to the standard output.",
)
def run_command(
    cases: tuple[Path, ...],
    repos: Path,
    cache: Path,
    modes: tuple[str, ...],
    k: int,
    limit: int | None,
    jobs: int,
    config_file: Path | None,
    format_: str,
) -> None:
    """Run CASES (files, or folders of *.jsonl) and print nDCG, recall, MRR and accuracy.

    Answers are kept in the cache one by one: a run that was stopped goes on, and answers made by
    other code or settings are asked anew. The exit code is 1 if a figure leaves anything out.
    """
    from sidelight.evaluation.cases import find_case_files, load_cases
    from sidelight.evaluation.report import Report, as_json, render_text
    from sidelight.evaluation.runner import Settings, limit_cases, run_cases
    from sidelight.evaluation.summary import AIMS, summarise

    case_set = load_cases(find_case_files(cases))
    files = limit_cases(case_set.files, limit)
    if not any(file.cases for file in files):
        problems = [str(problem) for problem in case_set.problems[:3]]
        raise UsageError(
            "there is no case to run", hint="; ".join(problems) or "the files are empty"
        )
    tasks = {case.task for file in files for case in file.cases}
    defaults = {"question": "hybrid", "diff": "related"}
    wanted = tuple(dict.fromkeys(modes)) or tuple(
        mode for task, mode in defaults.items() if task in tasks
    )
    engines = _engines(wanted, _config(config_file), cache)
    settings = Settings(engines=engines, repos=repos, cache=cache, k=k, jobs=jobs)
    outcome = run_cases(files, settings, _progress())
    report = Report(
        files=files,
        problems=case_set.problems,
        outcome=outcome,
        modes=tuple(
            summarise(files, outcome.results, mode, aim)
            for mode in wanted
            for aim in AIMS
            if aim.task in tasks & engines[mode].tasks(mode)
        ),
        k=k,
    )
    if format_ == "json":
        click.echo(json.dumps(as_json(report), indent=2))
    else:
        click.echo(render_text(report), nl=False)
    if outcome.interrupted:
        raise SystemExit(ExitCode.INTERRUPTED)
    if report.partial:
        raise SystemExit(ExitCode.FAILURE)


def _engines(modes: tuple[str, ...], config: Config, cache: Path) -> dict[str, Engine]:
    """Return the engine of every mode; the modes of one engine share its open indexes."""
    from sidelight.evaluation import baseline

    engines: dict[str, Engine] = {}
    if baseline.MODE in modes:
        engines[baseline.MODE] = baseline.FileBm25()
    if set(modes) - {baseline.MODE}:
        from sidelight.embedding.catalogue import default_models_directory
        from sidelight.evaluation.changes import RelatedEngine
        from sidelight.evaluation.engine import SearchEngine
        from sidelight.evaluation.vectors import CachedSource
        from sidelight.indexing.place import EmbedderSource

        models_dir = default_models_directory(os.environ, Path.home())
        embedder = CachedSource(EmbedderSource(config, models_dir), cache / "vectors.db")
        for own in (SearchEngine(config, embedder), RelatedEngine(config, embedder)):
            engines |= {mode: own for mode in modes if own.tasks(mode)}
    return {mode: engines[mode] for mode in modes}


def _config(path: Path | None) -> Config:
    if path is None:
        return Config()
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    return parse_config(table, str(path))


def _progress() -> Callable[[Event], None]:
    """Return a listener that writes to stderr: one moving line, or now and then a line."""
    moving = sys.stderr.isatty() and "NO_COLOR" not in os.environ
    shown = time.monotonic()

    def show(event: Event) -> None:
        nonlocal shown
        line = f"[{event.done}/{event.total}] {event.message}"
        last = event.done == event.total
        if moving:
            click.echo(f"\r\033[K{line[:100]}", err=True, nl=last)
        elif last or time.monotonic() - shown > LINE_EVERY_S:
            shown = time.monotonic()
            click.echo(line, err=True)

    return show
