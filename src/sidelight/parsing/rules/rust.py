"""Rust's rules: blocks, and `use` trees, which a query cannot flatten."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind
from sidelight.parsing.names import text_of
from sidelight.parsing.rules import ImportSpec, Rules


def _use(node: Node, source: bytes) -> Iterator[ImportSpec]:
    """Yield one import for each module that the tree reaches into, in the order of its names.

    `use a::{b, c::{d as e, *}}` → `a` with (b), `a::c` with ((d, e), *). A visibility makes it a
    re-export. Iterative: a tree may be nested as deeply as its author likes.
    """
    tree = node.child_by_field_name("argument")
    if tree is None:
        return
    reexport = any(child.type == "visibility_modifier" for child in node.named_children)
    kind = ImportKind.REEXPORT if reexport else ImportKind.IMPORT
    found: dict[str, list[ImportedName]] = {}
    for prefix, leaf in _leaves(tree, source):
        module, name = _leaf(prefix, leaf, source)
        names = found.setdefault(module, [])
        if name is not None:
            names.append(name)
    for module, collected in found.items():
        yield ImportSpec(module, kind, tuple(collected))


def _leaves(tree: Node, source: bytes) -> Iterator[tuple[str, Node]]:
    """Yield each single name, alias or wildcard with the path of the lists around it."""
    pending = [("", tree)]
    while pending:
        prefix, current = pending.pop()
        if current.type == "scoped_use_list":
            inner = current.child_by_field_name("list")
            if inner is not None:
                path = current.child_by_field_name("path")
                pending.append((_path(prefix, path, source), inner))
        elif current.type == "use_list":
            pending.extend((prefix, child) for child in reversed(current.named_children))
        elif "comment" not in current.type:
            yield prefix, current


def _leaf(prefix: str, node: Node, source: bytes) -> tuple[str, ImportedName | None]:
    """Return the module and the name; a bare `use a;` has no name."""
    if node.type == "use_wildcard":
        inside = node.named_children[0] if node.named_children else None
        return _path(prefix, inside, source), ImportedName("*")
    alias = None
    if node.type == "use_as_clause":
        called = node.child_by_field_name("alias")
        alias = text_of(source, *called.byte_range) if called is not None else None
        path = node.child_by_field_name("path")
    else:
        path = node
    module, _, name = _path(prefix, path, source).rpartition("::")
    if not module and alias is None:
        return name, None
    return module or name, ImportedName(name if module else "self", alias)


def _path(prefix: str, node: Node | None, source: bytes) -> str:
    words = "".join(text_of(source, *node.byte_range).split()) if node is not None else ""
    return "::".join(part for part in (prefix, words) if part)


RULES = Rules(
    blocks=(
        "block",
        "declaration_list",
        "field_declaration_list",
        "enum_variant_list",
        "match_block",
        "field_initializer_list",
        "arguments",
        "array_expression",
        "token_tree",
    ),
    imports=_use,
)
