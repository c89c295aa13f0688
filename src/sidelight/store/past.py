"""Open a commit's past from the database. Needs numpy: for queries, not for the commit path."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from operator import itemgetter

from sidelight.git.repository import Repository
from sidelight.history.log import CommitLog, build_log
from sidelight.history.past import History
from sidelight.history.pathterms import PathTerms
from sidelight.store.history import damaged_history


def read_log(connection: sqlite3.Connection) -> CommitLog:
    """Return all stored commits; one log serves any number of pasts while
    `store.history.history_stamp` stays the same.

    Raises:
        DamagedIndexError: a row is not what we write.
    """
    commits = connection.execute(
        "SELECT id, oid, parents, time, edge, n_files, files, renames, terms FROM history_commit"
    ).fetchall()
    commits.sort(key=itemgetter(0))  # SQLite's own sorting would copy every row
    paths = connection.execute("SELECT path, id FROM history_path ORDER BY id").fetchall()
    try:
        return build_log(commits, paths)
    except ValueError as error:
        raise damaged_history(str(error)) from error


def open_history(
    connection: sqlite3.Connection,
    repo: Repository | None,
    commit: str,
    *,
    live: Collection[bytes],
    log: CommitLog | None = None,
    terms: PathTerms | None = None,
) -> History:
    """Return the past of a commit (hex), itself included; `live` are the paths to answer with.

    `log` and `terms` (of the sorted `live`) spare reading and splitting what the caller has.

    A commit that has not been read yet gets those of its ancestors that have been, by asking git;
    `History.n_missing` counts the others. Without `repo` its past is empty then.

    Raises:
        GitError: the commit is not stored, and not in the repository either.
    """
    log = log or read_log(connection)
    tip = log.number.get(bytes.fromhex(commit))
    if tip is not None:
        return History(log, log.past([tip]), live, terms=terms)
    if repo is None:
        return History(log, log.past([]), live, n_missing=1, terms=terms)
    listed = repo.run(["rev-list", repo.require_object_id(commit), "--"]).decode("ascii").split()
    stored = [log.number[oid] for oid in map(bytes.fromhex, listed) if oid in log.number]
    missing = len(listed) - len(stored)
    return History(log, log.past(stored), live, n_missing=missing, terms=terms)
