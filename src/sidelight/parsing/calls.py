"""What calls hand over: arguments as syntax has them.

Not part of `ParsedFile`: read on demand, for the few files in question. Never raises for any
source; what cannot be read for sure is None, and nothing is concluded from it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from sidelight.parsing.parameters import children_of, node_text, root_of


@dataclass(frozen=True, slots=True)
class Call:
    """What a call hands over. `spread` and `keyword_spread`: an unknown number more.

    `first` is the text of the first positional argument, `callee` that of what is called.
    `has_block` counts a trailing block or lambda, which is not among the positional ones.
    """

    callee: str
    name: str
    positional: int
    keywords: tuple[str, ...]
    spread: bool
    keyword_spread: bool
    has_block: bool
    first: str
    start_line: int
    end_line: int


_ARGUMENTS = frozenset("argument_list arguments value_arguments call_suffix".split())
_CALLS = frozenset(
    "call call_expression new_expression method_invocation object_creation_expression"
    " invocation_expression function_call_expression member_call_expression"
    " nullsafe_member_call_expression scoped_call_expression explicit_constructor_invocation"
    " implicit_object_creation_expression constructor_invocation".split()
)
_WORD = re.compile(r"[\w$]+[?!]?$")
_GENERICS = re.compile(r"(?:::)?<[^<>()]*>$|\[[^\[\]()]*\]$")


def read_calls(
    source: bytes, language: str, wanted: Mapping[int, Collection[str]]
) -> dict[int, list[Call]]:
    """Return line → the calls of the wanted names whose called name ends on that line."""
    root = root_of(source, language)
    found: dict[int, list[Call]] = {}
    if root is None or not wanted:
        return found
    first, last = min(wanted) - 1, max(wanted) - 1
    for node in _walk(root, first, last):
        if node.type not in _CALLS:
            continue
        call, line = _call(node, source, language)
        if call is not None and call.name in wanted.get(line, ()):
            found.setdefault(line, []).append(call)
    return found


def _walk(root: Node, first: int, last: int) -> Iterator[Node]:
    """Yield the nodes that touch the rows, in the order of the text."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.start_point.row > last or node.end_point.row < first:
            continue
        yield node
        stack.extend(reversed(node.named_children))


def _call(node: Node, source: bytes, language: str) -> tuple[Call | None, int]:
    """Return a call and the line of the called name; None if it cannot be read for sure."""
    held = node.child_by_field_name("arguments") or next(
        (child for child in node.children if child.type in _ARGUMENTS), None
    )
    end = held.start_byte if held is not None else node.end_byte
    block = node.child_by_field_name("block")
    if held is None and block is not None:
        end = block.start_byte
    if held is None and language not in ("ruby", "javascript", "typescript", "tsx"):
        return None, 0
    callee = source[node.start_byte : end].decode("utf-8", "replace").rstrip()
    name = _called_name(callee)
    line = node.start_point.row + 1 + callee.count("\n")
    if held is None:
        call = Call(callee, name, 0, (), False, False, block is not None, "", line, line)
        return (call if node.type in ("call", "new_expression") else None), line
    if held.type not in _ARGUMENTS and held.type != "generator_expression":
        return None, line
    return _read_arguments(held, source, callee, name, block is not None, language), line


def _called_name(callee: str) -> str:
    text = callee.removesuffix("?.").removesuffix(".").rstrip()
    for _ in range(3):
        shorter = _GENERICS.sub("", text).rstrip()
        if shorter == text:
            break
        text = shorter
    match = _WORD.search(text)
    return match[0] if match else ""


def _read_arguments(
    held: Node, source: bytes, callee: str, name: str, has_block: bool, language: str
) -> Call | None:
    children = [held] if held.type == "generator_expression" else children_of(held)
    if held.type == "call_suffix":  # Kotlin
        inner = next((c for c in children if c.type == "value_arguments"), None)
        has_block = any("lambda" in child.type for child in children)
        children = children_of(inner) if inner is not None else []
    sorts = [_sort(child) for child in children]
    if "unknown" in sorts:
        return None
    plain = [c for c, sort in zip(children, sorts, strict=True) if sort == "positional"]
    spread = "spread" in sorts
    if language == "go" and len(plain) == len(children) == 1 and plain[0].type in _CALLS:
        plain, spread = [], True  # it may return several values
    named = [c for c, sort in zip(children, sorts, strict=True) if sort == "keyword"]
    return Call(
        callee=callee,
        name=name,
        positional=len(plain),
        keywords=tuple(_label(child, source) for child in named),
        spread=spread,
        keyword_spread="keyword_spread" in sorts,
        has_block=has_block or "block" in sorts,
        first=node_text(plain[0], source) if plain else "",
        start_line=held.start_point.row + 1 - callee.count("\n"),
        end_line=held.end_point.row + 1,
    )


_SORTS = {
    "keyword_argument": "keyword",
    "list_splat": "spread",
    "spread_element": "spread",
    "variadic_argument": "spread",
    "splat_argument": "spread",
    "parameter_pack_expansion": "spread",
    "variadic_unpacking": "spread",
    "forward_argument": "spread",
    "dictionary_splat": "keyword_spread",
    "hash_splat_argument": "keyword_spread",
    "variadic_placeholder": "unknown",
    "block_argument": "block",
}


def _sort(child: Node) -> str:
    """Return what an argument is: positional, keyword, spread, keyword_spread, block, unknown."""
    kind = child.type
    if kind in _SORTS:
        return _SORTS[kind]
    if kind == "pair":  # a hash with other keys than names fills what is not seen here
        key = child.child_by_field_name("key")
        return "keyword" if key is not None and key.type == "hash_key_symbol" else "unknown"
    inside = child.named_children[0] if child.named_child_count else None
    if kind == "argument":
        is_spread = inside is not None and inside.type == "variadic_unpacking"
        is_named = child.child_by_field_name("name") is not None
    else:
        is_spread = kind == "value_argument" and child.children[0].type == "*"
        is_named = kind == "value_argument" and any(token.type == "=" for token in child.children)
    return "spread" if is_spread else "keyword" if is_named else "positional"


def _label(child: Node, source: bytes) -> str:
    named = child.child_by_field_name("name") or child.child_by_field_name("key")
    return node_text(named or child.named_children[0], source)
