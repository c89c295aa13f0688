"""Look whether a database is sound: pages, references, and the type of every value.

Reads everything, so it is for doctors, for strangers' files, and for finding out why an operation
failed. Must stay light (no numpy).
"""

from __future__ import annotations

import sqlite3

from sidelight.store.schema import TABLES


def find_damage(connection: sqlite3.Connection) -> str | None:
    """Return what is wrong with the database, in a few words; None if nothing is.

    SQLite keeps no checksums: a changed byte inside a value is found only if its type is wrong.
    """
    try:
        pages = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if pages != ("ok",):
            return str(pages[0])
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        if broken is not None:
            return f"{broken[0]} refers to a row of {broken[2]} that is not there"
        for table in (*TABLES, "snapshot"):
            column = _column_of_wrong_type(connection, table)
            if column is not None:
                return f"{table}.{column} holds a value of another type"
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return str(error)
    return None


def _column_of_wrong_type(connection: sqlite3.Connection, table: str) -> str | None:
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    tests = []
    for _, name, kind, required, _, key in columns:
        allowed = f"'{kind.lower()}'" if required or key else f"'{kind.lower()}', 'null'"
        tests.append(f"sum(typeof({name}) NOT IN ({allowed}))")
    wrong = connection.execute(f"SELECT {', '.join(tests)} FROM {table}").fetchone()  # noqa: S608
    for (_, name, *_), count in zip(columns, wrong, strict=True):
        if count:
            return str(name)
    return None
