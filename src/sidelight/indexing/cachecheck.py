"""Read a database from a stranger through and through before it becomes the index.

SQLite is told to distrust the schema; the schema must be ours to the letter, so no trigger, view or
virtual table can be there; then every row's types, sizes, paths and references are checked.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sidelight.errors import DamagedIndexError
from sidelight.history.rows import MAX_TIME, WORD_BYTES, Edge, unpack
from sidelight.model import ChunkKind, SymbolKind
from sidelight.store.database import Identity
from sidelight.store.history import NEXT_ID, history_stamp
from sidelight.store.rows import unpack_imports, unpack_uses, vector_check
from sidelight.store.schema import FORMAT, SCHEMA

MAX_TEXT = 100_000  # no name, symbol or import list of ours is longer
MAX_PAYLOAD = 64 << 20  # a parsed file, unpacked
HASH_AND_COUNT = 10  # bytes of one packed term
CHUNK_KINDS = frozenset(ChunkKind)
SYMBOL_KINDS = frozenset(SymbolKind)
EDGES = frozenset(Edge)
HEX = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def check_database(path: Path, identity: Identity, dimensions: int) -> None:
    """Pass if the database is one that this version could have written.

    `dimensions` is the length of the model's vectors.

    Raises:
        DamagedIndexError: it is not; the message names the table.
        sqlite3.DatabaseError: it is no database, or a damaged one.
    """
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        _check_schema(connection)
        _require(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",), "pages")
        _require(connection.execute("PRAGMA foreign_key_check").fetchone() is None, "references")
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        wanted = (str(FORMAT), identity.pipeline, identity.model)
        _require((meta.get("format"), meta.get("pipeline"), meta.get("model")) == wanted, "meta")
        printable = (_is_text(value) and value.isprintable() for value in meta.values())
        _require(all(printable), "meta")
        numbers = (meta.get("generation", "0"), meta.get(NEXT_ID, "1"))
        _require(all(_is_number(number) for number in numbers), "meta")
        for table, columns, check in _CHECKS:
            for row in _rows(connection, table, columns):
                _require(check(row), table)
        _check_history(connection)
        _check_counts(connection, dimensions)
    finally:
        connection.close()


def _check_schema(connection: sqlite3.Connection) -> None:
    model = sqlite3.connect(":memory:")
    try:
        model.executescript(SCHEMA)
        query = (
            "SELECT type, name, tbl_name, sql FROM sqlite_schema"
            " WHERE name NOT IN ('sqlite_sequence', 'sqlite_stat1') ORDER BY type, name"
        )
        ours, theirs = model.execute(query).fetchall(), connection.execute(query).fetchall()
    finally:
        model.close()
    _require(ours == theirs, "schema")


def _rows(connection: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
    # table and columns are the constants below
    return iter(connection.execute(f"SELECT {columns} FROM {table}"))  # noqa: S608


def _check_counts(connection: sqlite3.Connection, dimensions: int) -> None:
    wrong = connection.execute(
        "SELECT 1 FROM doc WHERE n_chunks !="
        " (SELECT count(*) FROM chunk WHERE chunk.doc_id = doc.id) LIMIT 1"
    ).fetchone()
    _require(wrong is None, "doc")
    sizes = connection.execute("SELECT DISTINCT length(vector) FROM embedding").fetchall()
    _require(sizes in ([], [(dimensions,)]), "embedding")
    duplicate = connection.execute(
        "SELECT 1 FROM file WHERE doc_id IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM doc WHERE doc.id = file.doc_id AND doc.path = file.path"
        " AND doc.blob = file.blob) LIMIT 1"
    ).fetchone()
    _require(duplicate is None, "file")


def _check_history(connection: sqlite3.Connection) -> None:
    """Check what rows say of each other: ids that exist, parents before children."""
    paths = {row[0] for row in connection.execute("SELECT id FROM history_path")}
    commits: set[int] = set()
    query = "SELECT id, parents, files, renames FROM history_commit ORDER BY id"
    for number, parents, files, renames in connection.execute(query):
        _require(number not in commits and commits.issuperset(unpack(parents)), "history")
        _require(paths.issuperset(unpack(files)) and paths.issuperset(unpack(renames)), "history")
        commits.add(number)
    _require(history_stamp(connection) > max(commits, default=0), "history")


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise DamagedIndexError(
            f"the cache was not taken over: its {what} is not what this version writes",
            hint="the index here is as it was; make the file anew with `sidelight cache export`",
        )


def _is_number(text: object) -> bool:
    return isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 16


def _is_text(value: object, *, empty: bool = True) -> bool:
    return isinstance(value, str) and len(value) <= MAX_TEXT and (empty or value != "")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < 1 << 40


def _is_blob_id(value: object) -> bool:
    return isinstance(value, bytes) and len(value) in (20, 32)


def is_safe_path(value: object) -> bool:
    """Return whether the value is a path as git trees hold them: relative, no `..`, no NUL."""
    if not isinstance(value, bytes) or not 0 < len(value) <= 8192 or b"\0" in value:
        return False
    return all(part not in (b"", b".", b"..") for part in value.split(b"/"))


def _is_span(start_byte: object, end_byte: object, start_line: object, end_line: object) -> bool:
    values = [v for v in (start_byte, end_byte, start_line, end_line) if isinstance(v, int)]
    if len(values) != 4 or not all(_is_count(value) for value in values):
        return False
    return values[0] <= values[1] and 1 <= values[2] <= values[3]


def _check_view(row: tuple[Any, ...]) -> bool:
    name, tree, commit, config_key, generation = row
    ids = all(isinstance(item, str) and HEX.fullmatch(item) for item in (tree, commit))
    return _is_text(name, empty=False) and ids and _is_text(config_key) and _is_count(generation)


def _check_parsed(row: tuple[Any, ...]) -> bool:
    blob, language, imports, uses = row
    return (
        _is_blob_id(blob)
        and _is_text(language)
        and _unpacks(imports, unpack_imports)
        and _unpacks(uses, unpack_uses)
    )


def _unpacks(packed: object, unpack: Callable[[bytes], object]) -> bool:
    if not isinstance(packed, bytes):
        return False
    engine = zlib.decompressobj()
    try:
        engine.decompress(packed, MAX_PAYLOAD)
        if not engine.eof:
            return False  # larger than any of ours, or cut
        unpack(packed)
    except (zlib.error, ValueError, KeyError, TypeError):
        return False
    return True


def _check_symbol(row: tuple[Any, ...]) -> bool:
    ordinal, key, name, qualified, kind, *rest = row
    *span, lead, body, parent = rest
    texts = all(_is_text(item, empty=False) for item in (name, qualified)) and _is_text(key)
    places = _is_span(*span) and _is_count(ordinal) and _is_count(lead) and _is_count(body)
    in_order = parent is None or (_is_count(parent) and parent < ordinal)
    return texts and places and kind in SYMBOL_KINDS and in_order


def _check_doc(row: tuple[Any, ...]) -> bool:
    blob, language, path, size, generated, n_chunks = row
    counts = _is_count(size) and generated in (0, 1) and _is_count(n_chunks)
    return _is_blob_id(blob) and _is_text(language) and is_safe_path(path) and counts


def _check_chunk(row: tuple[Any, ...]) -> bool:
    ordinal, kind, symbol, symbol_kind, *rest = row
    *span, parent, imports, embedding, n_terms, terms = rest
    named = kind in CHUNK_KINDS and (symbol_kind is None or symbol_kind in SYMBOL_KINDS)
    texts = _is_text(symbol) and _is_text(imports)
    places = _is_count(ordinal) and _is_span(*span)
    in_order = parent is None or _is_count(parent)
    return named and texts and places and in_order and _are_terms(embedding, n_terms, terms)


def _are_terms(embedding: object, n_terms: object, terms: object) -> bool:
    if not (isinstance(embedding, bytes) and len(embedding) == 16 and _is_count(n_terms)):
        return False
    return isinstance(terms, bytes) and len(terms) % HASH_AND_COUNT == 0


def _check_embedding(row: tuple[Any, ...]) -> bool:
    key, vector, crc = row
    sized = isinstance(key, bytes) and len(key) == 16 and isinstance(vector, bytes)
    return sized and crc == vector_check(key, vector)


def _check_file(row: tuple[Any, ...]) -> bool:
    path, mode, blob, doc_id, skip = row
    placed = (doc_id is None) != (skip is None) and (skip is None or _is_text(skip))
    return is_safe_path(path) and _is_count(mode) and _is_blob_id(blob) and placed


def _check_history_path(row: tuple[Any, ...]) -> bool:
    path, number = row
    return is_safe_path(path) and isinstance(number, int) and 0 < number < 1 << 32


def _check_history_commit(row: tuple[Any, ...]) -> bool:
    oid, number, parents, time, edge, n_files, *packed = row
    named = _is_blob_id(oid) and isinstance(number, int) and 0 < number < 1 << 32
    counts = _is_count(n_files) and isinstance(time, int) and 0 <= time <= MAX_TIME
    columns = [parents, *packed]
    if not named or not counts or edge not in EDGES or not all(map(_is_packed, columns)):
        return False
    files, renames, _terms = packed
    listed = len(files) // WORD_BYTES
    return listed in (0, n_files) and len(renames) % (2 * WORD_BYTES) == 0


def _is_packed(value: object) -> bool:
    return isinstance(value, bytes) and len(value) % WORD_BYTES == 0


def _check_pending(row: tuple[Any, ...]) -> bool:
    key, doc_id = row
    return isinstance(key, bytes) and len(key) == 16 and _is_count(doc_id)


_CHECKS: tuple[tuple[str, str, Callable[[tuple[Any, ...]], bool]], ...] = (
    ("view", "name, tree, commit_id, config_key, generation", _check_view),
    ("parsed", "blob, language, imports, uses", _check_parsed),
    (
        "symbol",
        "ordinal, name_key, name, qualified_name, kind, start_byte, end_byte, start_line,"
        " end_line, lead_byte, body_byte, parent",
        _check_symbol,
    ),
    ("doc", "blob, language, path, size, generated, n_chunks", _check_doc),
    (
        "chunk",
        "ordinal, kind, symbol, symbol_kind, start_byte, end_byte, start_line, end_line, parent,"
        " imports, embedding, n_terms, terms",
        _check_chunk,
    ),
    ("embedding", "key, vector, crc", _check_embedding),
    ("pending", "key, doc_id", _check_pending),
    ("file", "path, mode, blob, doc_id, skip", _check_file),
    ("history_path", "path, id", _check_history_path),
    (
        "history_commit",
        "oid, id, parents, time, edge, n_files, files, renames, terms",
        _check_history_commit,
    ),
)
