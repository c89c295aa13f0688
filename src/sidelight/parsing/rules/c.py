"""C's rules: where its blocks are, and which macros to skip."""

from __future__ import annotations

from sidelight.parsing.declarators import definitions_of, references_of
from sidelight.parsing.macros import without_opaque_macros
from sidelight.parsing.rules import Rules

RULES = Rules(
    blocks=(
        "compound_statement",
        "case_statement",
        "field_declaration_list",
        "enumerator_list",
        "initializer_list",
        "declaration_list",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
    ),
    definitions=definitions_of,
    references=references_of,
    mask=without_opaque_macros,
)
