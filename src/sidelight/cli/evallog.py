"""`sidelight eval log` and `eval review`: what was asked here, and judging some of it by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sidelight.cli.evalshared import write_file
from sidelight.errors import GitError
from sidelight.git.repository import Repository, open_repository

if TYPE_CHECKING:
    from sidelight.evaluation.querylog import LogEntry, LoggedSpan, QueryLog

SHOWN_LINES = 6
repo_option = click.option(
    "--repo",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(),
    show_default="here",
    help="The repository.",
)


@click.command("log")
@click.argument("action", type=click.Choice(["status", "on", "off", "clear"]), default="status")
@repo_option
def log_command(action: str, repo: Path) -> None:
    """Show, switch or clear the log of what was asked here.

    The log lies in the index's folder and is read by `eval review` only.
    """
    log = _log_of(open_repository(repo))
    if action == "clear":
        log.clear()
    elif action != "status":
        log.switch(on=action == "on")
    n = len(log.entries())
    click.echo(f"the log is {'on' if log.is_on else 'off'}; {n} answers, all in this repository")


@click.command("review")
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Judge so many answers that nobody judged; 0: only show what was judged.",
)
@click.option(
    "--export",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a case file of the searches with a hit that was judged relevant.",
)
@repo_option
def review_command(sample: int, export: Path | None, repo: Path) -> None:
    """Judge logged answers by hand, and print what the judgements say.

    Of each answer the first five hits are shown: y is relevant, n is not, s skips one, q ends.
    """
    from sidelight.evaluation.mining import case_lines, repository_name
    from sidelight.evaluation.reviewing import judged_cases, render_standing, standing, to_review

    repository = open_repository(repo)
    log = _log_of(repository)
    entries = log.entries()
    for entry in to_review(entries, log.judgements(), sample):
        if not _judge(repository, log, entry):
            break
    judged = log.judgements()
    click.echo(render_standing(standing(entries, judged)), nl=False)
    if export is not None:
        records = judged_cases(entries, judged, repository_name(repository))
        write_file(export, case_lines(records))
        click.echo(f"{export}: {len(records)} cases")


def _log_of(repository: Repository) -> QueryLog:
    from sidelight.evaluation.querylog import QueryLog
    from sidelight.indexing.place import index_directory

    return QueryLog(index_directory(repository))


def _judge(repository: Repository, log: QueryLog, entry: LogEntry) -> bool:
    """Ask for the entry's first hits; return False if the user wants to end."""
    from sidelight.evaluation.querylog import Judgement
    from sidelight.evaluation.reviewing import N_SHOWN

    click.echo(f"\n{entry.command}: {entry.query.strip()}")
    for span in entry.hits[:N_SHOWN]:
        click.echo(f"\n  {_shown(span.path)}:{span.first}-{span.last}")
        for line in _excerpt(repository, entry.commit, span):
            click.echo(f"    {_shown(line)}")
        choice = click.prompt("relevant?", type=click.Choice(["y", "n", "s", "q"]), default="s")
        if choice == "q":
            return False
        if choice in "yn":
            log.judge(Judgement(entry.id, span, choice == "y"))
    return True


def _excerpt(repository: Repository, commit: str, span: LoggedSpan) -> list[str]:
    """Return the first lines of a logged hit; none if the commit is gone."""
    path = span.path.encode("utf-8", "surrogateescape")
    try:
        oid = repository.require_object_id(commit)
        blob = repository.run(["cat-file", "blob", oid.encode("ascii") + b":" + path])
    except GitError:
        return []
    lines = blob.decode("utf-8", "replace").splitlines()[span.first - 1 : span.last]
    return lines[:SHOWN_LINES]


def _shown(text: str) -> str:
    """Return text that any terminal can show: no control characters, no lone surrogates."""
    clean = "".join(c if c.isprintable() or c == "\t" else "?" for c in text)
    return clean.encode("utf-8", "replace").decode("utf-8")
