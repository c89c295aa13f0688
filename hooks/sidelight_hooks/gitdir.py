"""Find the git directory of a running hook without starting git. Reads two small files at most.

git starts hooks at the worktree's root, so one look usually does; `None` means "ask git".
"""

# No pathlib: importing it costs 8 ms, as much as all the rest of a hook that skips.
# ruff: noqa: PTH110, PTH112, PTH118, PTH123

from __future__ import annotations

import os
from collections.abc import Mapping

INDEX_FOLDER = "sidelight"  # as `sidelight.indexing.place`, which is too heavy to import here


def find_git_dirs(cwd: str, env: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the git directories for a hook that runs in `cwd`, or None if a look does not tell.

    The first is this worktree's own, the second the one that all worktrees share. GIT_DIR wins, as
    it does for git (it is set for `git --git-dir=… commit`, and by `clone`).
    """
    named = env.get("GIT_DIR")
    own = os.path.join(cwd, named) if named else _beside(cwd)
    if own is None or not os.path.exists(os.path.join(own, "HEAD")):
        return None
    common = _first_line(os.path.join(own, "commondir"), "")
    return own, os.path.normpath(os.path.join(own, common)) if common else own


def head_commit(own: str, common: str) -> str | None:
    """Return HEAD's commit if its files tell it plainly; None means "ask git".

    A branch that was just committed to has a file of its own, whatever is packed.
    """
    head = _first_line(os.path.join(own, "HEAD"), "")
    if head.startswith("ref: refs/heads/"):
        head = _first_line(os.path.join(common, head.removeprefix("ref: ")), "")
    is_id = len(head) in (40, 64) and not head.strip("0123456789abcdef")
    return head if is_id else None


def view_name(own: str, common: str) -> str:
    """Return the view of a worktree, as `sidelight.indexing.place.worktree_view` names it."""
    parent, name = os.path.split(os.path.normpath(own))
    linked = parent == os.path.join(os.path.normpath(common), "worktrees")
    return f"worktree/{name}" if linked else "worktree/"


def _beside(cwd: str) -> str | None:
    place = os.path.join(cwd, ".git")
    if os.path.isdir(place):
        return place
    target = _first_line(place, "gitdir: ")  # linked worktrees and submodules
    return os.path.join(cwd, target) if target else None


def _first_line(path: str, prefix: str) -> str:
    """Return what follows `prefix` in a file of one path (which may hold line ends), or ""."""
    try:
        with open(path, "rb") as file:
            text = os.fsdecode(file.read(65_536)).removesuffix("\n").removesuffix("\r")
    except OSError:
        return ""
    return text.removeprefix(prefix) if text.startswith(prefix) else ""
