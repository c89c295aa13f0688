"""C++'s rules: where its blocks are, and what `using` brings."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind
from sidelight.parsing.declarators import definitions_of, references_of
from sidelight.parsing.macros import without_opaque_macros
from sidelight.parsing.names import text_of
from sidelight.parsing.rules import ImportSpec, Rules


def _imports(node: Node, source: bytes) -> Iterator[ImportSpec]:
    """Yield `using namespace a;` as the wildcard of a, `using a::b;` as b of a."""
    if not node.named_children:
        return
    target = text_of(source, *node.named_children[-1].byte_range)
    if any(child.type == "namespace" for child in node.children):
        yield ImportSpec(target, ImportKind.IMPORT, (ImportedName("*"),))
        return
    module, separator, name = target.rpartition("::")
    if separator and module:
        yield ImportSpec(module, ImportKind.IMPORT, (ImportedName(name),))


RULES = Rules(
    blocks=(
        "compound_statement",
        "case_statement",
        "field_declaration_list",
        "enumerator_list",
        "initializer_list",
        "declaration_list",
        "argument_list",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
    ),
    imports=_imports,
    definitions=definitions_of,
    references=references_of,
    mask=without_opaque_macros,
)
