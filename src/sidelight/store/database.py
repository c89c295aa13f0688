"""The database: opening, identity, transactions. Must stay light (no numpy)."""

from __future__ import annotations

import os
import secrets
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from sidelight.errors import IndexMissingError, OtherFormatError, OtherModelError, StorageError
from sidelight.store.schema import FORMAT, SCHEMA, Access, connect, damaged, storage_errors

DATABASE_NAME = "index.db"
# What Python says of values that the database should never hold.
SENSELESS = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, zlib.error)


@dataclass(frozen=True, slots=True)
class Identity:
    """What decides an index's content besides the tree: two indexes agree only if these do.

    `pipeline` names the versions of parser, chunker and tokenizer; `model` is the model's sha256.
    """

    pipeline: str
    model: str


def database_path(directory: Path) -> Path:
    """Return where the database of the index in `directory` lies."""
    return directory / DATABASE_NAME


class Database:
    """One connection to an index whose format, pipeline and model are what the caller expects."""

    def __init__(self, directory: Path, connection: sqlite3.Connection) -> None:
        self.directory = directory
        self.path = database_path(directory)
        self.connection = connection
        self._file = _file_id(self.path)

    @classmethod
    def open(cls, directory: Path, identity: Identity | None, *, create: bool = False) -> Self:
        """Open the index in `directory`; with `create`, make it where there is none.

        `identity` None opens any readable index of this format (for `status` and `doctor`).

        Raises:
            IndexMissingError, OtherFormatError, OtherModelError, DamagedIndexError, StorageError.
        """
        path = database_path(directory)
        if not path.exists():
            if not create or identity is None:
                raise IndexMissingError("there is no index here yet", hint="run `sidelight init`")
            _create(directory, identity)
        database = cls(directory, _connect_existing(path))
        try:
            database.check(identity)
        except BaseException:
            database.close()
            raise
        return database

    def check(self, identity: Identity | None) -> None:
        """Refuse an index that another format, pipeline or model wrote."""
        with storage_errors(self.path):
            rows = self.connection.execute("SELECT key, value FROM meta").fetchall()
        meta = dict(rows)
        if "format" not in meta:
            raise damaged(self.path, "it does not say which format it has")
        if meta["format"] != str(FORMAT):
            raise OtherFormatError(
                f"the index was built by format {meta.get('format')}; this version reads {FORMAT}",
                hint="run `sidelight index --rebuild`",
            )
        if identity is None:
            return
        if meta.get("pipeline") != identity.pipeline:
            raise OtherFormatError(
                f"the index was built by pipeline {meta.get('pipeline')}; "
                f"this version has {identity.pipeline}",
                hint="run `sidelight index --rebuild`",
            )
        if meta.get("model") != identity.model:
            raise OtherModelError(
                f"the index holds vectors of model {str(meta.get('model'))[:12]}; "
                f"the configured one is {identity.model[:12]}",
                hint="run `sidelight index --rebuild`, or choose the former model "
                "with `sidelight model use`",
            )

    def is_replaced(self) -> bool:
        """Return whether another database stands in the place of this one (rebuilt, imported)."""
        return _file_id(self.path) != self._file

    def meta(self, key: str) -> str | None:
        """Return a value of the `meta` table."""
        with storage_errors(self.path):
            row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Record a value in the `meta` table."""
        with storage_errors(self.path):
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Hold the one writer's lock; commit at the end, roll back on any exception."""
        with storage_errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            with self._ending():
                yield self.connection

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """See one consistent state of all tables; joins a transaction that is already open."""
        with storage_errors(self.path):
            if self.connection.in_transaction:
                yield self.connection
                return
            self.connection.execute("BEGIN")
            with self._ending():
                yield self.connection

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """End the transaction; of values that make no sense, find out whether they are damage."""
        try:
            yield
        except BaseException as error:
            with suppress(sqlite3.Error):  # a full disk has rolled back already
                self.connection.execute("ROLLBACK")
            if isinstance(error, SENSELESS):
                from sidelight.store.soundness import find_damage  # noqa: PLC0415 - rarely needed

                damage = find_damage(self.connection)
                if damage is not None:
                    raise damaged(self.path, damage) from error
            raise
        self.connection.execute("COMMIT")

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _file_id(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _connect_existing(path: Path) -> sqlite3.Connection:
    if path.stat().st_size == 0:
        raise damaged(path, "the file is empty")
    if not os.access(path.parent, os.W_OK):
        return _connect_to_read(path)
    try:
        return connect(path)
    except StorageError:  # on a full disk there may be no room for the files beside it
        with suppress(StorageError):
            return _connect_to_read(path)
        raise


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a database that cannot be written; a log that a killed process left must be read."""
    log = path.with_name(path.name + "-wal")
    has_log = log.exists() and log.stat().st_size > 0
    return connect(path, Access.READ if has_log else Access.FROZEN)


def _create(directory: Path, identity: Identity) -> None:
    """Make an empty index under a private name, then give it its own: never half a schema."""
    path = database_path(directory)
    with storage_errors(path):
        directory.mkdir(parents=True, exist_ok=True)
        fresh = private_name(directory)
        try:
            write_empty(fresh, identity).close()
            try:
                os.link(fresh, path)  # fails where another process was quicker; theirs is as good
            except FileExistsError:
                pass
            except OSError:  # a file system without hard links
                if not path.exists():
                    fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)


def private_name(directory: Path) -> Path:
    """Return a name for a database that is not the index yet."""
    return directory / f".new-{os.getpid()}-{secrets.token_hex(4)}.db"


def write_empty(path: Path, identity: Identity) -> sqlite3.Connection:
    """Write an empty index and return the connection to it, which leaves no files beside it."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(f"BEGIN;{SCHEMA}COMMIT;")
        connection.executemany(
            "INSERT INTO meta VALUES (?, ?)",
            [
                ("format", str(FORMAT)),
                ("pipeline", identity.pipeline),
                ("model", identity.model),
                ("uuid", secrets.token_hex(16)),
            ],
        )
    except BaseException:
        connection.close()
        raise
    return connection
