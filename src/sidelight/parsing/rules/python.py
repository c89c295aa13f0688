"""Python's rules: blocks, and types, which are expressions, strings, or both."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from sidelight.parsing.names import receiver_text, text_of
from sidelight.parsing.rules import Rules, TypeUse

_BUILT_IN = frozenset(
    {
        *("int", "str", "float", "bool", "bytes", "object", "complex", "bytearray", "type"),
        *("list", "dict", "set", "tuple", "frozenset", "None", "True", "False"),
    }
)
_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_LITERAL = re.compile(rb"(?:\w+\.)*Literal")
_MAX_NODES = 10_000  # of one type; a type is small, a hostile one is not
_MAX_STRING = 2_000  # bytes of a quoted type


def _types(node: Node, source: bytes) -> Iterator[TypeUse]:
    """Yield the names in a type expression: `a.B[str] | "C"` → a.B, C. Strings are read as types.

    An exception clause's `(A, b.C) as error` is read alike; the alias is no name.
    """
    pending = [node]
    for _ in range(_MAX_NODES):
        if not pending:
            return
        current = pending.pop()
        start, end = current.byte_range
        if current.type == "identifier":
            if text_of(source, start, end) not in _BUILT_IN:
                yield TypeUse(start, end)
        elif current.type == "attribute":
            yield from _attribute(current, source)
        elif current.type == "string":
            yield from _quoted(current, source)
        elif current.type == "subscript":
            pending.extend(_subscript(current, source))
        elif current.type == "as_pattern":
            pending.append(current.named_children[0])
        elif current.type != "call":  # a call in a type is a call and nothing else
            pending.extend(reversed(current.named_children))


def _attribute(node: Node, source: bytes) -> Iterator[TypeUse]:
    name = node.child_by_field_name("attribute")
    holder = node.child_by_field_name("object")
    if name is not None and holder is not None:
        yield TypeUse(*name.byte_range, receiver_text(source, *holder.byte_range))


def _subscript(node: Node, source: bytes) -> list[Node]:
    """Return the parts to read, last first; the arguments of a `Literal` are values."""
    value = node.child_by_field_name("value")
    if value is None:
        return []
    if _LITERAL.fullmatch(source, *value.byte_range):
        return [value]
    return list(reversed(node.named_children))


def _quoted(node: Node, source: bytes) -> Iterator[TypeUse]:
    for part in node.named_children:
        if part.type != "string_content" or part.end_byte - part.start_byte > _MAX_STRING:
            continue
        for found in _DOTTED.finditer(source, *part.byte_range):
            receiver, _, name = found[0].decode("ascii", "replace").rpartition(".")
            if name not in _BUILT_IN:
                yield TypeUse(found.end() - len(name), found.end(), receiver or None)


RULES = Rules(
    blocks=("block", "dictionary", "list", "set", "tuple", "argument_list"),
    types=_types,
)
