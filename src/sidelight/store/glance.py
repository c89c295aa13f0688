"""One look at an index: is there nothing to do for this commit? For hooks, before all else.

Imports sqlite3 only, checks no identity and changes nothing. Whoever gets False takes the long way,
which finds out everything; so a doubt is always False.
"""

from __future__ import annotations

import os
import sqlite3


def shows_commit(database: str, view: str, commit: str) -> bool:
    """Return whether the view in the file `database` shows `commit`, and no vector is pending."""
    if not os.path.exists(database):  # noqa: PTH110 - pathlib costs 8 ms; connecting would make it
        return False
    try:
        connection = sqlite3.connect(database, timeout=1)
        try:
            row = connection.execute(
                "SELECT commit_id, EXISTS (SELECT 1 FROM pending) FROM view WHERE name = ?", (view,)
            ).fetchone()
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError):  # busy, damaged, of another format
        return False
    return row is not None and tuple(row) == (commit, 0)
