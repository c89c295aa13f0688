"""What is kept of one commit, and how its columns are packed. Pure; light, hooks import it."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum

TYPE_CHECKING = False  # typing alone costs 8 ms
if TYPE_CHECKING:
    from sidelight.git.history import Commit
    from sidelight.model import FileChange

WORD = "I"  # array's code of the 32-bit unsigned numbers that all packed columns hold
WORD_BYTES = 4
HASH_MASK = 0xFFFF_FFFF  # of a 64-bit term hash; two of 20,000 terms collide in a query 1:20,000
MAX_FILES = 300  # beyond, only the number and the renames are kept: no score looks at the rest
MAX_MESSAGE_FILES = 15  # a message about more files says little of each (the study's limit)
MAX_SUBJECT = 500  # characters; git joins a message's first paragraph to one line, however long
MAX_TIME = 1 << 40  # seconds; a clock beyond is broken


class Edge(IntEnum):
    """Why a commit may have parents that are not here."""

    NONE = 0
    SHALLOW = 1  # the clone is cut off here; what the commit changed is not known
    LIMIT = 2  # more history than is kept; its changes are known


@dataclass(frozen=True, slots=True)
class CommitRow:
    """One commit. `files` are the touched paths (new names; none if there are too many).

    `n_files` counts all of them. `renames` are (old, new) pairs. `terms` packs the subject's term
    hashes in ascending order, each as often as it occurs.
    """

    oid: bytes
    parents: tuple[bytes, ...]
    time: int
    edge: Edge
    n_files: int
    files: tuple[bytes, ...]
    renames: tuple[tuple[bytes, bytes], ...]
    terms: bytes


def commit_row(commit: Commit) -> CommitRow:
    """Return what is kept of a commit."""
    files = tuple(dict.fromkeys(change.path for change in commit.changes))
    return CommitRow(
        oid=bytes.fromhex(commit.oid),
        parents=tuple(bytes.fromhex(oid) for oid in commit.parents),
        time=min(max(commit.author_time, 0), MAX_TIME),
        edge=Edge.SHALLOW if commit.is_boundary else Edge.NONE,
        n_files=len(files),
        files=files if len(files) <= MAX_FILES else (),
        renames=_renames(commit.changes) if commit.changes else (),
        terms=subject_terms(commit.subject) if 0 < len(files) <= MAX_MESSAGE_FILES else b"",
    )


def _renames(changes: Iterable[FileChange]) -> tuple[tuple[bytes, bytes], ...]:
    from sidelight.model import ChangeKind  # noqa: PLC0415 - 9 ms; an empty commit has no changes

    return tuple(
        (change.old_path, change.path)
        for change in changes
        if change.kind is ChangeKind.RENAMED and change.old_path is not None
    )


def cut_row(row: CommitRow, missing: Collection[bytes]) -> CommitRow:
    """Return the row without those of its parents that are older than what is kept."""
    parents = tuple(oid for oid in row.parents if oid not in missing)
    return replace(row, parents=parents, edge=Edge.LIMIT)


def subject_terms(subject: str) -> bytes:
    """Return the packed hashes of a subject's terms, sorted, repeated as often as they occur."""
    from sidelight.tokens import text_terms  # noqa: PLC0415 - 10 ms, for commits with files only

    counts = text_terms(subject[:MAX_SUBJECT])
    return pack(sorted(short_hash(term) for term, n in counts.items() for _ in range(n)))


def short_hash(term: str) -> int:
    """Return the 32 bits of a term's hash that subjects are searched by."""
    from sidelight.tokens import term_hash  # noqa: PLC0415 - as above

    return term_hash(term) & HASH_MASK


def pack(numbers: Iterable[int]) -> bytes:
    """Return 32-bit numbers as bytes, little-endian on every machine."""
    words = array(WORD, numbers)
    if sys.byteorder == "big":
        words.byteswap()
    return words.tobytes()


def unpack(packed: bytes) -> array[int]:
    """Return the numbers that `pack` packed.

    Raises:
        ValueError: the length is not a multiple of four.
    """
    words = array(WORD)
    words.frombytes(packed)
    if sys.byteorder == "big":
        words.byteswap()
    return words
