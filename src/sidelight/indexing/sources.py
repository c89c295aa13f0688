"""Turn changed paths of a tree into rows: read blobs, skip with a reason, build documents.

Runs outside any lock; it only looks into the database for documents that are stored already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sidelight.errors import MissingObjectError
from sidelight.git.blobs import BlobReader
from sidelight.git.repository import Repository
from sidelight.indexing.documents import BuiltDocument, build_document
from sidelight.indexing.eligibility import Eligibility, is_generated, refuse_by_content
from sidelight.model import FileRef
from sidelight.store.database import Database

BATCH_FILES = 200
BATCH_BYTES = 4_000_000


@dataclass(slots=True)
class SourceBatch:
    """A stretch of the changed paths: what to insert, what is known, what is skipped."""

    built: list[tuple[FileRef, BuiltDocument]] = field(default_factory=list)
    known: list[tuple[FileRef, int]] = field(default_factory=list)
    skipped: list[tuple[FileRef, str]] = field(default_factory=list)
    n_bytes: int = 0

    @property
    def n_files(self) -> int:
        """How many paths the batch covers."""
        return len(self.built) + len(self.known) + len(self.skipped)


def read_sources(
    repo: Repository,
    database: Database,
    files: Sequence[FileRef],
    attributes: Mapping[bytes, Mapping[str, str]],
    rules: Eligibility,
    model_sha: str,
    tick: Callable[[int], None],
) -> Iterator[SourceBatch]:
    """Yield the files in batches, in their order; `tick` hears how many were done."""
    batch = SourceBatch()
    with BlobReader(repo) as blobs:
        for file in files:
            own = attributes.get(file.path, {})
            _classify(batch, file, own, rules, database, blobs, model_sha)
            tick(1)
            if batch.n_files >= BATCH_FILES or batch.n_bytes >= BATCH_BYTES:
                yield batch
                batch = SourceBatch()
    if batch.n_files:
        yield batch


def _classify(
    batch: SourceBatch,
    file: FileRef,
    attributes: Mapping[str, str],
    rules: Eligibility,
    database: Database,
    blobs: BlobReader,
    model_sha: str,
) -> None:
    reason = rules.refuse_by_name(file, attributes)
    content = b""
    if reason is None:
        known = _known_document(database, file)
        if known is not None:
            doc_id, size, generated = known
            reason = rules.refuse_by_size(size) or rules.refuse_generated(generated, attributes)
            if reason is None:
                batch.known.append((file, doc_id))
                return
        else:
            reason, content = _read(file, attributes, rules, blobs)
    if reason is not None:
        batch.skipped.append((file, reason))
        return
    batch.built.append((file, build_document(content, file.path, file.blob, model_sha)))
    batch.n_bytes += len(content)


def _read(
    file: FileRef, attributes: Mapping[str, str], rules: Eligibility, blobs: BlobReader
) -> tuple[str | None, bytes]:
    """Return why the blob is not indexed, or None and its content."""
    try:
        reason = rules.refuse_by_size(blobs.size(file.blob))
        if reason is not None:
            return reason, b""
        content = blobs.read(file.blob)
    except MissingObjectError:
        return "missing object", b""  # a partial clone: fetching it is the user's decision
    reason = refuse_by_content(file.path, content) or rules.refuse_generated(
        is_generated(content), attributes
    )
    return reason, content


def _known_document(database: Database, file: FileRef) -> tuple[int, int, bool] | None:
    """Return id, size and generated mark of this blob's document at this path, if it is stored."""
    with database.read() as connection:
        row = connection.execute(
            "SELECT id, size, generated FROM doc WHERE blob = ? AND path = ?",
            (bytes.fromhex(file.blob), file.path),
        ).fetchone()
    return None if row is None else (int(row[0]), int(row[1]), bool(row[2]))
