"""Views, and what of the whole index every refresh asks: the part of the store that a hook loads.

Light: a hook that finds its tree indexed imports nothing of `sidelight.model`. `reader` and
`writer` have the rest, and hand these on.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

GARBAGE_LEAST = 1000  # chunks that no view shows, before they are deleted by themselves
PUBLISH_LEAST = 1000  # rows that the snapshot lacks or that are dead, before a new one pays …
PUBLISH_SHARE = 0.05  # … or this share of its rows, whichever is more


@dataclass(frozen=True, slots=True)
class ViewState:
    """What a view shows: a tree, the commit it was reached by, and the configuration's key."""

    tree: str
    commit: str
    config_key: str


@dataclass(frozen=True, slots=True)
class ViewInfo:
    """A view's row."""

    id: int
    name: str
    tree: str
    commit: str
    config_key: str
    generation: int


def view_state(connection: sqlite3.Connection, name: str) -> ViewState | None:
    """Return what the view shows; None if there is no such view."""
    row = connection.execute(
        "SELECT tree, commit_id, config_key FROM view WHERE name = ?", (name,)
    ).fetchone()
    return None if row is None else ViewState(*row)


def find_view(connection: sqlite3.Connection, name: str) -> ViewInfo | None:
    """Return the view of that name, if there is one."""
    row = connection.execute(
        "SELECT id, name, tree, commit_id, config_key, generation FROM view WHERE name = ?",
        (name,),
    ).fetchone()
    return None if row is None else ViewInfo(*row)


def list_views(connection: sqlite3.Connection) -> list[ViewInfo]:
    """Return all views by name."""
    rows = connection.execute(
        "SELECT id, name, tree, commit_id, config_key, generation FROM view ORDER BY name"
    )
    return [ViewInfo(*row) for row in rows]


def current_generation(connection: sqlite3.Connection) -> int:
    """Return the database's generation: it grows with every change that a reader could notice."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    return int(row[0]) if row else 0


def touch_commit(connection: sqlite3.Connection, name: str, commit: str) -> None:
    """Record another commit of the same tree (an amended message, an empty commit)."""
    connection.execute("UPDATE view SET commit_id = ? WHERE name = ?", (commit, name))


def pending_count(connection: sqlite3.Connection, view_id: int | None = None) -> int:
    """Return how many of the view's chunks (or of all keys) still wait for their vector."""
    total = int(connection.execute("SELECT count(*) FROM pending").fetchone()[0])
    if view_id is None or total == 0:
        return total
    row = connection.execute(
        "SELECT count(*) FROM file JOIN chunk ON chunk.doc_id = file.doc_id"
        " JOIN pending ON pending.key = chunk.embedding WHERE file.view_id = ?",
        (view_id,),
    ).fetchone()
    return int(row[0])


def needs_publishing(connection: sqlite3.Connection) -> bool:
    """Return whether enough rows are new or dead for a new snapshot to pay."""
    row = connection.execute(
        "SELECT max_chunk_id, n_rows FROM snapshot ORDER BY generation DESC LIMIT 1"
    ).fetchone()
    after, n_rows = (row[0], row[1]) if row else (0, 0)
    limit = max(PUBLISH_LEAST, PUBLISH_SHARE * n_rows)
    fresh = connection.execute("SELECT count(*) FROM chunk WHERE id > ?", (after,)).fetchone()[0]
    if fresh > limit:
        return True
    if n_rows == 0:
        return False
    # Of all rows, because SQLite counts those in a small index; a range would read the fat table.
    total = connection.execute("SELECT count(*) FROM chunk").fetchone()[0]
    kept = total - fresh
    return bool(fresh + n_rows - kept > limit)


def garbage_is_due(connection: sqlite3.Connection) -> bool:
    """Return whether chunks that no view shows outnumber those that one does, and are many.

    Until then they are kept: branches that are switched between share them.
    """
    total, live = connection.execute(
        "SELECT coalesce(sum(n_chunks), 0), coalesce(sum(n_chunks) FILTER (WHERE id IN"
        " (SELECT doc_id FROM file WHERE doc_id IS NOT NULL)), 0) FROM doc"
    ).fetchone()
    return bool(total - live > max(GARBAGE_LEAST, live))
