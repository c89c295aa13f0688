"""PHP's rules: where its blocks are, what its names refer to, and what `use` brings."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind, ReferenceKind
from sidelight.parsing.names import text_of, unquoted
from sidelight.parsing.rules import ImportSpec, ReferenceSpec, Rules

_KINDS = {
    "attribute": ReferenceKind.DECORATOR,
    "base_clause": ReferenceKind.BASE,
    "class_interface_clause": ReferenceKind.BASE,
    "use_declaration": ReferenceKind.BASE,  # of a trait
    "function_call_expression": ReferenceKind.CALL,
    "object_creation_expression": ReferenceKind.CALL,
}
_MAX_PARTS = 16  # of a path that is put together
_OWN_NAMES = frozenset({b"self", b"static", b"parent", b"empty", b"isset", b"list", b"define"})


def _references(node: Node) -> Iterator[ReferenceSpec]:
    """Yield the names that stand directly in `node`; `Foo::class` is a use of the type."""
    kind = _KINDS.get(node.type, ReferenceKind.TYPE)
    if node.type == "function_call_expression":
        called = node.child_by_field_name("function")
        names = [called] if called is not None else []
    elif node.type == "binary_expression":
        right = node.child_by_field_name("right")
        names = [right] if right is not None else []
    elif node.type == "class_constant_access_expression":
        is_class = node.named_children[-1].text == b"class"
        names = node.named_children[:1] if is_class else []
    else:
        names = node.named_children
    for name in names:
        yield from _named(name, kind)


def _named(node: Node, kind: ReferenceKind) -> Iterator[ReferenceSpec]:
    """Yield `C` of `C` or `\\A\\B\\C`, the namespace being the receiver."""
    if node.type == "name" and node.text not in _OWN_NAMES:
        yield ReferenceSpec(node, kind)
    elif node.type == "qualified_name" and node.named_children:
        *before, name = node.named_children
        yield ReferenceSpec(name, kind, tuple(before))


def _imports(node: Node, source: bytes) -> Iterator[ImportSpec]:
    if node.type != "namespace_use_declaration":
        path = _included(node.named_children[0], source) if node.named_children else ""
        if path:
            yield ImportSpec(path, ImportKind.INCLUDE)
        return
    group = node.child_by_field_name("body")
    prefix = ""
    if group is not None:
        prefix = text_of(source, *node.named_children[0].byte_range) + "\\"
    joined: dict[str, list[ImportedName]] = {}
    for clause in (group or node).named_children:
        if clause.type == "namespace_use_clause":
            module, name = _clause(clause, prefix, source)
            joined.setdefault(module, []).extend(() if name is None else (name,))
    for module, names in joined.items():
        yield ImportSpec(module, ImportKind.IMPORT, tuple(names))


def _clause(clause: Node, prefix: str, source: bytes) -> tuple[str, ImportedName | None]:
    """Return (namespace, name) of `A\\B as C`; a name without a namespace is its own module."""
    alias = clause.child_by_field_name("alias")
    target = next(child for child in clause.named_children if "name" in child.type)
    path = (prefix + text_of(source, *target.byte_range)).lstrip("\\")
    module, _, name = path.rpartition("\\")
    alias_text = text_of(source, *alias.byte_range) if alias is not None else None
    if not module:
        return name, ImportedName(name, alias_text) if alias_text else None
    return module, ImportedName(name, alias_text)


def _included(node: Node, source: bytes, depth: int = 0) -> str:
    """Return a path: `__DIR__ . '/a'` as `./a`, `dirname(__DIR__) . '/a'` as `../a`, else as is."""
    if node.type == "parenthesized_expression" and node.named_children and depth < _MAX_PARTS:
        return _included(node.named_children[0], source, depth + 1)
    text = text_of(source, *node.byte_range)
    if node.type == "binary_expression" and depth < _MAX_PARTS:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return text
        return _included(left, source, depth + 1) + _included(right, source, depth + 1)
    folders = {"__DIR__": ".", "dirname(__FILE__)": ".", "dirname(__DIR__)": ".."}
    return folders.get(text, unquoted(text))


RULES = Rules(
    blocks=(
        "compound_statement",
        "declaration_list",
        "enum_declaration_list",
        "colon_block",
        "switch_block",
        "case_statement",
        "default_statement",
        "match_block",
        "array_creation_expression",
        "arguments",
    ),
    references=_references,
    imports=_imports,
)
