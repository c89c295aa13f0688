"""Read JavaScript's definitions by assignment: variables, CommonJS exports, object members.

`exports.a = function`, `A.prototype.b = function`, `const c = () => …`, `{ d: function }` and
`export default class` differ in few words that a query would need a pattern each for, and every
pattern costs a commit hook its compilation. Pure, over syntax nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ReferenceKind, SymbolKind
from sidelight.parsing.rules import DefinitionSpec, ReferenceSpec

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_GLOBALS = frozenset({b"exports", b"module.exports", b"window", b"globalThis", b"global"})
_UPPER_CASE = re.compile(rb"_*[A-Z][A-Z0-9_]*")
_BOUND = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_MAX_PATTERN_NODES = 1_000  # of one destructuring pattern

# What an object literal must be part of for its functions to be definitions and not callbacks.
_KEEPERS = frozenset(
    {
        "variable_declarator",
        "assignment_expression",
        "export_statement",
        "return_statement",
        "pair",
        "public_field_definition",
        "field_definition",
    }
)
_TRANSPARENT = frozenset({"parenthesized_expression", "as_expression", "satisfies_expression"})


def definitions_of(node: Node) -> Iterator[DefinitionSpec]:
    """Yield what a declarator, an assignment, an object's pair or an export's value defines."""
    if node.type == "variable_declarator":
        yield from _declarator(node)
    elif node.type == "assignment_expression":
        yield from _assignment(node)
    elif node.type == "pair":
        yield from _pair(node)
    elif node.type == "public_field_definition":
        yield from _field(node)
    else:
        yield from _default_export(node)


def references_of(node: Node) -> Iterator[ReferenceSpec]:
    """Yield the use in a decorator's expression, or in a callee that is awaited or asserted.

    TypeScript's grammar reads `await a.b<T>()` as a call of `await a.b`.
    """
    parent = node.parent
    is_decorator = parent is not None and parent.type == "decorator"
    kind = ReferenceKind.DECORATOR if is_decorator else ReferenceKind.CALL
    callee: Node | None = node
    if callee is not None and callee.type == "call_expression":
        callee = callee.child_by_field_name("function")
    if callee is not None and callee.type in {"await_expression", "non_null_expression"}:
        callee = callee.named_children[0] if callee.named_children else None
    if callee is None:
        return
    if callee.type == "identifier":
        yield ReferenceSpec(callee, kind)
    elif callee.type == "member_expression":
        name = callee.child_by_field_name("property")
        holder = callee.child_by_field_name("object")
        if name is not None and holder is not None:
            yield ReferenceSpec(name, kind, (holder,))


def _kind_of(value: Node | None) -> SymbolKind:
    if value is None:
        return SymbolKind.VARIABLE
    if value.type in _FUNCTIONS:
        return SymbolKind.FUNCTION
    return SymbolKind.CLASS if value.type == "class" else SymbolKind.VARIABLE


def _declarator(node: Node) -> Iterator[DefinitionSpec]:
    target = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if target is None or _is_require(value):
        return
    kind = _kind_of(value)
    for name in _bound_names(target):
        body = value.child_by_field_name("body") if value is not None else None
        if kind is SymbolKind.VARIABLE:
            upper = _UPPER_CASE.fullmatch(name.text or b"") is not None and _is_const(node)
            yield DefinitionSpec(name, SymbolKind.CONSTANT if upper else kind)
        elif target.type == "identifier":
            yield DefinitionSpec(name, kind, body=body)


def _is_const(declarator: Node) -> bool:
    parent = declarator.parent
    return parent is not None and parent.type == "lexical_declaration"


def _is_require(value: Node | None) -> bool:
    """Return whether a value is `require(...)` or a member of it: an import, no definition."""
    if value is not None and value.type == "member_expression":
        value = value.child_by_field_name("object")
    if value is None or value.type != "call_expression":
        return False
    function = value.child_by_field_name("function")
    return function is not None and function.text == b"require"


def _bound_names(target: Node) -> Iterator[Node]:
    """Yield the names that a pattern binds, without its keys and default values."""
    pending = [target]
    for _ in range(_MAX_PATTERN_NODES):
        if not pending:
            return
        node = pending.pop()
        if node.type in _BOUND:
            yield node
        elif node.type in {"assignment_pattern", "object_assignment_pattern"}:
            left = node.child_by_field_name("left")
            pending.extend([left] if left is not None else [])
        elif node.type == "pair_pattern":
            value = node.child_by_field_name("value")
            pending.extend([value] if value is not None else [])
        elif node.type in {"object_pattern", "array_pattern", "rest_pattern"}:
            pending.extend(reversed(node.named_children))


def _assignment(node: Node) -> Iterator[DefinitionSpec]:
    target = node.child_by_field_name("left")
    value = node.child_by_field_name("right")
    if target is None or value is None:
        return
    kind = _kind_of(value)
    body = value.child_by_field_name("body")
    if target.type == "identifier":
        if kind is not SymbolKind.VARIABLE:
            yield DefinitionSpec(target, kind, body=body)
        return
    holder = target.child_by_field_name("object")
    name = target.child_by_field_name("property")
    if target.type != "member_expression" or holder is None or name is None:
        return
    if target.text == b"module.exports":
        own_name = value.child_by_field_name("name")
        if kind is not SymbolKind.VARIABLE:
            yield DefinitionSpec(own_name or name, kind, body=body)
    elif holder.text in _GLOBALS:
        if kind is not SymbolKind.VARIABLE or holder.text == b"exports":
            yield DefinitionSpec(name, kind, body=body)
    elif kind is not SymbolKind.VARIABLE and holder.type in {
        "identifier",
        "member_expression",
        "this",
    }:
        member = SymbolKind.METHOD if kind is SymbolKind.FUNCTION else kind
        yield DefinitionSpec(name, member, (holder,), body)


def _pair(node: Node) -> Iterator[DefinitionSpec]:
    key = node.child_by_field_name("key")
    value = node.child_by_field_name("value")
    if key is None or value is None or key.type not in {"property_identifier", "string"}:
        return
    if _is_kept(node):
        body = value.child_by_field_name("body")
        yield DefinitionSpec(key, SymbolKind.METHOD, body=body)


def _field(node: Node) -> Iterator[DefinitionSpec]:
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None:
        return
    if value is not None and value.type in _FUNCTIONS:
        yield DefinitionSpec(name, SymbolKind.METHOD, body=value.child_by_field_name("body"))
    else:
        yield DefinitionSpec(name, SymbolKind.FIELD)


def _is_kept(pair: Node) -> bool:
    """Return whether the object is assigned, returned or exported, not merely passed on."""
    literal = pair.parent
    holder = literal.parent if literal is not None else None
    while holder is not None and holder.type in _TRANSPARENT:
        holder = holder.parent
    return holder is not None and (holder.type in _KEEPERS or holder.type == "arrow_function")


def _default_export(node: Node) -> Iterator[DefinitionSpec]:
    value = node.child_by_field_name("value")
    name = next((child for child in node.children if child.type == "default"), None)
    if name is None or value is None:
        return
    kind = _kind_of(value)
    if kind is not SymbolKind.VARIABLE or value.type == "object":
        own_name = value.child_by_field_name("name")
        yield DefinitionSpec(own_name or name, kind, body=value.child_by_field_name("body"))
