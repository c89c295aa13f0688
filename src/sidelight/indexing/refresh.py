"""Make a view equal to a tree: the one operation behind `index`, the hooks and the bot.

Safe to run at any time and any number of times: reading and parsing happen outside any lock, the
view flips in one transaction, and vectors that are still missing never hide a chunk.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from sidelight.config import index_fingerprint
from sidelight.errors import GitError, IndexBusyError
from sidelight.git.repository import Repository
from sidelight.indexing.changes import plan_changes
from sidelight.indexing.eligibility import Eligibility
from sidelight.indexing.place import Place, worktree_view
from sidelight.indexing.report import Progress, RefreshReport
from sidelight.indexing.sources import SourceBatch, read_sources
from sidelight.indexing.spool import TextSpool
from sidelight.indexing.vectors import (
    embed_pending,
    embed_spool,
    needs_publishing,
    publish_if_due,
    worker_lock,
)
from sidelight.indexing.worker import spawn_worker
from sidelight.store.database import Database
from sidelight.store.reader import known_embeddings, pending_count
from sidelight.store.rows import FileRow
from sidelight.store.writer import (
    ViewState,
    insert_document,
    touch_commit,
    update_view,
    view_state,
)

MAX_ROUNDS = 20  # how often HEAD may move under one refresh before it gives up


@dataclass(frozen=True, slots=True)
class Target:
    """A view and what it shall show; `follow` tells the newest (commit, tree) of a moving one."""

    view: str
    commit: str
    tree: str
    follow: Callable[[], tuple[str, str]] | None = None


@dataclass(slots=True)
class _Tally:
    changed: int = 0
    parsed: int = 0
    deleted: int = 0
    embedded: int = 0


def refresh(
    place: Place,
    *,
    wait: bool,
    create: bool = False,
    deadline_s: float | None = None,
    log: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> RefreshReport:
    """Make the worktree's view equal to HEAD's tree.

    With `wait` it returns when every vector is there and a snapshot is published if one is due.
    Without, it embeds a few new chunks itself while `deadline_s` (seconds from now) allows, and
    leaves the rest to a detached worker.

    Raises:
        GitError: there is no commit yet.
        IndexMissingError: there is no index, and not `create`.
        IndexStateError, StorageError: see `Database.open`.
    """
    commit, tree = head_of(place.repo)
    target = Target(worktree_view(place.repo), commit, tree, lambda: head_of(place.repo))
    return index_target(
        place, target, wait=wait, create=create, deadline_s=deadline_s, log=log, progress=progress
    )


def index_revision(
    place: Place, commit: str, view: str, *, wait: bool = True, progress: Progress | None = None
) -> RefreshReport:
    """Make the view named `view` show the tree of `commit`, beside all other views."""
    target = Target(view, commit, place.repo.tree_of(commit))
    return index_target(place, target, wait=wait, create=True, progress=progress)


def head_of(repo: Repository) -> tuple[str, str]:
    """Return HEAD's commit and tree.

    Raises:
        GitError: there is no commit yet.
    """
    head = repo.head()
    if head is None:
        raise GitError("there is no commit yet", hint="commit something, then try again")
    return head


def index_target(
    place: Place,
    target: Target,
    *,
    wait: bool,
    create: bool = False,
    deadline_s: float | None = None,
    log: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> RefreshReport:
    """Make the target's view show the target's tree; see `refresh`."""
    started = time.monotonic()
    progress = progress or Progress()
    tally = _Tally()
    with (
        Database.open(place.directory, place.identity, create=create) as database,
        TextSpool() as spool,
    ):
        for _ in range(MAX_ROUNDS):
            if _round(place, database, target, spool, tally, progress):
                break
            if target.follow:
                commit, tree = target.follow()
                target = replace(target, commit=commit, tree=tree)
        else:
            raise IndexBusyError("other refreshes keep changing the index", hint="try again")
        if log and tally.changed:
            log(f"{target.view}: {tally.changed} changed, {tally.parsed} parsed")
        detached = False
        if wait:
            with worker_lock(place.directory):
                tally.embedded += embed_spool(place, database, spool, progress)
                tally.embedded += embed_pending(place, database, progress)
                publish_if_due(database)
        else:
            tally.embedded += _embed_inline(place, database, spool, started, deadline_s)
            detached = _leave_rest(place, database)
        with database.read() as connection:
            view = connection.execute(
                "SELECT id FROM view WHERE name = ?", (target.view,)
            ).fetchone()
            pending = pending_count(connection, view[0] if view else None)
    return RefreshReport(
        state="partial" if pending else "current",
        view=target.view,
        tree=target.tree,
        commit=target.commit,
        changed_files=tally.changed,
        parsed_files=tally.parsed,
        deleted_files=tally.deleted,
        embedded=tally.embedded,
        pending=pending,
        detached=detached,
        seconds=time.monotonic() - started,
    )


def _round(
    place: Place,
    database: Database,
    target: Target,
    spool: TextSpool,
    tally: _Tally,
    progress: Progress,
) -> bool:
    """Bring the view to the target once; False if another process or a commit came in between."""
    new = ViewState(target.tree, target.commit, index_fingerprint(place.config.index))
    with database.read() as connection:
        old = view_state(connection, target.view)
    if old is not None and (old.tree, old.config_key) == (new.tree, new.config_key):
        if old.commit != new.commit:
            with database.write() as connection:
                touch_commit(connection, target.view, new.commit)
        return True
    changes = plan_changes(place.repo, database, target.view, old, new)
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
        if view_state(connection, target.view) != old:
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


def _embed_inline(
    place: Place, database: Database, spool: TextSpool, started: float, deadline_s: float | None
) -> int:
    """Embed the new chunks at once if they are few and there is time; else leave all of them."""
    limit = place.config.hooks.inline_embeddings
    late = deadline_s is not None and time.monotonic() - started > deadline_s / 2
    if len(spool) == 0 or len(spool) > limit or late:
        return 0
    return embed_spool(place, database, spool, Progress())


def _leave_rest(place: Place, database: Database) -> bool:
    """Start the detached worker if vectors are pending or a snapshot is due."""
    with database.read() as connection:
        due = pending_count(connection) > 0 or needs_publishing(connection)
    return due and spawn_worker(place)
