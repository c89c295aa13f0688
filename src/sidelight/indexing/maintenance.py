"""Rebuild, collect garbage, and examine an index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from sidelight.store.database import Database, database_path, private_name, write_empty
from sidelight.store.history import collect_history
from sidelight.store.publishing import forget_damaged, prune
from sidelight.store.replacing import (
    carry_vectors,
    remove_leftovers,
    remove_side_files,
    replace_database,
)
from sidelight.store.rows import vector_check
from sidelight.store.schema import FORMAT, storage_errors
from sidelight.store.snapshot import open_snapshot
from sidelight.store.soundness import find_damage
from sidelight.store.writer import collect_garbage, drop_view


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

    Vectors of the same model are kept: they depend on nothing but the text. A kill leaves the old
    index or the new one.
    """
    path = database_path(place.directory)
    with storage_errors(path):
        place.directory.mkdir(parents=True, exist_ok=True)
        with worker_lock(place.directory):
            fresh = private_name(place.directory)
            try:
                connection = write_empty(fresh, place.identity)
                try:
                    kept = 0
                    if path.exists():
                        connection.execute("BEGIN")
                        model, width = place.embedder.sha256, place.embedder.dimensions
                        kept = carry_vectors(path, connection, model, width)
                        connection.execute("COMMIT")
                finally:
                    connection.close()
                replace_database(path, fresh)
            finally:
                fresh.unlink(missing_ok=True)
                remove_side_files(fresh)
            with Database.open(place.directory, place.identity) as database:
                prune(database, keep=0)
            remove_leftovers(place.directory)
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
        forget_damaged(database)
        publish_if_due(database)
        removed = prune(database, keep=1)
        with storage_errors(database.path):
            database.connection.execute("PRAGMA busy_timeout = 2000")  # readers are not waited for
            database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.connection.execute("VACUUM")
            database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    remove_leftovers(place.directory)
    freed = max(0, before - folder_size(place.directory))
    return GarbageReport(documents, commits, removed, freed)


def examine(place: Place) -> list[Finding]:
    """Return findings on the database, its consistency, its snapshots and the model."""
    findings: list[Finding] = []
    try:
        with Database.open(place.directory, None) as database:
            findings.append(_examine_pages(database))
            if not findings[0].ok:
                return findings  # nothing in it can be trusted
            findings.append(_examine_rows(database))
            findings.append(_examine_vectors(database))
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


def _examine_pages(database: Database) -> Finding:
    damage = find_damage(database.connection)
    if damage is not None:
        return Finding("database", False, damage, "run `sidelight index --rebuild`")
    return Finding("database", True, "pages, references and types are sound")


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
            " AND doc_id IN (SELECT doc_id FROM file)"
        ).fetchone()[0]
    if wrong or unplaced or waiting:
        detail = (
            f"{wrong} documents without their chunks, {unplaced} files without place, "
            f"{waiting} chunks that nobody will embed"
        )
        return Finding("rows", False, detail, "run `sidelight index --rebuild`")
    return Finding("rows", True, "documents, chunks and files agree")


def _examine_vectors(database: Database) -> Finding:
    """Check each vector's own checksum: they are not made anew by a rebuild."""
    total = wrong = 0
    with database.read() as connection:
        for key, vector, crc in connection.execute("SELECT key, vector, crc FROM embedding"):
            total += 1
            typed = isinstance(key, bytes) and isinstance(vector, bytes)
            wrong += not typed or crc != vector_check(key, vector)
    if wrong:
        hint = "run `sidelight index --rebuild`"
        return Finding("vectors", False, f"{wrong} of {total} fail their checksum", hint)
    return Finding("vectors", True, f"{total} match their checksums")


def _examine_snapshots(database: Database) -> list[Finding]:
    findings = []
    with database.read() as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM snapshot")]
    for name in names:
        try:
            open_snapshot(database, name, fully=True)
            findings.append(Finding("snapshot", True, f"{name}: checksums match"))
        except DamagedIndexError as error:
            findings.append(Finding("snapshot", False, error.message, error.hint))
    return findings
