"""Rebuild, collect garbage, and examine an index."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sidelight.errors import (
    DamagedIndexError,
    IndexMissingError,
    IndexStateError,
    StorageError,
    UsageError,
)
from sidelight.indexing.place import Place, revision_view
from sidelight.indexing.status import folder_size
from sidelight.indexing.vectors import publish_if_due, worker_lock
from sidelight.store.database import Database, database_path
from sidelight.store.history import collect_history
from sidelight.store.publishing import prune
from sidelight.store.schema import FORMAT, connect, storage_errors
from sidelight.store.snapshot import FOLDER as SNAPSHOTS
from sidelight.store.snapshot import MANIFEST, verify
from sidelight.store.writer import collect_garbage, drop_view

SIDE_FILES = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Finding:
    """One examined thing: whether it is well, and what mends it if not."""

    subject: str
    ok: bool
    detail: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class GarbageReport:
    """What `gc` removed."""

    documents: int
    commits: int
    snapshots: int
    freed_bytes: int


def start_over(place: Place) -> int:
    """Replace the index by an empty one; return how many vectors could be carried over.

    The old database is moved aside first and deleted last, so that a kill in between leaves either
    index whole. Vectors of the same model are kept: they depend on nothing but the text.
    """
    path = database_path(place.directory)
    aside = path.with_name(f"old-{os.getpid()}.db")
    kept = 0
    with storage_errors(path):
        place.directory.mkdir(parents=True, exist_ok=True)
        with worker_lock(place.directory):
            if path.exists():
                for side in ("", *SIDE_FILES):
                    source = path.with_name(path.name + side)
                    if source.exists():
                        source.replace(aside.with_name(aside.name + side))
            with Database.open(place.directory, place.identity, create=True) as database:
                if aside.exists():
                    kept = _carry_vectors(database, aside)
                prune(database, keep=0)
            for side in ("", *SIDE_FILES):
                aside.with_name(aside.name + side).unlink(missing_ok=True)
    return kept


def drop_revisions(place: Place, revisions: Sequence[str]) -> None:
    """Forget views of revisions that were indexed by name.

    Raises:
        UsageError: one of them is not indexed; none is dropped.
    """
    if not revisions:
        return
    with Database.open(place.directory, place.identity) as database, database.write() as connection:
        for revision in revisions:
            if not drop_view(connection, revision_view(revision)):
                raise UsageError(
                    f"{revision} is not an indexed revision", hint="`sidelight status` lists them"
                )


def collect(place: Place) -> GarbageReport:
    """Delete what no view shows, superseded snapshots and leftovers, and give the space back."""
    before = folder_size(place.directory)
    with (
        worker_lock(place.directory),
        Database.open(place.directory, place.identity) as database,
    ):
        with database.write() as connection:
            documents = collect_garbage(connection)
            commits = collect_history(connection)
        publish_if_due(database)
        removed = prune(database, keep=1)
        with storage_errors(database.path):
            database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.connection.execute("VACUUM")
            database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for leftover in place.directory.glob("old-*.db*"):
        leftover.unlink(missing_ok=True)
    for leftover in place.directory.glob(".new-*.db*"):
        leftover.unlink(missing_ok=True)
    freed = max(0, before - folder_size(place.directory))
    return GarbageReport(documents, commits, removed, freed)


def examine(place: Place) -> list[Finding]:
    """Return findings on the database, its consistency, its snapshots and the model."""
    findings: list[Finding] = []
    try:
        with Database.open(place.directory, None) as database:
            findings.append(_examine_pages(database))
            findings.append(_examine_rows(database))
            findings.extend(_examine_snapshots(database))
            try:
                database.check(place.identity)
                findings.append(Finding("identity", True, f"format {FORMAT}, same model"))
            except IndexStateError as error:
                findings.append(Finding("identity", False, error.message, error.hint))
    except IndexMissingError as error:
        findings.append(Finding("database", False, error.message, error.hint))
    except (IndexStateError, StorageError) as error:
        findings.append(Finding("database", False, error.message, error.hint))
    return findings


def _carry_vectors(database: Database, aside: Path) -> int:
    """Copy the vectors of another database of the same model; 0 if it cannot be read."""
    try:
        old = connect(aside)
    except (DamagedIndexError, StorageError):
        return 0
    try:
        model = old.execute("SELECT value FROM meta WHERE key = 'model'").fetchone()
        if model is None or model[0] != database.meta("model"):
            return 0
        rows = old.execute("SELECT key, vector FROM embedding WHERE length(key) = 16").fetchall()
    except sqlite3.DatabaseError:
        return 0
    finally:
        old.close()
    with database.write() as connection:
        connection.executemany("INSERT OR IGNORE INTO embedding VALUES (?, ?)", rows)
    return len(rows)


def _examine_pages(database: Database) -> Finding:
    with storage_errors(database.path):
        problems = database.connection.execute("PRAGMA quick_check(5)").fetchall()
        broken = database.connection.execute("PRAGMA foreign_key_check").fetchmany(5)
    if problems != [("ok",)] or broken:
        detail = "; ".join(str(row[0]) for row in [*problems, *broken])
        return Finding("database", False, detail, "run `sidelight index --rebuild`")
    return Finding("database", True, "pages and references are consistent")


def _examine_rows(database: Database) -> Finding:
    """Check what constraints cannot: every document has the chunks it counts."""
    with database.read() as connection:
        wrong = connection.execute(
            "SELECT count(*) FROM doc WHERE n_chunks !="
            " (SELECT count(*) FROM chunk WHERE chunk.doc_id = doc.id)"
        ).fetchone()[0]
        unplaced = connection.execute(
            "SELECT count(*) FROM file WHERE (doc_id IS NULL) = (skip IS NULL)"
        ).fetchone()[0]
        waiting = connection.execute(
            "SELECT count(*) FROM chunk WHERE embedding NOT IN (SELECT key FROM embedding)"
            " AND embedding NOT IN (SELECT key FROM pending)"
        ).fetchone()[0]
    if wrong or unplaced or waiting:
        detail = (
            f"{wrong} documents without their chunks, {unplaced} files without place, "
            f"{waiting} chunks that nobody will embed"
        )
        return Finding("rows", False, detail, "run `sidelight index --rebuild`")
    return Finding("rows", True, "documents, chunks and files agree")


def _examine_snapshots(database: Database) -> list[Finding]:
    findings = []
    with database.read() as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM snapshot")]
    for name in names:
        folder = database.directory / SNAPSHOTS / name
        try:
            verify(folder, json.loads((folder / MANIFEST).read_text("utf-8")), fully=True)
            findings.append(Finding("snapshot", True, f"{name}: checksums match"))
        except (OSError, ValueError, KeyError, TypeError) as error:
            hint = "run `sidelight gc`; the index itself is whole"
            findings.append(Finding("snapshot", False, f"{name}: {error}", hint))
    return findings
