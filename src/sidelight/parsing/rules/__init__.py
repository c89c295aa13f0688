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

from sidelight.model import ImportedName, ImportKind, ReferenceKind, SymbolKind


@dataclass(frozen=True, slots=True)
class ImportSpec:
    """An import as a rule found it; the framework adds the statement's span."""

    module: str
    kind: ImportKind
    names: tuple[ImportedName, ...] = ()
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class DefinitionSpec:
    """A definition as a rule found it, at the node that was captured as a bare `@definition`.

    `last` is a later sibling that belongs to it (Kotlin's getters).
    """

    name: Node
    kind: SymbolKind
    scopes: tuple[Node, ...] = ()
    body: Node | None = None
    last: Node | None = None


@dataclass(frozen=True, slots=True)
class ReferenceSpec:
    """A use as a rule found it; the receiver reaches from the first of `receivers` to the last.

    Kind None claims the name so that no later pattern makes a reference of it.
    """

    name: Node
    kind: ReferenceKind | None
    receivers: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeUse:
    """A type's name in the source: half-open bytes, and the text before its last dot, if any."""

    start: int
    end: int
    receiver: str | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """How one language differs; every field has a sensible default.

    `blocks`: node types whose named children are statements (cuts of long definitions).
    `scope_drop`: words that vanish from an explicit `@scope` (`this`, `exports`).
    `types`: reads the names of a type expression captured as `@reference.types`.
    `imports`: makes the imports of a statement captured as a bare `@import`.
    `definitions`, `references`: read a node captured as a bare `@definition` or `@reference`, where
    a query would need a pattern for every depth (C's declarators, C++'s `a::b::c`).
    `mask`: the source as the grammar should read it, every offset the same (C's macros blanked).
    """

    blocks: tuple[str, ...] = ()
    scope_drop: frozenset[str] = frozenset()
    types: Callable[[Node, bytes], Iterable[TypeUse]] | None = None
    imports: Callable[[Node, bytes], Iterable[ImportSpec]] | None = None
    definitions: Callable[[Node], Iterable[DefinitionSpec]] | None = None
    references: Callable[[Node], Iterable[ReferenceSpec]] | None = None
    mask: Callable[[bytes], bytes] | None = None


# Languages whose node types are another's: they share its rules as their queries inherit its own.
_RULES_OF = {
    "tsx": "javascript",
    "typescript": "javascript",
    "arduino": "cpp",
    "cuda": "cpp",
    "hlsl": "cpp",
    "glsl": "c",
    "ispc": "c",
}


@cache
def load_rules(language: str) -> Rules:
    """Return the rules of `language`; the defaults where it has no module of its own."""
    language = _RULES_OF.get(language, language)
    name = f"{__name__}.{language}"
    if not language.isidentifier() or find_spec(name) is None:
        return Rules()
    rules = import_module(name).RULES
    assert isinstance(rules, Rules)  # noqa: S101  # a mistake of ours, not of the input
    return rules
