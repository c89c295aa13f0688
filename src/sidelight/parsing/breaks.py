"""Find where long bodies may be cut: statements with their depth. Reads long stretches only."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node, Query, QueryCursor

from sidelight.model import CONTAINER_KINDS, Break, Symbol
from sidelight.parsing.assembly import Lines
from sidelight.parsing.captures import Range

LONG_LINES = 60  # what a chunk holds; shorter stretches are never cut


def breaks_of(
    root: Node, source: bytes, query: Query | None, symbols: tuple[Symbol, ...], lines: Lines
) -> tuple[Break, ...]:
    """Return the cuts inside definitions, and between definitions, of more than `LONG_LINES`.

    A cut is the start of a statement that is first on its line; comments directly above it belong
    to it. Depth counts the blocks around it (0: top level of the file).
    """
    found: dict[int, int] = {}
    for start, end in long_stretches(symbols, lines, len(source)):
        blocks = [root]
        if query is not None:
            cursor = QueryCursor(query)
            cursor.set_byte_range(start, end)
            for _, captures in cursor.matches(root):
                blocks.extend(captures["block"])
        _cuts_within(blocks, source, (start, end), found)
    return tuple(Break(byte, found[byte]) for byte in sorted(found))


def long_stretches(symbols: tuple[Symbol, ...], lines: Lines, size: int) -> list[Range]:
    """Return the stretches that a chunker may have to cut, in order, disjoint.

    These are definitions that hold no others (and callables with all they hold) longer than
    `LONG_LINES`, and as long gaps between definitions within containers and the file.
    """
    if lines.count <= LONG_LINES:
        return []
    children: dict[int | None, list[int]] = {}
    for index, symbol in enumerate(symbols):
        children.setdefault(symbol.parent, []).append(index)
    stretches: list[Range] = []
    pending: list[tuple[int | None, int, int]] = [(None, 0, size)]
    while pending:
        owner, position, end = pending.pop()
        for index in children.get(owner, ()):
            span = symbols[index].span
            _add_if_long(stretches, lines, position, min(span.start_byte, end))
            position = max(position, span.end_byte)
            if span.end_line - span.start_line < LONG_LINES:
                continue
            if symbols[index].kind in CONTAINER_KINDS and index in children:
                pending.append((index, span.start_byte, span.end_byte))
            else:
                stretches.append((span.start_byte, span.end_byte))
        _add_if_long(stretches, lines, position, end)
    return sorted(stretches)


def _add_if_long(stretches: list[Range], lines: Lines, start: int, end: int) -> None:
    if end > start and lines.line(end - 1) - lines.line(start) >= LONG_LINES:
        stretches.append((start, end))


def _cuts_within(blocks: list[Node], source: bytes, within: Range, found: dict[int, int]) -> None:
    """Add the statements of `blocks` that start inside `within`; depth by a sweep over nesting."""
    by_range = {block.byte_range: block for block in blocks}
    enclosing: list[int] = []  # ends of the blocks around
    for start, end in sorted(by_range, key=lambda item: (item[0], -item[1])):
        while enclosing and enclosing[-1] <= start:
            enclosing.pop()
        for byte in _statements(by_range[start, end], source, within):
            found.setdefault(byte, len(enclosing))  # outer blocks come first
        enclosing.append(end)


def _statements(block: Node, source: bytes, within: Range) -> Iterator[int]:
    comment_end = -1
    for child in block.named_children:
        start, end = child.byte_range
        if start >= within[1]:
            return
        joined = comment_end >= 0 and _adjacent(source, comment_end, start)
        opens_line = start >= within[0] and _first_on_line(source, start)
        comment_end = end if opens_line and "comment" in child.type else -1
        if opens_line and not joined:
            yield start


def _adjacent(source: bytes, end: int, start: int) -> bool:
    between = source[end:start]
    return not between.strip() and between.count(b"\n") <= 1


def _first_on_line(source: bytes, byte: int) -> bool:
    line = source.rfind(b"\n", 0, byte) + 1
    return not source[line:byte].strip()
