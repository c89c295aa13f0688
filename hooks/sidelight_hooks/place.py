"""Where a repository's hooks lie, and whose files lie there. Only looks."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sidelight.errors import GitError
from sidelight.git.repository import Repository

KEPT_SUFFIX = ".before-sidelight"
CONFIG_FOLDER = "sidelight-hooks"  # in the common git directory; not in the index's own folder
CONFIG_HOOKS_SINCE = (2, 54)  # git's `hook.<name>.event` and `hook.<name>.command`


class Origin(StrEnum):
    """Whose folder the hooks lie in."""

    REPOSITORY = "repository"  # git's own place, `hooks` in the git directory
    WORKTREE = "worktree"  # among the user's files (core.hooksPath or a link)
    SHARED = "shared"  # outside the repository: every repository with this setting uses it


class Via(StrEnum):
    """How a hook of ours is started."""

    FILES = "files"
    CONFIG = "config"


@dataclass(frozen=True, slots=True)
class HooksPlace:
    """The hooks folder of a repository, by its real path; it need not exist.

    `kept` is the folder beside it for the hooks that were there before: a neighbour, because then
    their own names, relative links and `$(dirname "$0")/..` stay right.
    `ignored` says that git ignores the folder's files (husky's `.husky/_`).
    """

    folder: Path
    origin: Origin
    ignored: bool = False

    @property
    def kept(self) -> Path:
        """The folder for the hooks that were here before."""
        return self.folder.with_name(self.folder.name + KEPT_SUFFIX)


def find_hooks_place(repo: Repository) -> HooksPlace:
    """Return where git looks for this repository's hooks, whatever the configuration says.

    Raises:
        GitError: hooks are switched off there (`core.hooksPath` is empty or no folder).
    """
    folder = Path(os.path.realpath(repo.hooks_path()))
    if folder.exists() and not folder.is_dir():
        raise GitError(
            f"hooks are switched off here: core.hooksPath is {folder}, which is no folder",
            hint="git config --show-origin core.hooksPath shows where that is set",
        )
    common = Path(os.path.realpath(repo.common_dir))
    if folder.is_relative_to(common) or folder.is_relative_to(os.path.realpath(repo.git_dir)):
        return HooksPlace(folder, Origin.REPOSITORY)
    if repo.worktree and folder.is_relative_to(os.path.realpath(repo.worktree)):
        return HooksPlace(folder, Origin.WORKTREE, ignored=_is_ignored(repo, folder))
    if common.name == ".git" and folder.is_relative_to(common.parent):
        return HooksPlace(folder, Origin.WORKTREE)  # the main worktree's, seen from a linked one
    return HooksPlace(folder, Origin.SHARED)


def git_version(repo: Repository) -> tuple[int, int]:
    """Return the first two numbers of git's version."""
    found = re.search(rb"(\d+)\.(\d+)", repo.run(["version"]))
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _is_ignored(repo: Repository, folder: Path) -> bool:
    """Return whether a new file in the folder would be ignored, and none there is tracked."""
    name = os.fsencode(folder / "post-commit")
    ignored = repo.try_run(["check-ignore", "--quiet", "--no-index", "--", name]).returncode == 0
    pathspec = b":(literal)" + os.fsencode(folder)
    return ignored and not repo.run(["ls-files", "-z", "--", pathspec])
