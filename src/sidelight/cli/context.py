"""What commands share: the repository and index they work on, progress bars, and JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from sidelight.config import load_config
from sidelight.embedding.catalogue import default_models_directory
from sidelight.errors import UnknownRevisionError
from sidelight.git.repository import open_repository
from sidelight.indexing.place import EmbedderSource, Place, index_directory
from sidelight.indexing.report import Progress

STAGES = {
    "read": "reading and parsing",
    "history": "reading history",
    "embed": "embedding",
    "wait": "waiting for another process, which embeds",
}

format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the result is printed.",
)


def place_of(ctx: click.Context) -> Place:
    """Return the index of the repository that the command runs in."""
    repo = open_repository(ctx.find_object(Path) or Path.cwd())
    config = load_config(repo.worktree)
    models = default_models_directory(os.environ, Path.home())
    return Place(repo, index_directory(repo), config, EmbedderSource(config, models))


def aim_of(place: Place, revision: str | None) -> tuple[str, str] | None:
    """Return the commit and tree that HEAD's view, or a revision's, ought to show by now.

    None if there is no commit yet, or the revision names none any more.
    """
    if revision is None:
        return place.repo.head()
    try:
        commit = place.repo.resolve_commit(revision)
    except UnknownRevisionError:
        return None
    return commit, place.repo.tree_of(commit)


def print_json(value: Any) -> None:
    """Print a value as JSON on stdout; half a surrogate pair is written as its escape."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show on a terminal, on stderr, how far a long run is; elsewhere only that it waits."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        told: set[str] = set()

        def tell(stage: str, _done: int, _total: int) -> None:
            if stage == "wait" and stage not in told:
                told.add(stage)
                click.echo(f"note: {STAGES[stage]}", err=True)

        yield Progress(tell)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bars(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bars:
        tasks: dict[str, Any] = {}

        def update(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(STAGES.get(stage, stage), total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield Progress(update)
