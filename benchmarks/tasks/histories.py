"""Read, keep and ask a repository's history, timed in this process."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

from benchmarks.measuring import Seconds, middle, timed
from benchmarks.repositories import git
from benchmarks.tasks.indexing import place_of
from sidelight.git.trees import list_tree
from sidelight.indexing.history import update_history
from sidelight.indexing.refresh import refresh
from sidelight.store.database import Database, Identity, database_path
from sidelight.store.past import open_history
from sidelight.tokens import query_terms

TITLE = "Fix error handling when the configuration file is missing"
ROUNDS = 5


def read_all(repository: str, directory: str) -> dict[str, Any]:
    """Read HEAD's whole history into an index of its own, and ask it."""
    shutil.rmtree(directory, ignore_errors=True)
    repo = place_of(repository).repo
    head = repo.head_commit() or ""
    live = [file.path for file in list_tree(repo, repo.tree_of(head))]
    with Database.open(Path(directory), Identity("bench", "bench"), create=True) as database:
        connection = database.connection
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        empty = database_path(Path(directory)).stat().st_size
        read = timed(lambda: update_history(repo, database, head, wait=True))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = database_path(Path(directory)).stat().st_size - empty
        opened = middle(
            [timed(lambda: open_history(connection, repo, head, live=live)) for _ in range(ROUNDS)]
        )
        past = open_history(connection, repo, head, live=live)
        terms = {term: float(n) for term, n in query_terms(TITLE).items()}
        focal = live[:: max(1, len(live) // 20)]
        first = timed(lambda: past.message_scores(terms))
        asked = middle([timed(lambda: _ask(past, terms, focal)) for _ in range(ROUNDS)])
        touched = _count(connection, "sum(n_files)")
        return {
            "commits": _count(connection, "count(*)"),
            "touched": touched,
            "bytes": size,
            "read": read.table(),
            "open": opened.table(),
            "first": first.table(),
            "ask": asked.table(),
        }


def add_commits(repository: str, count: int) -> dict[str, Any]:
    """Commit `count` times to three files; return what history and all the rest of a refresh cost.

    The rest includes new vectors only as random ones, so the share is an upper bound.
    """
    place = place_of(repository)
    refresh(place, wait=True, create=True)
    files = sorted(str(p.relative_to(repository)) for p in Path(repository).rglob("*.py"))[:3]
    histories: list[Seconds] = []
    others: list[Seconds] = []
    for at in range(count):
        for name in files:
            with Path(repository, name).open("a", encoding="utf-8") as file:
                file.write(f"\n# changed {at}\n")
        git(Path(repository), "commit", "-q", "-a", "-m", f"Change {at}")
        with Database.open(place.directory, place.identity) as database:
            head = place.repo.head_commit() or ""
            histories.append(
                timed(lambda: update_history(place.repo, database, head, wait=False))  # noqa: B023
            )
        others.append(timed(lambda: refresh(place, wait=False)))
    return {"history": middle(histories).table(), "rest": middle(others).table()}


def _ask(past: Any, terms: dict[str, float], focal: list[bytes]) -> None:
    past.cochange(focal, limit=100)
    past.message_scores(terms)
    past.usual_companions(focal)
    past.recent_scores()


def _count(connection: sqlite3.Connection, what: str) -> int:
    return int(connection.execute(f"SELECT {what} FROM history_commit").fetchone()[0])  # noqa: S608
