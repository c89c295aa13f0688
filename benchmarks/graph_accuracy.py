"""Precision and recall of the graph's edges, by confidence, on hand-checked files of public code.

    python -m benchmarks.graph_accuracy --repos DIR [--misses] [--language NAME]
    python -m benchmarks.graph_accuracy --repos DIR --show REPO COMMIT PATH

The expectations are in evaluation/graph/: the calls, constructions, decorations and bases of each
file that mean a definition of the same tree, as they were read by eye. An edge is right if its
line, and the definition that it leads to, are those of an expected one. Repositories are read with
git; their index (no vectors) is made in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.stand_ins import RandomVectors
from sidelight.config import Config
from sidelight.errors import SidelightError
from sidelight.evaluation.repositories import find_git_dir
from sidelight.git.blobs import BlobReader
from sidelight.git.repository import open_repository
from sidelight.graph import CodeGraph, EdgeKind, open_graph
from sidelight.graph.model import Confidence
from sidelight.indexing.place import FixedEmbedder, Place, revision_view
from sidelight.indexing.refresh import Target, index_target
from sidelight.store.corpus import open_corpus
from sidelight.store.database import Database
from sidelight.store.snapshot import open_latest
from sidelight.store.views import find_view

EXPECTATIONS = Path(__file__).resolve().parent.parent / "evaluation" / "graph"
KINDS = (EdgeKind.CALL, EdgeKind.DECORATOR, EdgeKind.BASE)
Fact = tuple[int, str]  # the line of the use, and `path::qualified.name` of what it means


@dataclass
class Tally:
    """Edges of one confidence that were right, and that were found at all."""

    right: int = 0
    found: int = 0


@dataclass
class Row:
    """One language's line of the table."""

    files: int = 0
    expected: int = 0
    reached: int = 0
    by_confidence: dict[Confidence, Tally] = field(
        default_factory=lambda: {confidence: Tally() for confidence in Confidence}
    )


def main() -> int:
    """Print the table; return 1 if a repository is not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repos", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--misses", action="store_true", help="list each difference")
    parser.add_argument("--language", help="only this one")
    parser.add_argument("--show", nargs=3, metavar=("REPO", "COMMIT", "PATH"))
    options = parser.parse_args()
    if options.show:
        repo, commit, path = options.show
        with open_tree(options.repos, repo, commit) as graph:
            for line, target, confidence in edges_of(graph, path):
                sys.stdout.write(f"{line}\t{target}\t{confidence.value}\n")
        return 0
    rows: defaultdict[str, Row] = defaultdict(Row)
    absent = 0
    for (repo, commit), cases in sorted(read_cases(options.language).items()):
        try:
            with open_tree(options.repos, repo, commit) as graph:
                for case in cases:
                    count(rows[case["language"]], case, graph, misses=options.misses)
        except SidelightError as error:
            sys.stderr.write(f"{repo}: {error.message}\n")
            absent += 1
    render(rows)
    return 1 if absent else 0


def read_cases(language: str | None) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return the expectations by repository and commit."""
    found: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for file in sorted(EXPECTATIONS.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            case = json.loads(line)
            if language in (None, case["language"]):
                found[case["repo"], case["commit"]].append(case)
    return found


@contextmanager
def open_tree(repos: Path, name: str, commit: str) -> Iterator[CodeGraph]:
    """Yield the graph of a commit's tree, indexed without vectors into a temporary folder.

    Raises:
        SidelightError: the repository is not there.
    """
    git_dir = find_git_dir(repos, name)
    if git_dir is None:
        raise SidelightError(f"not below {repos}")
    with tempfile.TemporaryDirectory() as folder:
        repo = open_repository(git_dir)
        embedder = FixedEmbedder(RandomVectors())
        place = Place(repo, Path(folder) / "index", Config(), embedder)
        full = repo.resolve_commit(commit)
        target = Target(revision_view(full), full, repo.tree_of(full))
        index_target(place, target, wait=True, create=True, vectors=False)
        with (
            Database.open(place.directory, place.identity) as database,
            database.read() as connection,
            BlobReader(repo) as blobs,
        ):
            view = find_view(connection, target.view)
            if view is None:
                raise SidelightError("the tree was not indexed")
            corpus = open_corpus(connection, view, open_latest(database))
            yield open_graph(connection, corpus, blobs.read_many)


def edges_of(graph: CodeGraph, path: str) -> list[tuple[int, str, Confidence]]:
    """Return line, meaning and confidence of each use in a file, in order."""
    edges = graph.used_by(graph.file(path.encode()), KINDS)
    return sorted(
        (edge.line, f"{edge.target.path.decode()}::{edge.target.qualified_name}", edge.confidence)
        for edge in edges
    )


def count(row: Row, case: dict[str, Any], graph: CodeGraph, *, misses: bool) -> None:
    """Add one file to its language's line."""
    first, last = case.get("lines") or (1, 10**9)
    expected: Counter[Fact] = Counter((line, target) for line, target in case["edges"])
    found = [edge for edge in edges_of(graph, case["path"]) if first <= edge[0] <= last]
    left = Counter(expected)
    row.files += 1
    row.expected += expected.total()
    for line, target, confidence in found:
        tally = row.by_confidence[confidence]
        tally.found += 1
        if left[line, target]:
            left[line, target] -= 1
            tally.right += 1
            row.reached += 1
        elif misses:
            sys.stdout.write(f"wrong {case['path']}:{line} {target} {confidence.value}\n")
    if misses:
        for line, target in sorted(left.elements()):
            sys.stdout.write(f"missed {case['path']}:{line} {target}\n")


def render(rows: dict[str, Row]) -> None:
    """Print the table: recall, then right of found by confidence."""
    whole = Row()
    for row in rows.values():
        whole.files += row.files
        whole.expected += row.expected
        whole.reached += row.reached
        for confidence, tally in row.by_confidence.items():
            whole.by_confidence[confidence].right += tally.right
            whole.by_confidence[confidence].found += tally.found
    lines = [["language", "files", "edges", "recall", "precision", *(c.value for c in Confidence)]]
    lines += [_cells(name, row) for name, row in [*sorted(rows.items()), ("all", whole)]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        sys.stdout.write("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + "\n")


def _cells(name: str, row: Row) -> Sequence[str]:
    sure = [tally for c, tally in row.by_confidence.items() if c is not Confidence.AMBIGUOUS]
    right, found = sum(t.right for t in sure), sum(t.found for t in sure)
    return [
        name,
        str(row.files),
        str(row.expected),
        _share(row.reached, row.expected),
        _share(right, found),
        *(f"{t.right}/{t.found}" if t.found else "–" for t in row.by_confidence.values()),
    ]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "–"


if __name__ == "__main__":
    sys.exit(main())
