"""Java's rules: only where its blocks are."""

from __future__ import annotations

from sidelight.parsing.rules import Rules

RULES = Rules(
    blocks=(
        "block",
        "constructor_body",
        "class_body",
        "enum_body",
        "enum_body_declarations",
        "interface_body",
        "switch_block",
        "switch_block_statement_group",
        "array_initializer",
        "argument_list",
    )
)
