"""Precision and recall of symbols, references and imports on hand-checked files of public code.

    python -m benchmarks.parsing_accuracy --repos DIR [--misses]

The expectations are in evaluation/parsing/; the repositories are read with git, never written.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sidelight.errors import SidelightError
from sidelight.evaluation.repositories import find_git_dir
from sidelight.git.repository import open_repository
from sidelight.parsing import parse

EXPECTATIONS = Path(__file__).resolve().parent.parent / "evaluation" / "parsing"
FACTS = ("symbols", "references", "imports")


@dataclass
class Tally:
    """Facts that were found and expected, found at all, and expected at all."""

    right: int = 0
    found: int = 0
    expected: int = 0

    def add(self, found: Counter[Hashable], expected: Counter[Hashable]) -> None:
        """Count one file."""
        self.right += (found & expected).total()
        self.found += found.total()
        self.expected += expected.total()

    def __str__(self) -> str:
        if not self.found and not self.expected:
            return "–"
        precision = self.right / self.found if self.found else 0.0
        recall = self.right / self.expected if self.expected else 0.0
        return f"{precision:.3f} {recall:.3f} ({self.expected})"


@dataclass
class Row:
    """One language's line of the table."""

    files: int = 0
    tallies: dict[str, Tally] = field(default_factory=lambda: {fact: Tally() for fact in FACTS})


def main() -> int:
    """Print the table; return 1 if a file could not be read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repos", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--misses", action="store_true", help="list each difference")
    options = parser.parse_args()
    rows: defaultdict[str, Row] = defaultdict(Row)
    absent = 0
    for file in sorted(EXPECTATIONS.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            case = json.loads(line)
            try:
                found = read_facts(case, options.repos)
            except SidelightError as error:
                sys.stderr.write(f"{case['repo']}: {error.message}\n")
                absent += 1
                continue
            name = case["language"] + (" (held out)" if case.get("held_out") else "")
            count(rows[name], case, found, options.misses)
    render(rows)
    return 1 if absent else 0


def read_facts(case: dict[str, Any], repos: Path) -> dict[str, Counter[Hashable]]:
    """Return what the parser says about the file, within the lines that were read."""
    git_dir = find_git_dir(repos, case["repo"])
    if git_dir is None:
        raise SidelightError(f"not below {repos}")
    repo = open_repository(git_dir)
    source = repo.run(["cat-file", "blob", f"{case['commit']}:{case['path']}"])
    parsed = parse(source, case["language"])
    first, last = case.get("lines") or (1, len(source))
    return {
        "symbols": Counter(
            (symbol.qualified_name, symbol.kind.value, symbol.span.start_line)
            for symbol in parsed.symbols
            if first <= symbol.span.start_line <= last
        ),
        "references": Counter(
            (use.name, use.kind.value, use.span.start_line)
            for use in parsed.references
            if first <= use.span.start_line <= last
        ),
        "imports": Counter(
            (item.module, tuple(sorted(name.name for name in item.names)))
            for item in parsed.imports
            if first <= item.span.start_line <= last
        ),
    }


def count(
    row: Row, case: dict[str, Any], found: dict[str, Counter[Hashable]], misses: bool
) -> None:
    """Add one file to its language's line."""
    expected = {
        "symbols": Counter(tuple(item) for item in case["symbols"]),
        "references": Counter(tuple(item) for item in case["references"]),
        "imports": Counter(
            (module, tuple(sorted(re.split(" as |=", name)[0] for name in names)))
            for module, names, *_ in case["imports"]
        ),
    }
    row.files += 1
    for fact in FACTS:
        row.tallies[fact].add(found[fact], expected[fact])
        if misses:
            show(case["path"], "missed", expected[fact] - found[fact])
            show(case["path"], "wrong", found[fact] - expected[fact])


def show(path: str, what: str, facts: Counter[Hashable]) -> None:
    """List differences of one file."""
    for fact in sorted(facts.elements(), key=str):
        sys.stdout.write(f"{what} {path}: {fact}\n")


def render(rows: dict[str, Row]) -> None:
    """Print the table: precision, recall, and how many were expected."""
    lines = [("language", "files", *FACTS)]
    lines += [
        (name, str(row.files), *(str(row.tallies[fact]) for fact in FACTS))
        for name, row in sorted(rows.items())
    ]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    sys.stdout.write("precision, recall (expected)\n")
    for line in lines:
        sys.stdout.write("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + "\n")


if __name__ == "__main__":
    sys.exit(main())
