"""What every column of a stranger's database may hold: types, sizes, ranges, names. Pure.

Checks look at one row at a time; what rows say of each other is `cachecheck`'s.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from sidelight.history.rows import MAX_TIME, WORD_BYTES, Edge
from sidelight.languages import LANGUAGES
from sidelight.model import ChunkKind, Import, Problem, Reference, Span, SymbolKind
from sidelight.store.rows import MAX_TF, native, unpack_imports, unpack_uses, vector_check

MAX_TEXT = 100_000  # no name, symbol or import list of ours is longer
MAX_PAYLOAD = 64 << 20  # a parsed file, unpacked
MAX_NUMBER = (1 << 31) - 1  # offsets, lines, counts: config.LIMITS keeps files below it
MAX_ID = 1 << 48
MAX_DOCUMENT_ID = 50_000_000  # a reader's tables have an entry up to the largest
HASH_BYTES, TF_BYTES = 8, 2  # of one packed term
MODES = frozenset({0o100644, 0o100755, 0o100664, 0o120000, 0o160000})
CHUNK_KINDS = frozenset(ChunkKind)
SYMBOL_KINDS = frozenset(SymbolKind)
EDGES = frozenset(Edge)
HEX = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
CONFIG_KEY = re.compile(r"[0-9a-f]{16}")
VIEW_NAME = re.compile(r"(?:worktree/.*|(?:rev|passing)/.+)")


def is_number(text: object) -> bool:
    """Return whether a value of `meta` is a plain number."""
    return isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 16


def is_line(value: object) -> bool:
    """Return whether the value is a text that can be printed."""
    return isinstance(value, str) and len(value) <= MAX_TEXT and value.isprintable()


def is_safe_path(value: object) -> bool:
    """Return whether the value is a path as git trees hold them: relative, no `..`, no NUL."""
    if not isinstance(value, bytes) or not 0 < len(value) <= 8192 or b"\0" in value:
        return False
    return all(part not in (b"", b".", b"..") for part in value.split(b"/"))


def _is_text(value: object, *, empty: bool = True) -> bool:
    return isinstance(value, str) and len(value) <= MAX_TEXT and (empty or value != "")


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_NUMBER


def _is_id(value: object) -> bool:
    return type(value) is int and 0 < value < MAX_ID


def _is_blob_id(value: object) -> bool:
    return isinstance(value, bytes) and len(value) in (20, 32)


def _is_language(value: object) -> bool:
    return isinstance(value, str) and value in LANGUAGES


def _is_place(*values: Any) -> bool:
    """Return whether these are first and last byte, first and last line."""
    if not all(_is_count(value) for value in values):
        return False
    start_byte, end_byte, start_line, end_line = values
    return bool(start_byte <= end_byte and 1 <= start_line <= end_line)


def _is_span(span: Span) -> bool:
    return _is_place(span.start_byte, span.end_byte, span.start_line, span.end_line)


def check_view(row: tuple[Any, ...]) -> bool:
    """Check a row of `view`."""
    number, name, tree, commit, config_key, generation = row
    ids = all(isinstance(item, str) and HEX.fullmatch(item) for item in (tree, commit))
    named = is_line(name) and VIEW_NAME.fullmatch(name) is not None
    keyed = isinstance(config_key, str) and CONFIG_KEY.fullmatch(config_key) is not None
    return _is_id(number) and named and ids and keyed and _is_count(generation)


def check_parsed(row: tuple[Any, ...]) -> bool:
    """Check a row of `parsed` with the number of its symbols."""
    number, blob, language, packed_imports, packed_uses, n_symbols = row
    if not (_is_id(number) and _is_blob_id(blob) and _is_language(language)):
        return False
    imports = _unpacked(packed_imports, unpack_imports)
    uses = _unpacked(packed_uses, unpack_uses)
    if imports is None or uses is None:
        return False
    references, problems = uses
    return (
        all(_is_import(item) for item in imports)
        and all(_is_reference(item, n_symbols) for item in references)
        and all(_is_problem(item) for item in problems)
    )


def _unpacked(packed: object, unpack: Callable[[bytes], Any]) -> Any | None:
    """Return what was packed; None if it is not ours, too large, or cut."""
    if not isinstance(packed, bytes):
        return None
    engine = zlib.decompressobj()
    try:
        engine.decompress(packed, MAX_PAYLOAD)
        return unpack(packed) if engine.eof else None
    except (zlib.error, ValueError, KeyError, TypeError, RecursionError):
        return None


def _is_import(item: Import) -> bool:
    names = (text for name in item.names for text in (name.name, name.alias))
    optional = (item.alias, *(text for text in names if text is not None))
    texts = all(text is None or _is_text(text) for text in optional)
    named = all(isinstance(name.name, str) for name in item.names)
    return _is_text(item.module) and texts and named and _is_span(item.span)


def _is_reference(item: Reference, n_symbols: int) -> bool:
    receiver = item.receiver is None or _is_text(item.receiver)
    owner = item.owner is None or (_is_count(item.owner) and item.owner < n_symbols)
    return _is_text(item.name) and receiver and owner and _is_span(item.span)


def _is_problem(item: Problem) -> bool:
    return _is_text(item.message) and _is_span(item.span)


def check_symbol(row: tuple[Any, ...]) -> bool:
    """Check a row of `symbol`."""
    ordinal, key, name, qualified, kind, *rest = row
    *span, lead, body, parent = rest
    texts = _is_text(name, empty=False) and _is_text(qualified, empty=False)
    places = _is_place(*span) and _is_count(ordinal) and _is_count(lead) and _is_count(body)
    in_order = parent is None or (_is_count(parent) and parent < ordinal)
    return texts and key == name.casefold() and places and kind in SYMBOL_KINDS and in_order


def check_doc(row: tuple[Any, ...]) -> bool:
    """Check a row of `doc`."""
    number, blob, language, path, size, generated, n_chunks = row
    counts = _is_count(size) and generated in (0, 1) and _is_count(n_chunks)
    numbered = _is_id(number) and number <= MAX_DOCUMENT_ID
    named = numbered and _is_blob_id(blob) and _is_language(language)
    return named and is_safe_path(path) and counts


def check_chunk(row: tuple[Any, ...]) -> bool:
    """Check a row of `chunk` with its document's size and number of chunks."""
    number, ordinal, kind, symbol, symbol_kind, *rest = row
    *span, parent, imports, embedding, n_terms, terms, size, n_chunks = rest
    named = kind in CHUNK_KINDS and (symbol_kind is None or symbol_kind in SYMBOL_KINDS)
    texts = _is_text(symbol) and _is_text(imports)
    places = _is_id(number) and _is_place(*span) and span[1] <= size
    numbered = _is_count(ordinal) and ordinal < n_chunks
    enclosed = parent is None or (_is_count(parent) and parent < n_chunks and parent != ordinal)
    keyed = isinstance(embedding, bytes) and len(embedding) == 16
    return (
        named
        and texts
        and places
        and numbered
        and enclosed
        and keyed
        and (_are_terms(n_terms, terms))
    )


def _are_terms(n_terms: Any, terms: Any) -> bool:
    """Return whether hashes ascend, frequencies are positive, and their sum is the length."""
    if (
        not isinstance(terms, bytes)
        or len(terms) % (HASH_BYTES + TF_BYTES)
        or not _is_count(n_terms)
    ):
        return False
    n = len(terms) // (HASH_BYTES + TF_BYTES)
    hashes, counts = native("Q", terms[: n * HASH_BYTES]), native("H", terms[n * HASH_BYTES :])
    if any(one >= two for one, two in pairwise(hashes)) or 0 in counts:
        return False
    total = sum(counts)
    return bool(total == n_terms or (MAX_TF in counts and total < n_terms))


def check_embedding(row: tuple[Any, ...]) -> bool:
    """Check a row of `embedding`."""
    key, vector, crc = row
    sized = isinstance(key, bytes) and len(key) == 16 and isinstance(vector, bytes)
    return sized and crc == vector_check(key, vector)


def check_file(row: tuple[Any, ...]) -> bool:
    """Check a row of `file`."""
    path, mode, blob, doc_id, skip = row
    placed = (doc_id is None) != (skip is None) and (skip is None or is_line(skip))
    return is_safe_path(path) and mode in MODES and _is_blob_id(blob) and placed


def check_history_path(row: tuple[Any, ...]) -> bool:
    """Check a row of `history_path`."""
    path, number = row
    return is_safe_path(path) and isinstance(number, int) and 0 < number < 1 << 32


def check_history_commit(row: tuple[Any, ...]) -> bool:
    """Check a row of `history_commit`."""
    oid, number, parents, time, edge, n_files, *packed = row
    named = _is_blob_id(oid) and isinstance(number, int) and 0 < number < 1 << 32
    counts = _is_count(n_files) and isinstance(time, int) and 0 <= time <= MAX_TIME
    columns = [parents, *packed]
    if not named or not counts or edge not in EDGES or not all(map(_is_packed, columns)):
        return False
    files, renames, _terms = packed
    listed = len(files) // WORD_BYTES
    return listed in (0, n_files) and len(renames) % (2 * WORD_BYTES) == 0


def _is_packed(value: object) -> bool:
    return isinstance(value, bytes) and len(value) % WORD_BYTES == 0


def check_pending(row: tuple[Any, ...]) -> bool:
    """Check a row of `pending`."""
    key, doc_id = row
    return isinstance(key, bytes) and len(key) == 16 and _is_id(doc_id)


CHECKS: tuple[tuple[str, str, Callable[[tuple[Any, ...]], bool]], ...] = (
    ("view", "id, name, tree, commit_id, config_key, generation FROM view", check_view),
    (
        "parsed",
        "id, blob, language, imports, uses,"
        " (SELECT count(*) FROM symbol WHERE parsed_id = parsed.id) FROM parsed",
        check_parsed,
    ),
    (
        "symbol",
        "ordinal, name_key, name, qualified_name, kind, start_byte, end_byte, start_line,"
        " end_line, lead_byte, body_byte, parent FROM symbol",
        check_symbol,
    ),
    ("doc", "id, blob, language, path, size, generated, n_chunks FROM doc", check_doc),
    (
        "chunk",
        "chunk.id, ordinal, kind, symbol, symbol_kind, start_byte, end_byte, start_line, end_line,"
        " parent, imports, embedding, n_terms, terms, doc.size, doc.n_chunks"
        " FROM chunk JOIN doc ON doc.id = chunk.doc_id",
        check_chunk,
    ),
    ("embedding", "key, vector, crc FROM embedding", check_embedding),
    ("pending", "key, doc_id FROM pending", check_pending),
    ("file", "path, mode, blob, doc_id, skip FROM file", check_file),
    ("history", "path, id FROM history_path", check_history_path),
    (
        "history",
        "oid, id, parents, time, edge, n_files, files, renames, terms FROM history_commit",
        check_history_commit,
    ),
)
