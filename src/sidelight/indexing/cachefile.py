"""An index as one file, for CI caches and for colleagues: export, and import of what is untrusted.

The file is a checksummed header line and the database as `VACUUM INTO` writes it, compressed.
Snapshots are not in it: they are derived in seconds, and mapping arrays that a stranger wrote is no
risk worth taking. On import every table is read through and every field checked before the file
becomes the index; no code is stored, and nothing is executed.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sidelight.errors import (
    DamagedIndexError,
    IndexStateError,
    OtherFormatError,
    OtherModelError,
    StorageError,
)
from sidelight.indexing.cachecheck import Expected, check_database
from sidelight.indexing.place import Place
from sidelight.indexing.vectors import publish_if_due, worker_lock
from sidelight.store.database import Database, database_path, private_name
from sidelight.store.replacing import remove_side_files, replace_database
from sidelight.store.schema import FORMAT, storage_errors

MAGIC = b"sidelight-cache 1\n"
MAX_HEADER = 4096
PIECE = 1 << 20
MAX_DATABASE_BYTES = 64 << 30  # a claim beyond this is not worth unpacking
MAX_RATIO, FREE_BYTES = 100, 16 << 20  # ours shrink to a third; a few pages of zeros to a 30th


@dataclass(frozen=True, slots=True)
class CacheReport:
    """What was written or taken over."""

    file: str
    size_bytes: int
    files: int
    chunks: int
    vectors: int
    views: tuple[str, ...]


def export_cache(place: Place, target: Path) -> CacheReport:
    """Write the index to `target`, replacing it in one step.

    Raises:
        IndexStateError, StorageError: there is no index of ours, or it cannot be written.
    """
    if not target.parent.is_dir():
        raise StorageError(
            f"there is no folder {target.parent}", hint="make it, or name another file"
        )
    may_write = os.access(place.directory, os.W_OK)  # there, `gc` finds what a kill leaves
    copy = private_name(place.directory if may_write else target.parent)
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    with Database.open(place.directory, place.identity) as database, storage_errors(target):
        try:
            database.connection.execute("VACUUM INTO ?", (str(copy),))
            header = {
                "format": FORMAT,
                "pipeline": place.identity.pipeline,
                "model": place.identity.model,
                "size": copy.stat().st_size,
                "blake2b": _digest(copy),
            }
            with partial.open("wb") as out:
                out.write(MAGIC + json.dumps(header, sort_keys=True).encode() + b"\n")
                _compress(copy, out)
                out.flush()
                os.fsync(out.fileno())
            partial.replace(target)
        finally:
            copy.unlink(missing_ok=True)
            partial.unlink(missing_ok=True)
        return _report(database, target)


def import_cache(place: Place, source: Path) -> CacheReport:
    """Make the index in `source` this repository's, replacing the one that is there.

    Raises:
        OtherFormatError, OtherModelError: it is of another format, pipeline or model.
        DamagedIndexError: it is no cache file, is cut or changed, or a field is not ours.
        StorageError: it cannot be read, or the index cannot be written.
    """
    path = database_path(place.directory)
    fresh = private_name(place.directory)
    with storage_errors(source):
        place.directory.mkdir(parents=True, exist_ok=True)
        try:
            _unpack(place, source, fresh)
            try:
                check_database(fresh, _expected(place))
                _make_own(fresh)
            except sqlite3.DatabaseError as error:
                raise _refused(source, str(error)) from error
            with worker_lock(place.directory):
                replace_database(path, fresh)
                with Database.open(place.directory, place.identity) as database:
                    publish_if_due(database, force=True)
                    return _report(database, source)
        finally:
            fresh.unlink(missing_ok=True)
            remove_side_files(fresh)


def _expected(place: Place) -> Expected:
    hash_bytes = 20 if place.repo.object_format == "sha1" else 32
    return Expected(place.identity, place.embedder.dimensions, hash_bytes)


def _make_own(path: Path) -> None:
    """Cut what ties a checked database to where it was made: its snapshots and its identity."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("BEGIN")
        connection.execute("DELETE FROM snapshot")
        uuid = secrets.token_hex(16)
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('uuid', ?)", (uuid,))
        for table in ("view", "parsed", "doc", "chunk"):  # what is said of the next id is not used
            connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            highest = f"SELECT coalesce(max(id), 0) FROM {table}"  # noqa: S608 - one of the four
            connection.execute(
                f"INSERT INTO sqlite_sequence (name, seq) VALUES (?, ({highest}))",  # noqa: S608
                (table,),
            )
        connection.execute("COMMIT")
    finally:
        connection.close()


def _unpack(place: Place, source: Path, fresh: Path) -> None:
    with source.open("rb") as file:
        header = _read_header(source, file)
        if header["size"] > FREE_BYTES + MAX_RATIO * source.stat().st_size:
            raise _refused(source, f"it claims {header['size']} bytes")
        if header["format"] != FORMAT or header["pipeline"] != place.identity.pipeline:
            raise OtherFormatError(
                f"{source.name} was made by format {header['format']}, pipeline "
                f"{header['pipeline']}; this version reads {FORMAT}, {place.identity.pipeline}",
                hint="make it anew with `sidelight cache export`",
            )
        if header["model"] != place.identity.model:
            raise OtherModelError(
                f"{source.name} holds vectors of another model ({header['model'][:12]})",
                hint="choose that model with `sidelight model use`, or make the file anew",
            )
        digest = hashlib.blake2b(digest_size=16)
        written = 0
        with fresh.open("xb") as out:
            for piece in _decompress(source, file, header["size"]):
                digest.update(piece)
                out.write(piece)
                written += len(piece)
            out.flush()
            os.fsync(out.fileno())
        if written != header["size"] or digest.hexdigest() != header["blake2b"]:
            raise _refused(source, "it is cut off, or its checksum differs")


def _read_header(source: Path, file: BinaryIO) -> dict[str, Any]:
    if file.read(len(MAGIC)) != MAGIC:
        raise _refused(source, "it is not a cache file")
    line = file.readline(MAX_HEADER)
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _refused(source, "its header cannot be read") from error
    kinds = {"format": int, "pipeline": str, "model": str, "size": int, "blake2b": str}
    if not isinstance(header, dict) or {k: type(v) for k, v in header.items()} != kinds:
        raise _refused(source, "its header has other fields")
    if not 0 < header["size"] <= MAX_DATABASE_BYTES:
        raise _refused(source, f"it claims {header['size']} bytes")
    return header


def _compress(path: Path, out: BinaryIO) -> None:
    engine = zlib.compressobj(1)
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            out.write(engine.compress(piece))
    out.write(engine.flush())


def _decompress(source: Path, file: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the content, never more than one byte beyond the size that was claimed."""
    engine, left = zlib.decompressobj(), size + 1
    try:
        while left > 0 and not engine.eof:
            data = engine.unconsumed_tail or file.read(PIECE)
            if not data:
                raise _refused(source, "it is cut off")
            piece = engine.decompress(data, min(PIECE, left))
            left -= len(piece)
            yield piece
    except zlib.error as error:
        raise _refused(source, "it is damaged") from error
    if engine.unused_data or file.read(1):
        raise _refused(source, "something follows its end")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _refused(source: Path, why: str) -> IndexStateError:
    return DamagedIndexError(
        f"{source.name} was not taken over: {why}", hint="the index here is as it was"
    )


def _report(database: Database, file: Path) -> CacheReport:
    with database.read() as connection:
        count = connection.execute
        return CacheReport(
            file=str(file),
            size_bytes=file.stat().st_size,
            files=count("SELECT count(*) FROM doc").fetchone()[0],
            chunks=count("SELECT count(*) FROM chunk").fetchone()[0],
            vectors=count("SELECT count(*) FROM embedding").fetchone()[0],
            views=tuple(row[0] for row in count("SELECT name FROM view ORDER BY name")),
        )
