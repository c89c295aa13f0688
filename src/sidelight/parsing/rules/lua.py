"""Lua's rules: where its blocks are, and what is required."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind
from sidelight.parsing.names import text_of
from sidelight.parsing.rules import ImportSpec, Rules

_KINDS = {b"require": ImportKind.IMPORT, b"dofile": ImportKind.INCLUDE}


def _imports(node: Node, source: bytes) -> Iterator[ImportSpec]:
    """Yield `local a = require "b"` as b, called a here; `require("b").c` brings c of b.

    A call of `require` elsewhere (also through `pcall`) yields the bare module.
    """
    if node.type == "function_call":
        if not _is_declared(node):
            module = _required(node, source)
            if module is not None:
                yield ImportSpec(*module)
        return
    statement = node.named_children[0] if node.named_children else None
    if statement is None or statement.type != "assignment_statement":
        return
    names = statement.named_children[0].named_children
    values = statement.named_children[-1].named_children
    for index, (name, value) in enumerate(zip(names, values, strict=False)):
        if _is_protected(value) and index + 1 < len(names):
            name = names[index + 1]  # noqa: PLW2901  # `local ok, module = pcall(require, "a")`
        local = text_of(source, *name.byte_range)
        if value.type == "dot_index_expression":
            table, field = value.child_by_field_name("table"), value.child_by_field_name("field")
            required = _required(table, source) if table is not None else None
            if required is not None and field is not None:
                brought = text_of(source, *field.byte_range)
                alias = local if local != brought else None
                yield ImportSpec(*required, (ImportedName(brought, alias),))
        else:
            required = _required(value, source)
            if required is not None:
                yield ImportSpec(*required, alias=local)


def _required(node: Node, source: bytes) -> tuple[str, ImportKind] | None:
    """Return (module, kind) of `require "a"`, `pcall(require, "a")`, `dofile("a")`."""
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    if node.type != "function_call" or name is None or arguments is None:
        return None
    words = [name, *arguments.named_children]
    if words[0].text == b"pcall":
        words = words[1:]
    if len(words) < 2 or words[1].type != "string":
        return None
    kind = _KINDS.get(words[0].text or b"")
    content = words[1].child_by_field_name("content")
    if kind is None or content is None:
        return None
    return text_of(source, *content.byte_range), kind


def _is_protected(node: Node) -> bool:
    called = node.child_by_field_name("name")
    return called is not None and called.text == b"pcall"


def _is_declared(call: Node) -> bool:
    """Return whether the call is what a local variable is set to: the declaration yields it."""
    outer = call.parent
    if outer is not None and outer.type == "dot_index_expression":
        outer = outer.parent
    for kind in ("expression_list", "assignment_statement", "variable_declaration"):
        if outer is None or outer.type != kind:
            return False
        outer = outer.parent
    return True


RULES = Rules(blocks=("block", "table_constructor", "arguments"), imports=_imports)
