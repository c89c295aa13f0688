"""Hooks by configuration (git 2.54): nothing of the user's is moved or written over.

`hook.sidelight-HOOK.event` names the event, `.command` starts our dispatcher, which lies in the
common git directory. The command finds it from there, so that the repository can be moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sidelight.git.repository import Repository
from sidelight_hooks.dispatcher import Dispatcher, parse_dispatcher, render_dispatcher
from sidelight_hooks.events import HOOKS
from sidelight_hooks.place import CONFIG_FOLDER, Via
from sidelight_hooks.report import Action, HookAction, HooksReport
from sidelight_hooks.steps import (
    MakeDirectory,
    Remove,
    RemoveDirectory,
    Step,
    Undo,
    Write,
    apply_all,
)

_COMMAND = (
    'f=$(git rev-parse --git-common-dir)/{folder}/{hook}; [ ! -f "$f" ] || sh "$f"'  # git adds "$@"
)


@dataclass(frozen=True, slots=True)
class _Configure:
    """Set one variable of the repository's own configuration, or (None) unset it."""

    repo: Repository
    name: str
    value: str | None

    def apply(self) -> Undo:
        before = _read(self.repo, self.name)
        _write(self.repo, self.name, self.value)
        return lambda: _write(self.repo, self.name, before)


def folder_of(repo: Repository) -> Path:
    """Return where our dispatchers lie for hooks by configuration."""
    return repo.common_dir / CONFIG_FOLDER


def installed(repo: Repository) -> tuple[str, ...]:
    """Return the hooks that this repository's configuration starts."""
    if not folder_of(repo).is_dir():
        return ()  # spares a process for each hook
    return tuple(hook for hook in HOOKS if _read(repo, _name(hook, "command")) is not None)


def install(repo: Repository, hooks: Sequence[str], python: str) -> HooksReport:
    """Install hooks by configuration; see `install.install_hooks`."""
    folder = folder_of(repo)
    before = installed(repo)
    steps: list[Step] = [MakeDirectory(folder)]
    actions: list[HookAction] = []
    for hook in hooks:
        content = render_dispatcher(Dispatcher(hook, python))
        path = folder / hook
        current = path.read_bytes() if path.is_file() else None
        command = _COMMAND.format(folder=CONFIG_FOLDER, hook=hook)
        if hook in before and current == content:
            actions.append(HookAction(hook, Action.UNCHANGED))
            continue
        steps += [
            Write(path, content, 0o755),
            _Configure(repo, _name(hook, "event"), hook),
            _Configure(repo, _name(hook, "command"), command),
        ]
        actions.append(HookAction(hook, Action.UPDATED if hook in before else Action.INSTALLED))
    apply_all(steps)
    return HooksReport(folder, Via.CONFIG, tuple(actions))


def uninstall(repo: Repository, hooks: Sequence[str]) -> HooksReport:
    """Remove hooks by configuration; see `uninstall.uninstall_hooks`."""
    folder = folder_of(repo)
    before = installed(repo)
    steps: list[Step] = []
    actions: list[HookAction] = []
    for hook in hooks:
        if hook not in before:
            actions.append(HookAction(hook, Action.ABSENT))
            continue
        steps += [_Configure(repo, _name(hook, key), None) for key in ("command", "event")]
        path = folder / hook
        found = parse_dispatcher(path.read_bytes()) if path.is_file() else None
        if found is not None and found.intact:
            steps.append(Remove(path))
        edited = path.is_file() and not (found and found.intact)  # stays, and is not run
        actions.append(
            HookAction(hook, Action.EDITED, str(path))
            if edited
            else HookAction(hook, Action.REMOVED)
        )
    leaving = {step.path for step in steps if isinstance(step, Remove)}
    if folder.is_dir() and all(entry in leaving for entry in folder.iterdir()):
        steps.append(RemoveDirectory(folder))
    apply_all(steps)
    return HooksReport(folder, Via.CONFIG, tuple(actions))


def _name(hook: str, key: str) -> str:
    return f"hook.sidelight-{hook}.{key}"


def _read(repo: Repository, name: str) -> str | None:
    done = repo.try_run(["config", "--local", "--get", name])
    return done.stdout.decode().removesuffix("\n") if done.returncode == 0 else None


def _write(repo: Repository, name: str, value: str | None) -> None:
    if value is not None:
        repo.run(["config", "--local", name, value])
    elif _read(repo, name) is not None:
        repo.run(["config", "--local", "--unset-all", name])
