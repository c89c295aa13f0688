"""Bring a view from the tree it shows to another: the part of a refresh that reads and parses."""

from __future__ import annotations

from sidelight.indexing.changes import plan_changes
from sidelight.indexing.eligibility import Eligibility
from sidelight.indexing.place import Place
from sidelight.indexing.report import Progress, Tally, Target
from sidelight.indexing.sources import SourceBatch, read_sources
from sidelight.indexing.spool import TextSpool
from sidelight.store.database import Database
from sidelight.store.reader import known_embeddings
from sidelight.store.rows import FileRow
from sidelight.store.views import ViewState, view_state
from sidelight.store.writer import collections, insert_document, update_view


def advance_view(
    place: Place,
    database: Database,
    target: Target,
    old: ViewState | None,
    spool: TextSpool,
    tally: Tally,
    progress: Progress,
) -> bool:
    """Bring the view to the target once; False if another process or a commit came in between."""
    new = target.state(place.config.index)
    with database.read() as connection:
        collected = collections(connection)
    changes = plan_changes(place.repo, database, target.view, old, new, target.attributes_tree)
    total, done = len(changes.files), 0

    def tick(count: int) -> None:
        nonlocal done
        done += count
        progress.update("read", done, total)

    rows: list[FileRow] = []
    batches = read_sources(
        place.repo,
        database,
        changes.files,
        changes.attributes,
        Eligibility(place.config.index),
        place.embedder.sha256,
        tick,
    )
    for batch in batches:
        rows.extend(_store_batch(database, batch, spool))
        tally.parsed += len(batch.built)
    with database.write() as connection:
        if view_state(connection, target.view) != old or collections(connection) != collected:
            return False
        update_view(
            connection,
            target.view,
            new,
            upserts=rows,
            deletes=changes.deleted,
            replace_all=changes.whole,
        )
    tally.changed += len(changes.files) + len(changes.deleted)
    tally.deleted += len(changes.deleted)
    return target.follow is None or target.follow() == (target.commit, target.tree)


def _store_batch(database: Database, batch: SourceBatch, spool: TextSpool) -> list[FileRow]:
    """Insert the batch's documents, where no view shows them yet; return its view rows."""
    rows = [FileRow(f.path, f.mode, f.blob, doc_id, None) for f, doc_id in batch.known]
    rows += [FileRow(f.path, f.mode, f.blob, None, reason) for f, reason in batch.skipped]
    if not batch.built:
        return rows
    with database.write() as connection:
        for file, document in batch.built:
            doc_id = insert_document(connection, document.rows)
            rows.append(FileRow(file.path, file.mode, file.blob, doc_id, None))
    texts = {key: text for _, document in batch.built for key, text in document.texts.items()}
    with database.read() as connection:
        known = known_embeddings(connection, list(texts))
    for key, text in texts.items():
        if key not in known:
            spool.add(key, text)
    return rows
