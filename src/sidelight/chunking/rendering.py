"""Turn pieces into chunks: text, header, names, parents, imports. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from sidelight.chunking.cutting import Limits, cut_bytes
from sidelight.chunking.imports import ImportedModules
from sidelight.chunking.lines import Lines
from sidelight.chunking.pieces import Piece, Role
from sidelight.model import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    Chunk,
    ChunkKind,
    ParsedFile,
    Symbol,
    SymbolKind,
)

HEADER_LINES = 5  # of a signature
HEADER_CHARACTERS = 300
MEMBER_CHARACTERS = 160  # of one member's signature in an overview
MEMBERS_BYTES = 3_000  # of all of them: the rest is counted
ENCLOSING_REACH = 2_000  # lines looked back
ENCLOSING_BLOCKS = 4  # outermost ones that are shown
ENCLOSING_CHARACTERS = 80  # of each
GROUP_NAMES = 12  # noted in a group's header

_SPACE = re.compile(r"\s+")


def render_pieces(
    pieces: Sequence[Piece], parsed: ParsedFile, lines: Lines, limits: Limits
) -> tuple[Chunk, ...]:
    """Return one chunk a piece, or several where a line alone exceeds the byte limit."""
    rendering = _Rendering(parsed, lines, limits)
    for piece in pieces:
        rendering.add(piece)
    return tuple(rendering.chunks)


class _Rendering:
    """Chunks of one file in order; `_overviews` maps a class to its overview's place."""

    def __init__(self, parsed: ParsedFile, lines: Lines, limits: Limits) -> None:
        self._parsed = parsed
        self._symbols = parsed.symbols
        self._lines = lines
        self._limits = limits
        self._imports = ImportedModules(parsed.imports)
        self._overviews: dict[int, int] = {}
        self._members: dict[int, list[Symbol]] = {}
        for symbol in parsed.symbols:
            if symbol.parent is not None:
                self._members.setdefault(symbol.parent, []).append(symbol)
        self.chunks: list[Chunk] = []

    def add(self, piece: Piece) -> None:
        """Append the chunks of a piece."""
        kind, name, symbol_kind, header = self._describe(piece)
        parent = self._parent(piece.owner)
        start, end = self._lines.starts[piece.first], self._lines.starts[piece.last]
        # A few closing lines may exceed the limit; a line of five megabytes may not.
        allowed = self._limits.max_bytes * 5 // 4
        spans = (
            [(start, end)]
            if end - start <= allowed
            else cut_bytes(self._lines.source, start, end, self._limits.max_bytes)
        )
        for n, (a, b) in enumerate(spans):
            text = decode(self._lines.source[a:b])
            if n == 0 and piece.role is Role.OVERVIEW:
                self._overviews[piece.symbols[0]] = len(self.chunks)
                text = text.rstrip() + "\n" + self._member_lines(piece)
            if n > 0 and not header and piece.symbols and kind is not ChunkKind.MODULE:
                header = signature_text(self._symbols[piece.symbols[0]], self._lines.source)
            self.chunks.append(
                Chunk(
                    span=self._lines.byte_span(a, b),
                    kind=kind,
                    language=self._parsed.language,
                    symbol=name,
                    symbol_kind=symbol_kind,
                    header=header,
                    text=text,
                    parent=parent,
                    imports=self._imports.used_in(text),
                )
            )

    def _describe(self, piece: Piece) -> tuple[ChunkKind, str, SymbolKind | None, str]:
        if piece.role is Role.GAP or piece.role is Role.PART:
            return self._describe_between(piece)
        symbol = self._symbols[piece.symbols[0]]
        kind = {
            Role.WHOLE: ChunkKind.DEFINITION,
            Role.OVERVIEW: ChunkKind.OVERVIEW,
            Role.HEAD: ChunkKind.PART,
        }[piece.role]
        return kind, symbol.qualified_name, symbol.kind, ""

    def _describe_between(self, piece: Piece) -> tuple[ChunkKind, str, SymbolKind | None, str]:
        """Return what a piece is that is not the beginning of one definition."""
        owner = None if piece.owner is None else self._symbols[piece.owner]
        if piece.symbols:
            symbols = [self._symbols[i] for i in piece.symbols]
            covered = sum(s.span.end_line - s.span.start_line + 1 for s in symbols)
            if covered * 2 > self._lines.n_filled(piece.first, piece.last):
                return self._describe_group(symbols, owner)
        noted = _noted_names([self._symbols[i].name for i in piece.symbols])
        if owner is None:
            return ChunkKind.MODULE, "", None, noted or enclosing_lines(self._lines, piece.first)
        if owner.kind is SymbolKind.MODULE:
            return ChunkKind.MODULE, owner.qualified_name, owner.kind, noted
        header = signature_text(owner, self._lines.source)
        return ChunkKind.PART, owner.qualified_name, owner.kind, header

    def _describe_group(
        self, symbols: list[Symbol], owner: Symbol | None
    ) -> tuple[ChunkKind, str, SymbolKind | None, str]:
        """Return the names' common qualifier as the symbol; the names are noted in the header."""
        names = {symbol.qualified_name for symbol in symbols}
        name = common_qualifier(names)
        kinds = {symbol.kind for symbol in symbols}
        kind: SymbolKind | None = None
        if symbols[0].qualified_name == name:
            kind = symbols[0].kind
        elif owner is not None and owner.qualified_name == name:
            kind = owner.kind
        elif len(kinds) == 1:
            kind = symbols[0].kind
        noted = "" if len(names) == 1 else _noted_names([symbol.name for symbol in symbols])
        return ChunkKind.DEFINITION, name, kind, noted

    def _parent(self, owner: int | None) -> int | None:
        while owner is not None:
            if owner in self._overviews:
                return self._overviews[owner]
            owner = self._symbols[owner].parent
        return None

    def _member_lines(self, piece: Piece) -> str:
        """Return a line for each member outside the overview: its signature and its lines."""
        shown: list[str] = []
        size = left_out = 0
        end = self._lines.starts[piece.last]
        margin = " " * (self._lines.indent(piece.first) + 4)
        for member in self._members.get(piece.symbols[0], ()):
            if member.span.start_byte < end:
                continue
            signature = _SPACE.sub(" ", signature_text(member, self._lines.source))
            span = member.span
            signature = signature.rstrip(" ;{")[:MEMBER_CHARACTERS]
            row = f"{margin}{signature}  [{span.start_line}-{span.end_line}]\n"
            size += len(row)
            if size > MEMBERS_BYTES:
                left_out += 1
            else:
                shown.append(row)
        if left_out:
            shown.append(f"{margin}… {left_out} more\n")
        return "".join(shown)


def signature_text(symbol: Symbol, source: bytes) -> str:
    """Return the definition up to its body; bounded.

    A function that is only declared is shown whole, any other thing without a body by its first
    line.
    """
    start, end = symbol.span.start_byte, symbol.body_byte
    bodied = symbol.kind in CALLABLE_KINDS or symbol.kind in CONTAINER_KINDS
    declared = symbol.kind in CALLABLE_KINDS and end == symbol.span.end_byte
    if not declared and not (bodied and start < end < symbol.span.end_byte):
        first_line_end = source.find(b"\n", start, symbol.span.end_byte)
        end = symbol.span.end_byte if first_line_end < 0 else first_line_end
    text = decode(source[start : min(end, start + 4 * HEADER_CHARACTERS)])
    rows = [row.rstrip() for row in text.strip().split("\n") if row.strip()]
    return "\n".join(rows[:HEADER_LINES])[:HEADER_CHARACTERS].rstrip()


def enclosing_lines(lines: Lines, first: int) -> str:
    """Return the lines that open the blocks around a line, outermost first; "" at the margin.

    By indentation: what `describe(…)` or `if __name__ …` a stretch of a script stands in.
    """
    margin = lines.indent(first)
    found: list[str] = []
    for line in range(first - 1, max(-1, first - ENCLOSING_REACH), -1):
        if not margin:
            break
        if lines.indent(line) < margin and not lines.closing(line) and not lines.commented(line):
            margin = lines.indent(line)
            found.append(decode(lines.rows[line][: 2 * ENCLOSING_CHARACTERS]).strip())
    return " > ".join(row[:ENCLOSING_CHARACTERS] for row in reversed(found[-ENCLOSING_BLOCKS:]))


def common_qualifier(names: Collection[str]) -> str:
    """Return the longest dotted prefix that all names share: `A.b`, `A.c` → `A`."""
    split = [name.split(".") for name in names]
    low, high = min(split), max(split)
    n = 0
    while n < len(low) and low[n] == high[n]:
        n += 1
    return ".".join(low[:n])


def decode(source: bytes) -> str:
    """Return the text; bytes that are not UTF-8 become U+FFFD."""
    return source.decode("utf-8", "replace")


def _noted_names(names: Sequence[str]) -> str:
    return ", ".join(list(dict.fromkeys(names))[:GROUP_NAMES])
