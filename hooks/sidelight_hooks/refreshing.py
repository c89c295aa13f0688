"""Call the core's refresh for one git event, within the budget, and log how it went.

Expected failures become a log entry and one line for the user; bugs pass through to `main`.
"""

# The core is imported when it is called: a hook that ends before that pays nothing for it.
# ruff: noqa: PLC0415

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from sidelight.config import load_config
from sidelight.errors import GitError, IndexBusyError, IndexMissingError, SidelightError
from sidelight.git.repository import Repository, open_repository
from sidelight_hooks.gitdir import INDEX_FOLDER
from sidelight_hooks.interpreter import command
from sidelight_hooks.journal import log_path, write_entry

LOST_MARKER = "hook-lost"  # the dispatcher writes it when it finds no interpreter, to say so once
NOT_REFRESHED = "sidelight: the index was not refreshed"
GRACE_S = 1.0  # past the budget, before a refresh that has not come back is handed over


class Report(Protocol):
    """What `sidelight.indexing.refresh.refresh` tells about its work."""

    @property
    def state(self) -> str: ...
    @property
    def changed_files(self) -> int: ...
    @property
    def embedded(self) -> int: ...
    @property
    def pending(self) -> int: ...
    @property
    def seconds(self) -> float: ...


class Refresh(Protocol):
    """The port to the core: sync this worktree's view to HEAD, detaching what would be late."""

    def __call__(
        self,
        repo: Repository,
        *,
        wait: bool,
        deadline_s: float | None = None,
        log: Callable[[str], None] | None = None,
    ) -> Report: ...


class Event(NamedTuple):
    """One call of a hook by git."""

    hook: str
    args: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    background: bool


def open_here(cwd: str, env: Mapping[str, str]) -> Repository:
    """Return the repository that a hook in `cwd` runs for; GIT_DIR wins, as it does for git."""
    named = env.get("GIT_DIR")
    return open_repository(Path(cwd), git_dir=Path(cwd, named) if named else None)


def refresh_for(event: Event, refresh: Refresh | None, again: Sequence[str]) -> str | None:
    """Refresh, log it, and return the line to tell the user, if any; see `run.run_hook`."""
    try:
        repo = open_here(event.cwd, event.env)
    except GitError as error:
        return f"{NOT_REFRESHED}: {error.message}"
    folder = repo.common_dir / INDEX_FOLDER
    if not folder.is_dir():
        return None
    (folder / LOST_MARKER).unlink(missing_ok=True)  # we run again: the next loss is news
    said: list[str] = []

    def note(outcome: str, detail: str) -> None:
        text = "\n".join([detail, *said])
        write_entry(str(folder), event.hook, outcome, text, now=time.time())

    try:
        report = _within_budget(repo, event, refresh, again, note, said)
    except IndexMissingError:
        return None
    except SidelightError as error:
        outcome, is_news = _outcome(repo, error)
        note(outcome, str(error))
        told = "; ".join(part for part in (error.message, error.hint) if part)
        return f"{NOT_REFRESHED}: {told} (log: {log_path(str(folder))})" if is_news else None
    counts = f"files={report.changed_files} embedded={report.embedded} pending={report.pending}"
    note("refreshed", f"state={report.state} {counts} seconds={report.seconds:.3f}")
    return None


def _outcome(repo: Repository, error: SidelightError) -> tuple[str, bool]:
    """Return the log's word for a refresh that did not happen, and whether the user is told."""
    if isinstance(error, IndexBusyError):
        return "busy", False  # whoever is at it looks at HEAD again before it ends
    if isinstance(error, GitError) and repo.head_commit() is None:
        return "skipped", False  # an orphan branch: nothing to index yet
    return "failed", True


def _within_budget(
    repo: Repository,
    event: Event,
    refresh: Refresh | None,
    again: Sequence[str],
    note: Callable[[str, str], None],
    said: list[str],
) -> Report:
    """Return the refresh's report; if it does not come back in time, hand over and end at once.

    The core keeps to the deadline by itself. The guard is for what it cannot interrupt; ending
    amid a transaction is safe, the database is made for it.
    """
    work = refresh if refresh is not None else _core_refresh(event.env)
    if event.background:
        return work(repo, wait=False, deadline_s=None, log=said.append)
    budget_s = load_config(repo.worktree).hooks.budget_s

    def hand_over() -> None:
        _continue_detached(event, again or command(sys.executable))
        note("handed-over", f"not done after {budget_s + GRACE_S:g} s; goes on in the background")
        os._exit(0)

    guard = threading.Timer(budget_s + GRACE_S, hand_over)
    guard.daemon = True
    guard.start()
    try:
        return work(repo, wait=False, deadline_s=budget_s, log=said.append)
    finally:
        guard.cancel()


def _continue_detached(event: Event, again: Sequence[str]) -> None:
    """Start `run --background HOOK ARGS`, which outlives the git command.

    It has its own session and none of our pipes, or `git commit | cat` would wait for it.
    """
    subprocess.Popen(
        [*again, "run", "--background", event.hook, *event.args],
        cwd=event.cwd,
        env=event.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _core_refresh(env: Mapping[str, str]) -> Refresh:
    """Return the core's refresh, for the index of the repository that it is called with."""
    from sidelight.embedding.catalogue import default_models_directory
    from sidelight.indexing.place import EmbedderSource, Place, index_directory
    from sidelight.indexing.refresh import refresh

    def refresh_repository(
        repo: Repository,
        *,
        wait: bool,
        deadline_s: float | None = None,
        log: Callable[[str], None] | None = None,
    ) -> Report:
        config = load_config(repo.worktree)
        models = EmbedderSource(config, default_models_directory(env, Path.home()))
        place = Place(repo, index_directory(repo), config, models)
        return refresh(place, wait=wait, deadline_s=deadline_s, log=log)

    return refresh_repository
