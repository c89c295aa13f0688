"""Ask the code graph of an index: in an open session, question by question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from benchmarks.measuring import Seconds, middle, percentile, timed
from benchmarks.tasks.indexing import count, place_of
from sidelight.git.blobs import BlobReader
from sidelight.graph import CodeGraph, SymbolRef, open_graph
from sidelight.indexing.place import Place, worktree_view
from sidelight.model import CALLABLE_KINDS, display_path
from sidelight.store.corpus import open_corpus
from sidelight.store.database import Database
from sidelight.store.snapshot import open_latest
from sidelight.store.views import find_view

Question = Callable[[CodeGraph, SymbolRef], object]
QUESTIONS: dict[str, Question] = {
    "callers": lambda graph, symbol: graph.callers(symbol),
    "callees": lambda graph, symbol: graph.callees(symbol),
    "impact": lambda graph, symbol: graph.impact([symbol]),
}


def choose(repository: str, n_symbols: int) -> dict[str, Any]:
    """Return functions and methods from all over the tree, as `graph callers` takes them."""
    place = place_of(repository)
    with _opened(place) as graph:
        symbols = _sample(graph, n_symbols)
    names = [f"{display_path(symbol.path)}::{symbol.qualified_name}" for symbol in symbols]
    files, chunks = count(place)
    return {"names": names, "files": files, "chunks": chunks}


def warm(repository: str, n_symbols: int) -> dict[str, Any]:
    """Return what each question costs over a sample, in a graph that has answered it before for
    others: the index is open, what it keeps of files is there, this answer is not."""
    answers: dict[str, Any] = {}
    place = place_of(repository)
    for name, ask in QUESTIONS.items():
        with _opened(place) as graph:
            symbols = _sample(graph, 2 * n_symbols)
            for symbol in symbols[::2]:
                ask(graph, symbol)
            answers[name] = _spread([timed(lambda: ask(graph, s)) for s in symbols[1::2]])  # noqa: B023
    with _opened(place) as graph:
        answers["stats"] = _spread([timed(graph.stats)])
    return answers


def _spread(samples: Sequence[Seconds]) -> dict[str, Any]:
    return {
        "median": middle(samples).table(),
        "p95": Seconds(
            percentile([s.wall for s in samples], 0.95), percentile([s.cpu for s in samples], 0.95)
        ).table(),
    }


def _sample(graph: CodeGraph, n_symbols: int) -> list[SymbolRef]:
    paths = graph.paths()
    found: list[SymbolRef] = []
    for path in paths[:: max(1, len(paths) // (3 * n_symbols))]:
        symbols = [s for s in graph.symbols(path) if s.kind in CALLABLE_KINDS]
        if symbols:
            symbol = symbols[len(symbols) // 2]
            found.append(SymbolRef(path, symbol.qualified_name, symbol.kind, symbol.span))
    return found[:: max(1, len(found) // n_symbols)][:n_symbols]


@contextmanager
def _opened(place: Place) -> Iterator[CodeGraph]:
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        view = find_view(connection, worktree_view(place.repo))
        assert view is not None
        corpus = open_corpus(connection, view, open_latest(database), with_vectors=False)
        with BlobReader(place.repo) as reader:
            yield open_graph(connection, corpus, reader.read_many)
