"""Swift's rules: functions, properties, calls, imports, and the gaps in its grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind, ReferenceKind, SymbolKind
from sidelight.parsing.names import text_of
from sidelight.parsing.rules import DefinitionSpec, ImportSpec, ReferenceSpec, Rules

# Inside of a class `#if` ends the class for the grammar; without these lines all branches are read.
_CONDITIONS = re.compile(rb"^[ \t]*#(?:if|elseif|else|endif)\b[^\n]*$", re.MULTILINE)
_UNSAFE = re.compile(rb"\bnonisolated(?P<unsafe>\(unsafe\))")
# Before a function type the grammar takes the parameters for the attribute's arguments.
_TYPE_ATTRIBUTES = re.compile(
    rb"@(?:Sendable|escaping|autoclosure|MainActor|unchecked|retroactive|preconcurrency)"
    rb"[ \t]+(?=[(@])"
)
_FIELDS_OF = frozenset({"class_body", "enum_class_body"})
_IMPORT_KINDS = frozenset(
    {"class", "enum", "func", "let", "protocol", "struct", "typealias", "var"}
)


def _readable(source: bytes) -> bytes:
    """Return `source` with conditions of compilation and attributes of types blanked."""
    if b"#" not in source and b"@" not in source:
        return source
    places = [found.span() for found in _CONDITIONS.finditer(source)]
    places += [found.span() for found in _TYPE_ATTRIBUTES.finditer(source)]
    places += [found.span("unsafe") for found in _UNSAFE.finditer(source)]
    blanked = bytearray(source)
    for start, end in places:
        blanked[start:end] = b" " * (end - start)
    return bytes(blanked)


def _definitions(node: Node) -> Iterator[DefinitionSpec]:
    """Yield a function, or the properties of a type or file (not those of a body)."""
    if node.type == "property_declaration":
        yield from _properties(node)
        return
    after = False
    for child in node.children:
        if after:
            kind = SymbolKind.FUNCTION
            if node.type == "protocol_function_declaration":
                kind = SymbolKind.METHOD
            yield DefinitionSpec(child, kind, body=node.child_by_field_name("body"))
            return
        after = child.type == "func"


def _properties(node: Node) -> Iterator[DefinitionSpec]:
    parent = node.parent.type if node.parent is not None else "source_file"
    if parent in _FIELDS_OF:
        kind = SymbolKind.FIELD
    elif parent == "source_file":
        kind = SymbolKind.VARIABLE
    else:
        return
    body = node.child_by_field_name("computed_value")
    for pattern in node.children_by_field_name("name"):
        bound = pattern.child_by_field_name("bound_identifier")
        if bound is not None:
            yield DefinitionSpec(bound, kind, body=body)
            continue
        for part in pattern.named_children:  # `var (a, b)`
            if part.type == "pattern" and part.named_children:
                yield DefinitionSpec(part.named_children[0], kind, body=body)


def _references(node: Node) -> Iterator[ReferenceSpec]:
    """Yield what a call names; in brackets it is a subscript, which names nothing."""
    called, *rest = node.named_children
    if any(_is_subscript(suffix) for suffix in rest):
        return
    receivers: tuple[Node, ...] = ()
    name: Node | None = called
    if called.type == "navigation_expression":
        target = called.child_by_field_name("target")
        suffix = called.child_by_field_name("suffix")
        receivers = (target,) if target is not None else ()
        name = suffix.child_by_field_name("suffix") if suffix is not None else None
    elif called.type == "prefix_expression":  # `.success(x)`: a member of the expected type
        name = called.child_by_field_name("target")
    if name is not None and name.type == "simple_identifier" and name.text != b"defer":
        yield ReferenceSpec(name, ReferenceKind.CALL, receivers)


def _is_subscript(suffix: Node) -> bool:
    arguments = suffix.named_children[0] if suffix.named_children else None
    return (
        arguments is not None
        and arguments.type == "value_arguments"
        and bool(arguments.children)
        and arguments.children[0].type == "["
    )


def _imports(node: Node, source: bytes) -> Iterator[ImportSpec]:
    """Yield `import A.B`; `import struct A.B` brings B of A."""
    path = next((child for child in node.named_children if child.type == "identifier"), None)
    if path is None:
        return
    words = text_of(source, *path.byte_range)
    module, _, name = words.rpartition(".")
    if module and any(child.type in _IMPORT_KINDS for child in node.children):
        yield ImportSpec(module, ImportKind.IMPORT, (ImportedName(name),))
    else:
        yield ImportSpec(words, ImportKind.IMPORT)


RULES = Rules(
    blocks=(
        "statements",
        "class_body",
        "enum_class_body",
        "protocol_body",
        "computed_property",
        "switch_statement",
        "switch_entry",
        "value_arguments",
        "array_literal",
        "dictionary_literal",
    ),
    definitions=_definitions,
    references=_references,
    imports=_imports,
    mask=_readable,
)
