"""Tell names that mean a library, or cannot be seen, from names that the tree may define."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from sidelight.graph.expressions import Chain
from sidelight.graph.facts import Facts
from sidelight.graph.lookup import Lookup
from sidelight.graph.rows import Definition
from sidelight.graph.values import Place
from sidelight.model import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    Reference,
    ReferenceKind,
    SymbolKind,
)

_CALLED = CALLABLE_KINDS | CONTAINER_KINDS | {SymbolKind.TYPE}
_TYPES = CONTAINER_KINDS | {SymbolKind.TYPE}
_SCOPES = frozenset({SymbolKind.MODULE})


def is_library_receiver(chain: Chain, path: str, facts: Facts) -> bool:
    """Return whether a receiver that nothing binds must name a library's type or module.

    `std`, `sys`, `console` do; so does `File` or `Rack::Utils` where the language writes types
    with capitals and the tree defines nothing of that name.
    """
    family = facts.family(path)
    if chain.steps[0].name in family.library_heads:
        return True
    if not family.constants_are_types:
        return False
    names = [s.name for s in takewhile(lambda s: s.name[:1].isupper(), chain.steps)]
    return bool(names) and not any(
        item.path == path or item.symbol.kind in _TYPES for item in facts.named(names[-1])
    )


def reachable(
    found: Iterable[Definition], use: Reference, place: Place, lookup: Lookup
) -> tuple[Definition, ...]:
    """Return what a free name may mean of the tree's definitions of that name.

    A call means something to call; a macro is seen where its header is included; a type inside
    another type is named through it; what Lua calls `local` stays in its file.
    """
    facts = lookup.facts
    included = lookup.included(place.path)
    kept = []
    for item in found:
        symbol = item.symbol
        is_here = item.path == place.path
        if use.kind is ReferenceKind.CALL and symbol.kind not in _CALLED and not is_here:
            continue
        if symbol.kind is SymbolKind.MACRO and not is_here and item.path not in included:
            continue
        if use.kind in (ReferenceKind.TYPE, ReferenceKind.BASE) and _is_nested(item, facts):
            continue
        if facts.family(item.path).name == "lua" and not is_here and _is_local(item, facts):
            continue
        kept.append(item)
    return tuple(kept)


def _is_nested(definition: Definition, facts: Facts) -> bool:
    parent = definition.symbol.parent
    if parent is None:
        return False
    return facts.symbols(definition.path)[parent].kind not in _SCOPES


def _is_local(definition: Definition, facts: Facts) -> bool:
    start = definition.symbol.span.start_byte
    line = facts.source(definition.path)[max(0, start - 8) : start + 6]
    return b"local " in line
