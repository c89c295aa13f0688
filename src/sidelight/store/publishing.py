"""Write snapshots and remove superseded ones; `snapshot` opens them."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from sidelight.errors import DamagedIndexError
from sidelight.lexical import PostingsSpool, count_postings
from sidelight.store.database import DATABASE_NAME, Database
from sidelight.store.schema import FORMAT, damaged, storage_errors
from sidelight.store.snapshot import (
    ARRAYS,
    FOLDER,
    MANIFEST,
    VECTORS,
    checksum,
    open_snapshot,
)
from sidelight.store.views import current_generation

SPOOL = "vectors.raw"  # in a folder that is being built: what is read waits here, not in memory
VECTORS_AT_ONCE = 4096


def publish(database: Database) -> str:
    """Write a snapshot of all chunks and make it current; return its name.

    The rows are read in one transaction and written outside any; the folder gets its contents
    flushed before a row in the database makes it visible. Older snapshots go; a reader that was
    about to open one reads the database alone.
    """
    root = database.directory / FOLDER
    with storage_errors(database.path):
        root.mkdir(exist_ok=True)
    token = secrets.token_hex(4)
    building = root / f".snap-{token}"
    with storage_errors(building):
        try:
            building.mkdir()
            with database.read() as connection:
                generation = current_generation(connection)
                columns = _read_columns(connection, building)
            _write(building, columns, generation, database.meta("uuid") or "")
            name = f"snap-{generation}-{token}"
            building.rename(root / name)
            _flush_folder(root)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
    with database.write() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO snapshot (generation, name, max_chunk_id, n_rows)"
            " VALUES (?, ?, ?, ?)",
            (generation, name, columns.max_chunk_id, len(columns.chunk_ids)),
        )
    prune(database, keep=1)
    return name


def prune(database: Database, *, keep: int) -> int:
    """Delete all snapshots but the newest `keep`, and what killed builds left; return how many."""
    root = database.directory / FOLDER
    if not root.is_dir():
        return 0
    with database.write() as connection:
        names = [
            row[0]
            for row in connection.execute("SELECT name FROM snapshot ORDER BY generation DESC")
        ]
        connection.executemany(
            "DELETE FROM snapshot WHERE name = ?", [(name,) for name in names[keep:]]
        )
    kept = set(names[:keep])
    removed = 0
    for folder in root.iterdir():
        if folder.name in kept or (folder.name.startswith(".snap-") and _is_recent(folder)):
            continue
        shutil.rmtree(folder, ignore_errors=True)  # a reader that maps it keeps its pages
        removed += 1
    return removed


def forget_damaged(database: Database) -> int:
    """Take snapshots that fail their checks off the list; return how many. `prune` deletes them."""
    with database.read() as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM snapshot")]
    bad = []
    for name in names:
        try:
            open_snapshot(database, name, fully=True)
        except DamagedIndexError:
            bad.append((name,))
    with database.write() as connection:
        connection.executemany("DELETE FROM snapshot WHERE name = ?", bad)
    return len(bad)


@dataclass(frozen=True, slots=True)
class _Columns:
    """What was read: ids in memory; terms in parts, and vectors (n, `width`), on disk."""

    chunk_ids: NDArray[np.int64]
    doc_ids: NDArray[np.int64]
    lengths: NDArray[np.int32]
    terms: PostingsSpool
    n_postings: int
    vector_ids: NDArray[np.int64]
    spool: Path
    width: int

    @property
    def max_chunk_id(self) -> int:
        return int(self.chunk_ids[-1]) if len(self.chunk_ids) else 0


def _read_columns(connection: sqlite3.Connection, folder: Path) -> _Columns:
    """Read all chunks, ids into arrays, the rest into files: lists would take 2 kB a chunk."""
    spool = folder / SPOOL
    n_rows, n_packed, n_vectors, width = connection.execute(
        "SELECT count(*), coalesce(sum(length(terms)), 0), count(vector),"
        " coalesce(max(length(vector)), 1)"
        " FROM chunk LEFT JOIN embedding ON embedding.key = chunk.embedding"
    ).fetchone()
    chunk_ids, doc_ids = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    lengths, vector_ids = np.empty(n_rows, np.int32), np.empty(n_vectors, np.int64)
    n_postings = count_postings(n_packed)
    terms_spool = PostingsSpool(folder, n_postings)
    at = 0
    rows = connection.execute(
        "SELECT chunk.id, doc_id, terms, n_terms, vector FROM chunk"
        " LEFT JOIN embedding ON embedding.key = chunk.embedding ORDER BY chunk.id"
    )
    with spool.open("wb") as vectors:
        for row, (chunk_id, doc_id, terms, n_terms, vector) in enumerate(rows):
            chunk_ids[row], doc_ids[row], lengths[row] = chunk_id, doc_id, n_terms
            terms_spool.add(terms)
            if vector is not None:
                if len(vector) != width:
                    raise damaged(Path(DATABASE_NAME), "vectors of different lengths")
                vectors.write(vector)
                vector_ids[at] = chunk_id
                at += 1
    return _Columns(chunk_ids, doc_ids, lengths, terms_spool, n_postings, vector_ids, spool, width)


def _write_arrays(folder: Path, columns: _Columns) -> None:
    """Invert the terms and save all arrays."""
    n = columns.n_postings
    with _array_file(folder, "rows", n) as rows, _array_file(folder, "tfs", n) as tfs:
        terms, offsets = columns.terms.write(rows, tfs)
    arrays = {
        "terms": terms,
        "offsets": offsets,
        "lengths": columns.lengths,
        "chunk_ids": columns.chunk_ids,
        "doc_ids": columns.doc_ids,
        "without_vector": np.setdiff1d(columns.chunk_ids, columns.vector_ids),
    }
    for key, array in arrays.items():
        np.save(folder / f"{key}.npy", np.ascontiguousarray(array, ARRAYS[key]), allow_pickle=False)


def _array_file(folder: Path, key: str, length: int) -> IO[bytes]:
    """Open an array's file behind its header: its values come in parts."""
    file = (folder / f"{key}.npy").open("wb")
    descr = np.lib.format.dtype_to_descr(np.dtype(ARRAYS[key]))
    header = {"descr": descr, "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(file, header)
    return file


def _write_vectors(folder: Path, columns: _Columns) -> None:
    """Move the vectors from the spool to the vector file."""
    from sidelight.dense.vectorfile import write_vector_file  # noqa: PLC0415 - loads the engines

    def batches() -> Iterator[NDArray[np.int8]]:
        with columns.spool.open("rb") as file:
            while data := file.read(columns.width * VECTORS_AT_ONCE):
                yield np.frombuffer(data, np.int8).reshape(-1, columns.width)

    write_vector_file(folder / VECTORS, columns.vector_ids, batches(), columns.width)
    columns.spool.unlink()


def _write(folder: Path, columns: _Columns, generation: int, uuid: str) -> None:
    _write_arrays(folder, columns)
    _write_vectors(folder, columns)
    names = [VECTORS, *(f"{key}.npy" for key in ARRAYS)]
    manifest = {
        "format": FORMAT,
        "uuid": uuid,
        "generation": generation,
        "max_chunk_id": columns.max_chunk_id,
        "n_rows": len(columns.chunk_ids),
        "n_vectors": len(columns.vector_ids),
        "files": {
            name: {"size": (folder / name).stat().st_size, "blake2b": checksum(folder / name)}
            for name in names
        },
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), "utf-8")
    for name in (*names, MANIFEST):
        _flush(folder / name)
    _flush_folder(folder)


def _is_recent(folder: Path) -> bool:
    """Return whether another process may still be writing there."""
    try:
        own = (folder.parent.parent).stat().st_mtime
        return abs(own - folder.stat().st_mtime) < 3600
    except OSError:
        return False


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows has no handle to a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
