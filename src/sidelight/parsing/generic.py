"""Make a definitions query for a grammar without one of ours, from how its node types are named.

Grammars largely follow one habit: `function_definition`, `class_declaration`, `struct_item`, with
a field `name`. What does not follow it gets a `.scm` file. Definitions and comments only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Language, Query, QueryError

from sidelight.model import SymbolKind

_ENDS = r"(?:_(?:definition|declaration|decl|def|item|statement|specification|signature|spec))?$"
_WORDS: tuple[tuple[str, SymbolKind], ...] = (
    (r"(?:method|constructor|destructor|initializer|member_function)", SymbolKind.METHOD),
    (
        r"(?:\w+_)?(?:function|func|fun|fn|subroutine|sub|procedure|proc|def|rule|task|kernel"
        r"|entry_point|predicate|rpc|test)",
        SymbolKind.FUNCTION,
    ),
    (r"(?:\w+_)?(?:class|object|contract|actor|library|component|service)", SymbolKind.CLASS),
    (r"(?:\w+_)?(?:interface|protocol)", SymbolKind.INTERFACE),
    (r"(?:\w+_)?(?:struct|structure|record|message|union)", SymbolKind.STRUCT),
    (r"(?:\w+_)?(?:enum|enumeration)", SymbolKind.ENUM),
    (r"(?:\w+_)?(?:trait|mixin|typeclass)", SymbolKind.TRAIT),
    (r"(?:type_alias|type|typedef|newtype|datatype|data_type|adt|data)", SymbolKind.TYPE),
    (r"(?:module|namespace|package|submodule|program|entity|architecture)", SymbolKind.MODULE),
    (r"(?:macro|define)", SymbolKind.MACRO),
)
_PATTERNS = tuple((re.compile(words + _ENDS), kind) for words, kind in _WORDS)
_NOT_DEFINITIONS = re.compile(
    r"(?:_call|_type|_name|_body|_list|_block|_expression|_clause|_identifier|_parameters?"
    r"|_forward_declaration|^import|^use|^export)"
)
_BLOCK_KINDS = re.compile(r"(?:^|_)(?:block|body|statements|compound_statement|source_file)$")
_COMMENT_KINDS = re.compile(r"(?:^|_)comments?$")
MAX_KINDS = 60  # patterns of one generic query: more means a grammar that names things otherwise


def kinds_of(language: Language) -> list[str]:
    """Return the names of all visible named node types, each once."""
    names = {
        name
        for index in range(language.node_kind_count)
        if language.node_kind_is_named(index)
        and language.node_kind_is_visible(index)
        and (name := language.node_kind_for_id(index))
    }
    return sorted(names)


def definition_kind(node_type: str) -> SymbolKind | None:
    """Return what a node type of this name defines, or None if it does not look like it does."""
    if _NOT_DEFINITIONS.search(node_type):
        return None
    return next((kind for pattern, kind in _PATTERNS if pattern.fullmatch(node_type)), None)


def generic_blocks(language: Language) -> tuple[str, ...]:
    """Return the node types that look as if they held statements."""
    return tuple(kind for kind in kinds_of(language) if _BLOCK_KINDS.search(kind))


def generic_query(language: Language) -> Query:
    """Return a query for the definitions and comments of a grammar that we know nothing about."""
    kinds = kinds_of(language)
    patterns = [f"({kind}) @comment" for kind in kinds if _COMMENT_KINDS.search(kind)]
    found = [(kind, what) for kind in kinds if (what := definition_kind(kind)) is not None]
    for kind, what in found[:MAX_KINDS]:
        patterns.extend(_valid(language, kind, what))
    return Query(language, "\n".join(patterns))


def _valid(language: Language, kind: str, what: SymbolKind) -> Iterator[str]:
    """Yield the patterns for one node type that this grammar can match at all."""
    named = [f"name: (_) @name{body}" for body in (" body: (_) @body", "")]
    identifiers = [
        f". ({name}) @name"
        for name in ("identifier", "name", "variable", "word", "type_identifier")
        if language.id_for_node_kind(name, True) is not None
    ]
    for shape in named or identifiers:
        pattern = f"({kind} {shape}) @definition.{what}"
        if _compiles(language, pattern):
            yield pattern
            return
    for shape in identifiers:
        pattern = f"({kind} {shape}) @definition.{what}"
        if _compiles(language, pattern):
            yield pattern
            return


def _compiles(language: Language, pattern: str) -> bool:
    try:
        Query(language, pattern)
    except QueryError:
        return False
    return True
