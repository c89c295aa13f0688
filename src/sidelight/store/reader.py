"""Questions to the database. Callers hold `Database.read()` where several must agree; no numpy."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from sidelight.model import Span, Symbol, SymbolKind

_Item = TypeVar("_Item")

BATCH = 500  # bound values in one statement; SQLite's own limit was 999 for long


class ChunkInfo(NamedTuple):
    """A chunk's place and names, with those of its document: one row of `CHUNK_COLUMNS`.

    A query makes hundreds and shows ten: what takes work is made when it is asked for.
    """

    id: int
    doc_id: int
    ordinal: int
    path: bytes
    blob_id: bytes
    language: str
    kind: str
    symbol: str
    symbol_kind: str | None
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    parent: int | None
    import_lines: str

    @property
    def blob(self) -> str:
        """The object id of the document's blob."""
        return self.blob_id.hex()

    @property
    def span(self) -> Span:
        """Where the chunk is."""
        return Span(self.start_byte, self.end_byte, self.start_line, self.end_line)

    @property
    def imports(self) -> tuple[str, ...]:
        """The file's imports that the chunk uses."""
        return tuple(self.import_lines.split("\n")) if self.import_lines else ()


class ChunkPlace(NamedTuple):
    """Where a chunk of a document is, and which definition it belongs to."""

    ordinal: int
    kind: str
    symbol: str
    symbol_kind: str | None
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    parent: int | None


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document that has vectors to come."""

    id: int
    blob: str
    language: str
    path: bytes


def view_documents(
    connection: sqlite3.Connection, view_id: int
) -> Iterator[tuple[int, bytes, str]]:
    """Yield (document id, path, language) of each indexed file of the view."""
    return iter(
        connection.execute(
            "SELECT doc.id, doc.path, doc.language FROM file JOIN doc ON doc.id = file.doc_id"
            " WHERE file.view_id = ? ORDER BY doc.path",
            (view_id,),
        )
    )


def view_document_ids(connection: sqlite3.Connection, view_id: int) -> list[int]:
    """Return the ids of the view's documents in the order of their paths."""
    rows = connection.execute(
        "SELECT doc_id FROM file WHERE view_id = ? AND doc_id IS NOT NULL ORDER BY path",
        (view_id,),
    )
    return [row[0] for row in rows]


def paths_named(connection: sqlite3.Connection, view_id: int, name: bytes) -> list[bytes]:
    """Return the view's paths whose last part is `name`."""
    rows = connection.execute(
        "SELECT path FROM file WHERE view_id = ? AND (path = ? OR"
        " substr(path, -?) = ?) ORDER BY path",
        (view_id, name, len(name) + 1, b"/" + name),
    )
    return [row[0] for row in rows]


def skipped_counts(connection: sqlite3.Connection, view_id: int) -> dict[str, int]:
    """Return how many files of the view are not indexed, by reason."""
    return dict(
        connection.execute(
            "SELECT skip, count(*) FROM file WHERE view_id = ? AND skip IS NOT NULL"
            " GROUP BY skip ORDER BY skip",
            (view_id,),
        ).fetchall()
    )


def skipped_files(connection: sqlite3.Connection, view_id: int) -> list[tuple[bytes, str]]:
    """Return the files of the view that are not indexed, each with its reason."""
    return connection.execute(
        "SELECT path, skip FROM file WHERE view_id = ? AND skip IS NOT NULL ORDER BY path",
        (view_id,),
    ).fetchall()


def view_counts(connection: sqlite3.Connection, view_id: int) -> tuple[int, int]:
    """Return the view's numbers of indexed files and of chunks."""
    files, chunks = connection.execute(
        "SELECT count(*), coalesce(sum(doc.n_chunks), 0)"
        " FROM file JOIN doc ON doc.id = file.doc_id WHERE file.view_id = ?",
        (view_id,),
    ).fetchone()
    return int(files), int(chunks)


def pending_documents(connection: sqlite3.Connection, limit: int) -> list[DocumentInfo]:
    """Return documents with vectors to come, newest first: they are asked for first."""
    rows = connection.execute(
        "SELECT doc.id, doc.blob, doc.language, doc.path FROM doc WHERE id IN"
        " (SELECT DISTINCT doc_id FROM pending ORDER BY doc_id DESC LIMIT ?) ORDER BY id DESC",
        (limit,),
    )
    return [DocumentInfo(doc_id, blob.hex(), lang, path) for doc_id, blob, lang, path in rows]


def pending_keys(connection: sqlite3.Connection, doc_id: int) -> set[bytes]:
    """Return the pending keys that are listed under a document."""
    rows = connection.execute("SELECT key FROM pending WHERE doc_id = ?", (doc_id,))
    return {row[0] for row in rows}


def known_embeddings(connection: sqlite3.Connection, keys: Sequence[bytes]) -> set[bytes]:
    """Return those of the keys that have a vector."""
    return {key for (key,) in _select(connection, "SELECT key FROM embedding WHERE key IN", keys)}


CHUNK_COLUMNS = (
    "chunk.id, chunk.doc_id, chunk.ordinal, doc.path, doc.blob, doc.language, chunk.kind,"
    " chunk.symbol, chunk.symbol_kind, chunk.start_byte, chunk.end_byte, chunk.start_line,"
    " chunk.end_line, chunk.parent, chunk.imports"
)


def read_chunks(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, ChunkInfo]:
    """Return the chunks of those ids that exist."""
    query = f"SELECT {CHUNK_COLUMNS} FROM chunk JOIN doc ON doc.id = chunk.doc_id WHERE chunk.id IN"  # noqa: S608
    return {row[0]: ChunkInfo._make(row) for row in _select(connection, query, ids)}


def read_terms(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, bytes]:
    """Return the packed terms of the chunks of those ids that exist."""
    return dict(_select(connection, "SELECT id, terms FROM chunk WHERE id IN", ids))


def read_vectors(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, bytes]:
    """Return the vectors, as int8 bytes, of those chunks that have one."""
    query = (
        "SELECT chunk.id, embedding.vector FROM chunk"
        " JOIN embedding ON embedding.key = chunk.embedding WHERE chunk.id IN"
    )
    return dict(_select(connection, query, ids))


def chunk_places_of(connection: sqlite3.Connection, doc_id: int) -> list[ChunkPlace]:
    """Return where a document's chunks are, in file order."""
    rows = connection.execute(
        f"SELECT {', '.join(ChunkPlace._fields)} FROM chunk"  # noqa: S608
        " WHERE doc_id = ? ORDER BY ordinal",
        (doc_id,),
    )
    return list(map(ChunkPlace._make, rows))


def document_chunks(connection: sqlite3.Connection, doc_id: int) -> list[ChunkInfo]:
    """Return a document's chunks in file order."""
    rows = connection.execute(
        f"SELECT {CHUNK_COLUMNS} FROM chunk JOIN doc ON doc.id = chunk.doc_id"  # noqa: S608
        " WHERE chunk.doc_id = ? ORDER BY chunk.ordinal",
        (doc_id,),
    )
    return list(map(ChunkInfo._make, rows))


def read_symbols(connection: sqlite3.Connection, parsed_id: int) -> tuple[Symbol, ...]:
    """Return the symbols of a parsed file in source order."""
    rows = connection.execute(
        "SELECT name, qualified_name, kind, start_byte, end_byte, start_line, end_line, lead_byte,"
        " body_byte, parent FROM symbol WHERE parsed_id = ? ORDER BY ordinal",
        (parsed_id,),
    )
    return tuple(
        Symbol(name, qualified, SymbolKind(kind), Span(*span), lead, body, parent)
        for name, qualified, kind, *span, lead, body, parent in rows
    )


def _select(connection: sqlite3.Connection, query: str, values: Sequence[_Item]) -> list[Any]:
    """Return the rows of a query of ours that ends in `IN`, for any number of values."""
    rows: list[Any] = []
    for start in range(0, len(values), BATCH):
        part = values[start : start + BATCH]
        marks = ",".join("?" * len(part))
        rows += connection.execute(f"{query} ({marks})", part).fetchall()
    return rows
