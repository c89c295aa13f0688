"""The exact-symbol retriever: the developer typed a name, the symbol table knows where it is."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS, RankedList, SymbolKind

MAX_NAMES = 32  # names looked up for one query; a pasted log has thousands
MAX_DEFINITIONS = 400  # of one name; beyond, the name tells nothing
NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#|->|/)[^\W\d]\w*)*[!?]?", re.UNICODE)
SEPARATOR = re.compile(r"\.|::|#|->|/")
INNER_CASE = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}|[a-zA-Z]\d|_")

# A name that stands alone is surely meant; one within a sentence may be a plain word.
EXACT_QUALIFIED, EXACT_NAME, OTHER_CASE = 1.0, 0.9, 0.7
KIND_FACTOR = dict.fromkeys(CALLABLE_KINDS | CONTAINER_KINDS, 1.0) | {SymbolKind.TYPE: 1.0}
OTHER_KIND_FACTOR = 0.8  # constants, variables, fields

# CROSS JOIN keeps the order: SQLite, without statistics, would begin with every file of the view.
# Chosen by what the tree holds, never by row ids: those depend on the order of past commits.
DEFINITIONS = """
SELECT doc.id, doc.path, symbol.start_byte, symbol.name, symbol.qualified_name, symbol.kind
FROM symbol
CROSS JOIN doc ON doc.parsed_id = symbol.parsed_id
CROSS JOIN file ON file.doc_id = doc.id AND file.view_id = ?2
WHERE symbol.name_key = ?1
ORDER BY substr('.' || symbol.qualified_name, -length(?3)) != ?3, doc.path, symbol.ordinal
LIMIT ?4
"""
CHUNK_AT = "SELECT id FROM chunk WHERE doc_id = ? AND start_byte <= ? AND end_byte > ?"


@dataclass(frozen=True, slots=True)
class WantedName:
    """A name in the query: its parts before the last, the last part, how sure we are (0-1)."""

    qualifier: tuple[str, ...]
    name: str
    certainty: float


def wanted_names(query: str) -> list[WantedName]:
    """Return the names that the query may mean, surest first, without repeats.

    The whole query as one name is sure; within a sentence a name counts if it looks like code:
    qualified, in camelCase or snake_case, followed by `(`, or between backquotes.
    """
    stripped = query.strip().removesuffix("()")
    found: dict[tuple[tuple[str, ...], str], float] = {}
    alone = NAME.fullmatch(stripped) is not None
    few = len(stripped.split()) <= 3
    for match in NAME.finditer(query):
        text = match.group()
        *qualifier, name = SEPARATOR.split(text)
        after = query[match.end() : match.end() + 1]
        marked = after in ("(", "`") or query[max(match.start() - 1, 0) : match.start()] == "`"
        coded = bool(qualifier) or INNER_CASE.search(text) is not None
        certainty = 1.0 if alone else 0.9 if marked or coded else 0.5 if few else 0.0
        if certainty:
            key = (tuple(qualifier), name)
            found[key] = max(found.get(key, 0.0), certainty)
        if len(found) >= MAX_NAMES:
            break
    wanted = [WantedName(*key, certainty) for key, certainty in found.items()]
    return sorted(wanted, key=lambda item: -item.certainty)


def rank_symbols(
    connection: sqlite3.Connection,
    view_id: int,
    query: str,
    count: int,
    is_allowed: Callable[[int], bool] | None = None,
) -> RankedList:
    """Return the chunks where the names of the query are defined in the view.

    score = certainty · match · kind: an exact qualified name 1, an exact name .9, another case .7;
    constants and fields a little less than what can be called. Ties: path, then place. Of a name
    with too many definitions, those that match best are looked at, then the first by path.
    `is_allowed` tells of chunk ids whether they may be in the list; nothing is cut before it.
    """
    most = MAX_DEFINITIONS if is_allowed is None else -1
    found: dict[tuple[int, int], tuple[float, bytes]] = {}  # (document, byte) → score, path
    for wanted in wanted_names(query):
        suffix = "." + ".".join((*wanted.qualifier, wanted.name))
        rows = connection.execute(DEFINITIONS, (wanted.name.casefold(), view_id, suffix, most))
        for doc_id, path, start, name, qualified, kind in rows:
            score = wanted.certainty * _match(wanted, name, qualified)
            score *= KIND_FACTOR.get(SymbolKind(kind), OTHER_KIND_FACTOR)
            if score > found.get((doc_id, start), (0.0, b""))[0]:
                found[doc_id, start] = score, path
    best: dict[int, float] = {}
    for key in sorted(found, key=lambda key: (-found[key][0], found[key][1], key[1])):
        if len(best) == count:
            break
        doc_id, start = key
        row = connection.execute(CHUNK_AT, (doc_id, start, start)).fetchone()
        if row is not None and (is_allowed is None or is_allowed(row[0])):
            best.setdefault(row[0], found[key][0])
    return RankedList("symbol", tuple(best), tuple(best.values()), pool=count)


def _match(wanted: WantedName, name: str, qualified: str) -> float:
    parts = qualified.split(".")[:-1]
    known = len(wanted.qualifier)
    if known:
        tail = parts[-known:] if known <= len(parts) else parts
        if [part.casefold() for part in tail] == [
            part.casefold() for part in wanted.qualifier[-len(tail) :]
        ] and tail:
            return EXACT_QUALIFIED if name == wanted.name else OTHER_CASE
        return 0.5 * (EXACT_NAME if name == wanted.name else OTHER_CASE)
    return EXACT_NAME if name == wanted.name else OTHER_CASE
