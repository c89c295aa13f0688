"""Put another database in an index's place, in one step that no kill can cut in half.

Must stay light (no numpy). Whoever replaces holds the worker's lock; who has the old database open
goes on with it, and finds out with `Database.is_replaced`.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from sidelight.errors import IndexStateError, StorageError
from sidelight.store.rows import vector_check
from sidelight.store.schema import SIDE_FILES, connect

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)  # the latter for SQLite's own messages
LEFTOVER_AGE_S = 3600  # younger private files may belong to a process that is still writing them


def replace_database(path: Path, fresh: Path) -> None:
    """Make `fresh`, a whole database that nobody has open, the one at `path`.

    The former one's log is folded into it first, so that it is whole at every moment until the new
    one stands in its place; a log that stayed would be taken for the new database's.
    """
    if path.exists():
        _fold_log(path)
        remove_side_files(path)
    fresh.replace(path)
    if os.name != "nt":  # Windows has no handle to a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def remove_side_files(path: Path) -> None:
    """Remove the log and the shared memory beside a database."""
    for side in SIDE_FILES:
        path.with_name(path.name + side).unlink(missing_ok=True)


def remove_leftovers(directory: Path) -> None:
    """Remove the private databases of processes that were killed."""
    for leftover in directory.glob(".new-*.db*"):
        try:
            if time.time() - leftover.stat().st_mtime > LEFTOVER_AGE_S:
                leftover.unlink()
        except OSError:  # gone meanwhile, or not ours to remove
            continue


def carry_vectors(old: Path, new: sqlite3.Connection, model: str, dimensions: int) -> int:
    """Copy the vectors of one model into an empty database; return how many could be read.

    The old database may be damaged: what does not fit its checksum, or the model, stays behind.
    """
    try:
        source = connect(old)
    except (IndexStateError, StorageError):
        return 0
    try:
        row = source.execute("SELECT value FROM meta WHERE key = 'model'").fetchone()
        if row is None or row[0] != model:
            return 0
        before = new.total_changes
        new.executemany(
            "INSERT OR IGNORE INTO embedding (key, vector, crc) VALUES (?, ?, ?)",
            _sound_vectors(source, dimensions),
        )
        return new.total_changes - before
    except UNREADABLE:
        return 0
    finally:
        source.close()


def _sound_vectors(
    source: sqlite3.Connection, dimensions: int
) -> Iterator[tuple[bytes, bytes, int]]:
    rows = source.execute("SELECT key, vector, crc FROM embedding")
    while True:
        try:
            row = rows.fetchone()
        except UNREADABLE:  # a damaged page: what came before it is good
            return
        if row is None:
            return
        key, vector, crc = row
        if not (isinstance(key, bytes) and isinstance(vector, bytes)):
            continue
        if len(vector) == dimensions and crc == vector_check(key, vector):
            yield key, vector, crc


def _fold_log(path: Path) -> None:
    """Write the log's content into the database, as far as readers let us."""
    try:
        connection = connect(path)
    except (IndexStateError, StorageError):  # damaged: there is nothing to keep whole
        return
    try:
        connection.execute("PRAGMA busy_timeout = 1000")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except UNREADABLE:
        return
    finally:
        connection.close()
