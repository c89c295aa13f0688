"""What is written for one document, and how its columns are packed. Pure; no numpy."""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sidelight.model import (
    ChunkKind,
    Import,
    ImportedName,
    ImportKind,
    ParsedFile,
    Problem,
    Reference,
    ReferenceKind,
    Span,
    SymbolKind,
)

MAX_TF = 0xFFFF
FIRST_TERMS = 32  # of a `TermSet`, which tell most unlike ones apart


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk as it is stored: its place, its terms, and the key of its vector; not its text."""

    kind: ChunkKind
    symbol: str
    symbol_kind: SymbolKind | None
    span: Span
    parent: int | None
    imports: tuple[str, ...]
    embedding: bytes
    n_terms: int
    terms: bytes


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """One blob at one path in one language, ready to be inserted.

    `size` (bytes) and `generated` (its text says so) are what configurations may skip it for.
    """

    blob: str
    language: str
    path: bytes
    size: int
    generated: bool
    parsed: ParsedFile
    chunks: tuple[ChunkRow, ...]


@dataclass(frozen=True, slots=True)
class FileRow:
    """One path of a view: either it names its document, or it says why it has none."""

    path: bytes
    mode: int
    blob: str
    doc_id: int | None
    skip: str | None


def pack_terms(terms: Mapping[int, int]) -> bytes:
    """Return the postings of one chunk: n sorted 64-bit hashes, then n 16-bit frequencies.

    Little-endian on every machine, so that an index may be copied between them.
    """
    hashes = array("Q", sorted(terms))
    counts = array("H", [min(terms[key], MAX_TF) for key in hashes])
    if sys.byteorder == "big":
        hashes.byteswap()
        counts.byteswap()
    return hashes.tobytes() + counts.tobytes()


def native(code: str, packed: bytes) -> array[int]:
    """Return little-endian numbers as an array of this machine's."""
    values = array(code, packed)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def vector_check(key: bytes, vector: bytes) -> int:
    """Return the checksum that is kept beside a vector: the one thing a rebuild does not redo."""
    return zlib.crc32(vector, zlib.crc32(key))


def unpack_hashes(packed: bytes) -> Sequence[int]:
    """Return the term hashes of `pack_terms`, without their frequencies."""
    hashes = array("Q", packed[: len(packed) // 10 * 8])
    if sys.byteorder == "big":
        hashes.byteswap()
    return hashes


class TermSet:
    """A chunk's distinct terms, out of `pack_terms`: counted as they are, unpacked when needed."""

    __slots__ = ("_first", "_hashes", "_packed")

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._hashes: frozenset[int] | None = None
        self._first: frozenset[int] | None = None

    def __len__(self) -> int:
        return len(self._packed) // 10

    @property
    def hashes(self) -> frozenset[int]:
        """The terms' hashes."""
        if self._hashes is None:
            self._hashes = frozenset(unpack_hashes(self._packed))
        return self._hashes

    @property
    def first(self) -> frozenset[int]:
        """The least few of the hashes: as good as a random sample."""
        if self._first is None:
            end = 8 * min(FIRST_TERMS, len(self))
            self._first = frozenset(native("Q", self._packed[:end]))
        return self._first


def pack_imports(imports: Sequence[Import]) -> bytes:
    """Return a file's imports, compressed; apart from its uses, since graphs read all of them."""
    return _pack(
        [
            [
                item.module,
                item.kind.value,
                *_span(item.span),
                [[name.name, name.alias] for name in item.names],
                item.alias,
            ]
            for item in imports
        ]
    )


def unpack_imports(packed: bytes) -> tuple[Import, ...]:
    """Return the imports that `pack_imports` packed."""
    return tuple(
        Import(
            module,
            ImportKind(kind),
            Span(*span),
            tuple(ImportedName(name, alias) for name, alias in names),
            alias,
        )
        for module, kind, *span, names, alias in _unpack(packed)
    )


def pack_uses(references: Sequence[Reference], problems: Sequence[Problem]) -> bytes:
    """Return a file's references and problems, compressed."""
    return _pack(
        [
            [
                [ref.name, ref.kind.value, ref.receiver, *_span(ref.span), ref.owner]
                for ref in references
            ],
            [[problem.message, *_span(problem.span)] for problem in problems],
        ]
    )


def unpack_uses(packed: bytes) -> tuple[tuple[Reference, ...], tuple[Problem, ...]]:
    """Return the references and problems that `pack_uses` packed."""
    references, problems = _unpack(packed)
    return (
        tuple(
            Reference(name, ReferenceKind(kind), receiver, Span(*span), owner)
            for name, kind, receiver, *span, owner in references
        ),
        tuple(Problem(message, Span(*span)) for message, *span in problems),
    )


def _pack(value: list[Any]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def _unpack(packed: bytes) -> list[Any]:
    value = json.loads(zlib.decompress(packed).decode("utf-8", "surrogatepass"))
    if not isinstance(value, list):
        raise TypeError("not a packed list")
    return value


def _span(span: Span) -> tuple[int, int, int, int]:
    return span.start_byte, span.end_byte, span.start_line, span.end_line
