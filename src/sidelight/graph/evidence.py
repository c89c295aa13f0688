"""Small questions about one definition: what its own statement says, and what it uses."""

from __future__ import annotations

from sidelight.graph.facts import Facts
from sidelight.graph.lookup import Lookup
from sidelight.graph.rows import Definition
from sidelight.model import Reference


def is_required(lookup: Lookup, definition: Definition) -> bool:
    """Return whether the variable's own statement takes its value out of a library."""
    span = definition.symbol.span
    bounds = [
        bound
        for item, found in lookup.imports.bounds(definition.path)
        if span.contains(item.span)
        for bound in found
    ]
    return bool(bounds) and all(bound.is_library for bound in bounds)


def uses_of(facts: Facts, definition: Definition) -> list[Reference]:
    """Return the references whose innermost definition it is."""
    return [use for use in facts.references(definition.path) if use.owner == definition.ordinal]
