"""What stands in a hooks folder, hook by hook. Only looks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sidelight_hooks.dispatcher import Found, parse_dispatcher
from sidelight_hooks.managers import PRE_COMMIT, Manager, recognise
from sidelight_hooks.place import HooksPlace

MAX_HOOK_BYTES = 1_000_000  # only the text of small files is looked at; a binary can be large


class Occupant(StrEnum):
    """What has the name at which our dispatcher stands, or would stand."""

    NOTHING = "nothing"
    OURS = "ours"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class HookState:
    """One hook of a folder.

    `position` is where our dispatcher stands or would stand: the hook itself, or, if that is the
    pre-commit program's, its `.legacy` neighbour, which pre-commit runs first and leaves alone.
    `kept` is where the hook that was here before lies or would lie.
    """

    hook: str
    position: Path
    occupant: Occupant
    kept: Path
    found: Found | None = None
    mode: int | None = None
    manager: Manager | None = None

    @property
    def has_kept(self) -> bool:
        """Whether an earlier hook lies in its place."""
        return os.path.lexists(self.kept)

    @property
    def is_chained(self) -> bool:
        """Whether we stand behind the pre-commit program."""
        return self.position.name != self.hook and self.manager is PRE_COMMIT


def observe_hook(place: HooksPlace, hook: str) -> HookState:
    """Return what stands at a hook's name."""
    main = place.folder / hook
    content = _content(main)
    manager = recognise(content) if content and parse_dispatcher(content) is None else None
    position = main.with_name(f"{hook}.legacy") if manager is PRE_COMMIT else main
    if position != main:
        content = _content(position)
    kept = place.kept / position.name
    if not os.path.lexists(position):
        return HookState(hook, position, Occupant.NOTHING, kept, manager=manager)
    found = parse_dispatcher(content) if content and not position.is_symlink() else None
    if found is None or found.dispatcher.hook != hook:
        return HookState(
            hook, position, Occupant.OTHER, kept, mode=_mode(position), manager=manager
        )
    if found.dispatcher.kept:
        kept = place.folder.parent / found.dispatcher.kept
    return HookState(hook, position, Occupant.OURS, kept, found, _mode(position), manager)


def kept_manager(state: HookState) -> Manager | None:
    """Return the program that wrote the hook which the dispatcher runs first, if we know it."""
    content = _content(state.kept) if state.has_kept else None
    return recognise(content) if content else None


def leftover(place: HooksPlace, hook: str) -> Path | None:
    """Return our own dispatcher at the name to which lefthook moves what it finds, if it is there.

    lefthook refuses to work when it finds that name taken.
    """
    path = place.folder / f"{hook}.old"
    found = parse_dispatcher(_content(path) or b"")
    return path if found is not None and found.intact and found.dispatcher.hook == hook else None


def _content(path: Path) -> bytes | None:
    try:
        if path.is_file() and path.stat().st_size <= MAX_HOOK_BYTES:
            return path.read_bytes()
    except OSError:
        return None
    return None


def _mode(path: Path) -> int | None:
    return path.stat().st_mode & 0o7777 if path.exists() else None
