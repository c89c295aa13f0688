"""Everything that changes the database. Callers hold `Database.write()`; no numpy here.

Documents are immutable and named by content, so they may be inserted before any view shows them:
a build that is killed half-way finds its finished part again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from sidelight.model import ParsedFile
from sidelight.store.rows import (
    ChunkRow,
    DocumentRows,
    FileRow,
    pack_imports,
    pack_uses,
    vector_check,
)
from sidelight.store.views import ViewState


def insert_document(connection: sqlite3.Connection, document: DocumentRows) -> int:
    """Insert a document with its symbols and chunks; return its id (the old one if it is there)."""
    blob = bytes.fromhex(document.blob)
    row = connection.execute(
        "SELECT id FROM doc WHERE blob = ? AND language = ? AND path = ?",
        (blob, document.language, document.path),
    ).fetchone()
    if row is not None:
        return int(row[0])
    parsed_id = _insert_parsed(connection, blob, document.parsed)
    doc_id = connection.execute(
        "INSERT INTO doc (blob, language, path, size, generated, parsed_id, n_chunks)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            blob,
            document.language,
            document.path,
            document.size,
            document.generated,
            parsed_id,
            len(document.chunks),
        ),
    ).lastrowid
    assert doc_id is not None  # noqa: S101 - an INSERT into a rowid table always has one
    connection.executemany(
        "INSERT INTO chunk (doc_id, ordinal, kind, symbol, symbol_kind, start_byte, end_byte,"
        " start_line, end_line, parent, imports, embedding, n_terms, terms)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [_chunk_values(doc_id, ordinal, chunk) for ordinal, chunk in enumerate(document.chunks)],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO pending (key, doc_id)"
        " SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM embedding WHERE key = ?1)",
        {(chunk.embedding, doc_id) for chunk in document.chunks},
    )
    return doc_id


def insert_embeddings(
    connection: sqlite3.Connection, vectors: Iterable[tuple[bytes, bytes]]
) -> None:
    """Store int8 vectors by key."""
    connection.executemany(
        "INSERT OR IGNORE INTO embedding (key, vector, crc) VALUES (?, ?, ?)",
        [(key, vector, vector_check(key, vector)) for key, vector in vectors],
    )


def settle_pending(connection: sqlite3.Connection, keys: Iterable[bytes]) -> None:
    """Take keys off the pending list that have their vector by now, whoever made it."""
    connection.executemany(
        "DELETE FROM pending WHERE key = ?1 AND EXISTS (SELECT 1 FROM embedding WHERE key = ?1)",
        [(key,) for key in keys],
    )


def forget_pending(connection: sqlite3.Connection, keys: Iterable[bytes]) -> None:
    """Take keys off the pending list that nothing can produce any more (their blob is gone)."""
    connection.executemany("DELETE FROM pending WHERE key = ?", [(key,) for key in keys])


def update_view(
    connection: sqlite3.Connection,
    name: str,
    state: ViewState,
    *,
    upserts: Sequence[FileRow],
    deletes: Iterable[bytes] = (),
    replace_all: bool = False,
) -> int:
    """Make the view show `state` and return the new generation.

    `upserts` and `deletes` are the difference to what it showed; with `replace_all` the upserts
    are the whole tree.
    """
    generation = next_generation(connection)
    connection.execute(
        "INSERT INTO view (name, tree, commit_id, config_key, generation) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (name) DO UPDATE SET tree = excluded.tree, commit_id = excluded.commit_id,"
        " config_key = excluded.config_key, generation = excluded.generation",
        (name, state.tree, state.commit, state.config_key, generation),
    )
    view_id = connection.execute("SELECT id FROM view WHERE name = ?", (name,)).fetchone()[0]
    if replace_all:
        connection.execute("DELETE FROM file WHERE view_id = ?", (view_id,))
    connection.executemany(
        "DELETE FROM file WHERE view_id = ? AND path = ?", [(view_id, path) for path in deletes]
    )
    connection.executemany(
        "INSERT OR REPLACE INTO file (view_id, path, mode, blob, doc_id, skip)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [
            (view_id, row.path, row.mode, bytes.fromhex(row.blob), row.doc_id, row.skip)
            for row in upserts
        ],
    )
    _queue_missing(connection, [row.doc_id for row in upserts if row.doc_id is not None])
    return generation


def drop_view(connection: sqlite3.Connection, name: str) -> bool:
    """Remove a view; its documents stay until garbage collection. Return whether it was there."""
    return connection.execute("DELETE FROM view WHERE name = ?", (name,)).rowcount > 0


def next_generation(connection: sqlite3.Connection) -> int:
    """Return a number larger than every generation before, and record it as the current one."""
    return _count_up(connection, "generation")


def collections(connection: sqlite3.Connection) -> int:
    """Return how often garbage was collected."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'collections'").fetchone()
    return int(row[0]) if row else 0


def _count_up(connection: sqlite3.Connection, key: str) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    count = int(row[0]) + 1 if row else 1
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, str(count)))
    return count


def collect_garbage(connection: sqlite3.Connection) -> int:
    """Delete documents that no view shows, and vectors that no chunk names; return documents.

    A refresh under way may be about to show some of them: it sees by `collections` that it has to
    look again.
    """
    removed = connection.execute(
        "DELETE FROM doc WHERE id NOT IN (SELECT doc_id FROM file WHERE doc_id IS NOT NULL)"
    ).rowcount
    connection.execute("DELETE FROM parsed WHERE id NOT IN (SELECT parsed_id FROM doc)")
    connection.execute("DELETE FROM embedding WHERE key NOT IN (SELECT embedding FROM chunk)")
    connection.execute("DELETE FROM pending WHERE key NOT IN (SELECT embedding FROM chunk)")
    # a pending key's document may be gone while another document shares the key
    connection.execute(
        "UPDATE pending SET doc_id ="
        " (SELECT doc_id FROM chunk WHERE chunk.embedding = pending.key LIMIT 1)"
        " WHERE doc_id NOT IN (SELECT id FROM doc)"
    )
    next_generation(connection)
    _count_up(connection, "collections")
    return removed


def _queue_missing(connection: sqlite3.Connection, documents: Iterable[int]) -> None:
    """Make every chunk that is shown have its vector or wait for it.

    A document that came back may have lost it: nobody could embed it while its blob was gone.
    """
    connection.executemany(
        "INSERT OR IGNORE INTO pending (key, doc_id)"
        " SELECT embedding, doc_id FROM chunk WHERE doc_id = ?"
        " AND NOT EXISTS (SELECT 1 FROM embedding WHERE key = chunk.embedding)",
        [(doc_id,) for doc_id in documents],
    )


def _insert_parsed(connection: sqlite3.Connection, blob: bytes, parsed: ParsedFile) -> int:
    row = connection.execute(
        "SELECT id FROM parsed WHERE blob = ? AND language = ?", (blob, parsed.language)
    ).fetchone()
    if row is not None:
        return int(row[0])
    parsed_id = connection.execute(
        "INSERT INTO parsed (blob, language, imports, uses) VALUES (?, ?, ?, ?)",
        (
            blob,
            parsed.language,
            pack_imports(parsed.imports),
            pack_uses(parsed.references, parsed.problems),
        ),
    ).lastrowid
    assert parsed_id is not None  # noqa: S101 - an INSERT into a rowid table always has one
    connection.executemany(
        "INSERT INTO symbol (parsed_id, ordinal, name_key, name, qualified_name, kind, start_byte,"
        " end_byte, start_line, end_line, lead_byte, body_byte, parent)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                parsed_id,
                ordinal,
                symbol.name.casefold(),
                symbol.name,
                symbol.qualified_name,
                symbol.kind.value,
                symbol.span.start_byte,
                symbol.span.end_byte,
                symbol.span.start_line,
                symbol.span.end_line,
                symbol.lead_byte,
                symbol.body_byte,
                symbol.parent,
            )
            for ordinal, symbol in enumerate(parsed.symbols)
        ],
    )
    return parsed_id


def _chunk_values(doc_id: int, ordinal: int, chunk: ChunkRow) -> tuple[object, ...]:
    span = chunk.span
    return (
        doc_id,
        ordinal,
        chunk.kind.value,
        chunk.symbol,
        chunk.symbol_kind.value if chunk.symbol_kind else None,
        span.start_byte,
        span.end_byte,
        span.start_line,
        span.end_line,
        chunk.parent,
        "\n".join(chunk.imports),
        chunk.embedding,
        chunk.n_terms,
        chunk.terms,
    )
