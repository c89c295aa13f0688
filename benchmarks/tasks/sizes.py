"""What an index takes on disk, by part, and the model in memory."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.tasks.indexing import place_of
from sidelight.store.database import database_path
from sidelight.store.snapshot import open_latest

WORDS = "the retriever asks for a pool of rows and every list is fused by its scores "


def parts(repository: str) -> dict[str, Any]:
    """Return bytes by part: tables and their indexes, and the files of the newest snapshot."""
    from sidelight.store.database import Database  # noqa: PLC0415

    place = place_of(repository)
    sizes: dict[str, int] = {}
    with closing(sqlite3.connect(database_path(place.directory))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        owners = dict(connection.execute("SELECT name, tbl_name FROM sqlite_master"))
        for name, size in connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
            index = " indexes" if owners.get(name, name) != name else ""
            key = f"database: {owners.get(name, name)}{index}"
            sizes[key] = sizes.get(key, 0) + int(size)
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        sizes["database: free pages"] = int(free) * int(page)
    with Database.open(place.directory, None) as database:
        snapshot = open_latest(database)
    if snapshot is not None:
        for path in snapshot.folder.iterdir():
            key = "snapshot: vectors" if path.suffix == ".usearch" else "snapshot: postings, ids"
            sizes[key] = sizes.get(key, 0) + path.stat().st_size
    on_disk = sum(p.stat().st_size for p in Path(place.directory).rglob("*") if p.is_file())
    sizes["other files"] = max(0, on_disk - sum(sizes.values()))
    return {"parts": {key: size for key, size in sizes.items() if size}}


def model_memory(texts: int) -> dict[str, Any]:
    """Embed some long texts; with none, only import what a build with random vectors has."""
    from sidelight.dense import vectorfile  # noqa: PLC0415
    from sidelight.embedding import open_embedder  # noqa: PLC0415

    del vectorfile
    if texts:
        open_embedder(threads=2).embed([f"{at} {WORDS * 20}" for at in range(texts)])
    return {}
