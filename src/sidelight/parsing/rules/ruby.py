"""Ruby's rules: where its blocks are, and the many things that are calls in Ruby."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind, ReferenceKind, SymbolKind
from sidelight.parsing.names import text_of, unquoted
from sidelight.parsing.rules import DefinitionSpec, ImportSpec, ReferenceSpec, Rules

_MIXINS = frozenset({b"include", b"extend", b"prepend"})
_ATTRIBUTES = frozenset(
    {
        b"attr",
        b"attr_accessor",
        b"attr_reader",
        b"attr_writer",
        b"cattr_accessor",
        b"class_attribute",
        b"delegate",
        b"mattr_accessor",
    }
)
_METHOD_MAKERS = frozenset({b"alias_method", b"define_method", b"define_singleton_method"})
_IMPORTS = {
    b"autoload": ImportKind.IMPORT,
    b"load": ImportKind.INCLUDE,
    b"require": ImportKind.IMPORT,
    b"require_relative": ImportKind.INCLUDE,
}
_DECLARATIONS = (
    _ATTRIBUTES
    | _METHOD_MAKERS
    | _IMPORTS.keys()
    | {
        b"module_function",
        b"private",
        b"private_class_method",
        b"private_constant",
        b"protected",
        b"public",
        b"public_class_method",
    }
)
_MADE = {
    (b"Class", b"new"): SymbolKind.CLASS,
    (b"Data", b"define"): SymbolKind.STRUCT,
    (b"Module", b"new"): SymbolKind.MODULE,
    (b"Struct", b"new"): SymbolKind.STRUCT,
}
_CONSTANTS = frozenset({"constant", "scope_resolution"})


def _arguments(call: Node) -> list[Node]:
    found = call.child_by_field_name("arguments")
    return found.named_children if found is not None else []


def _word(call: Node) -> bytes | None:
    """Return the called word if nothing stands before it: `attr_reader`, `include`, `require`."""
    method = call.child_by_field_name("method")
    if method is None or call.child_by_field_name("receiver") is not None:
        return None
    return method.text


def _definitions(node: Node) -> Iterator[DefinitionSpec]:
    """Yield attributes, methods made by a call, and constants with the class they may hold."""
    if node.type == "assignment":
        yield from _constants(node)
        return
    word = _word(node)
    if word in _ATTRIBUTES:
        for argument in _arguments(node):
            if argument.type in {"simple_symbol", "string"}:
                yield DefinitionSpec(argument, SymbolKind.FIELD)
    elif word in _METHOD_MAKERS:
        for argument in _arguments(node)[:1]:
            if argument.type in {"simple_symbol", "string"}:
                block = node.child_by_field_name("block")
                yield DefinitionSpec(argument, SymbolKind.METHOD, body=block)


def _constants(assignment: Node) -> Iterator[DefinitionSpec]:
    left = assignment.child_by_field_name("left")
    right = assignment.child_by_field_name("right")
    if left is None:
        return
    if left.type == "left_assignment_list":
        for name in left.named_children:
            if name.type == "constant":
                yield DefinitionSpec(name, SymbolKind.CONSTANT)
    elif left.type == "constant":
        kind, body = SymbolKind.CONSTANT, None
        if right is not None and right.type == "call":
            receiver = right.child_by_field_name("receiver")
            method = right.child_by_field_name("method")
            if receiver is not None and method is not None:
                kind = _MADE.get((receiver.text or b"", method.text or b""), kind)
                body = right.child_by_field_name("block")
        yield DefinitionSpec(left, kind, body=body)


def _references(node: Node) -> Iterator[ReferenceSpec]:
    """Yield a superclass, or what a call names: the method, mixins, and classes handed over."""
    if node.type != "call":
        yield from _constant(node, ReferenceKind.BASE)
        return
    method = node.child_by_field_name("method")
    receiver = node.child_by_field_name("receiver")
    word = _word(node)
    kind = ReferenceKind.TYPE
    if word in _MIXINS:
        kind = ReferenceKind.BASE
    elif method is not None and method.type in {"identifier", "constant", "operator"}:
        if word not in _DECLARATIONS:
            yield ReferenceSpec(method, ReferenceKind.CALL, (receiver,) if receiver else ())
        if receiver is not None and (receiver.text, method.text) == (b"Class", b"new"):
            kind = ReferenceKind.BASE
    for argument in _arguments(node):
        if argument.type in _CONSTANTS:
            yield from _constant(argument, kind)


def _constant(node: Node, kind: ReferenceKind) -> Iterator[ReferenceSpec]:
    """Yield a class name; ALL_CAPS are values and yield nothing."""
    name: Node | None = node
    scope = None
    if node.type == "scope_resolution":
        name = node.child_by_field_name("name")
        scope = node.child_by_field_name("scope")
    if name is None or name.type != "constant":
        return
    if kind is ReferenceKind.TYPE and (name.text or b"").isupper():
        return
    yield ReferenceSpec(name, kind, (scope,) if scope is not None else ())


def _imports(node: Node, source: bytes) -> Iterator[ImportSpec]:
    """Yield a required file whose name is a plain string; `autoload :A, "a"` brings A."""
    word = _word(node) or b""
    if word not in _IMPORTS:
        return
    arguments = _arguments(node)
    if not arguments or arguments[-1].type != "string":
        return
    if any(child.type == "interpolation" for child in arguments[-1].named_children):
        return
    module = unquoted(text_of(source, *arguments[-1].byte_range))
    names: tuple[ImportedName, ...] = ()
    if word == b"autoload":
        names = (ImportedName(unquoted(text_of(source, *arguments[0].byte_range))),)
    yield ImportSpec(module, _IMPORTS[word], names)


RULES = Rules(
    blocks=(
        "body_statement",
        "block_body",
        "then",
        "else",
        "ensure",
        "do",
        "case",
        "when",
        "rescue",
        "begin",
        "hash",
        "array",
        "argument_list",
    ),
    definitions=_definitions,
    references=_references,
    imports=_imports,
)
