"""Snapshots: the database's chunks as immutable, checksummed arrays that searches map.

They are opened and checked here; `publishing` writes them. A snapshot is never needed: a reader
takes the newest valid one at or below the database's generation and adds what came since from the
database. Losing all of them loses nothing.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sidelight.errors import DamagedIndexError
from sidelight.lexical import Postings
from sidelight.store.database import Database
from sidelight.store.schema import FORMAT
from sidelight.store.views import current_generation

if TYPE_CHECKING:
    from sidelight.dense.vectorfile import VectorFile

FOLDER = "snapshots"
VECTORS, MANIFEST, VERIFIED = "vectors.usearch", "manifest.json", "verified"
ARRAYS: dict[str, Any] = {
    "terms": np.uint64,
    "offsets": np.int64,
    "rows": np.int32,
    "tfs": np.uint16,
    "lengths": np.int32,
    "chunk_ids": np.int64,
    "doc_ids": np.int64,
    "without_vector": np.int64,
}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An open snapshot. Row i is the chunk `chunk_ids[i]` (ascending) of document `doc_ids[i]`.

    `without_vector` are the chunks whose vector was still pending when it was published.
    """

    folder: Path
    name: str
    generation: int
    max_chunk_id: int
    postings: Postings
    chunk_ids: NDArray[np.int64]
    doc_ids: NDArray[np.int64]
    without_vector: NDArray[np.int64]
    n_vectors: int

    def open_vectors(self) -> VectorFile | None:
        """Map the vectors, if there are any; this loads the engines.

        Raises:
            DamagedIndexError: the file is gone or damaged.
        """
        if self.n_vectors == 0:
            return None
        from sidelight.dense.vectorfile import VectorFile  # noqa: PLC0415

        try:
            vectors = VectorFile.open(self.folder / VECTORS)
        except (ValueError, RuntimeError, OSError) as error:
            raise _damaged(self.name, error) from error
        if len(vectors) != self.n_vectors:
            raise _damaged(self.name, "the vectors' number is wrong")
        return vectors


def open_latest(database: Database) -> Snapshot | None:
    """Return the newest snapshot that passes its checks; None if there is none."""
    with database.read() as connection:
        generation = current_generation(connection)
        names = [
            row[0]
            for row in connection.execute(
                "SELECT name FROM snapshot WHERE generation <= ? ORDER BY generation DESC",
                (generation,),
            )
        ]
    for name in names:
        try:
            return open_snapshot(database, name)
        except DamagedIndexError:
            continue  # derived data: an older one, or the database alone, gives the same answers
    return None


def open_snapshot(database: Database, name: str, *, fully: bool = False) -> Snapshot:
    """Return the snapshot of that name, mapped; `fully` as in `verify`.

    Raises:
        DamagedIndexError: a file is absent, of another size, or fails its checksum.
    """
    try:
        folder = database.directory / FOLDER / name
        return _open(folder, database.meta("uuid"), fully=fully)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, EOFError) as error:
        raise _damaged(name, error) from error


def _damaged(name: str, why: object) -> DamagedIndexError:
    return DamagedIndexError(
        f"snapshot {name} is damaged: {why}",
        hint="run `sidelight gc` to remove it; the index itself is whole",
    )


def _open(folder: Path, uuid: str | None, *, fully: bool) -> Snapshot:
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    if manifest["format"] != FORMAT or manifest["uuid"] != uuid:
        raise ValueError("it belongs to another index")
    verify(folder, manifest, fully=fully)
    arrays = {
        # Mapped, but as plain arrays: every slice of a `memmap` takes 5 µs in Python.
        key: np.asarray(np.load(folder / f"{key}.npy", mmap_mode="r", allow_pickle=False))
        for key in ARRAYS
    }
    _check_shapes(arrays, manifest)
    return Snapshot(
        folder=folder,
        name=folder.name,
        generation=int(manifest["generation"]),
        max_chunk_id=int(manifest["max_chunk_id"]),
        postings=Postings(*(arrays[k] for k in ("terms", "offsets", "rows", "tfs", "lengths"))),
        chunk_ids=arrays["chunk_ids"],
        doc_ids=arrays["doc_ids"],
        without_vector=arrays["without_vector"],
        n_vectors=int(manifest["n_vectors"]),
    )


def verify(folder: Path, manifest: dict[str, Any], *, fully: bool = False) -> None:
    """Check sizes and checksums of a snapshot's files.

    Checksums are computed when a file's identity (inode, size, change time) is not the one that was
    verified before, or when `fully`; so a copied or restored snapshot is always read once.

    Raises:
        ValueError: a size or checksum differs.
    """
    expected: dict[str, dict[str, Any]] = manifest["files"]
    if set(expected) != {VECTORS, *(f"{key}.npy" for key in ARRAYS)}:
        raise ValueError("the manifest lists other files")
    seen = {}
    for name, entry in expected.items():
        stat = (folder / name).stat()
        if stat.st_size != entry["size"]:
            raise ValueError(f"{name} has {stat.st_size} bytes, not {entry['size']}")
        seen[name] = [stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]
    stamp = folder / VERIFIED
    if not fully and _read_stamp(stamp) == seen:
        return
    for name, entry in expected.items():
        if checksum(folder / name) != entry["blake2b"]:
            raise ValueError(f"{name} fails its checksum")
    try:
        stamp.write_text(json.dumps(seen), "utf-8")
    except OSError:  # a read-only file system: it is verified again next time
        return


def checksum(path: Path) -> str:
    """Return the BLAKE2b digest (16 bytes, hex) of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _check_shapes(arrays: dict[str, NDArray[Any]], manifest: dict[str, Any]) -> None:
    """Check that the arrays fit each other, and the manifest, which has no checksum, fits them."""
    for key, dtype in ARRAYS.items():
        if arrays[key].ndim != 1 or arrays[key].dtype != dtype:
            raise ValueError(f"{key} has another type or shape")
    offsets, rows = arrays["offsets"], arrays["rows"]
    sizes = {len(arrays[key]) for key in ("lengths", "chunk_ids", "doc_ids")}
    if sizes != {manifest["n_rows"]} or len(offsets) != len(arrays["terms"]) + 1:
        raise ValueError("the arrays' lengths do not agree")
    if int(offsets[-1]) != len(rows) or len(rows) != len(arrays["tfs"]):
        raise ValueError("the postings' lengths do not agree")
    highest = int(arrays["chunk_ids"].max(initial=0))
    n_vectors = len(arrays["chunk_ids"]) - len(arrays["without_vector"])
    if (manifest["max_chunk_id"], manifest["n_vectors"]) != (highest, n_vectors):
        raise ValueError("the manifest does not fit the arrays")


def _read_stamp(path: Path) -> object:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
