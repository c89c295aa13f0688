"""What a query cannot say about a language: small declarative tables and pure functions.

One module a language, `rules/<language>.py`, exporting `RULES`; loaded when first needed, so that
a commit in one language does not pay for the others. No files, no state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind


@dataclass(frozen=True, slots=True)
class ImportSpec:
    """An import as a rule found it; the framework adds the statement's span."""

    module: str
    kind: ImportKind
    names: tuple[ImportedName, ...] = ()
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """How one language differs; every field has a sensible default.

    `blocks`: node types whose named children are statements (cuts of long definitions).
    `scope_drop`: words that vanish from an explicit `@scope` (`this`, `exports`).
    `type_names`: node types that are names below a `@reference.types` capture.
    `imports`: makes the imports of a statement captured as a bare `@import`.
    """

    blocks: tuple[str, ...] = ()
    scope_drop: frozenset[str] = frozenset()
    type_names: frozenset[str] = frozenset({"identifier", "type_identifier"})
    imports: Callable[[Node, bytes], Iterable[ImportSpec]] | None = None


@cache
def load_rules(language: str) -> Rules:
    """Return the rules of `language`; the defaults where it has no module of its own."""
    name = f"{__name__}.{language}"
    if not language.isidentifier() or find_spec(name) is None:
        return Rules()
    rules = import_module(name).RULES
    assert isinstance(rules, Rules)  # noqa: S101  # a mistake of ours, not of the input
    return rules
