"""List the files that a shown part of a commit affects, as our commands would; time it warm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring import middle, timed
from benchmarks.stand_ins import RandomVectors
from benchmarks.tasks.indexing import place_of
from sidelight.cli.impact import _changed  # what `graph impact` prints, before it is text
from sidelight.config import Config
from sidelight.evaluation.paired import compare_pairs
from sidelight.findings import open_ground
from sidelight.focal import FocalSet, build_focal
from sidelight.git.diffs import diff_revisions
from sidelight.git.repository import Repository, open_repository
from sidelight.indexing.place import FixedEmbedder, Place, revision_view, worktree_view
from sidelight.indexing.refresh import index_target
from sidelight.indexing.report import Target
from sidelight.model import display_path
from sidelight.related.session import RelatedSession

DEPTH = 2  # `graph impact`'s default
MOST = 300  # files ranked: more than any list it is compared with


def lists(repository: str, directory: str, queries: list[dict[str, Any]]) -> dict[str, Any]:
    """Return, for each query, the files of `graph impact`, `related`, and `related` untitled.

    A query is `base`, `head`, `title` and `seed`, the paths whose diff is shown; the tree of `base`
    is ranked, without vectors (neither command uses them). Best first.
    """
    place = Place(
        open_repository(Path(repository)), Path(directory), Config(), FixedEmbedder(RandomVectors())
    )
    return {"answers": [_answer(place, query) for query in queries]}


def warm(repository: str, base: str, head: str, rounds: int) -> dict[str, Any]:
    """Return what a diff costs over the worktree's view: the graph's answer, and the ranking."""
    place = place_of(repository)
    view = worktree_view(place.repo)

    def ask_graph() -> None:
        _graph_impact(place, view, _focal(place.repo, base, head, (), ""))

    with RelatedSession.open(place, view) as session:

        def rank() -> None:
            session.rank(_focal(place.repo, base, head, (), ""), 10)

        answer = {}
        for name, action in (("graph", ask_graph), ("related", rank)):
            action()
            answer[name] = middle([timed(action) for _ in range(rounds)]).table()
    return answer


def difference(pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Return the mean paired difference (second less first) and its 95 % interval."""
    found = compare_pairs("", pairs)
    gap = found.difference
    return {"mean": gap.mean, "low": gap.low, "high": gap.high, "verdict": found.verdict.value}


def _answer(place: Place, query: dict[str, Any]) -> dict[str, list[str]]:
    base, head = query["base"], query["head"]
    seed = tuple(path.encode("utf-8", "surrogateescape") for path in query["seed"])
    target = Target(revision_view(base), base, place.repo.tree_of(base))
    index_target(place, target, wait=True, create=True, vectors=False)
    answer = {}
    with RelatedSession.open(place, target.view) as session:
        for name, title in (("related", query["title"]), ("untitled", "")):
            result = session.rank(_focal(place.repo, base, head, seed, title), MOST)
            answer[name] = [display_path(hit.path) for hit in result.hits]
    focal = _focal(place.repo, base, head, seed, "")
    answer["graph"] = _graph_impact(place, target.view, focal)
    return answer


def _graph_impact(place: Place, view: str, focal: FocalSet) -> list[str]:
    """Return the files that `graph impact` names: the nearest first, then the most often named."""
    nearest: dict[bytes, int] = {}
    counts: dict[bytes, int] = {}
    with open_ground(place, view, focal) as ground:
        for path, distance in _named(ground.sides):
            nearest[path] = min(distance, nearest.get(path, distance))
            counts[path] = counts.get(path, 0) + 1
    found = [path for path in nearest if path not in set(focal.paths)]
    found.sort(key=lambda path: (nearest[path], -counts[path], path))
    return [display_path(path) for path in found]


def _named(sides: Any) -> Iterable[tuple[bytes, int]]:
    for _, _, reached, reach in _changed(sides, DEPTH):
        for impact in reached:
            yield impact.symbol.path, impact.distance
        for test in reach.tests:
            yield test.test.path, test.hops


def _focal(repo: Repository, base: str, head: str, paths: Sequence[bytes], title: str) -> FocalSet:
    diffs = diff_revisions(repo, base, head, paths) if paths else diff_revisions(repo, base, head)
    return build_focal(repo, diffs, title)
