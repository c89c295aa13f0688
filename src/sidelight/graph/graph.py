"""The code graph of one view: who uses what, asked one question at a time.

Nothing is built ahead. A question about a symbol reads the files that mention it; a question about
everything reads everything, once. A `CodeGraph` serves one generation of the index.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from sidelight.graph.binding import Binder
from sidelight.graph.copies import near_copies, stub_targets
from sidelight.graph.facts import BlobSource, Facts, file_ref, no_blobs, ref_of
from sidelight.graph.hierarchy import Hierarchy
from sidelight.graph.importing import FileEdges
from sidelight.graph.inference import Inference
from sidelight.graph.kinship import Kinship
from sidelight.graph.lookup import Lookup
from sidelight.graph.model import (
    Edge,
    EdgeKind,
    GraphStats,
    Impact,
    ImportEdge,
    SymbolRef,
    byte_path,
    text_path,
)
from sidelight.graph.naming import find_definitions, nearest_names
from sidelight.graph.resolving import Imports
from sidelight.graph.rows import Definition
from sidelight.graph.scoping import Scoping
from sidelight.graph.statistics import count_graph
from sidelight.graph.testing import Tests
from sidelight.graph.traversal import reach_of_change, shortest_path, walk_levels
from sidelight.graph.uses import CALL_KINDS, USE_KINDS, Uses
from sidelight.model import Symbol
from sidelight.store.corpus import Corpus


def open_graph(
    connection: sqlite3.Connection, corpus: Corpus, read_blobs: BlobSource = no_blobs
) -> CodeGraph:
    """Return the graph of the corpus's view.

    `read_blobs` (ids → (id, bytes), as `BlobReader.read_many`) gives configuration files, without
    which packages of JavaScript, Go, Rust and PHP are not found, and sources, without which fewer
    receivers have a known type. The connection must stay open while the graph is asked.
    """
    from sidelight.graph.mentions import documents_mentioning  # noqa: PLC0415 - numpy

    facts = Facts(connection, corpus.view.id, read_blobs)

    def mentions(word: str) -> Sequence[str]:
        found = documents_mentioning(corpus, word)
        documents = facts.documents
        if found is None:
            return list(documents.values())
        return [documents[doc_id] for doc_id in found if doc_id in documents]

    return CodeGraph(facts, mentions)


class CodeGraph:
    """Answers about one view. Not for several threads at once."""

    def __init__(self, facts: Facts, mentions: Callable[[str], Sequence[str]]) -> None:
        self._facts = facts
        self._mentions = mentions
        self._imports = Imports(facts)
        lookup = Lookup(facts, self._imports)
        scoping = Scoping(lookup)
        hierarchy = Hierarchy(lookup, scoping)
        binder = Binder(lookup, scoping, hierarchy, Inference(lookup, scoping, hierarchy))
        self._uses = Uses(lookup, self._imports, binder, mentions)
        self._files = FileEdges(lookup, self._imports, mentions)
        self._kinship = Kinship(facts, scoping, hierarchy, self._uses)
        self._tests = Tests(facts, self._uses, self._files, mentions)
        self._stats: GraphStats | None = None

    # -- names --------------------------------------------------------------------------------

    def definitions(self, name: str) -> tuple[SymbolRef, ...]:
        """Return the definitions that a name, a qualified name or `path::Name` means, by path."""
        return tuple(ref_of(item) for item in find_definitions(self._facts, name))

    def nearest(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Return names of the tree that look like `name`, likest first."""
        return nearest_names(self._facts, name, limit)

    def has_file(self, path: bytes) -> bool:
        """Return whether the view has the path."""
        return text_path(path) in self._facts.entries

    def symbols(self, path: bytes) -> tuple[Symbol, ...]:
        """Return the definitions of a file in source order; () if the view lacks it."""
        return self._facts.symbols(text_path(path)) if self.has_file(path) else ()

    def mentioning(self, name: str) -> tuple[bytes, ...]:
        """Return the paths that may hold a name, sorted: a superset of those that do."""
        return tuple(byte_path(path) for path in sorted(self._mentions(name)))

    def named(self, name: str) -> tuple[SymbolRef, ...]:
        """Return the definitions of exactly that last name, by path and place."""
        return tuple(ref_of(item) for item in self._facts.named(name))

    def source(self, path: bytes) -> bytes:
        """Return a file's bytes; b"" if the view does not have it or it cannot be read."""
        return self._facts.source(text_path(path))

    def language(self, path: bytes) -> str:
        """Return a file's language; "" if it has no document."""
        return self._facts.language(text_path(path))

    def paths(self) -> tuple[bytes, ...]:
        """Return every path of the view, sorted."""
        return tuple(byte_path(path) for path in sorted(self._facts.entries))

    def paths_ending(self, path: bytes) -> tuple[bytes, ...]:
        """Return the view's paths whose last parts are those of `path`."""
        return tuple(byte_path(found) for found in self._facts.tree.ending(text_path(path)))

    # -- calls --------------------------------------------------------------------------------

    def callers(self, symbol: SymbolRef, depth: int = 1) -> tuple[Edge, ...]:
        """Return the calls of a symbol, and of its callers up to `depth` steps, nearest first.

        Within a step by path and line. A class is called by making it; a decorator by decorating.
        """
        return walk_levels(symbol, depth, lambda s: self.uses_of(s, CALL_KINDS), inwards=True)

    def callees(self, symbol: SymbolRef, depth: int = 1) -> tuple[Edge, ...]:
        """Return what a symbol calls, and what that calls up to `depth` steps, nearest first."""
        return walk_levels(symbol, depth, lambda s: self.used_by(s, CALL_KINDS), inwards=False)

    def uses_of(self, symbol: SymbolRef, kinds: Iterable[EdgeKind] = USE_KINDS) -> tuple[Edge, ...]:
        """Return the uses of a symbol of some kinds, by path and line; () for a whole file."""
        definition = self._definition(symbol)
        return () if definition is None else self._uses.edges_to(definition, kinds)

    def used_by(self, symbol: SymbolRef, kinds: Iterable[EdgeKind] = USE_KINDS) -> tuple[Edge, ...]:
        """Return what a symbol, or a file, uses, in the order of the text."""
        definition = self._definition(symbol)
        if definition is not None:
            return self._uses.edges_from(definition, kinds)
        wanted = frozenset(kinds)
        edges = self._uses.edges_of_file(text_path(symbol.path))
        return tuple(edge for edge in edges if edge.kind in wanted)

    # -- files --------------------------------------------------------------------------------

    def imports(self, path: bytes) -> tuple[ImportEdge, ...]:
        """Return the files of the tree that a file imports, by line."""
        return self._files.out_of(text_path(path))

    def importers(self, path: bytes) -> tuple[ImportEdge, ...]:
        """Return the imports of a file by other files of the tree, by path and line."""
        return self._files.into(text_path(path))

    def library_imports(self, path: bytes) -> tuple[str, ...]:
        """Return the modules that a file imports and the tree does not hold."""
        return tuple(dict.fromkeys(i.module for i in self._files.unresolved(text_path(path))))

    def import_walk(self, focal: Sequence[bytes]) -> dict[bytes, float]:
        """Return how near files are to the focal ones by imports; see `walk.import_walk`."""
        from sidelight.graph.walk import import_walk  # noqa: PLC0415 - numpy

        shares = import_walk(self._files.everything, [text_path(path) for path in focal])
        return {byte_path(path): share for path, share in shares.items()}

    def stub_targets(self, path: bytes) -> tuple[bytes, ...]:
        """Return the files that a file re-exports if it does nothing else; () if it does."""
        found = stub_targets(self._facts, self._imports, text_path(path))
        return tuple(byte_path(target) for target in found)

    def near_copies(self, path: bytes) -> tuple[tuple[bytes, float], ...]:
        """Return files that define the same names and the share in common, best first."""
        found = near_copies(self._facts, text_path(path))
        return tuple((byte_path(other), share) for other, share in found)

    # -- types --------------------------------------------------------------------------------

    def bases(self, symbol: SymbolRef) -> tuple[SymbolRef, ...]:
        """Return the types of the tree that a type extends, as it names them."""
        definition = self._definition(symbol)
        return () if definition is None else self._kinship.bases(definition)

    def subclasses(self, symbol: SymbolRef) -> tuple[Edge, ...]:
        """Return the types that name this one as a base, by path and line."""
        return self.uses_of(symbol, (EdgeKind.BASE,))

    def overrides(self, symbol: SymbolRef) -> tuple[Edge, ...]:
        """Return the edges from overriding to overridden methods that a method is part of."""
        definition = self._definition(symbol)
        return () if definition is None else self._kinship.overrides(definition)

    # -- wider questions ----------------------------------------------------------------------

    def tests_of(self, what: SymbolRef | bytes) -> tuple[Edge, ...]:
        """Return the tests of a definition or of a file, surest first; see `testing.Tests`."""
        if isinstance(what, bytes):
            return self._tests.of_file(text_path(what))
        definition = self._definition(what)
        if definition is None:
            return self._tests.of_file(text_path(what.path))
        return self._tests.of_symbol(definition)

    def path(self, start: SymbolRef, goal: SymbolRef) -> tuple[Edge, ...]:
        """Return the edges of a shortest path of uses, of imports between files; () if none."""
        if not start.qualified_name and not goal.qualified_name:
            return shortest_path(start, goal, self._imports_of, self._imports_to)
        return shortest_path(start, goal, self.used_by, self.uses_of)

    def impact(self, symbols: Iterable[SymbolRef], depth: int = 2) -> tuple[Impact, ...]:
        """Return what changes of these symbols may reach: uses, subclasses, overriding methods."""
        return reach_of_change(symbols, depth, self._affected)

    def stats(self) -> GraphStats:
        """Return the numbers of the whole graph, counted once."""
        if self._stats is None:
            self._stats = count_graph(self._facts, self._uses, self._files)
        return self._stats

    # -- helpers ------------------------------------------------------------------------------

    def _affected(self, symbol: SymbolRef) -> tuple[Edge, ...]:
        overriding = (edge for edge in self.overrides(symbol) if edge.target == symbol)
        return (*self.uses_of(symbol), *overriding)

    def _imports_of(self, file: SymbolRef) -> list[Edge]:
        return [self._files.as_edge(edge) for edge in self.imports(file.path)]

    def _imports_to(self, file: SymbolRef) -> list[Edge]:
        return [self._files.as_edge(edge) for edge in self.importers(file.path)]

    def file(self, path: bytes) -> SymbolRef:
        """Return a file as an end of edges."""
        return file_ref(text_path(path))

    def _definition(self, symbol: SymbolRef) -> Definition | None:
        """Return the row behind a public value; None for a file as a whole."""
        if not symbol.qualified_name:
            return None
        found = self._facts.in_file(text_path(symbol.path), symbol.name)
        same = [item for item in found if item.symbol.qualified_name == symbol.qualified_name]
        exact = [item for item in same if item.symbol.span == symbol.span]
        return next(iter(exact or same), None)
