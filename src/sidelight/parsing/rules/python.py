"""Python's rules: only where its blocks are."""

from __future__ import annotations

from sidelight.parsing.rules import Rules

RULES = Rules(blocks=("block", "dictionary", "list", "set", "tuple", "argument_list"))
