"""The entry point that the lab's hooks start: the real one, with a refresh that only counts.

Light, because it is started hundreds of times; what it writes is read by `lab.Lab.calls`.
"""

# ruff: noqa: ARG002, PLC0415, PTH110, PTH118, PTH123

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

from sidelight_hooks.main import main as hook_main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sidelight.git.repository import Repository

WORDS_BEFORE = 6  # the options and code with which a dispatcher starts its interpreter


class FakeReport:
    """What the fake refresh tells."""

    state = "current"
    embedded = 0
    pending = 0
    seconds = 0.0

    def __init__(self, changed_files: int) -> None:
        self.changed_files = changed_files


class CountingRefresh:
    """Stands for the core: writes down each call, and remembers the last tree of each worktree."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(
        self,
        repo: Repository,
        *,
        wait: bool,
        deadline_s: float | None = None,
        log: Callable[[str], None] | None = None,
    ) -> FakeReport:
        tree = repo.head_tree() or "none"
        view = repo.worktree_name or "main"
        last = f"last-{view}"
        is_new = self.read(last) != tree
        self.write(last, tree)
        self.write("calls", f"{tree} {is_new:d} {deadline_s is not None:d} {view}\n", "a")
        if deadline_s is not None:
            misbehave(self.read("mode"))
        return FakeReport(int(is_new))

    def read(self, name: str) -> str:
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return ""
        with open(path) as file:
            return file.read()

    def write(self, name: str, text: str, mode: str = "w") -> None:
        with open(os.path.join(self.folder, name), mode) as file:
            file.write(text)


def misbehave(mode: str) -> None:
    """Do what a test asked for instead of returning."""
    from sidelight.errors import IndexBusyError, StorageError

    if mode == "hang":
        time.sleep(600)
    if mode == "fail":
        raise StorageError("the disk is full", hint="make room")
    if mode == "busy":
        raise IndexBusyError("another refresh is at work")
    if mode == "crash":
        raise ZeroDivisionError("a mistake of ours")


def main(folder: str) -> int:
    """Run the real entry point with the counting refresh; without words, only prove to work."""
    words = sys.argv[1:]
    if not words:
        return 0
    again = (os.path.join(folder, "python"), *["-"] * WORDS_BEFORE)
    return hook_main(words, refresh=CountingRefresh(folder), again=again)
