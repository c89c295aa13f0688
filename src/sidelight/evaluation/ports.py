"""What the runner needs of whatever is evaluated. Only types: every engine is an adapter elsewhere.

`engine.py` adapts Sidelight's own search; `baseline.py` the textbook it is compared with.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sidelight.evaluation.metrics import RankedSpan

Progress = Callable[[str, int, int], None]  # stage, done, total


@dataclass(frozen=True, slots=True)
class Ranking:
    """An answer: hits, best first, and the milliseconds from the question to it."""

    hits: tuple[RankedSpan, ...]
    query_ms: float


@dataclass(frozen=True, slots=True)
class TreeInfo:
    """What was indexed, and the seconds that it took (near 0 where it was known already)."""

    n_files: int
    n_chunks: int
    index_s: float


class OpenTree(Protocol):
    """One commit's tree, ready to be asked."""

    @property
    def info(self) -> TreeInfo:
        """Return the size of the index, and the time it took."""
        ...

    def ask(self, query: str, *, mode: str, k: int, root: bytes | None) -> Ranking:
        """Return at most `k` hits for the question, from the folder `root` only (None: anywhere).

        Raises:
            SidelightError: this question cannot be answered; others may be.
        """
        ...


class Engine(Protocol):
    """Something that indexes trees and answers questions in one or more modes."""

    @property
    def modes(self) -> frozenset[str]:
        """Return the modes that it offers."""
        ...

    def fingerprint(self, mode: str) -> str:
        """Return a short text that changes with everything that may change this mode's answers."""
        ...

    def open_tree(
        self, git_dir: Path, commit: str, store_dir: Path, progress: Progress
    ) -> AbstractContextManager[OpenTree]:
        """Return the commit's tree, indexed in `store_dir`, which all trees of a repository share.

        Nothing is written below `git_dir` or into a worktree.

        Raises:
            SidelightError: the commit is absent, or cannot be indexed.
        """
        ...
