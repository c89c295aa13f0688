"""Turn raw captures into a file's symbols, references and imports: order, nesting, names, leads.

Pure: works on offsets and the source alone; knows neither tree-sitter nor any language.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from sidelight.model import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    Import,
    Reference,
    Span,
    Symbol,
    SymbolKind,
)
from sidelight.parsing.captures import Range, Raw, RawDefinition, RawReference, RawScope

_NEWLINE = re.compile(rb"\n")
_BLANK = b" \t\r\n\f\v"
_INLINE = b" \t\f\v\xef\xbb\xbf"  # a byte order mark counts as nothing
_TYPE_KINDS = CONTAINER_KINDS - {SymbolKind.MODULE}
_LOCAL_KINDS = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})
_WRAPPER_DEPTH = 8


class Lines:
    """Byte offset → line. Lines end with a line feed, as git and tree-sitter count them."""

    def __init__(self, source: bytes) -> None:
        self._feeds = [found.start() for found in _NEWLINE.finditer(source)]

    def line(self, byte: int) -> int:
        """Return the 1-based line that holds `byte`."""
        return bisect_left(self._feeds, byte) + 1

    def span(self, start: int, end: int) -> Span:
        """Return the span of half-open bytes."""
        return Span(start, end, self.line(start), self.line(max(start, end - 1)))

    @property
    def count(self) -> int:
        """Number of line feeds, plus one."""
        return len(self._feeds) + 1


@dataclass(slots=True)
class _Open:
    """One enclosing stretch of the sweep: a definition (`index` set) or a mere scope."""

    start: int
    end: int
    qualified: str
    kind: SymbolKind | None
    is_type: bool
    index: int | None
    body: int  # where a definition's body begins
    outer: _Open | None  # what encloses it, as `_above` sees it: steps there are few


def assemble_symbols(raw: Raw, source: bytes, lines: Lines) -> tuple[Symbol, ...]:
    """Return the definitions in source order with parents, qualified names and leads.

    Ties in position go to the longer one, then to the earlier name. Local variables are left out.
    """
    symbols: list[Symbol] = []
    stack: list[_Open] = []
    for found, (start, end), lead in _in_source_order(raw, source):
        while stack and (stack[-1].end < end or stack[-1].end <= start):
            stack.pop()
        if isinstance(found, RawScope):
            stack.append(_opened_scope(found, stack[-1] if stack else None))
            continue
        above = _above(stack[-1] if stack else None, start, end, found.kind)
        kind = _kind_within(found, above)
        if kind in _LOCAL_KINDS and above is not None and above.kind in CALLABLE_KINDS:
            continue
        qualified = _join(above.qualified if above else "", found.scope, found.name)
        body = min(max(found.body_byte, start), end)
        parent = above.index if above else None
        symbols.append(
            Symbol(found.name, qualified, kind, lines.span(start, end), lead, body, parent)
        )
        is_type = kind in _TYPE_KINDS
        stack.append(_Open(start, end, qualified, kind, is_type, len(symbols) - 1, body, above))
    return tuple(symbols)


def _in_source_order(
    raw: Raw, source: bytes
) -> Iterator[tuple[RawDefinition | RawScope, Range, int]]:
    """Yield definitions and scopes with their final range and lead, enclosing ones first."""
    leads = _Leads(raw, source)
    placed: list[tuple[int, int, int, RawDefinition | RawScope, int]] = []
    for found in raw.definitions:
        start, end = _wrapped(found.range, raw.wrappers)
        lead, start = leads.before(start)
        placed.append((start, -end, found.name_start, found, lead))
    for scope in raw.scopes:
        start, end = scope.range
        placed.append((start, -end, -1, scope, start))
    placed.sort(key=lambda item: item[:3])
    for start, minus_end, _, item, lead in placed:
        yield item, (start, -minus_end), lead


def _opened_scope(found: RawScope, above: _Open | None) -> _Open:
    """Return a scope as an enclosing stretch: no symbol, so members keep the symbol above it."""
    start, end = found.range
    qualified = _join(above.qualified if above else "", found.name)
    kind = above.kind if above and not found.is_type else None
    index = above.index if above else None
    return _Open(start, end, qualified, kind, found.is_type, index, start, above)


def assemble_references(
    found: list[RawReference], symbols: tuple[Symbol, ...], lines: Lines
) -> tuple[Reference, ...]:
    """Return the uses in source order, each with the innermost definition around it."""
    found = sorted(found, key=lambda item: item.range)
    owners = owners_of([item.range for item in found], symbols)
    by_name: dict[str, int] = {}
    for index, symbol in enumerate(symbols):
        if symbol.kind in CONTAINER_KINDS or symbol.kind is SymbolKind.TYPE:
            by_name.setdefault(symbol.qualified_name, index)
            by_name.setdefault(symbol.name, index)
    references: list[Reference] = []
    for item, innermost in zip(found, owners, strict=True):
        owner = by_name.get(item.owner, innermost) if item.owner else innermost
        span = lines.span(*item.range)
        references.append(Reference(item.name, item.kind, item.receiver, span, owner))
    return tuple(references)


def assemble_imports(raw: Raw, lines: Lines) -> tuple[Import, ...]:
    """Return the imports in source order."""
    found = sorted(raw.imports, key=lambda item: (item.range[0], -item.range[1]))
    return tuple(
        Import(
            item.spec.module,
            item.spec.kind,
            lines.span(*item.range),
            item.spec.names,
            item.spec.alias,
        )
        for item in found
    )


def owners_of(ranges: list[Range], symbols: tuple[Symbol, ...]) -> list[int | None]:
    """Return for each range, sorted by start, the innermost symbol that contains it."""
    owners: list[int | None] = []
    stack: list[int] = []
    upcoming = 0
    for start, end in ranges:
        while upcoming < len(symbols) and symbols[upcoming].span.start_byte <= start:
            span = symbols[upcoming].span
            while stack and symbols[stack[-1]].span.end_byte <= span.start_byte:
                stack.pop()
            stack.append(upcoming)
            upcoming += 1
        while stack and symbols[stack[-1]].span.end_byte <= start:
            stack.pop()
        owner = next((i for i in reversed(stack) if symbols[i].span.end_byte >= end), None)
        owners.append(owner)
    return owners


def _join(*parts: str) -> str:
    return ".".join(part for part in parts if part)


def _above(innermost: _Open | None, start: int, end: int, kind: SymbolKind) -> _Open | None:
    """Return what encloses a definition: two names of one statement (`x = y = 0`) do not nest.

    A field among a constructor's parameters (PHP, TypeScript) belongs to the class.
    """
    item = innermost
    while item is not None:
        if kind is SymbolKind.FIELD and item.kind in CALLABLE_KINDS and end <= item.body:
            item = item.outer
            continue
        together = kind in _LOCAL_KINDS and item.kind in _LOCAL_KINDS and item.index is not None
        if (item.start, item.end) != (start, end) and not together:
            break
        item = item.outer
    return item


def _kind_within(found: RawDefinition, above: _Open | None) -> SymbolKind:
    if above is not None and above.is_type and not found.scope:
        if found.kind is SymbolKind.FUNCTION:
            return SymbolKind.METHOD
        if found.kind is SymbolKind.VARIABLE:
            return SymbolKind.FIELD
    return found.kind


def _wrapped(inner: Range, wrappers: dict[Range, Range]) -> Range:
    for _ in range(_WRAPPER_DEPTH):
        outer = wrappers.get(inner)
        if outer is None or outer == inner:
            break
        inner = outer
    return inner


class _Leads:
    """Finds the attributes and comments that touch a definition from above, by offsets alone."""

    def __init__(self, raw: Raw, source: bytes) -> None:
        self._source = source
        self._attributes = {self._end(*item): item[0] for item in raw.attributes}
        self._comments = {self._end(*item): item[0] for item in raw.comments}

    def _end(self, start: int, end: int) -> int:
        """Return the end without trailing blanks: Rust's doc comments hold their line feed."""
        while end > start and self._source[end - 1] in _BLANK:
            end -= 1
        return end

    def before(self, start: int) -> tuple[int, int]:
        """Return (where the lead begins, where the definition with its attributes begins)."""
        if not self._attributes and not self._comments:
            return start, start
        lead = start
        while True:
            end, feeds = lead, 0
            while end and self._source[end - 1] in _BLANK:
                end -= 1
                feeds += self._source[end] == 0x0A
            if feeds > 1:
                return lead, start
            if end in self._attributes and self._attributes[end] < lead:
                lead = start = self._attributes[end]
            elif end in self._comments and feeds and self._opens_line(self._comments[end]):
                lead = self._comments[end]
            elif end in self._comments and not feeds and self._comments[end] < lead:
                lead = self._comments[end]  # /** doc */ on the definition's own line
            else:
                return lead, start

    def _opens_line(self, byte: int) -> bool:
        while byte and self._source[byte - 1] in _INLINE:
            byte -= 1
        return byte == 0 or self._source[byte - 1] == 0x0A
