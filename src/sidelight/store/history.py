"""The history's tables: add commits, ask which are there, forget some. Light: hooks import it.

Ids grow from parents to children, so that one pass over them finds ancestors. The commits that are
here are closed: the parents of each are here too, unless it is marked as an edge.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sidelight.errors import DamagedIndexError
from sidelight.history.rows import CommitRow, Edge, pack, unpack

NEXT_ID = "history_next"  # meta: ids of commits below it may have been used
MAX_PROBLEM = 500  # characters
PROBLEM = "history_problem"  # meta: why the last reading failed; absent if it did not

_INSERT = (
    "INSERT INTO history_commit (oid, id, parents, time, edge, n_files, files, renames, terms)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True)
class HistoryInfo:
    """What is known of one commit's past.

    `commits` counts it and its ancestors; 0 if it has not been read yet. `shallow`: the clone is
    cut off, so older ones exist elsewhere. `limited`: older ones were left out. `problem`: why git
    could not be read, or "".
    """

    commits: int = 0
    shallow: bool = False
    limited: bool = False
    problem: str = ""


def is_known(connection: sqlite3.Connection, oid: bytes) -> bool:
    """Return whether the commit, and with it its whole past, has been read."""
    query = "SELECT 1 FROM history_commit WHERE oid = ?"
    return connection.execute(query, (oid,)).fetchone() is not None


def known_commits(connection: sqlite3.Connection) -> set[bytes]:
    """Return all commits that have been read."""
    return {row[0] for row in connection.execute("SELECT oid FROM history_commit")}


def is_empty(connection: sqlite3.Connection) -> bool:
    """Return whether no commit has been read yet."""
    return connection.execute("SELECT 1 FROM history_commit LIMIT 1").fetchone() is None


def shallow_edges(connection: sqlite3.Connection) -> set[bytes]:
    """Return the commits that were a shallow clone's edge when they were read."""
    query = "SELECT oid FROM history_commit WHERE edge = 1"
    return {row[0] for row in connection.execute(query)}


def history_stamp(connection: sqlite3.Connection) -> int:
    """Return a number that changes whenever commits are added."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (NEXT_ID,)).fetchone()
    return int(row[0]) if row else 1


def insert_commits(connection: sqlite3.Connection, rows: Sequence[CommitRow]) -> int | None:
    """Add commits, whatever their order; return how many are new.

    None: a parent is neither here nor among them, so that nothing was added (garbage collection
    came in between). The caller holds the write transaction.
    """
    fresh = {row.oid: row for row in rows if not is_known(connection, row.oid)}
    ids: dict[bytes, int] = {}
    for parent in {oid for row in fresh.values() for oid in row.parents} - fresh.keys():
        found = connection.execute(
            "SELECT id FROM history_commit WHERE oid = ?", (parent,)
        ).fetchone()
        if found is None:
            return None
        ids[parent] = found[0]
    first = history_stamp(connection)
    ordered = parents_first(fresh)
    ids.update((row.oid, number) for number, row in enumerate(ordered, first))
    path_id = _path_ids(connection)
    values = [
        (
            row.oid,
            ids[row.oid],
            pack(ids[oid] for oid in row.parents),
            row.time,
            int(row.edge),
            row.n_files,
            pack(map(path_id, row.files)),
            pack(path_id(path) for pair in row.renames for path in pair),
            row.terms,
        )
        for row in ordered
    ]
    # Sorted, they fill the pages of the table, whose key is the commit's own id.
    connection.executemany(_INSERT, sorted(values))
    _set_meta(connection, NEXT_ID, str(first + len(ordered)))
    return len(ordered)


def clear_history(connection: sqlite3.Connection) -> None:
    """Forget all commits; ids are not used again."""
    connection.execute("DELETE FROM history_commit")
    connection.execute("DELETE FROM history_path")


def record_problem(connection: sqlite3.Connection, problem: str) -> None:
    """Record why git could not be read, in one line that can be printed; "" if it could."""
    if problem:
        shown = "".join(c if c.isprintable() else " " for c in problem[:MAX_PROBLEM])
        _set_meta(connection, PROBLEM, shown)
    else:
        connection.execute("DELETE FROM meta WHERE key = ?", (PROBLEM,))


def history_info(connection: sqlite3.Connection, commit: str) -> HistoryInfo:
    """Return what is known of a commit's past; the commit is given by its hex."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (PROBLEM,)).fetchone()
    edges = [edge for _, edge in _with_past(connection, {bytes.fromhex(commit)})]
    return HistoryInfo(
        commits=len(edges),
        shallow=Edge.SHALLOW in edges,
        limited=Edge.LIMIT in edges,
        problem=str(row[0]) if row else "",
    )


def collect_history(connection: sqlite3.Connection) -> int:
    """Forget commits that no view's commit has in its past; return how many.

    Nothing is forgotten while some view's commit has not been read: its past is not known yet.
    """
    tips = {
        bytes.fromhex(row[0]) for row in connection.execute("SELECT DISTINCT commit_id FROM view")
    }
    if not all(is_known(connection, tip) for tip in tips):
        return 0
    kept = {oid for oid, _ in _with_past(connection, tips)}
    dead = [
        row for row in connection.execute("SELECT oid FROM history_commit") if row[0] not in kept
    ]
    connection.executemany("DELETE FROM history_commit WHERE oid = ?", dead)
    if dead:
        used: set[int] = set()
        for files, renames in connection.execute("SELECT files, renames FROM history_commit"):
            used.update(_unpacked(files))
            used.update(_unpacked(renames))
        paths = connection.execute("SELECT id FROM history_path").fetchall()
        connection.executemany(
            "DELETE FROM history_path WHERE id = ?", [row for row in paths if row[0] not in used]
        )
    return len(dead)


def parents_first(rows: dict[bytes, CommitRow]) -> list[CommitRow]:
    """Return the rows so that each comes after those of its parents that are among them."""
    done: set[bytes] = set()
    ordered: list[CommitRow] = []
    for start in reversed(rows):  # readers go from new to old
        stack = [start]
        while stack:
            oid = stack[-1]
            waiting = [p for p in rows[oid].parents if p in rows and p not in done]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            if oid not in done:
                done.add(oid)
                ordered.append(rows[oid])
    return ordered


def _with_past(
    connection: sqlite3.Connection, tips: Collection[bytes]
) -> Iterator[tuple[bytes, int]]:
    """Yield (oid, edge) of the tips that are here and of their ancestors, children first."""
    rows = connection.execute("SELECT id, parents, oid, edge FROM history_commit ORDER BY id DESC")
    wanted: set[int] = set()
    for number, parents, oid, edge in rows:
        if number in wanted or oid in tips:
            wanted.discard(number)
            wanted.update(_unpacked(parents))
            yield oid, edge


def _unpacked(packed: bytes) -> Iterable[int]:
    try:
        return unpack(packed)
    except (ValueError, TypeError) as error:
        raise damaged_history(str(error)) from error


def damaged_history(detail: str) -> DamagedIndexError:
    """Return the error for rows that are not what we write."""
    return DamagedIndexError(
        f"the index is damaged (history: {detail})", hint="run `sidelight index --rebuild`"
    )


def _path_ids(connection: sqlite3.Connection) -> Callable[[bytes], int]:
    """Return a function that gives a path's id, and makes one for a path not seen before."""
    known: dict[bytes, int] = {}

    def path_id(path: bytes) -> int:
        number = known.get(path)
        if number is None:
            row = connection.execute("SELECT id FROM history_path WHERE path = ?", (path,))
            found = row.fetchone()
            if found is None:
                top = connection.execute("SELECT max(id) FROM history_path").fetchone()[0]
                found = ((top or 0) + 1,)
                connection.execute("INSERT INTO history_path VALUES (?, ?)", (path, found[0]))
            number = known[path] = int(found[0])
        return number

    return path_id


def _set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
