"""Tell how the hooks of a repository stand. Only looks; starts each recorded interpreter once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sidelight.git.repository import Repository
from sidelight_hooks import confighooks
from sidelight_hooks.dispatcher import VERSION, Found, parse_dispatcher
from sidelight_hooks.events import HOOKS
from sidelight_hooks.gitdir import INDEX_FOLDER
from sidelight_hooks.interpreter import works
from sidelight_hooks.journal import log_path, read_entries
from sidelight_hooks.observe import HookState, Occupant, kept_manager, observe_hook
from sidelight_hooks.place import Origin, Via, find_hooks_place
from sidelight_hooks.refreshing import LOST_MARKER


class Condition(StrEnum):
    """How one hook of ours stands."""

    INSTALLED = "installed"
    MISSING = "missing"
    OLDER = "other-version"  # written by another version of Sidelight; `install` renews it
    EDITED = "edited"
    OVERWRITTEN = "overwritten"  # it was installed, and another program has written over it


@dataclass(frozen=True, slots=True)
class HookStatus:
    """One hook. `other` is the path of a hook that is not ours, "" if there is none.

    `other_runs` says whether git, or our dispatcher, starts that one (it is executable);
    `manager` names the program that wrote it, if it is known.
    """

    hook: str
    condition: Condition
    version: int | None
    path: str
    python: str
    python_works: bool
    other: str
    other_runs: bool
    manager: str


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last line of the log."""

    time: str
    hook: str
    outcome: str
    detail: str


@dataclass(frozen=True, slots=True)
class HooksStatus:
    """All hooks of a repository. `said_lost`: a hook found no interpreter, and said so."""

    folder: Path
    origin: Origin
    via: Via | None
    hooks: tuple[HookStatus, ...]
    last_run: LastRun | None
    log: Path
    said_lost: bool


def hooks_status(repo: Repository) -> HooksStatus:
    """Return how the hooks stand.

    Raises:
        GitError: hooks are switched off by the configuration, or git refuses.
    """
    place = find_hooks_place(repo)
    configured = confighooks.installed(repo)
    working: dict[str, bool] = {}
    hooks: list[HookStatus] = []
    for hook in HOOKS:
        state = observe_hook(place, hook)
        own = confighooks.folder_of(repo) / hook if hook in configured else state.position
        found = _parse(own) if hook in configured else state.found
        python = found.dispatcher.python if found else ""
        if python and python not in working:
            working[python] = works(python)
        hooks.append(_status(state, own, found, working.get(python, False)))
    folder = str(repo.common_dir / INDEX_FOLDER)
    entries = read_entries(folder)
    by_files = any(hook.condition is not Condition.MISSING for hook in hooks)
    return HooksStatus(
        folder=place.folder,
        origin=place.origin,
        via=Via.CONFIG if configured else Via.FILES if by_files else None,
        hooks=tuple(hooks),
        last_run=LastRun(*entries[-1]) if entries else None,
        log=Path(log_path(folder)),
        said_lost=Path(folder, LOST_MARKER).exists(),
    )


def _status(state: HookState, path: Path, found: Found | None, python_works: bool) -> HookStatus:
    other = _other(state)
    known = state.manager or kept_manager(state)
    return HookStatus(
        hook=state.hook,
        condition=_condition(state, found),
        version=found.dispatcher.version if found else None,
        path=str(path) if found else "",
        python=found.dispatcher.python if found else "",
        python_works=python_works,
        other=str(other) if other else "",
        other_runs=other is not None and other.is_file() and os.access(other, os.X_OK),
        manager=known.name if known else "",
    )


def _condition(state: HookState, found: Found | None) -> Condition:
    if found is None:
        lost = state.occupant is Occupant.OTHER and state.has_kept
        return Condition.OVERWRITTEN if lost else Condition.MISSING
    if not found.intact:
        return Condition.EDITED
    return Condition.INSTALLED if found.dispatcher.version == VERSION else Condition.OLDER


def _other(state: HookState) -> Path | None:
    """Return the hook that is not ours: the one kept, the one we stand behind, or the one alone."""
    if state.is_chained:
        return state.position.with_name(state.hook)
    if state.occupant is Occupant.OTHER:
        return state.position
    return state.kept if state.has_kept else None


def _parse(path: Path) -> Found | None:
    try:
        return parse_dispatcher(path.read_bytes())
    except OSError:
        return None
