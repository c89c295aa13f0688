"""Added functions whose body is nearly that of a function which is there already."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from sidelight.findings.asides import is_aside, is_generated
from sidelight.findings.model import Evidence, Finding, FindingKind
from sidelight.findings.sides import Sides
from sidelight.findings.similarity import Body, Likeness, likeness, read_body
from sidelight.focal import FocalFile
from sidelight.graph.model import SymbolRef, text_path
from sidelight.graph.testpaths import is_test_path
from sidelight.model import CALLABLE_KINDS, Span, Symbol, display_path

# With 40, .55 and .6, two in three pairs of twelve repositories were parallel on purpose.
MIN_TOKENS = 80  # of a body; shorter ones are alike by nature
MIN_TEXT = 0.6  # of the rows of tokens
MIN_NAMES = 0.65
MAX_ADDED = 60  # functions of one diff that are compared; more are a new module
CONFIDENCE = 0.85
_ASIDE = tuple(b"example sample demo bench docs/ fixture locale i18n".split())

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")  # of an identifier
_ASYNC = ("aiter", "aread", "aclose", "anext", "aenter", "aexit")
_TWINS = frozenset(
    "async sync await left right min max start end begin first last before after up down lower"
    " upper int long short float double signed unsigned row column rows columns x y next previous"
    " prev request response push pop enter exit open close read write pread pwrite encode decode"
    " largest smallest uppercase lowercase include exclude extract pick omit insert delete get set"
    " add remove show hide lock unlock".split()
)

NearCode = Callable[[bytes, Span, str], Collection[bytes]]  # path, span, body → paths


@dataclass(frozen=True, slots=True)
class _Known:
    ref: SymbolRef
    body: Body


def look_alikes(sides: Sides, near_code: NearCode | None) -> Iterator[Finding]:
    """Yield one finding for each added function that resembles an older one.

    `near_code` finds files outside the diff with code that a function may resemble (`near`);
    without it only the changed files themselves are searched.
    """
    known = list(_known_here(sides))
    others: dict[bytes, list[_Known]] = {}
    for count, (file, symbol) in enumerate(_added(sides)):
        if count >= MAX_ADDED:
            return
        text = _body(file.new_source, symbol.span, symbol.body_byte)
        body = read_body(text)
        if body.n_tokens < MIN_TOKENS:
            continue
        candidates = [item for item in known if _same_language(sides, file, item.ref.path)]
        near = near_code(file.path, symbol.span, text) if near_code else ()
        for path in sorted(near):
            if path in sides.focal.paths or not _same_language(sides, file, path):
                continue
            if path not in others:
                others[path] = list(_functions(sides, path))
            candidates += others[path]
        best = _best(file, symbol, body, candidates)
        if best is not None:
            yield _finding(sides, file, symbol, *best)


def _added(sides: Sides) -> Iterator[tuple[FocalFile, Symbol]]:
    """Yield the functions that no changed file had before, of production code."""
    before = {s.name for file in sides.focal.files for s in file.old.symbols}
    removed = {
        symbol.name
        for file in sides.focal.files
        for symbol in file.old.symbols
        if symbol.qualified_name not in {s.qualified_name for s in file.new.symbols}
    }
    for file in sides.focal.files:
        if _is_outside(file.path) or is_generated(file.path, file.new_source):
            continue
        own = {s.qualified_name for s in file.old.symbols}
        for symbol in file.new.symbols:
            is_new = symbol.qualified_name not in own and symbol.name not in removed
            if _is_test_name(symbol.qualified_name):
                continue  # Rust has tests inside
            if is_new and symbol.kind in CALLABLE_KINDS and _is_outermost(file, symbol):
                if file.diff.change.old_blob is None and symbol.name in before:
                    continue  # moved here from another changed file
                yield file, symbol


def _is_outermost(file: FocalFile, symbol: Symbol) -> bool:
    """Return whether no other function holds it: what is inside goes with what is around."""
    parent = symbol.parent
    while parent is not None:
        around = file.new.symbols[parent]
        if around.kind in CALLABLE_KINDS:
            return False
        parent = around.parent
    return True


def _known_here(sides: Sides) -> Iterator[_Known]:
    """Yield the functions of changed files that were there before, as they are now."""
    for file in sides.focal.files:
        if _is_outside(file.path) or is_generated(file.path, file.new_source):
            continue
        own = {s.qualified_name for s in file.old.symbols}
        for symbol in file.new.symbols:
            if symbol.qualified_name in own and symbol.kind in CALLABLE_KINDS:
                ref = SymbolRef(file.path, symbol.qualified_name, symbol.kind, symbol.span)
                text = _body(file.new_source, symbol.span, symbol.body_byte)
                yield _Known(ref, read_body(text))


def _functions(sides: Sides, path: bytes) -> Iterator[_Known]:
    source = sides.head.source(path)
    if _is_outside(path) or is_generated(path, source):
        return
    for symbol in sides.head.symbols(path):
        if symbol.kind in CALLABLE_KINDS:
            body = read_body(_body(source, symbol.span, symbol.body_byte))
            if body.n_tokens >= MIN_TOKENS // 2:
                ref = SymbolRef(path, symbol.qualified_name, symbol.kind, symbol.span)
                yield _Known(ref, body)


def _best(
    file: FocalFile, symbol: Symbol, body: Body, candidates: Iterable[_Known]
) -> tuple[_Known, Likeness] | None:
    best: tuple[_Known, Likeness] | None = None
    for item in candidates:
        if _is_expected(file, symbol, item.ref) or _is_test_name(item.ref.qualified_name):
            continue
        small, large = sorted((body.n_tokens, item.body.n_tokens))
        if small < MIN_TEXT * large:
            continue
        found = likeness(body, item.body)
        if found.text < MIN_TEXT or found.names < MIN_NAMES:
            continue
        if best is None or found.text > best[1].text:
            best = (item, found)
    return best


def _is_expected(file: FocalFile, symbol: Symbol, other: SymbolRef) -> bool:
    """Return whether two functions are alike on purpose: one method in two classes, an async or
    mirror twin, overloads, the same place in another version of the module, one of a family of
    files that all define it."""
    if other.path == file.path and (
        other.qualified_name == symbol.qualified_name or other.span.overlaps_lines(symbol.span)
    ):
        return True
    own_name, other_name = _plain(symbol.name), _plain(other.name)
    if own_name != other_name:
        return False
    is_member = "." in symbol.qualified_name or "." in other.qualified_name
    folder, _, name = file.path.rpartition(b"/")
    other_folder, _, other_file_name = other.path.rpartition(b"/")
    is_twin = own_name != symbol.name.casefold().strip("_")
    return is_member or is_twin or name == other_file_name or folder == other_folder


def _plain(name: str) -> str:
    """Return a name without what tells twins apart."""
    text = "".join(part for part in _PARTS.findall(name) if part.casefold() not in _TWINS)
    return text.casefold().removeprefix("a") if text.startswith(_ASYNC) else text.casefold()


def _is_test_name(qualified_name: str) -> bool:
    return any(
        part in ("test", "tests") or part.startswith("test_") for part in qualified_name.split(".")
    )


def _is_outside(path: bytes) -> bool:
    folded = path.lower()
    return is_aside(path) or is_test_path(text_path(path)) or any(part in folded for part in _ASIDE)


def _same_language(sides: Sides, file: FocalFile, path: bytes) -> bool:
    return sides.head.language(path) == file.language


def _body(source: bytes, span: Span, body_byte: int) -> str:
    start = body_byte if body_byte < span.end_byte else span.start_byte
    return source[start : span.end_byte].decode("utf-8", "replace")


def _finding(
    sides: Sides, file: FocalFile, symbol: Symbol, known: _Known, found: Likeness
) -> Finding:
    ref = known.ref
    line = ref.span.start_line
    share = f"{found.text:.0%} of the text in common"
    return Finding(
        FindingKind.LOOKALIKE,
        file.path,
        symbol.span,
        symbol.qualified_name,
        f"`{symbol.qualified_name}` resembles `{ref.qualified_name}`"
        f" ({display_path(ref.path)}:{line})",
        (Evidence(ref.path, line, sides.line(ref.path, line), share),),
        round(min(0.95, CONFIDENCE + 0.3 * (found.text - MIN_TEXT)), 2),
    )
