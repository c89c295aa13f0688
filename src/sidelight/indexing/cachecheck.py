"""Read a database from a stranger through and through before it becomes the index.

SQLite is told to distrust the schema; the schema must be ours to the letter, so no trigger, view or
virtual table can be there; then pages, every field, and what rows say of each other are checked.
What a stranger says of a file's content cannot be checked without making it anew.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from sidelight.errors import DamagedIndexError
from sidelight.history.rows import unpack
from sidelight.indexing.cachefields import CHECKS, is_line, is_number
from sidelight.store.database import Identity
from sidelight.store.history import NEXT_ID, history_stamp
from sidelight.store.schema import FORMAT, SCHEMA
from sidelight.store.soundness import find_damage


@dataclass(frozen=True, slots=True)
class Expected:
    """What a database must be to serve here: its identity, and the lengths of vectors and ids."""

    identity: Identity
    dimensions: int
    hash_bytes: int


# Rows that must not exist; each names the table to blame.
CONTRADICTIONS: tuple[tuple[str, str], ...] = (
    (
        "doc",
        "SELECT 1 FROM doc LEFT JOIN (SELECT doc_id, count(*) AS n, count(DISTINCT ordinal) AS m"
        " FROM chunk GROUP BY doc_id) ON doc_id = doc.id"
        " WHERE n_chunks != coalesce(n, 0) OR coalesce(n, 0) != coalesce(m, 0)",
    ),
    (
        "symbol",
        "SELECT 1 FROM symbol GROUP BY parsed_id HAVING max(ordinal) != count(*) - 1",
    ),
    (
        "parsed",
        "SELECT 1 FROM doc JOIN parsed ON parsed.id = doc.parsed_id"
        " WHERE parsed.blob != doc.blob OR parsed.language != doc.language",
    ),
    (
        "file",
        "SELECT 1 FROM file WHERE doc_id IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM doc WHERE doc.id = file.doc_id AND doc.path = file.path"
        " AND doc.blob = file.blob)",
    ),
    (
        "pending",
        "SELECT 1 FROM pending WHERE NOT EXISTS (SELECT 1 FROM chunk"
        " WHERE chunk.doc_id = pending.doc_id AND chunk.embedding = pending.key)",
    ),
    (
        "embedding",
        "SELECT 1 FROM chunk WHERE doc_id IN (SELECT doc_id FROM file)"
        " AND embedding NOT IN (SELECT key FROM embedding)"
        " AND embedding NOT IN (SELECT key FROM pending)",
    ),
)
HASHES = ("view.tree", "view.commit_id", "parsed.blob", "doc.blob", "file.blob")


def check_database(path: Path, expected: Expected) -> None:
    """Pass if the database is one that this version could have written here.

    Raises:
        DamagedIndexError: it is not; the message names the table.
        sqlite3.DatabaseError: it is no database, or a damaged one.
    """
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        _check_schema(connection)
        _require(find_damage(connection) is None, "pages")
        _check_meta(connection, expected.identity)
        for table, columns, check in CHECKS:
            for row in connection.execute(f"SELECT {columns}"):
                _require(check(row), table)
        for table, query in CONTRADICTIONS:
            _require(connection.execute(f"{query} LIMIT 1").fetchone() is None, table)
        _check_lengths(connection, expected)
        _check_history(connection)
    finally:
        connection.close()


def _check_schema(connection: sqlite3.Connection) -> None:
    model = sqlite3.connect(":memory:")
    try:
        model.executescript(SCHEMA)
        query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
        ours, theirs = model.execute(query).fetchall(), connection.execute(query).fetchall()
    finally:
        model.close()
    _require(ours == theirs, "schema")


def _check_meta(connection: sqlite3.Connection, identity: Identity) -> None:
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    wanted = (str(FORMAT), identity.pipeline, identity.model)
    _require((meta.get("format"), meta.get("pipeline"), meta.get("model")) == wanted, "meta")
    _require(all(is_line(key) and is_line(value) for key, value in meta.items()), "meta")
    counts = (meta.get("generation", "0"), meta.get("collections", "0"), meta.get(NEXT_ID, "1"))
    _require(all(is_number(count) for count in counts), "meta")


def _check_lengths(connection: sqlite3.Connection, expected: Expected) -> None:
    sizes = connection.execute("SELECT DISTINCT length(vector) FROM embedding").fetchall()
    _require(sizes in ([], [(expected.dimensions,)]), "embedding")
    for name in HASHES:
        table, _, column = name.partition(".")
        sizes = connection.execute(f"SELECT DISTINCT length({column}) FROM {table}").fetchall()  # noqa: S608
        digits = expected.hash_bytes * (2 if table == "view" else 1)
        _require(sizes in ([], [(digits,)]), table)


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
