"""Merge what is too small to be found on its own. Pure.

Pieces go in and come out in order and cover the same lines once.
"""

from __future__ import annotations

from dataclasses import replace

from sidelight.chunking.cutting import Limits, cut_lines, statement_cost
from sidelight.chunking.lines import Lines
from sidelight.chunking.pieces import Piece, Role
from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS, ParsedFile

FRAGMENT_LINES = 2  # filled lines; code this short joins a neighbour
FRAGMENT_BYTES = 400
OPENING_LINES = 10  # filled lines that open the block around what follows (`impl A for B {`)
TINY_LINES = 3  # filled lines of a function or class that may be grouped
TINY_VALUE_LINES = 6  # the same for constants, type aliases and functions only declared
OVERLOAD_LINES = 12  # filled lines of a definition that joins the next one of the same name
GROUP_LINES = 30  # of a group of tiny definitions and the code between them
GROUP_BYTES = 2_000
CLOSING_LINES = 8  # blank and closing lines that a piece takes on behind it
NOTE_LINES = 6  # lines of comment that join the definition after them; a licence is longer


def tidy_pieces(
    pieces: list[Piece], parsed: ParsedFile, lines: Lines, limits: Limits
) -> list[Piece]:
    """Return the pieces with closing lines, tiny definitions and fragments merged."""
    tidy = _Tidy(parsed, lines, limits)
    pieces = tidy.give_closing_lines_back(pieces)
    pieces = tidy.group_tiny(pieces)
    pieces = tidy.cut_gaps(pieces)
    return tidy.join_fragments(pieces)


class _Tidy:
    """The steps share the file and its limits."""

    def __init__(self, parsed: ParsedFile, lines: Lines, limits: Limits) -> None:
        self._parsed = parsed
        self._lines = lines
        self._limits = limits

    def give_closing_lines_back(self, pieces: list[Piece]) -> list[Piece]:
        """Move blank and closing lines at the start of a gap to the piece before it."""
        lines = self._lines
        done: list[Piece] = []
        for piece in pieces:
            first = piece.first
            if piece.role is Role.GAP and done:
                most = min(piece.last, first + CLOSING_LINES)
                while first < most and lines.closing(first):
                    first += 1
                done[-1] = replace(done[-1], last=first)
            if first < piece.last:
                done.append(replace(piece, first=first))
        return done

    def group_tiny(self, pieces: list[Piece]) -> list[Piece]:
        """Join neighbours that are tiny, of the same owner, up to the budget of a group."""
        done: list[Piece] = []
        for piece in pieces:
            if done and self._may_group(done[-1], piece):
                before = done[-1]
                symbols = before.symbols + piece.symbols
                done[-1] = Piece(before.first, piece.last, Role.GAP, symbols, before.owner)
            else:
                done.append(piece)
        return done

    def _may_group(self, before: Piece, after: Piece) -> bool:
        if before.owner != after.owner:
            return False
        if not self._limits.fits(self._lines, before.first, after.last):
            return False
        if self._same_name(before, after):
            return True
        if not (self._light(before) and self._light(after)):
            return False
        if self._fragment(before) or self._fragment(after):
            return True
        size = self._lines.size(before.first, after.last)
        return after.last - before.first <= GROUP_LINES and size <= GROUP_BYTES

    def _same_name(self, before: Piece, after: Piece) -> bool:
        """Return whether a short piece prepares the next one: an overload, a companion type."""
        if not before.symbols or after.role is not Role.WHOLE:
            return False
        if self._lines.n_filled(before.first, before.last) > OVERLOAD_LINES:
            return False
        names = {self._parsed.symbols[i].qualified_name for i in before.symbols + after.symbols}
        return len(names) == 1

    def _light(self, piece: Piece) -> bool:
        if piece.role is Role.GAP:
            return True
        if piece.role is not Role.WHOLE:
            return False
        filled = self._lines.n_filled(piece.first, piece.last)
        return filled <= (TINY_LINES if self._standing(piece) else TINY_VALUE_LINES)

    def _standing(self, piece: Piece) -> bool:
        """Return whether the piece defines a class or a function that has a body."""
        symbols = (self._parsed.symbols[i] for i in piece.symbols)
        return any(
            s.kind in CONTAINER_KINDS
            or (s.kind in CALLABLE_KINDS and s.body_byte < s.span.end_byte)
            for s in symbols
        )

    def _fragment(self, piece: Piece) -> bool:
        """Return whether the piece is a line or two that nobody looks for by name."""
        if piece.role not in (Role.GAP, Role.WHOLE) or self._standing(piece):
            return False
        return (
            self._lines.n_filled(piece.first, piece.last) <= FRAGMENT_LINES
            and self._lines.size(piece.first, piece.last) <= FRAGMENT_BYTES
        )

    def cut_gaps(self, pieces: list[Piece]) -> list[Piece]:
        """Cut gaps that exceed the limits; the names of a group stay with its first stretch."""
        done: list[Piece] = []
        for piece in pieces:
            if piece.role is not Role.GAP or self._limits.fits(
                self._lines, piece.first, piece.last
            ):
                done.append(piece)
                continue
            cost = statement_cost(self._lines, piece.first, piece.last, self._parsed.breaks)
            ranges = cut_lines(self._lines, piece.first, piece.last, self._limits, cost)
            for n, (first, last) in enumerate(ranges):
                symbols = piece.symbols if n == 0 else ()
                done.append(Piece(first, last, Role.GAP, symbols, piece.owner))
        return done

    def join_fragments(self, pieces: list[Piece]) -> list[Piece]:
        """Join what is still a fragment with the piece after it, or else the one before.

        Closing code belongs to what it closes; comments, openers and constants to what they
        introduce.
        """
        done: list[Piece] = []
        carried: int | None = None  # first line of fragments that wait for the next piece
        for index, piece in enumerate(pieces):
            first = piece.first if carried is None else carried
            carried = None
            following = pieces[index + 1] if index + 1 < len(pieces) else None
            joinable = self._fragment(piece)
            if following is not None and self._introduces(piece, following):
                carried = first
            elif joinable and done and first == piece.first and self._room(done[-1], piece):
                done[-1] = replace(done[-1], last=piece.last)
            else:
                done.append(replace(piece, first=first))
        return done

    def _introduces(self, piece: Piece, following: Piece) -> bool:
        """Return whether a short piece is about the next one: a comment, an opener, a constant."""
        lines = self._lines
        if piece.role is Role.GAP and not piece.symbols:
            filled = [i for i in range(piece.first, piece.last) if not lines.blank(i)]
            small = lines.size(piece.first, piece.last) <= FRAGMENT_BYTES
            if not filled or not small or not self._room(following, piece):
                return False
            if len(filled) <= NOTE_LINES and all(lines.commented(i) for i in filled):
                return following.role is not Role.PART
            margin = lines.indent(following.first)
            around = [line for line in filled if lines.indent(line) < margin]
            if len(filled) <= OPENING_LINES and around and lines.opening(around[-1]):
                return following.role is not Role.PART
        if not self._fragment(piece) or following.role is Role.PART:
            return False
        return (piece.first == 0 or bool(piece.symbols)) and self._room(following, piece)

    def _room(self, big: Piece, small: Piece) -> bool:
        n_lines = big.last - big.first + small.last - small.first
        size = self._lines.size(big.first, big.last) + self._lines.size(small.first, small.last)
        slack = FRAGMENT_LINES + CLOSING_LINES
        return (
            n_lines <= self._limits.max_lines + slack
            and size <= self._limits.max_bytes + FRAGMENT_BYTES
        )
