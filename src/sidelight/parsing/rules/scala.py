"""Scala's rules: where its blocks are, what is called, and what an import brings."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind, ReferenceKind
from sidelight.parsing.names import text_of
from sidelight.parsing.rules import ImportSpec, ReferenceSpec, Rules


def _references(node: Node) -> Iterator[ReferenceSpec]:
    """Yield a called function or method, a made object, or a word between two operands."""
    match node.type:
        case "infix_expression":
            name = node.child_by_field_name("operator")
            left = node.child_by_field_name("left")
            is_word = name is not None and name.type == "identifier" and name.text != b"with"
            if name is not None and left is not None and is_word:
                yield ReferenceSpec(name, ReferenceKind.CALL, (left,))
            return
        case "instance_expression":
            called = node.named_children[0] if node.named_children else None
        case _:
            called = node.child_by_field_name("function")
    if called is not None and called.type == "infix_expression":
        called = called.child_by_field_name("right")  # `a -> f[T]` is read as `(a -> f)[T]`
    if called is not None and called.type == "generic_type":
        called = called.child_by_field_name("type")
    if called is not None:
        yield from _named(called)


def _named(node: Node) -> Iterator[ReferenceSpec]:
    if node.type in {"identifier", "type_identifier"}:
        if node.text not in {b"this", b"super"}:
            yield ReferenceSpec(node, ReferenceKind.CALL)
    elif node.type == "field_expression":
        value, field = node.child_by_field_name("value"), node.child_by_field_name("field")
        if value is not None and field is not None and field.type == "identifier":
            yield ReferenceSpec(field, ReferenceKind.CALL, (value,))
    elif node.type == "stable_type_identifier":
        *before, name = node.named_children
        yield ReferenceSpec(name, ReferenceKind.CALL, tuple(before))


def _imports(node: Node, source: bytes) -> Iterator[ImportSpec]:
    """Yield one import for each comma-separated path; `a.b.C` brings C of a.b."""
    kind = ImportKind.REEXPORT if node.type == "export_declaration" else ImportKind.IMPORT
    path: list[str] = []
    for child in [*node.children, None]:
        if child is None or child.type == ",":
            if len(path) > 1:
                yield ImportSpec(".".join(path[:-1]), kind, (ImportedName(path[-1]),))
            elif path:
                yield ImportSpec(path[0], kind)
            path = []
        elif child.type in {"namespace_selectors", "namespace_wildcard", "as_renamed_identifier"}:
            parts = child.named_children if child.type == "namespace_selectors" else [child]
            names = tuple(name for part in parts for name in _selected(part, source))
            yield ImportSpec(".".join(path), kind, names)
            path = []
        elif child.is_named and "identifier" in child.type:
            path.append(text_of(source, *child.byte_range))


def _selected(node: Node, source: bytes) -> Iterator[ImportedName]:
    """Yield what a selector brings: `a`, `a => b`, `_`; `a => _` hides a and brings nothing."""
    text = text_of(source, *node.byte_range)
    if node.type == "namespace_wildcard":
        yield ImportedName("given" if text == "given" else "*")
    elif node.type in {"arrow_renamed_identifier", "as_renamed_identifier"}:
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        if name is not None and alias is not None and alias.type != "wildcard":
            yield ImportedName(
                text_of(source, *name.byte_range), text_of(source, *alias.byte_range)
            )
    elif "identifier" in node.type:
        yield ImportedName(text)


RULES = Rules(
    blocks=(
        "block",
        "indented_block",
        "template_body",
        "enum_body",
        "case_block",
        "indented_cases",
        "arguments",
    ),
    references=_references,
    imports=_imports,
)
