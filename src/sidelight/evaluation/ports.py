"""What the runner needs of whatever is evaluated. Only types: every engine is an adapter elsewhere.

`engine.py` adapts Sidelight's own search, `changes.py` its ranking for a diff; `baseline.py` is the
textbook that both are compared with.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sidelight.evaluation.cases import Case, QuestionCase
from sidelight.evaluation.metrics import RankedSpan

Progress = Callable[[str, int, int], None]  # stage, done, total
QUESTION, DIFF = "question", "diff"  # the tasks of cases


@dataclass(frozen=True, slots=True)
class Question:
    """What an engine sees of a question: never its answers. `root`: search this folder only."""

    text: str
    root: bytes | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What an engine sees of a diff case: the part `focal` of base..head, to be ranked over the
    tree of `base`. Nothing else of head may be read, and of history only the ancestors of base."""

    base: str
    head: str
    title: str
    focal: tuple[bytes, ...]


Query = Question | Change


def query_of(case: Case) -> Query:
    """Return the case without its answers."""
    if isinstance(case, QuestionCase):
        return Question(case.query, case.root)
    return Change(case.base, case.head, case.title, case.focal)


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

    def ask(self, query: Query, *, mode: str, k: int) -> Ranking:
        """Return at most `k` hits for a question or a change; the focal files are no hits.

        Raises:
            SidelightError: this query cannot be answered; others may be.
        """
        ...


class Engine(Protocol):
    """Something that indexes trees and answers queries in one or more modes."""

    def tasks(self, mode: str) -> frozenset[str]:
        """Return the tasks that it answers in this mode (`QUESTION`, `DIFF`)."""
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
