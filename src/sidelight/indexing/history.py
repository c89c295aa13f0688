"""Keep the stored history at a view's commit. Light until there is something to read.

What is new is read from the newest on, until every parent is known: nothing needs to be
remembered about where the last reading ended, and rewritten history is no special case. Whoever
may not wait reads a few commits only, and leaves more to the worker. History that git cannot give
(a partial clone without trees, a damaged store) never fails a refresh: it is recorded, and shown by
`sidelight status`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field

from sidelight.errors import GitError
from sidelight.git.repository import Repository
from sidelight.indexing.report import Progress
from sidelight.store.database import Database
from sidelight.store.history import (
    clear_history,
    insert_commits,
    is_empty,
    is_known,
    known_commits,
    record_problem,
    shallow_edges,
)
from sidelight.store.views import list_views

TYPE_CHECKING = False  # a hook that has nothing to read must not pay for typing
if TYPE_CHECKING:
    from sidelight.git.history import Commit
    from sidelight.history.rows import CommitRow

FIRST_LOOK = 4  # commits: enough for the usual refresh, which has one new commit
HOOK_COMMITS = 64  # 5 ms more in pytest's history; a longer pull is left to the worker
MAX_COMMITS = 100_000  # of one history; older ones would change scores by less than 1 %
TICK = 500  # commits between two reports of progress


@dataclass(frozen=True, slots=True)
class HistoryUpdate:
    """What an update did: commits that were added, and whether more is left to the worker."""

    added: int = 0
    pending: bool = False
    problem: str = ""


def update_history(
    repo: Repository,
    database: Database,
    commit: str,
    *,
    wait: bool,
    progress: Progress | None = None,
    most: int = MAX_COMMITS,
) -> HistoryUpdate:
    """Read the commits of `commit`'s past that are not stored yet.

    Without `wait` at most `HOOK_COMMITS` are looked at: either that is all, or nothing is stored
    and the update is pending. A clone that has been deepened is read anew, since its former edge
    has parents now. Of a history longer than `most` the newest commits are read.

    Raises:
        StorageError, IndexStateError: the index cannot be written.
    """
    with database.read() as connection:
        known, empty = is_known(connection, bytes.fromhex(commit)), is_empty(connection)
        edges = shallow_edges(connection)
    moved = bool(edges) and not edges <= _boundary(repo)
    if known and not moved:
        return HistoryUpdate()
    if not wait and (empty or moved):
        return HistoryUpdate(pending=True)
    wanted = [commit]
    if moved:
        with database.write() as connection:
            clear_history(connection)
        with database.read() as connection:
            wanted += [view.commit for view in list_views(connection)]
    try:
        return _read_all(
            repo, database, list(dict.fromkeys(wanted)), most if wait else 0, progress or Progress()
        )
    except GitError as error:
        with database.write() as connection:
            record_problem(connection, error.message)
        return HistoryUpdate(problem=error.message)


def update_all_histories(
    repo: Repository, database: Database, progress: Progress | None = None
) -> HistoryUpdate:
    """Read what is missing of every view's past; for the worker."""
    with database.read() as connection:
        commits = list(dict.fromkeys(view.commit for view in list_views(connection)))
    updates = [
        update_history(repo, database, commit, wait=True, progress=progress) for commit in commits
    ]
    problems = [update.problem for update in updates if update.problem]
    return HistoryUpdate(
        added=sum(update.added for update in updates),
        pending=any(update.pending for update in updates),
        problem=problems[0] if problems else "",
    )


def _read_all(
    repo: Repository, database: Database, commits: list[str], most: int, progress: Progress
) -> HistoryUpdate:
    """Read and store what is new; `most` 0: only if it is among the newest few."""
    added = 0
    for commit in commits:
        new = (
            _read_new(repo, database, commit, most, progress)
            if most
            else _peek(repo, database, commit)
        )
        if new is None:
            return HistoryUpdate(added, pending=True)
        with database.write() as connection:
            count = insert_commits(connection, new)
            record_problem(connection, "")
        if count is None:  # garbage collection took a parent meanwhile
            return HistoryUpdate(added, pending=True)
        added += count
    return HistoryUpdate(added)


@dataclass(slots=True)
class _NewCommits:
    """Commits on their way into the store, and the parents that are still to come."""

    is_stored: Callable[[str], bool]
    wanted: set[str]
    rows: list[CommitRow] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def take(self, commit: Commit) -> bool:
        """Take one commit from git, newest first; return whether all parents are known now."""
        from sidelight.history.rows import commit_row  # noqa: PLC0415 - loads the tokenizer

        if commit.oid in self.wanted:
            self.wanted.remove(commit.oid)
            self.seen.add(commit.oid)
            self.rows.append(commit_row(commit))
            new = (oid for oid in commit.parents if oid not in self.seen)
            self.wanted.update(oid for oid in new if not self.is_stored(oid))
        return not self.wanted

    def cut(self) -> None:
        """Make what was taken complete in itself: parents that are still to come are left out."""
        from sidelight.history.rows import cut_row  # noqa: PLC0415

        missing = {bytes.fromhex(oid) for oid in self.wanted}
        self.rows = [
            row if missing.isdisjoint(row.parents) else cut_row(row, missing) for row in self.rows
        ]
        self.wanted.clear()


def _peek(repo: Repository, database: Database, commit: str) -> list[CommitRow] | None:
    """Return the new commits if they are among the newest few; None if not."""
    from sidelight.git.history import newest_commits  # noqa: PLC0415

    with database.read() as connection:
        for limit in (FIRST_LOOK, HOOK_COMMITS):
            new = _NewCommits(lambda oid: is_known(connection, bytes.fromhex(oid)), {commit})
            if any(new.take(item) for item in newest_commits(repo, commit, limit)):
                return new.rows
    return None


def _read_new(
    repo: Repository, database: Database, commit: str, most: int, progress: Progress
) -> list[CommitRow]:
    from sidelight.git.history import iter_commits  # noqa: PLC0415

    with database.read() as connection:
        stored = known_commits(connection)
    if bytes.fromhex(commit) in stored:
        return []
    new = _NewCommits(lambda oid: bytes.fromhex(oid) in stored, {commit})
    with closing(iter_commits(repo, commit, limit=most)) as commits:
        for item in commits:
            if new.take(item):
                break
            if len(new.rows) % TICK == 0:
                progress.update("history", len(new.rows), len(new.rows))
    new.cut()
    return new.rows


def _boundary(repo: Repository) -> set[bytes]:
    if not repo.is_shallow:
        return set()
    from sidelight.git.history import shallow_boundary  # noqa: PLC0415

    return {bytes.fromhex(oid) for oid in shallow_boundary(repo)}
