"""Bind one use of a name to the definitions that it may mean, with the evidence for it.

Order of trust: the receiver's type or module, scopes, imports, packages; where the language lets a
name be defined anywhere, or the receiver's type is unknown, the tree's definitions of the name.
What evidence binds to a library is bound to nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sidelight.graph.expressions import parse_chain
from sidelight.graph.foreign import is_library_receiver, reachable
from sidelight.graph.hierarchy import Hierarchy
from sidelight.graph.inference import MAX_FUEL, Inference
from sidelight.graph.lookup import Lookup, distinct
from sidelight.graph.model import Confidence
from sidelight.graph.rows import Definition
from sidelight.graph.scoping import Scoping
from sidelight.graph.values import UNKNOWN, Place, Sort, Value
from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS, Reference, ReferenceKind, SymbolKind

MAX_CANDIDATES = 12  # a name that more definitions share says nothing about this use
_NOT_TYPES = CALLABLE_KINDS | {SymbolKind.FIELD}


@dataclass(frozen=True, slots=True)
class Binding:
    """The definitions that a use may mean; () if none in the tree."""

    definitions: tuple[Definition, ...] = ()
    confidence: Confidence = Confidence.EXACT
    evidence: str = ""


UNBOUND = Binding()


class Binder:
    """Binds the uses of one view's files."""

    def __init__(
        self, lookup: Lookup, scoping: Scoping, hierarchy: Hierarchy, inference: Inference
    ) -> None:
        self._lookup = lookup
        self._facts = lookup.facts
        self._scoping = scoping
        self._hierarchy = hierarchy
        self._inference = inference
        self._known: dict[tuple[str, int, str], Binding] = {}

    def bind(self, path: str, use: Reference) -> Binding:
        """Return what the use in the file at `path` means."""
        key = (path, use.span.start_byte, use.name)
        known = self._known.get(key)
        if known is None:
            place = Place(path, use.owner, use.span.start_byte)
            known = (
                self._by_name(use, place) if use.receiver is None else self._by_receiver(use, place)
            )
            self._known[key] = known
        return known

    # -- a name alone -------------------------------------------------------------------------

    def _by_name(self, use: Reference, place: Place) -> Binding:
        family = self._facts.family(place.path)
        if use.name in family.super_words:
            return self._of_super(use, place)
        for step in (self._in_scopes, self._among_members, self._imported, self._beside):
            found = step(use, place)
            if found is not None:
                return UNBOUND if self._is_hidden(found, use, place) else found
        wild = self._scoping.by_wildcard(use.name, place.path).definitions
        fitting = self._lookup.implemented(self._fitting(wild, use))
        if fitting:
            return Binding(fitting, Confidence.IMPORTED, "wildcard import")
        return self._anywhere(use, place) if family.is_open else UNBOUND

    def _in_scopes(self, use: Reference, place: Place) -> Binding | None:
        visible = self._scoping.in_scopes(use.name, place.path, self._scope_of(use, place))
        local = self._lookup.implemented(self._fitting(visible, use))
        return Binding(local, Confidence.EXACT, "scope") if local else None

    def _imported(self, use: Reference, place: Place) -> Binding | None:
        """Bind an imported name; to nothing if it is a library's."""
        if use.name not in self._lookup.imports.scope(place.path).names:
            return None
        found = self._scoping.name(use.name, place.path, self._scope_of(use, place))
        definitions = self._fitting(found.definitions, use) or self._default_of(found.modules)
        return Binding(definitions, Confidence.EXACT, "import")

    def _beside(self, use: Reference, place: Place) -> Binding | None:
        found = self._fitting(self._scoping.beside(use.name, place.path), use)
        return Binding(found, Confidence.EXACT, "package") if found else None

    def _is_hidden(self, found: Binding, use: Reference, place: Place) -> bool:
        """Return whether a call means a local variable, or a variable that holds a library's."""
        if use.kind is not ReferenceKind.CALL or not found.definitions:
            return False
        if self._inference.texts.is_local(use.name, place):
            return True
        kind = found.definitions[0].symbol.kind
        if kind in CALLABLE_KINDS or kind in CONTAINER_KINDS:
            return False
        return self._inference.of_definition(found.definitions[0], MAX_FUEL).sort is Sort.LIBRARY

    def _scope_of(self, use: Reference, place: Place) -> int | None:
        """Return the scope a use is looked up in: bases and decorators stand outside of theirs."""
        if use.kind in (ReferenceKind.BASE, ReferenceKind.DECORATOR) and use.owner is not None:
            return self._facts.symbols(place.path)[use.owner].parent
        return use.owner

    def _default_of(self, modules: tuple[str, ...]) -> tuple[Definition, ...]:
        """Return what a module is when it is called itself (CommonJS)."""
        if not modules or self._facts.family(modules[0]).name != "javascript":
            return ()
        return self._lookup.in_modules(modules, "default").definitions

    def _of_super(self, use: Reference, place: Place) -> Binding:
        """Bind `super(…)` to the constructors of the bases."""
        around = self._scoping.enclosing_type(place.path, place.owner)
        if around is None or use.kind is not ReferenceKind.CALL:
            return UNBOUND
        family = self._facts.family(place.path)
        if family.name in ("python", "ruby"):
            return UNBOUND  # `super()` alone calls nothing in Python; Ruby's is seen by its method
        for base in self._hierarchy.bases(around).definitions:
            for name in (*sorted(family.constructors), base.symbol.name):
                found = self._hierarchy.own_member(base, name)
                if found:
                    return Binding(found, Confidence.SAME_CLASS, "super")
        return UNBOUND

    def _among_members(self, use: Reference, place: Place) -> Binding | None:
        """Bind a name alone to a member of a type around it; None to go on looking."""
        if not self._facts.family(place.path).bare_members or use.kind is not ReferenceKind.CALL:
            return None
        around = self._scoping.enclosing_type(place.path, place.owner)
        while around is not None:
            if around.symbol.name == use.name:
                break  # it is made, not its constructor called
            member = self._hierarchy.member((around,), use.name)
            found = self._fitting(member.definitions, use)
            if found:
                confidence = Confidence.SAME_CLASS if member.is_inherited else Confidence.EXACT
                return Binding(found, confidence, "member")
            parent = around.symbol.parent
            around = (
                self._scoping.enclosing_type(around.path, parent) if parent is not None else None
            )
        return None

    # -- a name after a receiver --------------------------------------------------------------

    def _by_receiver(self, use: Reference, place: Place) -> Binding:
        receiver = use.receiver or ""
        if use.kind is not ReferenceKind.CALL:
            found = self._scoping.dotted(receiver, use.name, place.path, self._scope_of(use, place))
            return Binding(self._fitting(found.definitions, use), Confidence.EXACT, "import")
        chain = parse_chain(receiver)
        value = UNKNOWN if chain is None else self._inference.evaluate(chain, place)
        if value.sort is Sort.UNKNOWN:
            if chain is None or value.definitions:
                return self._by_unknown(use, place, value)
            if is_library_receiver(chain, place.path, self._facts):
                return UNBOUND
            return self._by_unknown(use, place, value)
        if value.sort is Sort.MODULE:
            found = self._lookup.in_modules(value.modules, use.name)
            return Binding(self._fitting(found.definitions, use), Confidence.EXACT, "import")
        return UNBOUND if value.sort is Sort.LIBRARY else self._by_type(use, place, value)

    def _by_unknown(self, use: Reference, place: Place, value: Value) -> Binding:
        if value.definitions:  # a variable of unknown type, whose own members may be written out
            own = self._hierarchy.member(value.definitions, use.name)
            if own.definitions:
                return Binding(own.definitions, Confidence.EXACT, "receiver")
        return self._by_method_name(use, place)

    def _by_type(self, use: Reference, place: Place, value: Value) -> Binding:
        family = self._facts.family(place.path)
        member = self._hierarchy.member(value.definitions, use.name, skip_own=value.is_super)
        found = self._fitting(member.definitions, use)
        if found:
            same_class = value.is_own and member.is_inherited
            confidence = Confidence.SAME_CLASS if same_class else Confidence.EXACT
            return Binding(found, confidence, "self" if value.is_own else "receiver's type")
        if use.name in family.makers and value.sort is Sort.TYPE:
            return Binding(value.definitions, Confidence.EXACT, "constructor")
        if value.is_own and not member.has_library_base and not value.is_super:
            return self._in_subclasses(use, value)
        return UNBOUND

    def _in_subclasses(self, use: Reference, value: Value) -> Binding:
        """Bind `self.x()` that a type lacks to the subclasses that define it (mixins)."""
        keys = {(d.path, d.ordinal) for d in value.definitions}
        found = [
            definition
            for definition in self._methods_named(use.name, value.definitions[0].path)
            if (around := self._scoping.enclosing_type(definition.path, definition.ordinal))
            and any((d.path, d.ordinal) in keys for d in self._hierarchy.line((around,)))
        ]
        return self._among(found, Confidence.SAME_CLASS, "subclass")

    def _by_method_name(self, use: Reference, place: Place) -> Binding:
        """Bind a method of a receiver of unknown type by its name, unless every program has it."""
        family = self._facts.family(place.path)
        if use.name in family.common:
            return UNBOUND
        found = self._methods_named(use.name, place.path)
        own = self._scoping.enclosing_type(place.path, place.owner)
        near = [item for item in found if self._is_near(item, place.path)]
        # What another object does under the name of an own method is rarely the own method.
        is_own = own is not None and any(
            self._scoping.enclosing_type(item.path, item.ordinal) == own for item in near
        )
        if len(near) == 1 and not is_own:
            return Binding(tuple(near), Confidence.IMPORTED, "method of an imported file")
        return self._among(found, Confidence.UNIQUE, "only method of that name")

    def _methods_named(self, name: str, path: str) -> tuple[Definition, ...]:
        languages = self._facts.family(path).languages
        return distinct(
            item
            for item in self._facts.named(name)
            if item.symbol.kind is SymbolKind.METHOD
            and self._facts.language(item.path) in languages
        )

    def _is_near(self, definition: Definition, path: str) -> bool:
        """Return whether the file of a definition is this one or is imported by it."""
        if definition.path == path:
            return True
        if definition.path in self._lookup.included(path):
            return True
        scope = self._lookup.imports.scope(path)
        bounds = (*scope.wildcards, *(b for bounds in scope.names.values() for b in bounds))
        return any(definition.path in (*bound.paths, *bound.submodules) for bound in bounds)

    def _anywhere(self, use: Reference, place: Place) -> Binding:
        """Bind a free name in a language where definitions need no import."""
        if use.kind is ReferenceKind.CALL and self._inference.texts.is_local(use.name, place):
            return UNBOUND
        around = self._scoping.around(place.path, use.owner)
        seen = self._lookup.in_tree(use.name, place.path, around)
        fitting = reachable(self._fitting(seen, use), use, place, self._lookup)
        near = [item for item in fitting if self._is_near(item, place.path)]
        if len(near) == 1:
            return Binding(tuple(near), Confidence.IMPORTED, "included file")
        return self._among(fitting, Confidence.UNIQUE, "only definition of that name")

    # -- what fits ----------------------------------------------------------------------------

    def _among(self, found: Iterable[Definition], alone: Confidence, evidence: str) -> Binding:
        definitions = tuple(found)
        if len(definitions) == 1:
            return Binding(definitions, alone, evidence)
        if len(definitions) > MAX_CANDIDATES:
            return UNBOUND
        return Binding(definitions, Confidence.AMBIGUOUS, f"{len(definitions)} definitions")

    def _fitting(self, found: Iterable[Definition], use: Reference) -> tuple[Definition, ...]:
        """Return those of a kind that the use can mean: a type is no function and no field."""
        if use.kind in (ReferenceKind.TYPE, ReferenceKind.BASE):
            return tuple(item for item in found if item.symbol.kind not in _NOT_TYPES)
        return tuple(found)
