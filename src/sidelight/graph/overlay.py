"""A view with some of its files replaced: the other side of a diff, without an index of it.

The diff's files are parsed on the fly; everything else is the view's. So both sides of a diff have
a graph, whichever of them is indexed, and the working tree has one without being indexed at all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sidelight.graph.facts import BlobSource, Facts, no_blobs
from sidelight.graph.graph import CodeGraph
from sidelight.graph.model import text_path
from sidelight.graph.rows import Definition, FileEntry
from sidelight.model import ParsedFile, Reference, Symbol
from sidelight.store.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Layer:
    """What stands at a path instead of what the view has there."""

    source: bytes
    parsed: ParsedFile


def open_overlaid(
    connection: sqlite3.Connection,
    corpus: Corpus,
    layers: Mapping[bytes, Layer | None],
    read_blobs: BlobSource = no_blobs,
) -> CodeGraph:
    """Return the graph of the view with the paths of `layers` replaced; None takes a path away.

    See `open_graph`; the connection must stay open while the graph is asked.
    """
    from sidelight.graph.mentions import documents_mentioning  # noqa: PLC0415 - numpy

    facts = OverlaidFacts(
        connection, corpus.view.id, {text_path(p): item for p, item in layers.items()}, read_blobs
    )

    def mentions(word: str) -> Sequence[str]:
        found = documents_mentioning(corpus, word)
        documents = facts.documents
        if found is None:
            return list(documents.values())
        kept = [documents[doc_id] for doc_id in found if doc_id in documents]
        return kept + facts.layers_with(word)

    return CodeGraph(facts, mentions)


class OverlaidFacts(Facts):
    """Rows and sources of a view, and of the files laid over it."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        view_id: int,
        layers: Mapping[str, Layer | None],
        read_blobs: BlobSource = no_blobs,
    ) -> None:
        super().__init__(connection, view_id, read_blobs)
        self._layers = layers
        self._over = {path: item for path, item in layers.items() if item is not None}
        self._lay()

    @cached_property
    def entries(self) -> dict[str, FileEntry]:
        """Path → entry. A layer's ids are negative: no row has them."""
        known = super().entries
        found = {path: entry for path, entry in known.items() if path not in self._layers}
        for number, (path, item) in enumerate(self._over.items(), start=1):
            raw = path.encode("utf-8", "surrogateescape")
            found[path] = FileEntry(raw, "", -number, -number, item.parsed.language)
        return dict(sorted(found.items()))

    def layers_with(self, word: str) -> list[str]:
        """Return the paths of layers whose source may hold the word."""
        needle = word.encode("utf-8", "surrogateescape")
        return [path for path, item in self._over.items() if needle in item.source]

    def symbols(self, path: str) -> tuple[Symbol, ...]:
        """Return the file's definitions in source order."""
        item = self._layers.get(path)
        return item.parsed.symbols if item is not None else super().symbols(path)

    def named(self, name: str) -> tuple[Definition, ...]:
        """Return all definitions of that very name, by path and place."""
        if name not in self._named:
            kept = [item for item in super().named(name) if item.path not in self._layers]
            kept += [d for path in self._over for d in self._layered(path, name)]
            self._named[name] = tuple(sorted(kept, key=lambda d: (d.path, d.ordinal)))
        return self._named[name]

    def _find_qualified(self, dotted: str) -> tuple[Definition, ...]:
        name = dotted.rpartition(".")[2]
        kept = [item for item in super()._find_qualified(dotted) if item.path not in self._layers]
        kept += [
            item
            for path in self._over
            for item in self._layered(path, name)
            if item.symbol.qualified_name == dotted
        ]
        return tuple(sorted(kept, key=lambda d: (d.path, d.ordinal)))

    def in_file(self, path: str, name: str) -> tuple[Definition, ...]:
        """Return the file's definitions of that very name, in source order."""
        if path in self._layers:
            return self._layered(path, name)
        return super().in_file(path, name)

    def load_all(self) -> None:
        """Read everything of the view, and lay the layers over it again."""
        if self._is_complete:
            return
        super().load_all()
        for path in self._layers:
            self._symbols.pop(path, None)
        named: dict[str, list[Definition]] = {}
        for name, found in self._named.items():
            named[name] = [d for d in found if d.path not in self._layers]
        for path, item in self._over.items():
            for ordinal, symbol in enumerate(item.parsed.symbols):
                named.setdefault(symbol.name, []).append(Definition(path, ordinal, symbol))
        self._named = {
            name: tuple(sorted(found, key=lambda d: (d.path, d.ordinal)))
            for name, found in named.items()
        }
        self._lay()

    def references(self, path: str) -> tuple[Reference, ...]:
        """Return the file's uses of names in source order."""
        if path in self._layers and path not in self._over:
            return ()
        return super().references(path)

    def fetch_sources(self, paths: Iterable[str]) -> None:
        """Read many files' bytes through one process; layers have theirs."""
        super().fetch_sources(path for path in paths if path not in self._layers)

    def _lay(self) -> None:
        for path, item in self._over.items():
            self._imports[path] = item.parsed.imports
            self._references[path] = item.parsed.references
            self._sources[path] = item.source

    def _layered(self, path: str, name: str) -> tuple[Definition, ...]:
        item = self._over.get(path)
        symbols = item.parsed.symbols if item is not None else ()
        return tuple(Definition(path, n, s) for n, s in enumerate(symbols) if s.name == name)
