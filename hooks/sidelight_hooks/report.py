"""What installing and uninstalling did. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sidelight_hooks.place import Via


class Action(StrEnum):
    """What became of one hook."""

    INSTALLED = "installed"
    UPDATED = "updated"  # an older version of ours, or another interpreter
    UNCHANGED = "unchanged"
    EDITED = "edited"  # ours, but somebody changed it: left as it is
    REPLACED = "replaced"  # edited, and written anew because of --force; a copy is kept
    REMOVED = "removed"  # nothing was here before
    RESTORED = "restored"  # what was here before is back
    ABSENT = "absent"  # nothing of ours is here
    FOREIGN = "foreign"  # another program wrote over ours; nothing was touched


@dataclass(frozen=True, slots=True)
class HookAction:
    """One hook, and the file it is about: the kept hook, a copy, or "" if there is none."""

    hook: str
    action: Action
    file: str = ""


@dataclass(frozen=True, slots=True)
class HooksReport:
    """What was done in which folder; `notes` are sentences that the user should read."""

    folder: Path
    via: Via
    actions: tuple[HookAction, ...]
    notes: tuple[str, ...] = ()
