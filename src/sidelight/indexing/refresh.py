"""Make a view equal to a tree: the one operation behind `index`, the hooks and the bot.

Safe to run at any time and any number of times: reading and parsing happen outside any lock, the
view flips in one transaction, and vectors that are still missing never hide a chunk. Nothing is
imported for a tree that is indexed already: that is what most commits' second hook finds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from sidelight.errors import GitError, IndexBusyError
from sidelight.git.repository import Repository
from sidelight.indexing.history import update_history
from sidelight.indexing.place import Place, worktree_view
from sidelight.indexing.report import Progress, RefreshReport, Tally, Target
from sidelight.indexing.spool import TextSpool
from sidelight.indexing.worker import spawn_worker
from sidelight.store.database import Database
from sidelight.store.views import (
    find_view,
    needs_publishing,
    pending_count,
    touch_commit,
    view_state,
)

MAX_ROUNDS = 20  # how often HEAD may move under one refresh before it gives up


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
    vectors: bool = True,
) -> RefreshReport:
    """Make the target's view show the target's tree; see `refresh`.

    Without `vectors`, new chunks are left pending and nobody is started to embed them: for those
    who rank without vectors, over many trees.
    """
    started = time.monotonic()
    progress = progress or Progress()
    tally = Tally()
    with (
        Database.open(place.directory, place.identity, create=create) as database,
        TextSpool() as spool,
    ):
        for _ in range(MAX_ROUNDS):
            if _reach(place, database, target, spool, tally, progress):
                break
            if target.follow:
                commit, tree = target.follow()
                target = replace(target, commit=commit, tree=tree)
        else:
            raise IndexBusyError("other refreshes keep changing the index", hint="try again")
        if log and tally.changed:
            log(f"{target.view}: {tally.changed} changed, {tally.parsed} parsed")
        history = update_history(place.repo, database, target.commit, wait=wait, progress=progress)
        if log and history.problem:
            log(f"history cannot be read: {history.problem}")
        detached = False
        if wait:
            tally.embedded += _finish(place, database, spool, progress, vectors=vectors)
        else:
            tally.embedded += _embed_inline(place, database, spool, started, deadline_s)
            detached = _leave_rest(place, database, more=history.pending)
        with database.read() as connection:
            view = find_view(connection, target.view)
            pending = pending_count(connection, view.id if view else None)
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


def _reach(
    place: Place,
    database: Database,
    target: Target,
    spool: TextSpool,
    tally: Tally,
    progress: Progress,
) -> bool:
    """Bring the view to the target; False if another process or a commit came in between."""
    new = target.state(place.config.index)
    with database.read() as connection:
        old = view_state(connection, target.view)
    if old is None or (old.tree, old.config_key) != (new.tree, new.config_key):
        from sidelight.indexing.advance import advance_view  # noqa: PLC0415 - loads the parser

        return advance_view(place, database, target, old, spool, tally, progress)
    if old.commit != new.commit:
        with database.write() as connection:
            touch_commit(connection, target.view, new.commit)
    return True


def _finish(
    place: Place, database: Database, spool: TextSpool, progress: Progress, *, vectors: bool
) -> int:
    """Make every vector that is missing, publish if that is due; return how many were made."""
    with database.read() as connection:
        pending = len(spool) > 0 or pending_count(connection) > 0
        due = (vectors and pending) or needs_publishing(connection)
    if not due:
        return 0
    from sidelight.indexing.vectors import finish_vectors  # noqa: PLC0415 - loads the parser

    return finish_vectors(place, database, spool, progress, vectors=vectors)


def _embed_inline(
    place: Place, database: Database, spool: TextSpool, started: float, deadline_s: float | None
) -> int:
    """Embed the new chunks at once if they are few and there is time; else leave all of them."""
    limit = place.config.hooks.inline_embeddings
    late = deadline_s is not None and time.monotonic() - started > deadline_s / 2
    if len(spool) == 0 or len(spool) > limit or late:
        return 0
    from sidelight.indexing.vectors import embed_spool  # noqa: PLC0415 - loads the lock

    return embed_spool(place, database, spool, Progress())


def _leave_rest(place: Place, database: Database, *, more: bool) -> bool:
    """Start the detached worker if vectors or history are pending or a snapshot is due."""
    with database.read() as connection:
        due = more or pending_count(connection) > 0 or needs_publishing(connection)
    return due and spawn_worker(place)
