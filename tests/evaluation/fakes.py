"""An engine whose answers are written down beforehand, and builders for cases. No repository."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sidelight.errors import GitError, UsageError
from sidelight.evaluation.cases import QuestionCase, Target, parse_case
from sidelight.evaluation.metrics import RankedSpan
from sidelight.evaluation.ports import QUESTION, Progress, Query, Question, Ranking, TreeInfo

BASE = "a" * 40


def record(case_id: str = "q-1", **changes: Any) -> dict[str, Any]:
    """Return a question case as a case file has it; None removes a field."""
    value: dict[str, Any] = {
        "id": case_id,
        "repo": "owner/name",
        "language": "python",
        "task": "question",
        "base": BASE,
        "query": "where are retries handled",
        "relevant": [{"path": "retry.py"}],
    }
    value |= changes
    return {name: item for name, item in value.items() if item is not None}


def diff_record(case_id: str = "d-1", **changes: Any) -> dict[str, Any]:
    """Return a diff case as a case file has it."""
    extra = {"task": "diff", "head": "b" * 40, "title": "Fix it", "focal": ["a.py"], "query": None}
    return record(case_id, **(extra | changes))


def line(value: dict[str, Any]) -> bytes:
    """Return the record as one line of a case file."""
    return json.dumps(value).encode()


def question(case_id: str = "q-1", **changes: Any) -> QuestionCase:
    """Return a parsed question case."""
    case = parse_case(line(record(case_id, **changes)))
    assert isinstance(case, QuestionCase)
    return case


def span(path: str, start: int = 1, end: int = 10, alike: tuple[str, ...] = ()) -> RankedSpan:
    """Return a hit."""
    return RankedSpan(path.encode(), start, end, tuple(p.encode() for p in alike))


def target(path: str, *lines: tuple[int, int]) -> Target:
    """Return a target of a case."""
    return Target(path.encode(), lines)


def fake_repository(root: Path, repo: str) -> Path:
    """Make what looks like a git directory at `root/owner/name`; return it."""
    git_dir = root / repo
    for name in ("objects", "refs"):
        (git_dir / name).mkdir(parents=True)
    (git_dir / "HEAD").write_text("ref: refs/heads/main\n")
    return git_dir


@dataclass
class FakeEngine:
    """Answers every query with `hits`, or fails where told; remembers what it was asked."""

    hits: tuple[RankedSpan, ...] = (RankedSpan(b"retry.py", 1, 9),)
    modes: frozenset[str] = frozenset({"hybrid", "bm25"})
    answers: frozenset[str] = frozenset({QUESTION})
    settings: str = "one"
    missing_commits: frozenset[str] = frozenset()
    refused_queries: frozenset[str] = frozenset()
    interrupt_at: int = 0  # raise KeyboardInterrupt instead of the n-th answer
    opened: list[tuple[str, str]] = field(default_factory=list)
    asked: list[tuple[Query, str]] = field(default_factory=list)
    stores: set[Path] = field(default_factory=set)

    def tasks(self, mode: str) -> frozenset[str]:
        return self.answers if mode in self.modes else frozenset()

    def fingerprint(self, mode: str) -> str:
        return f"{self.settings}-{mode}"

    @contextmanager
    def open_tree(
        self, git_dir: Path, commit: str, store_dir: Path, progress: Progress
    ) -> Iterator[FakeTree]:
        if commit in self.missing_commits:
            raise GitError(f"no commit {commit[:7]}")
        progress("read", 1, 1)
        self.opened.append((git_dir.name, commit))
        self.stores.add(store_dir)
        yield FakeTree(self)


@dataclass
class FakeTree:
    """One opened tree of the fake engine."""

    engine: FakeEngine

    @property
    def info(self) -> TreeInfo:
        return TreeInfo(3, 12, 0.5)

    def ask(self, query: Query, *, mode: str, k: int) -> Ranking:
        engine = self.engine
        if isinstance(query, Question) and query.text in engine.refused_queries:
            raise UsageError("the query is empty")
        if engine.interrupt_at and len(engine.asked) + 1 == engine.interrupt_at:
            raise KeyboardInterrupt
        engine.asked.append((query, mode))
        return Ranking(engine.hits[:k], 2.0)
