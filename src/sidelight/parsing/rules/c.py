"""C's rules: only where its blocks are."""

from __future__ import annotations

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
    )
)
