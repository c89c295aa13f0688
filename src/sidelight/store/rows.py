"""What is written for one document, and how its columns are packed. Pure; no numpy."""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass

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
    Symbol,
    SymbolKind,
)

MAX_TF = 0xFFFF


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


def pack_parsed(parsed: ParsedFile) -> bytes:
    """Return references, imports and problems, compressed (symbols have a table of their own)."""
    payload = {
        "r": [
            [ref.name, ref.kind.value, ref.receiver, *_span(ref.span), ref.owner]
            for ref in parsed.references
        ],
        "i": [
            [
                item.module,
                item.kind.value,
                *_span(item.span),
                [[name.name, name.alias] for name in item.names],
                item.alias,
            ]
            for item in parsed.imports
        ],
        "p": [[problem.message, *_span(problem.span)] for problem in parsed.problems],
    }
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def unpack_parsed(language: str, payload: bytes, symbols: tuple[Symbol, ...]) -> ParsedFile:
    """Return the parsed file that `pack_parsed` packed; its breaks are not kept."""
    data = json.loads(zlib.decompress(payload).decode("utf-8", "surrogatepass"))
    return ParsedFile(
        language=language,
        symbols=symbols,
        references=tuple(
            Reference(name, ReferenceKind(kind), receiver, Span(*span), owner)
            for name, kind, receiver, *span, owner in data["r"]
        ),
        imports=tuple(
            Import(
                module,
                ImportKind(kind),
                Span(*span),
                tuple(ImportedName(name, alias) for name, alias in names),
                alias,
            )
            for module, kind, *span, names, alias in data["i"]
        ),
        problems=tuple(Problem(message, Span(*span)) for message, *span in data["p"]),
    )


def _span(span: Span) -> tuple[int, int, int, int]:
    return span.start_byte, span.end_byte, span.start_line, span.end_line
