"""A graph over a few files, indexed for real, and its edges as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.git.blobs import BlobReader
from sidelight.graph import CodeGraph, Edge, EdgeKind, ImportEdge, SymbolRef, open_graph
from sidelight.graph.facts import no_blobs
from sidelight.store.corpus import open_corpus
from sidelight.store.snapshot import open_latest
from sidelight.store.views import find_view


@contextmanager
def graph_of(
    folder: Path, files: Mapping[str, str], *, sources: bool = True
) -> Iterator[CodeGraph]:
    """Yield the graph of a new repository with these files."""
    repo = GitRepo.init(folder)
    for path, text in files.items():
        repo.write(path, text)
    repo.commit("files")
    work = Workspace.at(repo)
    work.refresh()
    with graph_at(work, sources=sources) as graph:
        yield graph


@contextmanager
def graph_at(work: Workspace, *, sources: bool = True) -> Iterator[CodeGraph]:
    """Yield the graph of a worktree's view as it is indexed."""
    with work.open() as database, database.read() as connection:
        view = find_view(connection, work.view)
        assert view is not None
        corpus = open_corpus(connection, view, open_latest(database))
        with BlobReader(work.place.repo) as reader:
            yield open_graph(connection, corpus, reader.read_many if sources else no_blobs)


def one(graph: CodeGraph, name: str) -> SymbolRef:
    """Return the only definition of a name."""
    found = graph.definitions(name)
    assert len(found) == 1, [symbol.path for symbol in found]
    return found[0]


def lines_of(edges: Iterable[Edge]) -> list[str]:
    """Return `a.py:3 f -> b.py::g exact` for each edge; a file's own code is `(file)`."""
    return [
        f"{edge.source.path.decode()}:{edge.line} {edge.source.qualified_name or '(file)'}"
        f" -> {edge.target.path.decode()}::{edge.target.qualified_name} {edge.confidence.value}"
        + (f" of {edge.candidates}" if edge.candidates > 1 else "")
        for edge in edges
    ]


def calls_in(graph: CodeGraph, path: str) -> list[str]:
    """Return `3 f -> b.py::g exact` for each call in a file, in its order."""
    edges = graph.used_by(graph.file(path.encode()), [EdgeKind.CALL, EdgeKind.DECORATOR])
    return [line.split(":", 1)[1] for line in lines_of(edges)]


def types_in(graph: CodeGraph, path: str) -> list[str]:
    """Return the same for bases and types."""
    edges = graph.used_by(graph.file(path.encode()), [EdgeKind.BASE, EdgeKind.TYPE])
    return [line.split(":", 1)[1] for line in lines_of(edges)]


def imports_in(graph: CodeGraph, path: str) -> list[str]:
    """Return `2 b.py: g, h` for each import of a file that stays in the tree."""
    return [_import(edge) for edge in graph.imports(path.encode())]


def _import(edge: ImportEdge) -> str:
    names = f": {', '.join(edge.names)}" if edge.names else ""
    return f"{edge.line} {edge.target.decode()}{names}"
