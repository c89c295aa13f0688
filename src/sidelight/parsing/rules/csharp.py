"""C#'s rules: where its blocks are, what `using` brings, and how names are put together."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind, ReferenceKind
from sidelight.parsing.names import text_of
from sidelight.parsing.rules import ImportSpec, ReferenceSpec, Rules


def _imports(node: Node, source: bytes) -> Iterator[ImportSpec]:
    """Yield `using A.B;`; a static one brings all of a class, `using X = A.B;` an alias."""
    alias = node.child_by_field_name("name")
    target = next((child for child in reversed(node.named_children) if child != alias), None)
    if target is None:
        return
    module = text_of(source, *target.byte_range)
    is_static = any(child.type == "static" for child in node.children)
    names = (ImportedName("*"),) if is_static else ()
    alias_text = text_of(source, *alias.byte_range) if alias is not None else None
    yield ImportSpec(module, ImportKind.IMPORT, names, alias_text)


def _references(node: Node) -> Iterator[ReferenceSpec]:
    """Yield the called function, made object, bases, or the last name of a qualified type."""
    match node.type:
        case "invocation_expression":
            named = node.child_by_field_name("function")
            kind = ReferenceKind.CALL
        case "object_creation_expression":
            named = node.child_by_field_name("type")
            kind = ReferenceKind.CALL
        case "base_list":
            for child in node.named_children:
                base = child.child_by_field_name("type") or child
                yield from _named(base, ReferenceKind.BASE)
            return
        case _:
            named, kind = node, ReferenceKind.TYPE
    if named is not None:
        yield from _named(named, kind)


def _named(node: Node, kind: ReferenceKind) -> Iterator[ReferenceSpec]:
    """Yield the last name of `a.B<C>`, `a?.B`, `.B` or `B`, with what stands before it."""
    receivers: tuple[Node, ...] = ()
    name: Node | None = node
    if node.type == "conditional_access_expression":
        condition = node.child_by_field_name("condition")
        receivers = (condition,) if condition is not None else ()
        name = node.named_children[-1] if node.named_children else None
    elif node.type in {"member_access_expression", "qualified_name"}:
        field = "expression" if node.type == "member_access_expression" else "qualifier"
        before = node.child_by_field_name(field)
        receivers = (before,) if before is not None else ()
        name = node.child_by_field_name("name")
    if name is not None and name.type == "member_binding_expression":
        name = name.child_by_field_name("name")
    if name is not None and name.type == "generic_name":
        name = name.named_children[0]
    if name is not None and name.type == "identifier":
        yield ReferenceSpec(name, kind, receivers)


RULES = Rules(
    blocks=(
        "block",
        "declaration_list",
        "enum_member_declaration_list",
        "switch_body",
        "switch_section",
        "initializer_expression",
        "argument_list",
    ),
    imports=_imports,
    references=_references,
)
