"""The public repositories that are measured, and how a commit of one becomes a clone of ours.

Nothing is downloaded here: whoever runs the benchmarks mirrors them once, outside the project.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sidelight.evaluation.repositories import find_git_dir


@dataclass(frozen=True, slots=True)
class Pinned:
    """A repository at a commit."""

    name: str
    commit: str

    @property
    def label(self) -> str:
        """The name with the abbreviated commit."""
        return f"{self.name}@{self.commit[:10]}"


GIN = Pinned("gin-gonic/gin", "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9")  # 130 files
FLASK = Pinned("pallets/flask", "2ac89889f4cc330eabd50f295dcef02828522c69")  # 236 files
GSON = Pinned("google/gson", "9835b6f90192f79cdf5300c528fc6212455fb6c1")  # 313 files
PYTEST = Pinned("pytest-dev/pytest", "df87db7b0462fb764ef73fa00561adf8ad047572")  # 680 files
NETTY = Pinned("netty/netty", "a64a7eb39db8a7a2f5087407427112152d45eacd")  # 3,150 files


def find_mirror(root: Path | None, pinned: Pinned) -> Path | None:
    """Return the git directory of a mirror below `root` that has the commit, or None."""
    found = find_git_dir(root, pinned.name) if root is not None else None
    if found is None:
        return None
    words = ["git", f"--git-dir={found}", "cat-file", "-e", f"{pinned.commit}^{{commit}}"]
    done = subprocess.run(words, capture_output=True, check=False)
    return found if done.returncode == 0 else None


def how_to_mirror(pinned: Pinned) -> str:
    """Return the command that makes the mirror which is missing."""
    return (
        f"git clone --mirror https://github.com/{pinned.name} DIR/{pinned.name}.git"
        f"   (for commit {pinned.commit[:10]}; then --repos DIR)"
    )


def clone_at(mirror: Path, commit: str, target: Path) -> Path:
    """Return a fresh clone at `target` with the commit checked out on branch `main`."""
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    git(None, "init", "-q", "-b", "main", str(target))
    alternates = target / ".git" / "objects" / "info" / "alternates"
    alternates.write_text(f"{(mirror / 'objects').resolve()}\n", "utf-8")
    git(target, "reset", "-q", "--hard", commit)
    return target


def git(folder: Path | None, *words: str, stdin: bytes | None = None) -> str:
    """Return what git prints; hooks and the user's configuration play no part.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    place = [] if folder is None else ["-C", str(folder)]
    settings = ["-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "commit.gpgSign=false"]
    author = ["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid"]
    done = subprocess.run(
        ["git", *place, *settings, *author, *words],
        check=True,
        stdout=subprocess.PIPE,
        input=stdin,
    )
    return done.stdout.decode("utf-8", "replace").strip()
