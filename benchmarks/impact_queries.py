"""Questions about impact, made of the cases of changed files: what is shown, what is to be found.

Two methods. `OWN` is that of code-review-graph's co-change measurement: one changed file is shown,
all other files of the commit are wanted (here: that were there before, since no list can name the
others). `CASES` is that of `sidelight eval`: the shown part, and the case's source and test files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.repositories import git

OWN, CASES = "one file, all others", "shown part, source and tests"
CODE = (".py", ".go", ".java", ".js", ".ts", ".rs", ".rb")
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ImpactQuery:
    """A part of `base..head`, and the other files that the commit changed."""

    case: str
    method: str
    base: str
    head: str
    title: str
    seed: tuple[str, ...]
    wanted: frozenset[str]


def read_cases(file: Path, limit: int | None) -> list[dict[str, Any]]:
    """Return the cases of a file; of more than `limit`, so many that lie evenly apart."""
    cases = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    return cases if limit is None else evenly(cases, limit)


def evenly(items: Sequence[Item], n: int) -> list[Item]:
    """Return `n` items that lie evenly apart, or all of them."""
    if n >= len(items):
        return list(items)
    return [items[(2 * i + 1) * len(items) // (2 * n)] for i in range(n)]


def queries_of(case: Mapping[str, Any], changed: Sequence[str]) -> list[ImpactQuery]:
    """Return the case by both methods; `changed` are the paths of base that the commit changed.

    The one file is the first by name of the case's own: source or tests, for a graph of code has no
    other. A method with nothing to be found is left out.
    """
    own = sorted({*case["focal"], *(target["path"] for target in case["relevant"])})
    first = own[0]
    shown = tuple(case["focal"])
    pairs = (
        (OWN, (first,), frozenset(changed) - {first}),
        (CASES, shown, frozenset(own) - set(shown)),
    )
    return [
        ImpactQuery(case["id"], method, case["base"], case["head"], case["title"], seed, wanted)
        for method, seed, wanted in pairs
        if wanted
    ]


def changed_paths(mirror: Path, base: str, head: str) -> list[str]:
    """Return the files of base that head has not, or has otherwise."""
    words = ["diff", "--name-only", "--no-renames", "--diff-filter=MDT", "-z", base, head]
    return [path for path in git(None, f"--git-dir={mirror}", *words).split("\0") if path]


def two_file_commits(log: str, n: int) -> list[tuple[str, tuple[str, str]]]:
    """Return the first `n` commits of a log that change two files of code and nothing else.

    The log is of `git log --format=%x01%H --name-status`. Added, removed and renamed files do not
    count as changed.
    """
    found: list[tuple[str, tuple[str, str]]] = []
    for record in log.split("\x01")[1:]:
        commit, *rows = [line for line in record.splitlines() if line]
        changes = [row.split("\t") for row in rows]
        if len(changes) == 2 and all(
            kind == "M" and path.endswith(CODE) for kind, path, *_ in changes
        ):
            found.append((commit, (changes[0][1], changes[1][1])))
        if len(found) == n:
            break
    return found
