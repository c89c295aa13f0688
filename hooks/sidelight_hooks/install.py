"""Install the hooks: plan every change, then make all of them or none."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path

from sidelight.errors import UsageError
from sidelight.git.repository import Repository
from sidelight_hooks import confighooks
from sidelight_hooks.dispatcher import Dispatcher, render_dispatcher
from sidelight_hooks.events import HOOKS
from sidelight_hooks.interpreter import require_working
from sidelight_hooks.managers import Manager
from sidelight_hooks.observe import HookState, Occupant, leftover, observe_hook
from sidelight_hooks.place import (
    CONFIG_HOOKS_SINCE,
    HooksPlace,
    Origin,
    Via,
    find_hooks_place,
    git_version,
)
from sidelight_hooks.report import Action, HookAction, HooksReport
from sidelight_hooks.steps import Link, MakeDirectory, Move, Remove, Saved, Step, Write, apply_all

InstallReport = HooksReport


def install_hooks(
    repo: Repository,
    *,
    hooks: Sequence[str] = HOOKS,
    python: str = sys.executable,
    via: Via | None = None,
    force: bool = False,
) -> InstallReport:
    """Install the hooks into a repository and return what was done; doing it again changes nothing.

    Hooks that are there go on running, before ours. `via` is how git starts ours (default: as
    files, or by configuration where files would lie among the user's own and git can do that).
    `force` writes into a folder of the worktree, and over a dispatcher of ours that was edited.

    Raises:
        UsageError: a hook that we do not have, or the folder is the user's and `force` is not set.
        StorageError: a file cannot be written; nothing was changed.
        SidelightError: `python` cannot run the hooks.
        GitError: hooks are switched off by the configuration, or git refuses.
    """
    for hook in hooks:
        if hook not in HOOKS:
            raise UsageError(f"{hook} is not one of our hooks", hint=f"known: {', '.join(HOOKS)}")
    require_working(python)
    place = find_hooks_place(repo)
    way = _choose_way(repo, place, via, force=force)
    if way is Via.CONFIG:
        return confighooks.install(repo, hooks, python)
    plan = _Plan(place, python, force=force)
    for hook in hooks:
        plan.add(observe_hook(place, hook))
    apply_all([*plan.preparation(), *plan.steps])
    return HooksReport(place.folder, way, tuple(plan.actions), plan.notes())


def _choose_way(repo: Repository, place: HooksPlace, asked: Via | None, *, force: bool) -> Via:
    """Return how to install: as it is installed already, or as asked, or the way that fits."""
    present = _present_way(repo, place)
    if present is not None:
        if asked not in (None, present):
            raise UsageError(
                f"the hooks are installed by {present} already",
                hint="run `sidelight-hook uninstall` first",
            )
        return present
    guarded = place.origin is Origin.WORKTREE and not place.ignored
    if asked is Via.CONFIG or (asked is None and (guarded or place.origin is Origin.SHARED)):
        if git_version(repo) >= CONFIG_HOOKS_SINCE:
            return Via.CONFIG
        if asked is Via.CONFIG:
            needed = ".".join(map(str, CONFIG_HOOKS_SINCE))
            raise UsageError(
                "this git has no hooks by configuration", hint=f"git {needed} has them"
            )
    if guarded and not force:
        raise UsageError(
            f"the hooks lie in {place.folder}, among this repository's own files: "
            "installing would change what git tracks",
            hint='add `sidelight-hook run post-commit "$@"` to those hooks yourself '
            "(see docs/hooks.md), or install all the same with --force",
        )
    return Via.FILES


def _present_way(repo: Repository, place: HooksPlace) -> Via | None:
    if confighooks.installed(repo):
        return Via.CONFIG
    states = (observe_hook(place, hook) for hook in HOOKS)
    return Via.FILES if any(state.occupant is Occupant.OURS for state in states) else None


def _notes(place: HooksPlace) -> list[str]:
    if place.origin is Origin.SHARED:
        return [
            f"{place.folder} serves every repository with this core.hooksPath; "
            "the hooks do nothing in those without an index"
        ]
    if place.origin is Origin.WORKTREE and not place.ignored:
        return [f"{place.folder} is part of the worktree: git will show the changed files"]
    return []


class _Plan:
    """The steps for one folder, built up hook by hook."""

    def __init__(self, place: HooksPlace, python: str, *, force: bool) -> None:
        self.place = place
        self.python = python
        self.force = force
        self.steps: list[Step] = []
        self.actions: list[HookAction] = []
        self._told: list[str] = []
        self._managed: dict[Manager, list[str]] = {}
        self._keeps = False

    def add(self, state: HookState) -> None:
        """Plan one hook."""
        if state.manager is not None:
            self._managed.setdefault(state.manager, []).append(state.hook)
        self._drop_copy_by_lefthook(state.hook)
        if state.occupant is Occupant.OURS:
            self._renew(state)
            return
        if state.occupant is Occupant.OTHER:
            self._keep(state)
        kept = state.has_kept or state.occupant is Occupant.OTHER
        self._keeps = self._keeps or kept
        self._write(state, f"{self.place.kept.name}/{state.kept.name}" if kept else "")
        self._tell(state, Action.INSTALLED, state.kept if kept else None)

    def notes(self) -> tuple[str, ...]:
        """Return what the user should know."""
        advice = [manager.advice % ", ".join(hooks) for manager, hooks in self._managed.items()]
        return (*_notes(self.place), *self._told, *advice)

    def preparation(self) -> list[Step]:
        """Return the steps that come first: the folders, and the kept hooks' neighbours.

        A kept hook may read files beside it, so they are linked into the folder for kept hooks.
        """
        steps: list[Step] = []
        if self.steps:
            steps.append(MakeDirectory(self.place.folder))
        if not self._keeps:
            return steps
        steps.append(MakeDirectory(self.place.kept))
        ignore = self.place.kept / ".gitignore"
        if self.place.origin is Origin.WORKTREE and not ignore.exists():
            steps.append(Write(ignore, b"*\n", 0o644))
        if os.name != "nt":  # where a link needs a privilege
            steps += self._neighbours()
        return steps

    def _neighbours(self) -> list[Step]:
        ours = {".gitignore", *(name for hook in HOOKS for name in (hook, f"{hook}.legacy"))}
        return [
            Link(self.place.kept / entry.name, f"../{self.place.folder.name}/{entry.name}")
            for entry in sorted(self.place.folder.iterdir())
            if entry.name not in ours
            and entry.suffix != ".sample"
            and not os.path.lexists(self.place.kept / entry.name)
        ]

    def _renew(self, state: HookState) -> None:
        """Plan for a dispatcher of ours: leave it, or write it as this version does."""
        assert state.found is not None  # noqa: S101  (what OURS means)
        before = state.found.dispatcher
        self._keeps = self._keeps or state.has_kept
        if not state.found.intact and not self.force:
            self._tell(state, Action.EDITED, state.position)
            return
        content = render_dispatcher(Dispatcher(state.hook, self.python, before.kept))
        if state.position.read_bytes() == content and os.access(state.position, os.X_OK):
            self._tell(state, Action.UNCHANGED, state.kept if state.has_kept else None)
            return
        if state.found.intact:
            self._tell(state, Action.UPDATED, state.kept if state.has_kept else None)
        else:
            copy = free_name(state.position, "sidelight-edited")
            self.steps.append(Move(state.position, copy))
            self._tell(state, Action.REPLACED, copy)
        self._write(state, before.kept)

    def _keep(self, state: HookState) -> None:
        """Plan to move another's hook aside; one that lies there already is kept as well."""
        if state.has_kept and Saved.of(state.kept).is_same(Saved.of(state.position)):
            self.steps.append(Remove(state.kept))  # another program wrote its hook anew
        elif state.has_kept:
            earlier = free_name(state.kept, "earlier")
            self.steps.append(Move(state.kept, earlier))
            self._told.append(
                f"{state.hook} was written over since the last install: the hook from before that "
                f"lies in {earlier} and is not run"
            )
        self.steps.append(Move(state.position, state.kept))

    def _drop_copy_by_lefthook(self, hook: str) -> None:
        """Remove our own dispatcher that lefthook put aside: the next time, it could not."""
        copy = leftover(self.place, hook)
        if copy is not None:
            self.steps.append(Remove(copy))

    def _write(self, state: HookState, kept: str) -> None:
        content = render_dispatcher(Dispatcher(state.hook, self.python, kept))
        self.steps.append(Write(state.position, content, _mode(state.mode)))

    def _tell(self, state: HookState, action: Action, file: Path | None) -> None:
        self.actions.append(HookAction(state.hook, action, str(file) if file else ""))


def free_name(path: Path, suffix: str) -> Path:
    """Return a neighbour of `path` that does not exist: `path.suffix`, `path.suffix-2`, …"""
    first = path.with_name(f"{path.name}.{suffix}")
    more = (path.with_name(f"{first.name}-{number}") for number in count(2))
    return next(name for name in chain([first], more) if not os.path.lexists(name))


def _mode(before: int | None) -> int:
    """Return the dispatcher's mode: as readable as the hook that it stands for."""
    if before is not None and before & 0o111:
        return before & 0o777 | 0o500
    umask = os.umask(0o077)
    os.umask(umask)
    return 0o777 & ~umask | 0o700
