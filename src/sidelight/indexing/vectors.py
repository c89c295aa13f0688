"""Give pending chunks their vectors, and publish snapshots when that pays.

One process at a time holds `worker.lock` while it embeds; the system releases it with the process,
however it ends. Each batch is committed by itself: a kill loses a second's work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path

from filelock import FileLock, Timeout

from sidelight.errors import GitError, MissingObjectError, StorageError
from sidelight.git.blobs import BlobReader
from sidelight.indexing.documents import build_document
from sidelight.indexing.place import Place
from sidelight.indexing.report import Progress
from sidelight.indexing.spool import TextSpool
from sidelight.store.database import Database
from sidelight.store.reader import known_embeddings, pending_documents, pending_keys
from sidelight.store.views import garbage_is_due, needs_publishing, pending_count
from sidelight.store.writer import (
    collect_garbage,
    forget_pending,
    insert_embeddings,
    settle_pending,
)

BATCH_TEXTS = 256
BATCH_DOCUMENTS = 64
LOCK_NAME = "worker.lock"
TELL_S = 0.5  # between two looks at how far another process is


@contextmanager
def worker_lock(directory: Path, *, timeout_s: float = -1) -> Iterator[None]:
    """Hold the lock of whoever embeds, publishes or replaces the index in `directory`.

    It is waited for without end, or for `timeout_s`.

    Raises:
        Timeout: another process holds it.
        StorageError: its file cannot be made.
    """
    lock = FileLock(directory / LOCK_NAME, thread_local=False)
    try:
        lock.acquire(timeout=timeout_s)
    except Timeout:
        raise
    except OSError as error:
        raise StorageError(
            f"{directory / LOCK_NAME} cannot be locked: {error.strerror or error}",
            hint="check permissions, free space and the file system",
        ) from error
    try:
        yield
    finally:
        lock.release()


def finish_vectors(
    place: Place, database: Database, spool: TextSpool, progress: Progress, *, vectors: bool = True
) -> int:
    """Embed what is missing and publish if that is due, by this process alone; return how many.

    Whoever was refused the lock meanwhile relies on its holder; so look again once it is free.
    """
    count = 0
    while True:
        with ExitStack() as turn:
            _wait_for_turn(turn, place.directory, database, progress)
            with database.read() as connection:
                waiting = pending_count(connection) if vectors else 0
            made = 0
            if waiting:
                made += embed_spool(place, database, spool, progress)
                made += embed_pending(place, database, progress)
            publish_if_due(database)
        count += made
        with database.read() as connection:
            left = pending_count(connection) if vectors else 0
        if not left or (waiting and not made):
            return count


def _wait_for_turn(
    turn: ExitStack, directory: Path, database: Database, progress: Progress
) -> None:
    """Take the worker's lock; tell how far another process is for as long as that one holds it."""
    most = 0
    while True:
        try:
            turn.enter_context(worker_lock(directory, timeout_s=TELL_S))
        except Timeout:
            with database.read() as connection:
                left = pending_count(connection)
            most = max(most, left)
            progress.update("wait", most - left, most)
        else:
            return


def embed_spool(place: Place, database: Database, spool: TextSpool, progress: Progress) -> int:
    """Embed the texts of a build that have no vector yet; return how many were embedded."""
    total, done, embedded = len(spool), 0, 0
    texts = iter(spool)
    while batch := list(islice(texts, BATCH_TEXTS)):
        embedded += _embed(place, database, batch)
        done += len(batch)
        progress.update("embed", done, total)
    return embedded


def embed_pending(
    place: Place,
    database: Database,
    progress: Progress,
) -> int:
    """Embed what earlier refreshes left pending, reading their blobs again; return how many."""
    with database.read() as connection:
        total = pending_count(connection)
    embedded = 0
    for batch in _pending_batches(place, database):
        embedded += _embed(place, database, batch)
        progress.update("embed", min(embedded, total), total)
    return embedded


def publish_if_due(database: Database, *, force: bool = False) -> bool:
    """Publish a snapshot if enough has changed, or if `force`; return whether one was.

    What no view shows any more is deleted first, if there is much of it.
    """
    with database.read() as connection:
        due = force or needs_publishing(connection)
        garbage = due and garbage_is_due(connection)
    if garbage:
        with database.write() as connection:
            collect_garbage(connection)
    if due:
        from sidelight.store.publishing import publish  # noqa: PLC0415 - imports numpy

        publish(database)
    return due


def _embed(place: Place, database: Database, batch: Sequence[tuple[bytes, str]]) -> int:
    keys = [key for key, _ in batch]
    with database.read() as connection:
        known = known_embeddings(connection, keys)
    wanted = [(key, text) for key, text in batch if key not in known]
    vectors: list[tuple[bytes, bytes]] = []
    if wanted:
        from sidelight.embedding.quantize import quantize_rows  # noqa: PLC0415 - imports numpy

        rows = quantize_rows(place.embedder.open().embed([text for _, text in wanted]))
        vectors = [(key, row.tobytes()) for (key, _), row in zip(wanted, rows, strict=True)]
    with database.write() as connection:
        insert_embeddings(connection, vectors)
        settle_pending(connection, keys)
    return len(wanted)


def _pending_batches(place: Place, database: Database) -> Iterator[list[tuple[bytes, str]]]:
    """Yield the texts of pending keys; keys that nothing produces any more are forgotten.

    Every document is looked at once: one that stays pending all the same is left for later.
    """
    model = place.embedder.sha256
    done: set[int] = set()
    with BlobReader(place.repo) as blobs:
        while True:
            with database.read() as connection:
                documents = pending_documents(connection, BATCH_DOCUMENTS)
            if done.issuperset(document.id for document in documents):
                return
            done.update(document.id for document in documents)
            for document in documents:
                with database.read() as connection:
                    keys = pending_keys(connection, document.id)
                texts: dict[bytes, str] = {}
                try:
                    source = blobs.read(document.blob)
                    texts = build_document(source, document.path, document.blob, model).texts
                except (MissingObjectError, GitError):
                    texts = {}
                found = [(key, texts[key]) for key in keys if key in texts]
                lost = keys - texts.keys()
                if lost:
                    with database.write() as connection:
                        forget_pending(connection, lost)
                for start in range(0, len(found), BATCH_TEXTS):
                    yield found[start : start + BATCH_TEXTS]
