"""Bases, and methods that override each other."""

from __future__ import annotations

from sidelight.graph.facts import Facts, ref_of
from sidelight.graph.hierarchy import Hierarchy
from sidelight.graph.model import Confidence, Edge, EdgeKind, SymbolRef, text_path
from sidelight.graph.rows import Definition
from sidelight.graph.scoping import Scoping
from sidelight.graph.uses import Uses
from sidelight.model import CALLABLE_KINDS

MAX_TYPES = 200  # below one base; the overrides of a wider one are cut there


class Kinship:
    """Inheritance of one view's types and methods."""

    def __init__(self, facts: Facts, scoping: Scoping, hierarchy: Hierarchy, uses: Uses) -> None:
        self._facts = facts
        self._scoping = scoping
        self._hierarchy = hierarchy
        self._uses = uses

    def bases(self, definition: Definition) -> tuple[SymbolRef, ...]:
        """Return the types of the tree that a type names as its bases."""
        return tuple(ref_of(base) for base in self._hierarchy.bases(definition).definitions)

    def overrides(self, method: Definition) -> tuple[Edge, ...]:
        """Return edges from what overrides the method to it, and from it to what it overrides."""
        around = self._scoping.enclosing_type(method.path, method.ordinal)
        if around is None or method.symbol.kind not in CALLABLE_KINDS:
            return ()
        name = method.symbol.name
        below = [
            _edge(own, method)
            for sub in self._descendants(around)
            for own in self._hierarchy.own_member(sub, name)
        ]
        above = [
            _edge(method, own)
            for base in self._hierarchy.line(self._hierarchy.bases(around).definitions)
            for own in self._hierarchy.own_member(base, name)
        ]
        return tuple(dict.fromkeys((*below, *above)))

    def _descendants(self, definition: Definition) -> list[Definition]:
        found: list[Definition] = []
        pending = [definition]
        seen = {(definition.path, definition.symbol.qualified_name)}
        while pending and len(found) < MAX_TYPES:
            for edge in self._uses.edges_to(pending.pop(0), (EdgeKind.BASE,)):
                key = (text_path(edge.source.path), edge.source.qualified_name)
                if key in seen or not edge.source.qualified_name:
                    continue
                seen.add(key)
                for sub in self._facts.in_file(key[0], edge.source.name):
                    if sub.symbol.qualified_name == key[1]:
                        found.append(sub)
                        pending.append(sub)
                        break
        return found


def _edge(overriding: Definition, overridden: Definition) -> Edge:
    line = overriding.symbol.span.start_line
    source, target = ref_of(overriding), ref_of(overridden)
    return Edge(source, target, EdgeKind.OVERRIDE, Confidence.EXACT, line, evidence="overrides")
