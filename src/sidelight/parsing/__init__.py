"""Syntax: from bytes to definitions, references, imports and places to cut.

The one adapter of tree-sitter. Must not raise for any source, read files of the project it
parses, or keep state between files beyond compiled grammars and queries.
"""

from __future__ import annotations

from sidelight.parsing.parser import DEFAULT_TIMEOUT_S, parse

__all__ = ["DEFAULT_TIMEOUT_S", "parse"]
