"""Search an index that is open: milliseconds by mode, and what opening costs."""

from __future__ import annotations

import random
from statistics import median
from typing import Any

from benchmarks.measuring import middle, percentile, timed
from benchmarks.stand_ins import RandomVectors, RealQueries
from benchmarks.tasks.indexing import count, place_of
from sidelight.indexing.place import FixedEmbedder, Place, worktree_view
from sidelight.search import Searcher, SearchMode, SearchRequest
from sidelight.store.database import Database
from sidelight.tokens import split_words

QUESTIONS = 40
NAMES = 20
SEED = 7


def sample_queries(place: Place) -> tuple[list[str], list[str]]:
    """Return questions and names about what the index holds, the same for the same index."""
    with Database.open(place.directory, None) as database, database.read() as connection:
        rows = connection.execute(
            "SELECT qualified_name, name FROM symbol WHERE length(name) > 4"
            " ORDER BY parsed_id, ordinal LIMIT 200000"
        ).fetchall()
    source = random.Random(SEED)
    picked = source.sample(rows, min(len(rows), 2 * QUESTIONS + NAMES))
    names = [row[1] for row in picked[:NAMES]]
    told = [split_words(row[0]) for row in picked[NAMES:]]
    questions = [
        f"where is {' '.join(a.split()[:4])} handled for {' '.join(b.split()[:3])}"
        for a, b in zip(told[::2], told[1::2], strict=False)
    ]
    return questions, names


def warm_queries(
    repository: str, modes: list[str], rounds: int, real_queries: bool = False
) -> dict[str, Any]:
    """Return for each mode the median and the 95th percentile of whole searches, milliseconds."""
    place = place_of(repository, FixedEmbedder(RealQueries() if real_queries else RandomVectors()))
    questions, names = sample_queries(place)
    answer: dict[str, Any] = {}
    with Searcher.open(place, worktree_view(place.repo)) as searcher:
        for mode in modes:
            asked = names if mode in ("symbol", "exact") else questions + names
            name, _, plain = mode.partition(", ")
            requests = [
                SearchRequest(query, mode=SearchMode(name), plain=bool(plain)) for query in asked
            ]
            for request in requests[:5]:
                searcher.search(request)
            samples = [
                timed(lambda: searcher.search(request))  # noqa: B023 - called at once
                for _ in range(rounds)
                for request in requests
            ]
            answer[mode] = {
                "wall": 1000 * median(s.wall for s in samples),
                "cpu": 1000 * median(s.cpu for s in samples),
                "p95": 1000 * percentile([s.wall for s in samples], 0.95),
                "queries": len(samples),
            }
    files, chunks = count(place)
    return {"files": files, "chunks": chunks, "modes": answer}


def open_index(repository: str, rounds: int) -> dict[str, Any]:
    """Return what opening a view costs, all imports done and files in the page cache."""
    place = place_of(repository)
    view = worktree_view(place.repo)
    samples = [timed(lambda: Searcher.open(place, view).close()) for _ in range(rounds + 1)]
    return middle(samples[1:]).table()
