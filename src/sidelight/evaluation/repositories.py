"""Find the evaluated repositories below one folder. Reads only names, never objects."""

from __future__ import annotations

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
