"""Read what packing needs of one view: files as lines, the definitions in them, what they use.

The only module of the package that asks the database or git.
"""

from __future__ import annotations

import math
import sqlite3
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from sidelight.errors import GitError, IndexBusyError, IndexMissingError
from sidelight.git.blobs import BlobReader
from sidelight.graph.graph import open_graph
from sidelight.graph.model import Confidence, Edge, SymbolRef
from sidelight.indexing.place import Place
from sidelight.model import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    ChunkKind,
    Span,
    Symbol,
)
from sidelight.packing.model import Lines, Scope, SourceFile
from sidelight.store.corpus import Corpus, document_frequency, open_corpus
from sidelight.store.database import Database
from sidelight.store.reader import ChunkInfo, document_chunks, read_symbols, read_vectors
from sidelight.store.snapshot import open_latest
from sidelight.store.views import find_view
from sidelight.tokens import term_hash

# How sure a bound use is; an ambiguous one is left out: no definition costs less than a wrong one.
SURENESS = {
    Confidence.EXACT: 0.95,
    Confidence.SAME_CLASS: 0.9,
    Confidence.IMPORTED: 0.85,
    Confidence.UNIQUE: 0.6,
}
HEADER_LINES = 6  # of one signature
_AROUND = CALLABLE_KINDS | CONTAINER_KINDS


@dataclass(frozen=True, slots=True)
class Dependency:
    """A definition that is used, how sure that is (0-1), and the line of the use."""

    target: SymbolRef
    confidence: float
    line: int


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A file of the view: its text as lines and what syntax says of it."""

    file: SourceFile
    document: int
    symbols: tuple[Symbol, ...]
    starts: tuple[int, ...]
    parsed_id: int

    def line_at(self, byte: int) -> int:
        """Return the 1-based line of a byte."""
        return max(1, bisect_right(self.starts, byte))


class ViewReader:
    """Answers about one view within one read transaction. Not for several threads at once."""

    def __init__(self, connection: sqlite3.Connection, corpus: Corpus, blobs: BlobReader) -> None:
        self._connection = connection
        self._corpus = corpus
        self._blobs = blobs
        self._sources: dict[bytes, ParsedSource | None] = {}
        self._graph = open_graph(connection, corpus, blobs.read_many)

    def source(self, path: bytes) -> ParsedSource | None:
        """Return a file of the view; None if it is not indexed, or its blob is not here."""
        if path not in self._sources:
            self._sources[path] = self._read(path)
        return self._sources[path]

    def files(self, paths: Iterable[bytes]) -> dict[bytes, SourceFile]:
        """Return those of the paths that can be read."""
        found = ((path, self.source(path)) for path in dict.fromkeys(paths))
        return {path: source.file for path, source in found if source is not None}

    def chunks(self, source: ParsedSource) -> list[ChunkInfo]:
        """Return the file's chunks in their order."""
        return document_chunks(self._connection, source.document)

    def overview(self, source: ParsedSource, name: str) -> Lines | None:
        """Return the lines of the overview of the class of that qualified name, if it has one."""
        for chunk in self.chunks(source):
            if chunk.kind == ChunkKind.OVERVIEW and chunk.symbol == name:
                return Lines(chunk.span.start_line, chunk.span.end_line)
        return None

    def dependencies(self, source: ParsedSource, lines: Lines) -> list[Dependency]:
        """Return the definitions of the tree that definitions within the lines use, surest first.

        What is ambiguous, or lies within the lines itself, is left out. Ties: the order of uses.
        """
        own = source.file.path
        edges: dict[tuple[bytes, int], Edge] = {}
        for symbol in _outermost(source, lines):
            for edge in self._graph.used_by(
                SymbolRef(own, symbol.qualified_name, symbol.kind, symbol.span)
            ):
                target = edge.target
                at_home = target.path == own and _starts_in(target.span, lines)
                if at_home or edge.line not in range(lines.first, lines.last + 1):
                    continue
                key = (target.path, target.span.start_byte)
                if key not in edges or _sureness(edge) > _sureness(edges[key]):
                    edges[key] = edge
        found = [_dependency(edge) for edge in edges.values() if _sureness(edge) > 0]
        return sorted(found, key=lambda item: -item.confidence)

    def used_by(self, path: bytes, qualified_name: str, names: Container[str]) -> list[Dependency]:
        """Return what a definition of the view uses by one of the names, surest first."""
        source = self.source(path)
        symbols = source.symbols if source is not None else ()
        for symbol in symbols:
            if symbol.qualified_name == qualified_name:
                edges = self._graph.used_by(
                    SymbolRef(path, qualified_name, symbol.kind, symbol.span)
                )
                found = [
                    _dependency(edge)
                    for edge in edges
                    if edge.target.name in names and _sureness(edge) > 0
                ]
                return sorted(found, key=lambda item: -item.confidence)
        return []

    def idf(self, terms: Iterable[str]) -> dict[str, float]:
        """Return ln(1 + (N - df + .5) / (df + .5)) of each term over the view's chunks.

        Terms that the view lacks are left out.
        """
        found = {}
        for term in terms:
            frequency = document_frequency(self._corpus, term_hash(term))
            if frequency:
                rest = self._corpus.n_live - frequency
                found[term] = math.log(1 + (rest + 0.5) / (frequency + 0.5))
        return found

    def chunk_terms(self, source: ParsedSource, lines: Lines) -> frozenset[int]:
        """Return the hashed terms of the chunks that share a line with the given ones."""
        terms: set[int] = set()
        for chunk in self.chunks(source):
            if chunk.span.start_line <= lines.last and lines.first <= chunk.span.end_line:
                row = self._connection.execute(
                    "SELECT terms FROM chunk WHERE id = ?", (chunk.id,)
                ).fetchone()
                packed: bytes = row[0]
                terms.update(np.frombuffer(packed, "<u8", len(packed) // 10).tolist())
        return frozenset(terms)

    def vector(self, path: bytes, lines: Lines) -> bytes | None:
        """Return the int8 vector of the chunk that shares most of the lines, if it has one."""
        source = self.source(path)
        shared = [
            (min(chunk.end_line, lines.last) - max(chunk.start_line, lines.first), -chunk.id)
            for chunk in (self.chunks(source) if source is not None else ())
        ]
        most, negative = max(shared, default=(-1, 0))
        return read_vectors(self._connection, [-negative]).get(-negative) if most >= 0 else None

    def _read(self, path: bytes) -> ParsedSource | None:
        row = self._connection.execute(
            "SELECT doc.id, doc.blob, doc.language, doc.parsed_id FROM file"
            " JOIN doc ON doc.id = file.doc_id WHERE file.view_id = ? AND file.path = ?",
            (self._corpus.view.id, path),
        ).fetchone()
        if row is None:
            return None
        document, blob, language, parsed_id = row
        try:
            content = self._blobs.read(blob.hex())
        except GitError:
            return None
        rows = content.split(b"\n")
        if rows[-1] == b"":
            rows.pop()
        starts = tuple(accumulate((len(line) + 1 for line in rows), initial=0))[: len(rows)]
        symbols = read_symbols(self._connection, parsed_id)
        lines = tuple(line.decode("utf-8", "replace").rstrip("\r") for line in rows)
        source = ParsedSource(
            SourceFile(path, blob.hex(), language, lines), document, symbols, starts, parsed_id
        )
        file = SourceFile(path, blob.hex(), language, lines, tuple(_scopes(source)))
        return ParsedSource(file, document, symbols, starts, parsed_id)


@contextmanager
def open_reader(place: Place, view: str, tree: str) -> Iterator[ViewReader]:
    """Yield a reader of a view, which must show the tree that the hits are of.

    Raises:
        IndexMissingError: there is no such view.
        IndexBusyError: the view shows another tree by now.
        IndexStateError, StorageError: see `Database.open`.
    """
    database = Database.open(place.directory, place.identity)
    try:
        with database.read() as connection, BlobReader(place.repo) as blobs:
            found = find_view(connection, view)
            if found is None:
                raise IndexMissingError(f"{view} is not indexed", hint="run `sidelight index`")
            if found.tree != tree:
                raise IndexBusyError(
                    "the index moved on while the context was made", hint="run it again"
                )
            corpus = open_corpus(connection, found, open_latest(database))
            yield ViewReader(connection, corpus, blobs)
    finally:
        database.close()


def signature_lines(source: ParsedSource, symbol: Symbol) -> Lines:
    """Return the lines of a definition up to its body; bounded, and at least one."""
    first = symbol.span.start_line
    has_body = symbol.span.start_byte < symbol.body_byte < symbol.span.end_byte
    last = source.line_at(symbol.body_byte - 1) if has_body else first
    text = source.file.lines[last - 1] if last <= len(source.file.lines) else ""
    if last > first and not text.strip():  # the body begins on a line of its own
        last -= 1
    return Lines(first, min(max(last, first), first + HEADER_LINES - 1))


def weigh(terms: Mapping[str, float], idf: Mapping[str, float]) -> dict[str, float]:
    """Return each term's weight times its rarity; terms of the view only."""
    return {term: weight * idf[term] for term, weight in terms.items() if term in idf}


def _scopes(source: ParsedSource) -> Iterator[Scope]:
    for symbol in source.symbols:
        if symbol.kind in _AROUND and symbol.span.end_line > symbol.span.start_line:
            whole = Lines(symbol.span.start_line, symbol.span.end_line)
            yield Scope(symbol.qualified_name, signature_lines(source, symbol), whole)


def _outermost(source: ParsedSource, lines: Lines) -> list[Symbol]:
    """Return the definitions that hold lines of these: what begins there, else what is around."""
    inside = [s for s in source.symbols if _starts_in(s.span, lines)]
    if inside:
        held: list[Symbol] = []
        for symbol in inside:
            if not any(other.span.contains(symbol.span) for other in held):
                held.append(symbol)
        return held
    around = [s for s in source.symbols if s.span.start_line < lines.first <= s.span.end_line]
    return around[-1:]


def _starts_in(span: Span, lines: Lines) -> bool:
    return lines.first <= span.start_line <= lines.last


def _sureness(edge: Edge) -> float:
    return SURENESS.get(edge.confidence, 0.0)


def _dependency(edge: Edge) -> Dependency:
    return Dependency(edge.target, _sureness(edge), edge.line)
