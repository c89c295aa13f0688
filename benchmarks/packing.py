"""What a packed context holds, reprinted: the figures of docs/context.md.

    python -m benchmarks.packing gate --repos DIR        a question's own tree against foreign ones
    python -m benchmarks.packing variants --repos DIR    settings, by tokens in files of the answer
    python -m benchmarks.packing budgets --repos DIR     wanted lines by budget, beside plain ones
    python -m benchmarks.packing budgets --diffs --repos DIR --limit 100

Plain packing is what most tools do: hits whole, in rank order, as many as fit, with the same
headings and the same counter. Indexes are kept in --cache, where `eval run` finds them, too.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.hits import Trees, gold_lines
from sidelight.config import Config
from sidelight.embedding.catalogue import default_models_directory
from sidelight.errors import SidelightError
from sidelight.evaluation.cases import Case, DiffCase, QuestionCase, find_case_files, load_cases
from sidelight.evaluation.engine import escape_glob
from sidelight.evaluation.identity import indexing_sources, source_digest
from sidelight.evaluation.paired import compare_pairs
from sidelight.evaluation.runner import limit_cases
from sidelight.evaluation.summary import Aim
from sidelight.evaluation.tables import figure, signed, table
from sidelight.evaluation.vectors import CachedSource
from sidelight.focal import build_focal
from sidelight.git.diffs import diff_revisions
from sidelight.indexing.place import EmbedderSource, Place, revision_view
from sidelight.indexing.refresh import index_target
from sidelight.indexing.report import Target
from sidelight.model import Hit
from sidelight.packing.changes import pieces_of_change
from sidelight.packing.context import ContextOptions, build_context, evidence_of
from sidelight.packing.gate import COVERAGE_WEIGHT
from sidelight.packing.model import Lines, PackedContext, Piece, Role, Source
from sidelight.packing.pieces import PieceOptions
from sidelight.packing.reading import ViewReader, open_reader
from sidelight.packing.render import render_sources
from sidelight.packing.select import PackOptions
from sidelight.related.query import diff_terms
from sidelight.related.session import RelatedSession
from sidelight.search import Searcher, SearchRequest
from sidelight.tokens import query_terms

CASES = Path(__file__).resolve().parent.parent / "evaluation" / "cases"
HITS = 20  # as `sidelight context` considers
BUDGETS = (2000, 4000, 8000)
FOREIGN = 25  # questions of other repositories that each tree is asked
VARIANTS = {
    "as it is": (PieceOptions(), PackOptions()),
    "least .15": (PieceOptions(), PackOptions(least=0.15)),
    "least .05": (PieceOptions(), PackOptions(least=0.05)),
    "windows from .8 on": (PieceOptions(focus=0.8), PackOptions()),
    "no class overviews": (PieceOptions(grow=False), PackOptions()),
    "no definitions": (PieceOptions(definitions=0), PackOptions()),
    "by density": (PieceOptions(), PackOptions(scaling=1.0)),
    "by rank": (PieceOptions(), PackOptions(scaling=0.0)),
    "marginal relevance .3": (PieceOptions(), PackOptions(diversity=0.3)),
    "marginal relevance .6": (PieceOptions(), PackOptions(diversity=0.6)),
}
Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Asked:
    """One case with its hits, best first, over an open view."""

    case: Case
    reader: ViewReader
    hits: tuple[Hit, ...]
    terms: Mapping[str, float]
    extra: tuple[Piece, ...] = ()

    def pack(self, budget: int, pieces: PieceOptions, options: PackOptions) -> PackedContext:
        """Return the context of the hits; no gate."""
        made = ContextOptions(replace(options, budget=budget), pieces, None)
        return build_context(self.reader, self.hits, self.terms, made, self.extra)


@dataclass(frozen=True, slots=True)
class Bench:
    """Where repositories and indexes are."""

    repos: Path
    cache: Path
    trees: Trees

    def place(self, repo: str, *, plain: bool) -> Place:
        """Return the store of a repository, the one that `eval run` fills."""
        config = Config()
        models = default_models_directory(os.environ, Path.home())
        source = CachedSource(EmbedderSource(config, models), self.cache / "vectors.db")
        name = source_digest(source.sha256, indexing_sources()) + ("-plain" if plain else "")
        folder = self.cache / "stores" / repo.replace("/", "+") / name
        return Place(self.trees.repository(repo), folder, config, source)

    @contextmanager
    def view(self, repo: str, base: str, *, plain: bool) -> Iterator[tuple[Place, str, str]]:
        """Yield (store, view, tree) of a commit, indexed if it is not."""
        place = self.place(repo, plain=plain)
        commit = place.repo.resolve_commit(base)
        target = Target(revision_view(commit), commit, place.repo.tree_of(commit))
        index_target(place, target, wait=True, create=True, vectors=not plain)
        yield place, target.view, target.tree


def main(argv: Sequence[str] | None = None) -> int:
    """Print one of the tables; return 1 if something it needs is not there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.packing")
    parser.add_argument("what", choices=("gate", "variants", "budgets"))
    parser.add_argument("--repos", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--cache", type=Path, default=Path(".eval"), help="folder of the indexes")
    parser.add_argument("--only", default="", help="names of case files, such as cobra,gin")
    parser.add_argument("--diffs", action="store_true", help="budgets: of diffs, not of issues")
    parser.add_argument("--limit", type=int, help="take so many cases, spread over the files")
    given = parser.parse_args(argv)
    trees = Trees(given.repos)
    bench = Bench(given.repos, given.cache, trees)
    try:
        if given.what == "gate":
            _print_gate(bench, _cases("semble_*", given.only, given.limit))
        elif given.what == "variants":
            _print_variants(bench, _cases("semble_*", given.only, given.limit))
        else:
            pattern = "cochange_*" if given.diffs else "issue_loc_*"
            _print_budgets(bench, _cases(pattern, given.only, given.limit))
    except SidelightError as error:
        print(f"error: {error.message}", file=sys.stderr)
        return 1
    finally:
        trees.close()
    return 0


def _cases(pattern: str, only: str, limit: int | None) -> list[Case]:
    paths = sorted(CASES.glob(f"{pattern}.jsonl"))
    if only:
        paths = [path for path in paths if path.stem.rpartition("_")[2] in only.split(",")]
    files = limit_cases(load_cases(find_case_files(paths)).files, limit)
    return [case for file in files for case in file.cases]


def _by_tree(cases: Sequence[Case]) -> dict[tuple[str, str], list[Case]]:
    grouped: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        grouped.setdefault((case.repo, case.base), []).append(case)
    return grouped


def _ask(bench: Bench, repo: str, base: str, cases: Sequence[Case]) -> Iterator[Asked]:
    """Yield the cases, asked of the tree; questions and diffs are not mixed."""
    if isinstance(cases[0], DiffCase):
        yield from _relate(bench, repo, base, [c for c in cases if isinstance(c, DiffCase)])
        return
    with (
        bench.view(repo, base, plain=False) as (place, view, tree),
        Searcher.open(place, view) as searcher,
        open_reader(place, view, tree) as reader,
    ):
        for case in cases:
            assert isinstance(case, QuestionCase)
            paths = () if case.root is None else (f"{escape_glob(case.root)}/**",)
            result = searcher.search(SearchRequest(case.query, HITS, paths=paths, plain=True))
            terms = {term: float(n) for term, n in query_terms(result.query).items()}
            yield Asked(case, reader, result.hits, terms)


def _relate(bench: Bench, repo: str, base: str, cases: Sequence[DiffCase]) -> Iterator[Asked]:
    with (
        bench.view(repo, base, plain=True) as (place, view, tree),
        RelatedSession.open(place, view) as session,
        open_reader(place, view, tree) as reader,
    ):
        for case in cases:
            sides = [place.repo.resolve_commit(commit) for commit in (case.base, case.head)]
            diffs = diff_revisions(place.repo, sides[0], sides[1], case.focal)
            focal = build_focal(place.repo, diffs, case.title)
            hits = session.rank(focal, HITS).hits
            extra = tuple(pieces_of_change(reader, focal))
            yield Asked(case, reader, hits, diff_terms(focal), extra)


def plain_context(asked: Asked, budget: int) -> PackedContext:
    """Return the hits whole, in rank order, as many as fit; none is cut."""
    options = PackOptions()
    sources: list[Source] = []
    used = 0
    for hit in asked.hits:
        source = asked.reader.source(hit.path)
        if source is None:
            continue
        lines = Lines(hit.span.start_line, hit.span.end_line)
        shown = Source(
            number=len(sources) + 1,
            path=hit.path,
            blob=source.file.blob,
            language=hit.language,
            lines=lines,
            headers=(),
            text=source.file.text(lines),
            score=hit.score,
            tokens=0,
            symbols=(hit.symbol,) if hit.symbol else (),
            roles=(Role.HIT,),
        )
        total = options.count(render_sources([*sources, shown], options.form))
        if total <= budget:
            sources.append(shown)
            used = total
    return PackedContext(tuple(sources), budget, used)


def _figures(context: PackedContext, gold: Mapping[bytes, set[int]], paths: set[bytes]) -> Figures:
    """Return what a context is worth; line figures only where lines are wanted."""
    total = sum(source.tokens for source in context.items)
    shown = {
        (source.path, line)
        for source in context.items
        for part in (*source.headers, source.lines)
        for line in range(part.first, part.last + 1)
    }
    found = {
        "files": len(paths & {source.path for source in context.items}) / len(paths),
        "used": context.utilisation,
    }
    if total:
        own = sum(source.tokens for source in context.items if source.path in paths)
        found["tokens"] = own / total
    n_gold = sum(map(len, gold.values()))
    if n_gold:
        right = sum(line in gold.get(path, ()) for path, line in shown)
        found["recall"] = right / n_gold
        found["precision"] = right / len(shown) if shown else 0.0
    return found


def _print_budgets(bench: Bench, cases: Sequence[Case]) -> None:
    aim = Aim("diff" if isinstance(cases[0], DiffCase) else "question", "source")
    cases = [case for case in cases if aim.wanted(case)]
    rows: dict[tuple[int, str], list[Figures]] = {}
    for (repo, base), own in _by_tree(cases).items():
        for asked in _ask(bench, repo, base, own):
            gold = gold_lines(asked.case, aim, bench.trees)
            paths = {target.path for target in aim.wanted(asked.case)}
            for budget in BUDGETS:
                for name, context in (
                    ("plain", plain_context(asked, budget)),
                    ("packed", asked.pack(budget, PieceOptions(), PackOptions())),
                    ("windows", asked.pack(budget, PieceOptions(focus=0.8), PackOptions())),
                    ("density", asked.pack(budget, PieceOptions(), PackOptions(scaling=1.0))),
                ):
                    rows.setdefault((budget, name), []).append(_figures(context, gold, paths))
    print(f"{len(cases)} cases; recall and precision of wanted lines, paired with plain packing")
    lines = []
    for (budget, name), figures in rows.items():
        line = [f"{budget} {name}"]
        for key in ("recall", "precision", "files", "used"):
            pairs = [
                (before[key], after[key])
                for before, after in zip(rows[budget, "plain"], figures, strict=True)
                if key in before and key in after
            ]
            paired = compare_pairs(key, pairs)
            low, high = signed(paired.difference.low), signed(paired.difference.high)
            line.append(figure(paired.after) + ("" if name == "plain" else f" ({low} … {high})"))
        lines.append(line)
    print("\n".join(table(["budget", "line recall", "line precision", "files", "used"], lines)))


def _print_variants(bench: Bench, cases: Sequence[Case]) -> None:
    budgets = (1000, 2000, 4000)
    rows: dict[tuple[str, int], list[Figures]] = {}
    for (repo, base), own in _by_tree(cases).items():
        for asked in _ask(bench, repo, base, own):
            paths = {target.path for target in asked.case.targets}
            for name, (pieces, options) in VARIANTS.items():
                for budget in budgets:
                    context = asked.pack(budget, pieces, options)
                    rows.setdefault((name, budget), []).append(_figures(context, {}, paths))
    print(f"{len(cases)} questions, {HITS} hits; share of the packed tokens that lie in files of")
    print("the answer / of the budget used / of the answer's files that are there")
    lines = []
    for name in VARIANTS:
        cells = []
        for budget in budgets:
            means = [_mean(rows[name, budget], key) for key in ("tokens", "used", "files")]
            cells.append(" / ".join(figure(mean) for mean in means))
        lines.append([name, *cells])
    print("\n".join(table(["variant", *map(str, budgets)], lines)))


def _mean(figures: Sequence[Figures], key: str) -> float:
    own = [found[key] for found in figures if key in found]
    return sum(own) / len(own) if own else 0.0


def _print_gate(bench: Bench, cases: Sequence[Case]) -> None:
    source = random.Random(1)  # the same foreign questions every time
    found: list[tuple[bool, float, float]] = []
    for (repo, base), own in _by_tree(cases).items():
        others = [case for case in cases if case.repo != repo]
        foreign = [replace(c, root=None) for c in source.sample(others, FOREIGN)]  # type: ignore[call-arg]
        for at, asked in enumerate(_ask(bench, repo, base, [*own, *foreign])):
            evidence = evidence_of(
                asked.reader, asked.hits, asked.terms, asked.reader.idf(asked.terms)
            )
            found.append((at < len(own), evidence.cosine or 0.0, evidence.coverage))
    n_own = sum(is_own for is_own, _, _ in found)
    print(f"{n_own} questions to their own trees, {len(found) - n_own} to foreign ones")
    signs = {
        "cosine": 0.0,
        f"cosine + {COVERAGE_WEIGHT:g} coverage (in use)": COVERAGE_WEIGHT,
    }
    lines = []
    for name, weight in signs.items():
        mine = sorted(cos + weight * cov for is_own, cos, cov in found if is_own)
        theirs = [cos + weight * cov for is_own, cos, cov in found if not is_own]
        wins = sum((a > b) + (a == b) / 2 for a in mine for b in theirs)
        stopped = sum(value < mine[1] for value in theirs) / len(theirs)
        lines.append([name, figure(wins / len(mine) / len(theirs)), figure(stopped)])
    print("\n".join(table(["sign", "AUC", "foreign stopped, losing one own"], lines)))


if __name__ == "__main__":
    sys.exit(main())
