"""Look at a change in a process of its own, without token or keys, confined like the indexing step.

The change's files are a stranger's, and looking at them parses them. What comes back is read as a
stranger's report is: `from_json` checks every field. If the process dies, the run goes on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sidelight.errors import SidelightError
from sidelight.git.repository import open_repository
from sidelight.indexing.place import EmbedderSource, Place, index_directory
from sidelight_bot.ground import Ground
from sidelight_bot.indexreport import MISSING
from sidelight_bot.pinstep import Pin
from sidelight_bot.report import MAX_JSON, ChangeReport, from_json, to_json
from sidelight_bot.sandbox.confine import confine
from sidelight_bot.sandbox.reach import folders_of
from sidelight_bot.sandbox.temporary import temporary_folder
from sidelight_bot.views import config_at

if TYPE_CHECKING:
    from sidelight_bot.notes.review import GroupContext  # loads what notes are made of

TIMEOUT_S = 300.0
CPU_S = 600
MEMORY_BYTES = 6 << 30
MAX_TITLE = 1000


@dataclass(frozen=True, slots=True)
class Task:
    """What the process is told: names and numbers, and the title, which is only text."""

    repository: str
    base: str
    fork_point: str
    head: str
    config: str
    title: str
    limit: int


def analyse_here(ground: Ground, title: str, limit: int) -> ChangeReport:
    """Return the report on a change, made in this process."""
    from sidelight_bot.analysis.analyse import analyse  # noqa: PLC0415 - loads the parser
    from sidelight_bot.analysis.limits import AnalysisLimits  # noqa: PLC0415

    pin = ground.pin
    return analyse(
        ground.place,
        pin.base,
        pin.head,
        title,
        AnalysisLimits(related=limit),
        view=ground.view,
        merge_base=pin.fork_point,
    )


def analyse_apart(ground: Ground, title: str, limit: int, config: str = "") -> ChangeReport:
    """Return the report on a change, made in a confined process and checked here.

    Raises:
        SidelightError: the process failed, or took longer than five minutes.
        ReportError: its report is not one.
    """
    task = _task(ground, title, limit, config)
    return from_json(_ask("analyse", task, ground, MAX_JSON))


def contexts_here(ground: Ground, title: str) -> tuple[GroupContext, ...]:
    """Return the code around the change's hunks, gathered in this process."""
    from sidelight_bot.gathering import gather_contexts  # noqa: PLC0415 - loads the parser

    return gather_contexts(ground, title)


def contexts_apart(ground: Ground, title: str, config: str = "") -> tuple[GroupContext, ...]:
    """Return the code around the change's hunks, gathered in a confined process, checked here.

    Raises:
        SidelightError: the process failed, or took longer than five minutes.
        ReportError: what it gathered is not of the form that it must have.
    """
    from sidelight_bot import gathering  # noqa: PLC0415 - loads what contexts are made of

    said = _ask("gather", _task(ground, title, 0, config), ground, gathering.MAX_JSON)
    return gathering.contexts_from_json(said)


def _task(ground: Ground, title: str, limit: int, config: str) -> Task:
    repo, pin = ground.place.repo, ground.pin
    return Task(
        repository=str(repo.worktree or repo.git_dir),
        base=pin.base,
        fork_point=pin.fork_point,
        head=pin.head,
        config=config,
        title=title[:MAX_TITLE],
        limit=limit,
    )


def _ask(word: str, task: Task, ground: Ground, most: int) -> bytes:
    """Return what the process for a task prints, at most one byte more than `most`."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-m", "sidelight_bot", word],
            input=json.dumps(asdict(task)).encode("ascii"),
            env=_environment(task.repository),
            cwd=ground.place.repo.git_dir,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SidelightError(
            f"the change could not be looked at: {type(error).__name__}"
        ) from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1][:200] if said else f"exit code {done.returncode}"
        raise SidelightError(f"the change could not be looked at: {why}")
    return done.stdout[: most + 1]


@click.command("analyse", hidden=True)
def analyse_command() -> None:
    """Read a task as JSON, confine this process, and print the report as JSON."""
    with _confined() as (ground, task):
        click.echo(to_json(analyse_here(ground, task.title, task.limit)))


@click.command("gather", hidden=True)
def gather_command() -> None:
    """Read a task as JSON, confine this process, and print the code around the hunks as JSON."""
    with _confined() as (ground, task):
        from sidelight_bot.gathering import contexts_to_json  # noqa: PLC0415 - only where asked

        click.echo(contexts_to_json(contexts_here(ground, task.title)))


@contextmanager
def _confined() -> Iterator[tuple[Ground, Task]]:
    """Read the task, confine this process, and open what it speaks of."""
    task = Task(**json.loads(sys.stdin.buffer.read(64_000)))
    repo = open_repository(Path(task.repository))
    directory = index_directory(repo)
    with temporary_folder(directory) as temporary:
        confine(
            folders_of(repo),
            [directory, temporary],  # SQLite's readers share a file in the index's folder
            cpu_s=CPU_S,
            memory_bytes=MEMORY_BYTES,
        )
        config = config_at(repo, task.base, task.config)
        place = Place(repo, directory, config, EmbedderSource(config))
        yield Ground(place, Pin(0, task.base, task.fork_point, task.head), MISSING), task


def _environment(root: str) -> dict[str, str]:
    """Return all that the process knows of this one: where programs are, and whose folder it is."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": root,
    }
