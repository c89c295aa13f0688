"""Lay a file out along its definitions. Pure.

The result covers every line once, in order. Sizes are bounded here; tidiness is `tidy`'s work.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sidelight.chunking.cutting import Limits, cut_lines, statement_cost
from sidelight.chunking.lines import Lines
from sidelight.chunking.pieces import Piece, Role
from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS, ParsedFile, SymbolKind

MAX_NESTING = 40  # deeper than any sane file; bounds the recursion
MAX_SHARING = 64  # definitions noted for one line; minified files have thousands
NOTE_LINES = 50  # of a comment with a blank line between it and what it is about
NESTED_LINES = 25  # a function inside a long function stands alone from this length on
# Where whole modules and tests are written inside of function arguments. Elsewhere an indented
# definition without a parent stands in an `impl`, a namespace or a condition.
_CALLBACK_LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
_STANDING = CALLABLE_KINDS | CONTAINER_KINDS


@dataclass(frozen=True, slots=True)
class _Place:
    """The lines of one definition with the comments above it."""

    symbol: int
    first: int
    last: int


class _Outline:
    """The layout of one file; `build_outline` is the way in."""

    def __init__(self, parsed: ParsedFile, lines: Lines, limits: Limits) -> None:
        self._parsed = parsed
        self._lines = lines
        self._limits = limits
        self._children: dict[int | None, list[_Place]] = {}
        self._depth = 0
        self.pieces: list[Piece] = []

    def _place_symbols(self) -> None:
        """Sort the definitions under the ones around them; those with broken spans are left out."""
        size = len(self._lines.source)
        for index, symbol in enumerate(self._parsed.symbols):
            start = min(max(symbol.lead_byte, 0), symbol.span.start_byte)
            end = symbol.span.end_byte
            parent = symbol.parent
            if not 0 <= start < end <= size or (parent is not None and not 0 <= parent < index):
                continue
            place = _Place(index, self._lines.line_of(start), self._lines.line_of(end - 1) + 1)
            self._children.setdefault(parent, []).append(place)
        for places in self._children.values():
            places.sort(key=lambda place: (place.first, -place.last))

    def _lay(self, owner: int | None, first: int, last: int, places: list[_Place]) -> None:
        """Append the pieces of lines first to last: the definitions, and what lies between."""
        self._depth += 1
        at = first
        for place in places:
            end = min(place.last, last)
            if self.pieces and not at <= place.first < last:
                self._stretch(place.symbol, end)
            else:
                start = self._note_above(at, place.first)
                self._gap(owner, at, start)
                self._definition(place.symbol, owner, start, end)
            at = max(at, end)
        self._gap(owner, at, last)
        self._depth -= 1

    def _stretch(self, symbol: int, end: int) -> None:
        """Let the last piece take in a definition that begins on a line already laid."""
        before = self.pieces[-1]
        symbols = before.symbols
        if len(symbols) < MAX_SHARING:
            symbols = (*symbols, symbol)
        after = replace(before, last=max(before.last, end), symbols=symbols)
        self.pieces[-1:] = self._bounded(after)

    def _note_above(self, at: int, first: int) -> int:
        """Return where the comment begins that stands above `first` with a blank line between.

        A comment at the top of the file is about the file: a licence, mostly.
        """
        lines = self._lines
        line = first
        if line - 1 > at and lines.blank(line - 1):
            line -= 1
        while line > at and first - line <= NOTE_LINES and lines.commented(line - 1):
            line -= 1
        top = line <= 1 or first - line > NOTE_LINES
        return first if top or lines.blank(line) else line

    def _gap(self, owner: int | None, first: int, last: int) -> None:
        if first < last:
            self.pieces.append(Piece(first, last, Role.GAP, (), owner))

    def _definition(self, index: int, owner: int | None, first: int, last: int) -> None:
        kind = self._parsed.symbols[index].kind
        inner = self._standing_places(index, first, last)
        namespace = kind is SymbolKind.MODULE and self._holds(CONTAINER_KINDS, inner)
        if self._limits.fits(self._lines, first, last) and not namespace:
            self.pieces.append(Piece(first, last, Role.WHOLE, (index,), owner))
            return
        if not inner:
            whole = Piece(first, last, Role.HEAD, (index,), owner)
            self.pieces += self._bounded(whole)
            return
        if kind is SymbolKind.MODULE and not self._holds(CALLABLE_KINDS, inner):
            self._lay(index, first, last, inner)
            return
        role = Role.OVERVIEW if kind in CONTAINER_KINDS else Role.HEAD
        head = Piece(first, inner[0].first, role, (index,), owner)
        self.pieces += self._bounded(head)
        self._lay(index, inner[0].first, last, inner)

    def _standing_places(self, index: int, first: int, last: int) -> list[_Place]:
        """Return the definitions inside that become pieces of their own.

        What begins on the first line stays with it: a chunk is made of whole lines.
        """
        if self._depth > MAX_NESTING:
            return []
        symbols = self._parsed.symbols
        kind = symbols[index].kind
        inner = [p for p in self._children.get(index, ()) if first < p.first and p.last <= last]
        if kind is SymbolKind.MODULE:
            return self._free_places(
                inner, min((self._lines.indent(p.first) for p in inner), default=0)
            )
        inner = [p for p in inner if symbols[p.symbol].kind in _STANDING]
        if kind in CONTAINER_KINDS:
            return inner
        return [p for p in inner if p.last - p.first >= NESTED_LINES]

    def _free_places(self, places: list[_Place], margin: int) -> list[_Place]:
        """Return the places outside classes that stand alone.

        A value inside a block (`if`, `try`) belongs to that block. So does a function inside a
        callback, such as a test's `describe(…)`, unless it is large.
        """
        indents = {place: self._lines.indent(place.first) for place in places}
        outermost = min(indents.values(), default=0)
        callbacks = self._parsed.language in _CALLBACK_LANGUAGES

        def free(place: _Place) -> bool:
            kind = self._parsed.symbols[place.symbol].kind
            if kind in _STANDING:
                n_lines = place.last - place.first
                return not callbacks or indents[place] == outermost or n_lines >= NESTED_LINES
            return kind is not SymbolKind.FIELD and indents[place] == margin

        return [place for place in places if free(place)]

    def _holds(self, kinds: frozenset[SymbolKind], places: list[_Place]) -> bool:
        return any(self._parsed.symbols[p.symbol].kind in kinds for p in places)

    def _bounded(self, piece: Piece) -> list[Piece]:
        """Cut a piece that is too long; later stretches belong to the definition that began it."""
        if self._limits.fits(self._lines, piece.first, piece.last):
            return [piece]
        cost = statement_cost(self._lines, piece.first, piece.last, self._parsed.breaks)
        ranges = cut_lines(self._lines, piece.first, piece.last, self._limits, cost)
        role = Role.HEAD if piece.role is Role.WHOLE and len(ranges) > 1 else piece.role
        (first, last), *rest = ranges
        if piece.role is Role.GAP:
            more = [Piece(a, b, Role.GAP, (), piece.owner) for a, b in rest]
        else:
            owner = piece.symbols[0] if piece.symbols else piece.owner
            more = [Piece(a, b, Role.PART, (), owner) for a, b in rest]
        return [Piece(first, last, role, piece.symbols, piece.owner), *more]

    def run(self) -> list[Piece]:
        """Return the pieces of the whole file."""
        self._place_symbols()
        top = self._free_places(self._children.get(None, []), 0)
        self._lay(None, 0, len(self._lines), top)
        return self.pieces


def build_outline(parsed: ParsedFile, lines: Lines, limits: Limits) -> list[Piece]:
    """Return pieces that cover every line once, in order; only gaps may exceed the limits."""
    return _Outline(parsed, lines, limits).run()
