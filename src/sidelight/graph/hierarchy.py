"""Types and what they extend: bases, the line of them, and members looked up along it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sidelight.graph.lookup import Lookup, closest
from sidelight.graph.rows import Definition
from sidelight.graph.scoping import Scoping
from sidelight.model import Reference, ReferenceKind, SymbolKind

MAX_LINE = 64  # types in one line of inheritance; cycles end there
_Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Bases:
    """What a type extends in the tree; `has_library`: something else, too, that we cannot see."""

    definitions: tuple[Definition, ...]
    has_library: bool


@dataclass(frozen=True, slots=True)
class Member:
    """What a name means in a type. `is_inherited`: found in a base. `has_library_base`: the line
    leaves the tree, so that a member that was not found may still exist."""

    definitions: tuple[Definition, ...] = ()
    is_inherited: bool = False
    has_library_base: bool = False


class Hierarchy:
    """Bases and members in one view."""

    def __init__(self, lookup: Lookup, scoping: Scoping) -> None:
        self._lookup = lookup
        self._facts = lookup.facts
        self._scoping = scoping
        self._bases: dict[_Key, Bases] = {}
        self._base_uses: dict[str, dict[int, list[Reference]]] = {}

    def bases(self, definition: Definition) -> Bases:
        """Return the types that a type names as its bases, wherever it is written."""
        key = (definition.path, definition.ordinal)
        known = self._bases.get(key)
        if known is None:
            self._bases[key] = Bases((), has_library=False)  # while it is being found
            known = self._bases[key] = self._find_bases(definition)
        return known

    def line(self, definitions: Sequence[Definition]) -> Iterator[Definition]:
        """Yield the types and then their bases, nearest first, each once."""
        pending = list(definitions)
        seen: set[_Key] = set()
        while pending and len(seen) < MAX_LINE:
            current = pending.pop(0)
            key = (current.path, current.ordinal)
            if key in seen:
                continue
            seen.add(key)
            yield current
            pending.extend(self.bases(current).definitions)

    def member(
        self, definitions: Sequence[Definition], name: str, *, skip_own: bool = False
    ) -> Member:
        """Return what a name means in the type: its own member, else the nearest base's.

        `skip_own` begins with the bases (`super`).
        """
        starts = {(item.path, item.ordinal) for item in definitions}
        has_library = False
        for current in self.line(definitions):
            is_own = (current.path, current.ordinal) in starts
            has_library = has_library or self.bases(current).has_library
            if is_own and skip_own:
                continue
            found = self.own_member(current, name)
            if found:
                return Member(found, is_inherited=not is_own, has_library_base=has_library)
        return Member(has_library_base=has_library)

    def own_member(self, definition: Definition, name: str) -> tuple[Definition, ...]:
        """Return the members of that name of one type, those nearest to it if several are there."""
        family = self._facts.family(definition.path)
        qualified = f"{definition.symbol.qualified_name}.{name}"
        found = self._lookup.beside(definition.path, qualified, family.members_reach, family)
        return closest(self._lookup.implemented(found), definition.path)

    def _find_bases(self, definition: Definition) -> Bases:
        path = definition.path
        if path not in self._base_uses:
            self._base_uses[path] = self._read_base_uses(path)
        found: list[Definition] = []
        has_library = definition.symbol.kind is SymbolKind.TYPE  # an alias of what we do not read
        for use in self._base_uses[path].get(definition.ordinal, ()):
            # A base stands outside of the type: its own members are not seen there.
            outer = definition.symbol.parent
            if use.receiver is None:
                base = self._scoping.name(use.name, path, outer)
                base = base or self._scoping.anywhere(use.name, path, outer)
            else:
                base = self._scoping.dotted(use.receiver, use.name, path, outer)
            others = [d for d in base.definitions if d != definition]
            found += others
            has_library = has_library or not others
        return Bases(tuple(dict.fromkeys(found)), has_library)

    def _read_base_uses(self, path: str) -> dict[int, list[Reference]]:
        """Return what each type of a file names as bases; an alias has the types it is made of."""
        symbols = self._facts.symbols(path)
        uses: dict[int, list[Reference]] = {}
        for use in self._facts.references(path):
            if use.owner is None:
                continue
            is_alias = symbols[use.owner].kind is SymbolKind.TYPE
            if use.kind is ReferenceKind.BASE or (is_alias and use.kind is ReferenceKind.TYPE):
                uses.setdefault(use.owner, []).append(use)
        return uses
