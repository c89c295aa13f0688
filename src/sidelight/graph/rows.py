"""The graph's questions to the database: a view's documents, symbols, imports, uses. No numpy."""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sidelight.model import Reference, ReferenceKind, Span, Symbol, SymbolKind

_COLUMNS = (
    "symbol.ordinal, symbol.name, symbol.qualified_name, symbol.kind, symbol.start_byte,"
    " symbol.end_byte, symbol.start_line, symbol.end_line, symbol.lead_byte, symbol.body_byte,"
    " symbol.parent"
)
_LINK = " JOIN doc ON doc.parsed_id = symbol.parsed_id JOIN file ON file.doc_id = doc.id"
# A few symbols first, then their files: left to itself SQLite goes through the view's files.
_FROM_SYMBOLS = _LINK.replace(" JOIN", " CROSS JOIN")
BATCH = 500
# What follows the name in a row of `store.rows.pack_uses`.
_USE = re.compile(
    r'"(?P<kind>\w+)",(?P<receiver>null|"(?:[^"\\]|\\.)*"),(?P<start>\d+),(?P<end>\d+),'
    r"(?P<first>\d+),(?P<last>\d+),(?P<owner>null|\d+)\]"
)


class FileEntry(NamedTuple):
    """A path of the view. Without a document (skipped files) the ids are 0 and the language "".

    There is one for every file of the view: a tuple, which is made in half the time.
    """

    path: bytes
    blob: str
    doc_id: int
    parsed_id: int
    language: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol at its place in the tree; `ordinal` is its index in the file's symbols."""

    path: str
    ordinal: int
    symbol: Symbol


def read_files(connection: sqlite3.Connection, view_id: int) -> list[FileEntry]:
    """Return every path of the view in order."""
    rows = connection.execute(
        "SELECT file.path, file.blob, doc.id, doc.parsed_id, doc.language FROM file"
        " LEFT JOIN doc ON doc.id = file.doc_id WHERE file.view_id = ? ORDER BY file.path",
        (view_id,),
    )
    return [
        FileEntry(path, blob.hex(), doc_id or 0, parsed_id or 0, language or "")
        for path, blob, doc_id, parsed_id, language in rows
    ]


def symbols_named(
    connection: sqlite3.Connection, view_id: int, name: str, qualified_name: str | None = None
) -> list[tuple[bytes, int, Symbol]]:
    """Return (path, ordinal, symbol) of every definition of that very name in the view.

    With `qualified_name`, only of those that are called so in full.
    """
    rows = connection.execute(
        f"SELECT file.path, {_COLUMNS} FROM symbol{_FROM_SYMBOLS}"  # noqa: S608
        " WHERE symbol.name_key = ?1 AND symbol.name = ?2 AND file.view_id = ?3"
        " AND (?4 IS NULL OR symbol.qualified_name = ?4) ORDER BY file.path, symbol.ordinal",
        (name.casefold(), name, view_id, qualified_name),
    )
    return [(path, ordinal, _symbol(rest)) for path, ordinal, *rest in rows]


def all_symbols(
    connection: sqlite3.Connection, view_id: int
) -> Iterator[tuple[bytes, int, Symbol]]:
    """Yield (path, ordinal, symbol) of the whole view, by path and place."""
    rows = connection.execute(
        f"SELECT file.path, {_COLUMNS} FROM symbol{_LINK}"  # noqa: S608
        " WHERE file.view_id = ? ORDER BY file.path, symbol.ordinal",
        (view_id,),
    )
    for path, ordinal, *rest in rows:
        yield path, ordinal, _symbol(rest)


def symbols_in(
    connection: sqlite3.Connection, parsed_id: int, name: str
) -> list[tuple[int, Symbol]]:
    """Return (ordinal, symbol) of the definitions of that name in one parsed file."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM symbol"  # noqa: S608
        " WHERE name_key = ? AND parsed_id = ? AND name = ? ORDER BY ordinal",
        (name.casefold(), parsed_id, name),
    )
    return [(ordinal, _symbol(rest)) for ordinal, *rest in rows]


def near_names(connection: sqlite3.Connection, view_id: int, name: str, limit: int) -> list[str]:
    """Return names of the view that may resemble `name`, by the alphabet."""
    key = name.casefold()
    rows = connection.execute(
        f"SELECT DISTINCT symbol.name FROM symbol{_LINK} WHERE file.view_id = ?1"  # noqa: S608
        " AND (instr(name_key, ?2) OR (length(name_key) > 2 AND instr(?2, name_key))"
        " OR (substr(name_key, 1, 1) = substr(?2, 1, 1)"
        " AND abs(length(name_key) - length(?2)) < 4)) ORDER BY symbol.name LIMIT ?3",
        (view_id, key, limit),
    )
    return [row[0] for row in rows]


def packed_columns(
    connection: sqlite3.Connection, column: str, parsed_ids: Sequence[int]
) -> Iterator[tuple[int, bytes]]:
    """Yield (parsed id, packed `imports` or `uses`)."""
    if column not in ("imports", "uses"):
        raise ValueError(column)
    for start in range(0, len(parsed_ids), BATCH):
        part = parsed_ids[start : start + BATCH]
        marks = ",".join("?" * len(part))
        yield from connection.execute(
            f"SELECT id, {column} FROM parsed WHERE id IN ({marks})",  # noqa: S608
            part,
        )


def is_renamed_in(packed: bytes, name: str) -> bool:
    """Return whether packed imports bring the name in under another one (`a as b`).

    Reads the text of `store.rows.pack_imports` without decoding it.
    """
    text = zlib.decompress(packed).decode("utf-8", "surrogatepass")
    return f'[{json.dumps(name, ensure_ascii=False)},"' in text


def uses_named(packed: bytes, names: Sequence[str]) -> list[Reference]:
    """Return the references among packed uses that have one of the names.

    Reads the text of `store.rows.pack_uses` without decoding the rest: a query about one name
    touches hundreds of files with hundreds of uses each.
    """
    text = zlib.decompress(packed).decode("utf-8", "surrogatepass")
    found: list[tuple[int, Reference]] = []
    for name in names:
        start = "[" + json.dumps(name, ensure_ascii=False) + ","
        at = text.find(start)
        while at >= 0:
            row = _USE.match(text, at + len(start))
            if row is not None:
                found.append((at, _reference(name, row)))
            at = text.find(start, at + len(start))
    return [reference for _, reference in sorted(found, key=lambda item: item[0])]


def _reference(name: str, row: re.Match[str]) -> Reference:
    span = Span(int(row["start"]), int(row["end"]), int(row["first"]), int(row["last"]))
    owner = None if row["owner"] == "null" else int(row["owner"])
    return Reference(name, ReferenceKind(row["kind"]), json.loads(row["receiver"]), span, owner)


def _symbol(row: Sequence[Any]) -> Symbol:
    name, qualified, kind, start, end, first, last, lead, body, parent = row
    return Symbol(
        name, qualified, SymbolKind(kind), Span(start, end, first, last), lead, body, parent
    )
