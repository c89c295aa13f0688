"""Bash's rules: only where its blocks are."""

from __future__ import annotations

from sidelight.parsing.rules import Rules

RULES = Rules(
    blocks=(
        "compound_statement",
        "subshell",
        "do_group",
        "if_statement",
        "elif_clause",
        "else_clause",
        "case_statement",
        "case_item",
        "array",
    )
)
