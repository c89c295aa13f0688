"""Parse bytes into a tree within a time limit. Never raises for any source.

tree-sitter asks a progress callback only when the source is a callable, and predicates of queries
are slow (and memory views crash) on such trees; so the bounded parse is followed by one from the
bytes that reuses its tree, at about a tenth of the cost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from time import monotonic

from tree_sitter import Language, Node, Parser, Point, Range, Tree

from sidelight.model import Problem
from sidelight.parsing.assembly import Lines
from sidelight.parsing.captures import Range as ByteRange

MAX_PROBLEMS = 20  # per file: one stray brace can make hundreds
_BLOCK = 1 << 16  # bytes handed to the parser at a time
_ESCAPED = re.compile("[\udc80-\udcff]")
_SNIPPET = 40  # characters of source shown in a problem


class Deadline:
    """A moment after which work should stop; `None` seconds means never."""

    def __init__(self, timeout_s: float | None) -> None:
        self._end = None if timeout_s is None else monotonic() + timeout_s

    def expired(self) -> bool:
        """Return whether the moment has passed."""
        return self._end is not None and monotonic() >= self._end


def valid_utf8(source: bytes) -> bytes:
    """Return `source` with `_` for each byte that is not UTF-8, so that every offset stays.

    Grammars then see a name where another encoding has a letter, and predicates of queries, which
    decode strictly, cannot fail.
    """
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return _ESCAPED.sub("_", source.decode("utf-8", "surrogateescape")).encode("utf-8")
    return source


def parse_tree(
    source: bytes,
    language: Language,
    deadline: Deadline,
    ranges: Sequence[ByteRange] = (),
) -> Tree | None:
    """Return the syntax tree of `source` (of its `ranges`, if given), or None if time ran out."""
    included = [_range(source, *stretch) for stretch in ranges] or None
    parser = Parser(language, included_ranges=included)

    def read(offset: int, _: object) -> bytes:
        return source[offset : offset + _BLOCK]

    def stop(_offset: int, _has_error: bool) -> bool:
        return deadline.expired()

    try:
        tree = parser.parse(read, progress_callback=stop)
    except ValueError:  # "Parsing failed": cancelled
        return None
    return parser.parse(source, tree)


def _range(source: bytes, start: int, end: int) -> Range:
    return Range(_point(source, start), _point(source, end), start, end)


def _point(source: bytes, byte: int) -> Point:
    return Point(source.count(b"\n", 0, byte), byte - source.rfind(b"\n", 0, byte) - 1)


def problems_of(root: Node, source: bytes, lines: Lines) -> tuple[Problem, ...]:
    """Return where the parser had to guess, in source order, at most `MAX_PROBLEMS`."""
    if not root.has_error:
        return ()
    found: list[Problem] = []
    stack = [root]
    while stack and len(found) < MAX_PROBLEMS:
        node = stack.pop()
        if node.is_missing:
            found.append(Problem(f"missing {node.type!r}", lines.span(*node.byte_range)))
        elif node.is_error:
            text = source[node.start_byte : node.start_byte + 4 * _SNIPPET]
            words = " ".join(text.decode("utf-8", "replace").split())[:_SNIPPET]
            found.append(Problem(f"syntax error near {words!r}", lines.span(*node.byte_range)))
        else:
            stack.extend(child for child in reversed(node.children) if child.has_error)
    return tuple(found)


def whole(source: bytes, message: str, lines: Lines) -> Problem:
    """Return a problem that concerns all of the file."""
    return Problem(message, lines.span(0, len(source)))
