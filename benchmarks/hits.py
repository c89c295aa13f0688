"""What the first ten hits of an evaluation look like: `python -m benchmarks.hits RESULTS.json …`.

    sidelight eval run CASES… --repos DIR --format json > RESULTS.json
    python -m benchmarks.hits RESULTS.json [OTHERS.json …] --repos DIR

Beside the figures of the run: how many files the ten hits lie in, how many of them repeat an
earlier one, how long they are, which share of their lines the change touched or the annotators
marked (line precision), and which share of those lines they show (line recall). Several files are
compared with the first one, case by case, with 95 % intervals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median

from sidelight.errors import SidelightError
from sidelight.evaluation.cases import Case, DiffCase, find_case_files, load_cases
from sidelight.evaluation.paired import compare_pairs
from sidelight.evaluation.repositories import find_git_dir
from sidelight.evaluation.results import CaseFigures, ResultTable, load_results
from sidelight.evaluation.summary import Aim
from sidelight.evaluation.tables import aim_text, figure, signed, table
from sidelight.evaluation.touched import touched_lines
from sidelight.git.blobs import BlobReader
from sidelight.git.repository import Repository, open_repository
from sidelight.git.trees import list_tree
from sidelight.tokens import text_terms

CASES = Path(__file__).resolve().parent.parent / "evaluation" / "cases"
REPEAT = 0.5  # Jaccard of two hits' terms, from which the later one says little new
SHOWN = ("ndcg@10", "item_ndcg@10", "span_hit@10")
LINES = ("line precision", "line recall")
Found = Mapping[str, float]


@dataclass(slots=True)
class Trees:
    """The texts of the evaluated commits, read as they are asked for."""

    root: Path
    _open: dict[str, tuple[Repository, BlobReader]] = field(default_factory=dict)
    _trees: dict[tuple[str, str], dict[bytes, str]] = field(default_factory=dict)

    def repository(self, name: str) -> Repository:
        """Return the repository `owner/name`."""
        return self._opened(name)[0]

    def lines(self, case: Case, path: bytes) -> list[bytes]:
        """Return the lines of a file of the case's tree."""
        repo, blobs = self._opened(case.repo)
        key = (case.repo, case.base)
        if key not in self._trees:
            tree = repo.tree_of(repo.resolve_commit(case.base))
            self._trees = {key: {ref.path: ref.blob for ref in list_tree(repo, tree)}}
        return blobs.read(self._trees[key][path]).split(b"\n")

    def close(self) -> None:
        """End the reading processes."""
        for _, blobs in self._open.values():
            blobs.close()

    def _opened(self, name: str) -> tuple[Repository, BlobReader]:
        if name not in self._open:
            git_dir = find_git_dir(self.root, name)
            if git_dir is None:
                raise SidelightError(f"no git repository of {name} below {self.root}")
            repo = open_repository(git_dir)
            self._open[name] = repo, BlobReader(repo)
        return self._open[name]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 if a repository is not there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hits", description=__doc__)
    parser.add_argument("results", nargs="+", type=Path, help="what `eval run --format json` wrote")
    parser.add_argument("--repos", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--cases", type=Path, default=CASES, help="folder of case files")
    given = parser.parse_args(argv)
    cases = {
        case.id: case
        for file in load_cases(find_case_files([given.cases])).files
        for case in file.cases
    }
    trees = Trees(given.repos)
    try:
        _print_all(
            [load_results(path).tables for path in given.results], given.results, cases, trees
        )
    except SidelightError as error:
        print(f"error: {error.message}", file=sys.stderr)
        return 1
    finally:
        trees.close()
    return 0


def gold_lines(case: Case, aim: Aim, trees: Trees) -> dict[bytes, set[int]]:
    """Return the lines that the case wants, by path; none where it wants whole files."""
    wanted = aim.wanted(case)
    if isinstance(case, DiffCase):
        ranges = touched_lines(
            trees.repository(case.repo), case.base, case.head, [target.path for target in wanted]
        )
    else:
        ranges = {target.path: target.lines for target in wanted if target.lines}
    return {
        path: {line for first, last in own for line in range(first, last + 1)}
        for path, own in ranges.items()
    }


def measure(
    case: Case, figures: CaseFigures, gold: Mapping[bytes, set[int]], trees: Trees
) -> Found:
    """Return what a case's first ten hits look like; line figures only where there are lines."""
    hits = [(path.encode("utf-8", "surrogateescape"), a, b) for path, a, b in figures.hits]
    found = {name: figures.values[name] for name in SHOWN}
    found["files"] = float(len({path for path, _, _ in hits}))
    found["repeats"] = float(_repeats(case, hits, trees))
    found["lines of a hit"] = median(b - a + 1 for _, a, b in hits) if hits else 0.0
    found["lines of ten"] = float(sum(b - a + 1 for _, a, b in hits))
    n_gold = sum(map(len, gold.values()))
    if n_gold:
        shown = {(path, line) for path, a, b in hits for line in range(a, b + 1)}
        right = sum(line in gold.get(path, ()) for path, line in shown)
        found["line precision"] = right / len(shown) if shown else 0.0
        found["line recall"] = right / n_gold
    return found


def _repeats(case: Case, hits: Sequence[tuple[bytes, int, int]], trees: Trees) -> int:
    """Return how many hits share half of their terms with an earlier one."""

    @cache
    def terms(at: int) -> frozenset[str]:
        path, first, last = hits[at]
        text = b"\n".join(trees.lines(case, path)[first - 1 : last])
        return frozenset(text_terms(text.decode("utf-8", "replace")))

    def is_like(at: int, other: int) -> bool:
        union = len(terms(at) | terms(other))
        return bool(union) and len(terms(at) & terms(other)) / union >= REPEAT

    return sum(any(is_like(at, other) for other in range(at)) for at in range(len(hits)))


def _print_all(
    sets: Sequence[Sequence[ResultTable]],
    names: Sequence[Path],
    cases: Mapping[str, Case],
    trees: Trees,
) -> None:
    for at, first in enumerate(sets[0]):
        columns = [
            {
                case_id: measure(
                    cases[case_id], figures, gold_lines(cases[case_id], first.aim, trees), trees
                )
                for case_id, figures in tables[at].cases.items()
                if case_id in cases and case_id in first.cases
            }
            for tables in sets
            if at < len(tables)
        ]
        print(
            f"\nmode {first.mode}, {aim_text(first.aim)}, {len(columns[0])} cases, first ten hits"
        )
        print("\n".join(_table([name.stem for name in names], columns)))


def _table(names: Sequence[str], columns: Sequence[Mapping[str, Found]]) -> list[str]:
    keys = [*SHOWN, "files", "repeats", "lines of a hit", "lines of ten", *LINES]
    rows = []
    for name, column in zip(names, columns, strict=False):
        row = [name]
        for key in keys:
            own = {case: found[key] for case, found in column.items() if key in found}
            row.append(_cell(own, key, columns[0] if column is not columns[0] else None))
        rows.append(row)
    return table(["", *keys], rows)


def _cell(own: Mapping[str, float], key: str, first: Mapping[str, Found] | None) -> str:
    """Return a mean, and its paired difference from the first column's where that is no noise."""
    if not own:
        return "–"
    shown: Callable[[float], str] = figure if key in (*SHOWN, *LINES) else "{:.2f}".format
    mean = shown(sum(own.values()) / len(own))
    if first is None:
        return mean
    pairs = [(first[case][key], value) for case, value in own.items() if key in first.get(case, {})]
    change = compare_pairs(key, pairs).difference
    if key not in (*SHOWN, *LINES):
        return mean
    return f"{mean} ({signed(change.low)} … {signed(change.high)})"


if __name__ == "__main__":
    sys.exit(main())
