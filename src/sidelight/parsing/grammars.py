"""Load grammars and compile queries, each once per process and only when needed.

The only reader of the language pack and of the `.scm` files. Must not import every grammar.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from tree_sitter import Language, Query

from sidelight.parsing.generic import generic_query

_INHERITS = "; inherits: "


@cache
def load_grammar(grammar: str) -> Language:
    """Return a grammar of the pack.

    Raises:
        LookupError: the pack has no such grammar.
    """
    from tree_sitter_language_pack import get_language  # noqa: PLC0415  # 20 ms, when needed

    language = get_language(grammar)
    assert isinstance(language, Language)  # noqa: S101  # the pack is untyped
    return language


@cache
def load_query(language: str, grammar: str) -> Query:
    """Return our own query of `language`, or the generic one made from its grammar's node types."""
    text = _query_text(language)
    if text is None:
        return generic_query(load_grammar(grammar))
    return Query(load_grammar(grammar), text)


def _query_text(name: str) -> str | None:
    """Return `name`.scm with what it inherits behind it: own patterns come first and so win."""
    file = files("sidelight.parsing.queries").joinpath(f"{name}.scm")
    if not file.is_file():
        return None
    text = file.read_text(encoding="utf-8")
    first = text.partition("\n")[0]
    inherited = first.removeprefix(_INHERITS).split() if first.startswith(_INHERITS) else []
    return "\n".join([text, *(part for base in inherited if (part := _query_text(base)))])


@cache
def load_block_query(grammar: str, blocks: tuple[str, ...]) -> Query | None:
    """Return a query for the nodes that hold statements; None if the grammar has none of them."""
    language = load_grammar(grammar)
    known = [kind for kind in blocks if language.id_for_node_kind(kind, True) is not None]
    if not known:
        return None
    return Query(language, f"[{' '.join(f'({kind})' for kind in known)}] @block")
