"""Uninstall the hooks: put back what was there before, and lose nothing that was changed since."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sidelight.git.repository import Repository
from sidelight_hooks import confighooks
from sidelight_hooks.events import HOOKS
from sidelight_hooks.install import free_name
from sidelight_hooks.observe import HookState, Occupant, leftover, observe_hook
from sidelight_hooks.place import HooksPlace, Origin, Via, find_hooks_place
from sidelight_hooks.report import Action, HookAction, HooksReport
from sidelight_hooks.steps import Move, Remove, RemoveDirectory, Step, apply_all


def uninstall_hooks(repo: Repository, *, hooks: Sequence[str] = HOOKS) -> HooksReport:
    """Remove our hooks and put back, byte for byte, what was there; return what was done.

    A dispatcher that somebody edited is kept beside as `HOOK.sidelight-edited`; a hook that another
    program wrote over ours stays.

    Raises:
        StorageError: a file cannot be written; nothing was changed.
        GitError: hooks are switched off by the configuration, or git refuses.
    """
    if confighooks.installed(repo):
        return confighooks.uninstall(repo, hooks)
    place = find_hooks_place(repo)
    steps: list[Step] = []
    actions: list[HookAction] = []
    notes: list[str] = []
    for hook in hooks:
        state = observe_hook(place, hook)
        more, action = _plan(state)
        copy = leftover(place, hook)
        steps += [*more, Remove(copy)] if copy is not None else more
        actions.append(action)
        if action.action is Action.FOREIGN:
            notes.append(
                f"another program wrote over our {hook} hook; the one from before us lies in "
                f"{state.kept}"
            )
        if action.action is Action.EDITED:
            notes.append(f"our {hook} hook had been edited: a copy is {action.file}")
    if steps:
        steps += _cleaning(place, {step.source for step in steps if isinstance(step, Move)})
    if steps and place.origin is Origin.SHARED:
        notes.append(f"{place.folder} served every repository with this core.hooksPath")
    apply_all(steps)
    return HooksReport(place.folder, Via.FILES, tuple(actions), tuple(notes))


def _plan(state: HookState) -> tuple[list[Step], HookAction]:
    restore: list[Step] = [Move(state.kept, state.position)] if state.has_kept else []
    done = Action.RESTORED if state.has_kept else Action.REMOVED
    if state.occupant is Occupant.OTHER:
        found = Action.FOREIGN if state.has_kept else Action.ABSENT
        return [], HookAction(state.hook, found, str(state.kept) if state.has_kept else "")
    if state.occupant is Occupant.NOTHING:  # ours was deleted, or we were killed between two steps
        return restore, HookAction(state.hook, done if restore else Action.ABSENT)
    if state.found is not None and not state.found.intact:
        copy = free_name(state.position, "sidelight-edited")
        return [Move(state.position, copy), *restore], HookAction(
            state.hook, Action.EDITED, str(copy)
        )
    return [Remove(state.position), *restore], HookAction(state.hook, done)


def _cleaning(place: HooksPlace, leaving: set[Path]) -> list[Step]:
    """Return the steps that remove the folder for kept hooks, if none stays there."""
    if not place.kept.is_dir():
        return []
    rest = [entry for entry in place.kept.iterdir() if entry not in leaving]
    if any(not _is_our_furniture(place, entry) for entry in rest):
        return []
    return [*(Remove(entry) for entry in sorted(rest)), RemoveDirectory(place.kept)]


def _is_our_furniture(place: HooksPlace, entry: Path) -> bool:
    if entry.is_symlink():
        return os.fsdecode(entry.readlink()) == f"../{place.folder.name}/{entry.name}"
    return entry.name == ".gitignore" and entry.read_bytes() == b"*\n"
