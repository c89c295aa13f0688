"""Find the evaluated repositories below one folder. Reads only names, never objects."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


def find_git_dir(root: Path, repo: str) -> Path | None:
    """Return the git directory of `owner/name` below `root`, or None.

    Looked for are `owner/name`, `owner+name` and `owner/name.git`, each being a git directory or
    worktree itself or holding one as `.git`, `repo` or `repo/.git`. Folders above `root` are not
    searched, so that a missing repository is never taken for the one around it.
    """
    for base in (root / repo, root / repo.replace("/", "+"), root / f"{repo}.git"):
        for path in (base / ".git", base, base / "repo" / ".git", base / "repo"):
            if is_git_dir(path):
                return path
    return None


def is_git_dir(path: Path) -> bool:
    """Return whether the folder has what git asks of a git directory: HEAD, objects and refs."""
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


@dataclass(frozen=True, slots=True)
class Repositories:
    """Where evaluated repositories are: below the folder `root`, or all cases are of `only`."""

    root: Path | None = None
    only: Path | None = None

    def find(self, repo: str) -> Path | None:
        """Return the git directory of `owner/name`, or None."""
        if self.only is not None:
            return self.only
        return None if self.root is None else find_git_dir(self.root, repo)

    def __str__(self) -> str:
        """Return the place as messages name it."""
        return str(self.only if self.only is not None else self.root)
