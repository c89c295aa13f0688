"""The tables, how a connection is opened, and how SQLite's failures become ours.

Must stay light (no numpy): the commit hook imports it. `docs/index-format.md` explains the format.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from sidelight.errors import DamagedIndexError, IndexBusyError, StorageError

FORMAT = 1  # raise it with every change of a table, a packed column or a snapshot file
BUSY_TIMEOUT_S = 30.0
SIDE_FILES = ("-wal", "-shm", "-journal")

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE view (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  tree TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  config_key TEXT NOT NULL,
  generation INTEGER NOT NULL
);
CREATE TABLE parsed (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  blob BLOB NOT NULL,
  language TEXT NOT NULL,
  imports BLOB NOT NULL,
  uses BLOB NOT NULL,
  UNIQUE (blob, language)
);
CREATE TABLE symbol (
  parsed_id INTEGER NOT NULL REFERENCES parsed (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  name TEXT NOT NULL,
  qualified_name TEXT NOT NULL,
  kind TEXT NOT NULL,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  lead_byte INTEGER NOT NULL,
  body_byte INTEGER NOT NULL,
  parent INTEGER,
  PRIMARY KEY (parsed_id, ordinal)
) WITHOUT ROWID;
CREATE INDEX symbol_by_name ON symbol (name_key);
CREATE TABLE doc (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  blob BLOB NOT NULL,
  language TEXT NOT NULL,
  path BLOB NOT NULL,
  size INTEGER NOT NULL,
  generated INTEGER NOT NULL,
  parsed_id INTEGER NOT NULL REFERENCES parsed (id),
  n_chunks INTEGER NOT NULL,
  UNIQUE (blob, language, path)
);
CREATE INDEX doc_by_parsed ON doc (parsed_id);
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  doc_id INTEGER NOT NULL REFERENCES doc (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL,
  symbol TEXT NOT NULL,
  symbol_kind TEXT,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  parent INTEGER,
  imports TEXT NOT NULL,
  embedding BLOB NOT NULL,
  n_terms INTEGER NOT NULL,
  terms BLOB NOT NULL
);
CREATE INDEX chunk_by_doc ON chunk (doc_id);
CREATE TABLE embedding (
  key BLOB PRIMARY KEY,
  vector BLOB NOT NULL,
  crc INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE pending (key BLOB PRIMARY KEY, doc_id INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX pending_by_doc ON pending (doc_id);
CREATE TABLE file (
  view_id INTEGER NOT NULL REFERENCES view (id) ON DELETE CASCADE,
  path BLOB NOT NULL,
  mode INTEGER NOT NULL,
  blob BLOB NOT NULL,
  doc_id INTEGER REFERENCES doc (id),
  skip TEXT,
  PRIMARY KEY (view_id, path)
) WITHOUT ROWID;
CREATE INDEX file_by_doc ON file (doc_id);
CREATE TABLE history_path (path BLOB PRIMARY KEY, id INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE history_commit (
  oid BLOB PRIMARY KEY,
  id INTEGER NOT NULL,
  parents BLOB NOT NULL,
  time INTEGER NOT NULL,
  edge INTEGER NOT NULL,
  n_files INTEGER NOT NULL,
  files BLOB NOT NULL,
  renames BLOB NOT NULL,
  terms BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX history_shallow ON history_commit (oid) WHERE edge = 1;
CREATE TABLE snapshot (
  generation INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  max_chunk_id INTEGER NOT NULL,
  n_rows INTEGER NOT NULL
);
"""

TABLES = (
    "meta",
    "view",
    "parsed",
    "symbol",
    "doc",
    "chunk",
    "embedding",
    "pending",
    "file",
    "history_path",
    "history_commit",
)


class Access(StrEnum):
    """How a database is opened, as SQLite's URIs say it."""

    WRITE = "mode=rw"
    READ = "mode=ro"
    FROZEN = "mode=ro&immutable=1"  # nobody can write: no log is looked for, none can be made


def connect(path: Path, access: Access = Access.WRITE) -> sqlite3.Connection:
    """Return an autocommit connection, in WAL mode if it may write, with foreign keys on.

    Raises:
        DamagedIndexError, IndexBusyError, StorageError: see `storage_errors`.
    """
    with storage_errors(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{access}",
            uri=True,
            timeout=BUSY_TIMEOUT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            if access is Access.WRITE:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA cache_size = -16000")  # kB
            connection.execute("SELECT count(*) FROM sqlite_schema")  # opens what is beside it
        except BaseException:
            connection.close()
            raise
    return connection


_DAMAGE = ("malformed", "no such", "no column", "corrupt", "decode", "unsupported file format")


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's and the file system's failures into errors with a hint."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise IndexBusyError(
                f"another process is writing to {path.name}", hint="try again in a moment"
            ) from error
        if any(sign in text for sign in _DAMAGE):
            raise damaged(path, text) from error
        if "full" in text:
            raise StorageError(
                "the disk is full; the index stays at its last state",
                hint="free some space, then run `sidelight index`",
            ) from error
        raise StorageError(
            f"the index at {path.parent} cannot be used: {text}",
            hint="check permissions, free space and the file system",
        ) from error
    except sqlite3.DatabaseError as error:
        raise damaged(path, str(error)) from error
    except UnicodeDecodeError as error:  # even SQLite's own message quotes what is damaged
        raise damaged(path, "text that is not UTF-8") from error
    except BrokenPipeError:
        raise  # whoever read our output has seen enough, and that is not the index's failure
    except OSError as error:
        raise StorageError(
            f"{error.filename or path}: {error.strerror or error}",
            hint="check permissions and free space",
        ) from error


def damaged(path: Path, detail: str) -> DamagedIndexError:
    """Return the error for a file that fails its checks."""
    return DamagedIndexError(
        f"the index is damaged ({path.name}: {detail})", hint="run `sidelight index --rebuild`"
    )
