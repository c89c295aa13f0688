"""Go's rules: blocks, and the dot import, whose names are a wildcard without a token for it."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind
from sidelight.parsing.names import text_of, unquoted
from sidelight.parsing.rules import ImportSpec, Rules


def _dot_import(node: Node, source: bytes) -> Iterator[ImportSpec]:
    path = node.child_by_field_name("path")
    if path is not None:
        module = unquoted(text_of(source, *path.byte_range))
        yield ImportSpec(module, ImportKind.IMPORT, (ImportedName("*"),))


RULES = Rules(
    blocks=(
        "block",
        "statement_list",
        "field_declaration_list",
        "interface_type",
        "literal_value",
        "argument_list",
        "var_spec_list",
        "const_declaration",
        "expression_case",
        "default_case",
        "type_case",
        "communication_case",
    ),
    imports=_dot_import,
)
