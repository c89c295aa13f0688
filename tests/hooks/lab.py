"""A repository with our hooks installed, whose refresh only counts, for tests with real git.

The hooks start `lab.python`, a shell script that stands for the interpreter: it starts the real one
with `counting.main`, which runs the real entry point with a refresh that only counts. Every call of
it is one of `lab.calls()`.
"""

from __future__ import annotations

import os
import shlex
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from helpers.gitrepo import GitRepo
from hooks.counting import WORDS_BEFORE
from sidelight.git.repository import Repository, open_repository
from sidelight_hooks.install import install_hooks
from sidelight_hooks.interpreter import OPTIONS
from sidelight_hooks.report import HooksReport

TESTS = Path(__file__).resolve().parents[1]
OURS = ("post-commit", "post-merge", "post-checkout", "post-rewrite", "post-applypatch")


@dataclass(frozen=True)
class Call:
    """One call of the refresh: the tree, whether that was news, and whether time was bounded."""

    tree: str
    is_new: bool
    is_bounded: bool
    view: str


@dataclass
class Lab:
    """A repository, the folder in which calls are counted, and the interpreter that counts."""

    repo: GitRepo
    folder: Path
    python: Path

    @classmethod
    def around(cls, repo: GitRepo, folder: Path) -> Lab:
        """Return a lab for a repository; nothing is installed yet."""
        folder.mkdir(parents=True)
        python = folder / "python"
        code = f"import sys; sys.path.insert(0, {str(TESTS)!r})\n"
        code += f"from hooks.counting import main; raise SystemExit(main({str(folder)!r}))"
        words = [sys.executable, *OPTIONS, "-c", code]
        write_script(python, f'#!/bin/sh\nshift {WORDS_BEFORE}\nexec {shlex.join(words)} "$@"\n')
        return cls(repo, folder, python)

    @property
    def opened(self) -> Repository:
        """The repository as the code under test sees it."""
        return open_repository(self.repo.path)

    @property
    def index(self) -> Path:
        """The folder of the index."""
        return self.opened.common_dir / "sidelight"

    def install(self, **options: object) -> HooksReport:
        """Install the hooks with the counting interpreter, and make the folder of an index."""
        self.index.mkdir(exist_ok=True)
        return install_hooks(self.opened, python=str(self.python), **options)  # type: ignore[arg-type]

    def calls(self) -> list[Call]:
        """Return the refreshes since the last question."""
        file = self.folder / "calls"
        if not file.exists():
            return []
        rows = [line.split() for line in file.read_text().splitlines()]
        file.unlink()
        return [Call(tree, new == "1", bounded == "1", view) for tree, new, bounded, view in rows]

    def misbehave(self, mode: str) -> None:
        """Make every following refresh `hang`, `fail`, be `busy` or `crash`; "" is well again."""
        (self.folder / "mode").write_text(mode)

    def log(self) -> str:
        """Return the hooks' log."""
        path = self.index / "hook.log"
        return path.read_text() if path.exists() else ""


def write_script(path: Path, text: str, mode: int = 0o755) -> Path:
    """Write an executable file, byte for byte."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(mode)
    return path


def snapshot(*folders: Path) -> dict[str, tuple[str, bytes]]:
    """Return every file, link and folder below `folders` with its mode and content."""
    found: dict[str, tuple[str, bytes]] = {}
    for folder in folders:
        for place in sorted([folder, *folder.rglob("*")]) if folder.exists() else []:
            mode = stat.filemode(place.lstat().st_mode)
            if place.is_symlink():
                found[str(place)] = (mode, os.fsencode(place.readlink()))
            else:
                found[str(place)] = (mode, place.read_bytes() if place.is_file() else b"")
    return found
