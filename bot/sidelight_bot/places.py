"""Answer `/callers`, `/callees`, `/tests SYMBOL` and `/related PATH|SYMBOL` from the code graph.

Opens one view and reads it; what it returns is Markdown whose every foreign word is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from sidelight.errors import IndexMissingError
from sidelight.git.blobs import BlobReader
from sidelight.graph.graph import CodeGraph, open_graph
from sidelight.graph.model import CONFIDENCE_ORDER, Confidence, Edge, SymbolRef, byte_path
from sidelight.indexing.place import Place
from sidelight.model import Span
from sidelight.store.corpus import open_corpus
from sidelight.store.database import Database
from sidelight.store.snapshot import open_latest
from sidelight.store.views import find_view
from sidelight.untrusted.outgoing import code_text
from sidelight_bot.comment.words import Links, counted, shown_name

_Answer = Callable[[SymbolRef], list[str]]
MAX_ROWS = 20
MAX_CHOICES = 10
_UNSURE = {
    Confidence.UNIQUE: "by its name alone",
    Confidence.AMBIGUOUS: "perhaps: several definitions have this name",
}


@contextmanager
def opened(place: Place, view_name: str) -> Iterator[CodeGraph]:
    """Open the code graph of a view.

    Raises:
        IndexMissingError: there is no such view.
    """
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        view = find_view(connection, view_name)
        if view is None:
            raise IndexMissingError("the pull request's head is not indexed")
        corpus = open_corpus(connection, view, open_latest(database))
        with BlobReader(place.repo) as reader:
            yield open_graph(connection, corpus, reader.read_many)


def callers(graph: CodeGraph, name: str, links: Links) -> list[str]:
    """Return who calls a symbol, surest first."""
    return _about(graph, name, links, lambda symbol: _edges(graph.callers(symbol), links, "calls"))


def callees(graph: CodeGraph, name: str, links: Links) -> list[str]:
    """Return what a symbol calls in this repository."""
    return _about(graph, name, links, lambda symbol: _called(graph.callees(symbol), links))


def tests_of(graph: CodeGraph, name: str, links: Links) -> list[str]:
    """Return the tests that reach a symbol, or a file."""
    path = find_path(graph, name)
    if path is not None:
        return _edges(graph.tests_of(path), links, "tests")
    return _about(graph, name, links, lambda symbol: _edges(graph.tests_of(symbol), links, "tests"))


def related_to(graph: CodeGraph, name: str, links: Links) -> list[str]:
    """Return what is around a symbol (callers, callees, tests) or a file (imports, tests)."""
    path = find_path(graph, name)
    if path is None:
        return _about(graph, name, links, lambda symbol: _around(graph, symbol, links))
    lines: list[str] = []
    for title, paths in (
        ("It imports", [edge.target for edge in graph.imports(path)]),
        ("Imported by", [edge.source for edge in graph.importers(path)]),
    ):
        lines += _section(title, [f"- {links.place(_text(p), 1, 1)}" for p in _once(paths)])
    lines += _section("Tested by", _edges(graph.tests_of(path), links, "tests"))
    return lines or ["Nothing else in this repository imports it, and it imports nothing here."]


def find_path(graph: CodeGraph, text: str) -> bytes | None:
    """Return the indexed path that a text names, whole or by its end; None if none or several."""
    path = byte_path(text.removeprefix("./"))
    if graph.has_file(path):
        return path
    found = graph.paths_ending(path) if b"/" in path or b"." in path else ()
    return found[0] if len(found) == 1 else None


def _around(graph: CodeGraph, symbol: SymbolRef, links: Links) -> list[str]:
    lines = [f"Defined at {_place(symbol, links)}."]
    lines += _section("Called by", _edges(graph.callers(symbol), links, "calls", quiet=True))
    lines += _section("Calls", _called(graph.callees(symbol), links, quiet=True))
    return lines + _section("Tested by", _edges(graph.tests_of(symbol), links, "", quiet=True))


def _about(graph: CodeGraph, name: str, links: Links, answer: _Answer) -> list[str]:
    """Return the answer for the one definition that a name means, or which ones it may mean."""
    found = graph.definitions(name)
    if len(found) == 1:
        return answer(found[0])
    if not found:
        near = ", ".join(shown_name(other) for other in graph.nearest(name))
        hint = f" Did you mean {near}?" if near else ""
        return [f"Nothing is called {code_text(name[:100])} in this repository.{hint}"]
    rows = [
        f"- {links.place(_text(s.path), s.span.start_line, s.span.end_line)}"
        f" {code_text(f'{_text(s.path)}::{s.qualified_name}')}"
        for s in found[:MAX_CHOICES]
    ]
    more = [f"- and {len(found) - MAX_CHOICES} more"] if len(found) > MAX_CHOICES else []
    return [f"{code_text(name[:100])} may mean {len(found)} definitions; name one:", *rows, *more]


def _edges(edges: Sequence[Edge], links: Links, verb: str, *, quiet: bool = False) -> list[str]:
    """Return the places of edges' sources, surest first."""
    ordered = sorted(edges, key=_order)
    rows = [
        f"- {links.place(_text(edge.source.path), edge.line, edge.line)}"
        f"{_name(edge.source)}{_doubt(edge)}"
        for edge in ordered
    ]
    if not rows and not quiet:
        return [f"Nothing in this repository {verb} it, as far as the graph can tell."]
    return _cut(list(dict.fromkeys(rows)))


def _called(edges: Sequence[Edge], links: Links, *, quiet: bool = False) -> list[str]:
    ordered = sorted(edges, key=_order)
    rows = [f"- {_place(edge.target, links)}{_doubt(edge)}" for edge in ordered]
    if not rows and not quiet:
        return ["It calls nothing that is defined in this repository."]
    return _cut(list(dict.fromkeys(rows)))


def _order(edge: Edge) -> tuple[int, bytes, int]:
    return CONFIDENCE_ORDER[edge.confidence], edge.source.path, edge.line


def _doubt(edge: Edge) -> str:
    return f" ({_UNSURE[edge.confidence]})" if edge.confidence in _UNSURE else ""


def _place(symbol: SymbolRef, links: Links) -> str:
    span: Span = symbol.span
    return links.place(_text(symbol.path), span.start_line, span.end_line) + _name(symbol)


def _name(symbol: SymbolRef) -> str:
    return f" {shown_name(symbol.qualified_name)}" if symbol.qualified_name else ""


def _section(title: str, rows: list[str]) -> list[str]:
    return ["", f"**{title}**", "", *rows] if rows else []


def _cut(rows: list[str]) -> list[str]:
    if len(rows) <= MAX_ROWS:
        return rows
    return [*rows[:MAX_ROWS], f"- and {counted(len(rows) - MAX_ROWS, 'more', 'more')}"]


def _once(paths: Iterable[bytes]) -> list[bytes]:
    return list(dict.fromkeys(paths))[:MAX_ROWS]


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
