"""What a receiver is: a module, a type, an instance of a type, or a library's. Never guesses.

The evidence is scope, imports, declared types, values made by calls, and results that signatures
declare. Unknown is an answer: the caller then falls back on names.
"""

from __future__ import annotations

from dataclasses import replace

from sidelight.graph.declared import WRAPPERS, Declaration, bound_chain, result_chain
from sidelight.graph.evidence import is_required, uses_of
from sidelight.graph.expressions import Chain, Step, chain_at, parse_chain
from sidelight.graph.families import Family
from sidelight.graph.fixtures import find_fixture
from sidelight.graph.hierarchy import Hierarchy
from sidelight.graph.lookup import NOTHING, Found, Lookup
from sidelight.graph.rows import Definition
from sidelight.graph.rustpaths import crate_module, is_rust_path, relative_module
from sidelight.graph.scoping import Scoping
from sidelight.graph.texts import Texts
from sidelight.graph.values import LIBRARY, UNKNOWN, Place, Sort, Value
from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS, ReferenceKind, SymbolKind

MAX_FUEL = 24  # steps of one evaluation, through declarations of declarations
_TYPE_KINDS = CONTAINER_KINDS | {SymbolKind.TYPE}


class Inference:
    """Evaluates receivers in one view."""

    def __init__(self, lookup: Lookup, scoping: Scoping, hierarchy: Hierarchy) -> None:
        self._lookup = lookup
        self._facts = lookup.facts
        self._scoping = scoping
        self._hierarchy = hierarchy
        self.texts = Texts(lookup.facts, scoping)
        self._results: dict[tuple[str, int, int], Value] = {}

    def evaluate(self, chain: Chain, place: Place, fuel: int = MAX_FUEL, index: int = 0) -> Value:
        """Return what a chain is at a place; `index` picks one of a last call's results."""
        if fuel <= 0:
            return UNKNOWN
        head, *rest = chain.steps
        value, consumed = self._start(chain, place, fuel - 1)
        if value.sort is Sort.UNKNOWN and len(chain.steps) > 1:
            value, consumed = self._dotted_module(chain, place)
        if consumed == 1 and head.is_called:
            value = self._called(value, place, fuel - 1, index if not rest else 0)
        for at, step in enumerate(chain.steps[consumed:], consumed):
            if value.sort in (Sort.UNKNOWN, Sort.LIBRARY):
                return value
            value = self._member(value, step, place, fuel - 1, index if at == len(rest) else 0)
        return value

    # -- heads --------------------------------------------------------------------------------

    def _start(self, chain: Chain, place: Place, fuel: int) -> tuple[Value, int]:
        """Return what a chain begins with, and how many of its names that took."""
        is_rust = self._facts.family(place.path).name == "rust"
        is_path = is_rust and is_rust_path(chain, place, self.texts.text(place.path))
        if is_path:
            module, count = relative_module(chain, place, self._lookup.imports, self._scoping)
            if count:
                return module, count
        return self._head(chain, place, fuel, is_path=is_path), 1

    def _head(self, chain: Chain, place: Place, fuel: int, *, is_path: bool) -> Value:
        name = chain.steps[0].name
        family = self._facts.family(place.path)
        if (
            name in family.self_words
            or name in family.super_words
            or (chain.steps[0].is_called and f"{name}()" in family.super_words)
        ):
            return self._own(name, family, place)
        local = None if is_path else self._variable(name, place, fuel)
        if local is not None:
            return local
        found = self._scoping.name(name, place.path, place.owner)
        if not found and is_path:
            return crate_module(name, place, self._lookup.imports)
        if not found and family.bare_members:
            found = self._member_of_around(name, place)
        found = found or self._scoping.anywhere(name, place.path, place.owner)
        return self.of_found(found, place, fuel, of_element=chain.steps[0].is_indexed)

    def _member_of_around(self, name: str, place: Place) -> Found:
        """Return the field or method that a name alone means in the types around."""
        around = self._scoping.enclosing_type(place.path, place.owner)
        if around is None or name == around.symbol.name:
            return NOTHING
        return Found(self._hierarchy.member((around,), name).definitions)

    def _own(self, name: str, family: Family, place: Place) -> Value:
        around = self._scoping.enclosing_type(place.path, place.owner)
        if around is None:
            return UNKNOWN
        is_super = name in family.super_words or f"{name}()" in family.super_words
        sort = Sort.TYPE if name in ("cls", "Self", "static") else Sort.INSTANCE
        return Value(sort, (around,), is_own=True, is_super=is_super)

    def _variable(self, name: str, place: Place, fuel: int) -> Value | None:
        """Return what a local variable or parameter is; None if there is none of that name."""
        family = self._facts.family(place.path).name
        start, end = self.texts.stretch(place)
        if not end:
            return self._file_variable(name, place, fuel)
        is_declared = False
        for declaration in self.texts.declarations(place.path).within(name, start, end, place.byte):
            is_declared = True
            value = self._of_declaration(declaration, place, fuel)
            if value.sort is not Sort.UNKNOWN:
                return value
        is_declared = is_declared or (family != "go" and self.texts.is_parameter(name, place))
        if is_declared and family == "python":
            fixture = find_fixture(self._facts, name, place.path)
            if fixture is not None:
                return self.result(fixture, fuel)
        return UNKNOWN if is_declared else None

    def _file_variable(self, name: str, place: Place, fuel: int) -> Value | None:
        """Return what a variable is in code outside of any function (callbacks of tests)."""
        path = place.path
        if self._scoping.name(name, path, place.owner):
            return None
        end = len(self.texts.text(path))
        for declaration in self.texts.declarations(path).within(name, 0, end, place.byte):
            owner = self._scoping.owner_at(path, declaration.offset)
            around = self._scoping.enclosing(path, owner)
            if any(item.symbol.kind in CALLABLE_KINDS for item in around):
                continue
            value = self._of_declaration(declaration, place, fuel)
            if value.sort is not Sort.UNKNOWN:
                return value
        return None

    def _of_declaration(self, declaration: Declaration, place: Place, fuel: int) -> Value:
        if declaration.chain is None:
            return LIBRARY
        at = replace(place, byte=declaration.offset)
        value = self.evaluate(declaration.chain, at, fuel, declaration.index)
        if declaration.of_element and value.sort is Sort.INSTANCE:
            return self._element(value)
        if declaration.is_type and value.sort is Sort.TYPE:
            return Value(Sort.INSTANCE, value.definitions)
        if declaration.is_type and value.sort is Sort.UNKNOWN:
            unknown = UNKNOWN if self._facts.family(place.path).is_open else LIBRARY
            return self._of_type_parameter(declaration.chain, at, fuel) or unknown
        if not declaration.is_type and value.sort is Sort.TYPE and declaration.chain.is_made:
            return Value(Sort.INSTANCE, value.definitions)
        return value

    def _of_type_parameter(self, chain: Chain, place: Place, fuel: int) -> Value | None:
        """Return what a value of a type parameter (`T: Shape`) surely is; None if it is no such."""
        if len(chain.steps) > 1 or self._facts.family(place.path).name != "rust":
            return None
        for around in self._scoping.enclosing(place.path, place.owner):
            if around.symbol.kind in CALLABLE_KINDS:
                bound = bound_chain(self.texts.signature(around), chain.steps[0].name)
                value = UNKNOWN if bound is None else self.evaluate(bound, place, fuel - 1)
                if value.sort is Sort.TYPE:
                    return Value(Sort.INSTANCE, value.definitions)
        return None

    def _element(self, value: Value) -> Value:
        """Return what a container holds, as far as its type is a name for a list of a type."""
        if value.definitions[0].symbol.kind is not SymbolKind.TYPE:
            return value
        held = self._hierarchy.bases(value.definitions[0]).definitions
        return Value(Sort.INSTANCE, held) if held else UNKNOWN

    def _dotted_module(self, chain: Chain, place: Place) -> tuple[Value, int]:
        """Return the module that the longest dotted start of a chain names (`import a.b`)."""
        scope = self._lookup.imports.scope(place.path)
        words = [step.name for step in chain.steps]
        for count in range(len(words), 1, -1):
            for bound in scope.names.get(".".join(words[:count]), ()):
                found = self._lookup.bound(bound)
                if found:
                    return self.of_found(found, place, 1), count
        return UNKNOWN, 1

    # -- steps --------------------------------------------------------------------------------

    def of_found(self, found: Found, place: Place, fuel: int, *, of_element: bool = False) -> Value:
        """Return what a name that was looked up is."""
        if found.definitions:
            return self.of_definition(
                found.definitions[0], fuel, found.definitions, of_element=of_element
            )
        if found.modules:
            return Value(Sort.MODULE, modules=found.modules)
        del place
        return LIBRARY if found.is_library else UNKNOWN

    def of_definition(
        self,
        definition: Definition,
        fuel: int,
        alike: tuple[Definition, ...] = (),
        *,
        of_element: bool = False,
    ) -> Value:
        """Return what a definition is: a type, something to call, or an instance of its type."""
        kind = definition.symbol.kind
        if kind in _TYPE_KINDS:
            return Value(Sort.TYPE, alike or (definition,))
        if kind in CALLABLE_KINDS:
            return Value(Sort.CALLABLE, alike or (definition,))
        if fuel <= 0:
            return UNKNOWN
        value = self._of_variable_definition(definition, fuel - 1, of_element=of_element)
        if value.sort is Sort.UNKNOWN:
            return Value(Sort.UNKNOWN, (definition,))
        return value

    def _of_variable_definition(
        self, definition: Definition, fuel: int, *, of_element: bool = False
    ) -> Value:
        """Return what a variable or field holds; `of_element`, what its container holds."""
        path, symbol = definition.path, definition.symbol
        place = Place(path, definition.ordinal, symbol.span.start_byte)
        end = symbol.span.end_byte
        for declaration in self.texts.declarations(path).within(
            symbol.name, symbol.span.start_byte, end
        ):
            value = self._of_declaration(declaration, place, fuel)
            if value.sort is not Sort.UNKNOWN:
                return value
        if is_required(self._lookup, definition):
            return LIBRARY
        for use in uses_of(self._facts, definition):
            is_wrapper = use.kind is not ReferenceKind.TYPE or use.name in WRAPPERS
            chain = (
                None if is_wrapper else parse_chain(f"{use.receiver or ''}.{use.name}".lstrip("."))
            )
            if chain is not None:
                value = self.evaluate(chain, place, fuel)
                if value.sort is Sort.TYPE:
                    return Value(Sort.INSTANCE, value.definitions)
                if not of_element:
                    return value
        if symbol.kind is SymbolKind.CONSTANT and symbol.parent is not None:
            around = self._scoping.at(path, symbol.parent)
            if around.symbol.kind is SymbolKind.ENUM:
                return Value(Sort.INSTANCE, (around,))
        return UNKNOWN

    def _called(self, value: Value, place: Place, fuel: int, index: int = 0) -> Value:
        if value.sort is Sort.TYPE:
            return Value(Sort.INSTANCE, value.definitions)
        if value.sort is Sort.CALLABLE:
            return self.result(value.definitions[0], fuel, index)
        if value.sort is Sort.MODULE:
            found = self._lookup.in_modules(value.modules, "default")
            return self._called(self.of_found(found, place, fuel), place, fuel) if fuel else UNKNOWN
        if value.is_own or value.sort is Sort.LIBRARY:
            return value  # `super()`
        return UNKNOWN

    def _member(self, value: Value, step: Step, place: Place, fuel: int, index: int = 0) -> Value:
        if fuel <= 0:
            return UNKNOWN
        family = self._facts.family(place.path)
        if value.sort is Sort.MODULE:
            found = self._lookup.in_modules(value.modules, step.name)
            member = self.of_found(found, place, fuel)
        elif step.name in family.makers and value.sort is Sort.TYPE:
            return Value(Sort.INSTANCE, value.definitions)
        else:
            outcome = self._hierarchy.member(value.definitions, step.name, skip_own=value.is_super)
            if outcome.definitions:
                member = self.of_definition(
                    outcome.definitions[0], fuel, of_element=step.is_indexed
                )
                if member.sort is Sort.UNKNOWN:  # a field without a type, set somewhere
                    set_to = self._attribute(value, step.name, fuel)
                    member = member if set_to.sort is Sort.UNKNOWN else set_to
            else:
                member = self._attribute(value, step.name, fuel)
                if member.sort is Sort.UNKNOWN and outcome.has_library_base:
                    return LIBRARY
        return self._called(member, place, fuel, index) if step.is_called else member

    def _attribute(self, value: Value, name: str, fuel: int) -> Value:
        """Return what `self.name` is set to in the bodies of the type and of its bases."""
        for definition in self._hierarchy.line(value.definitions):
            path, symbol = definition.path, definition.symbol
            span = symbol.span
            for declaration in self.texts.declarations(path).attribute(
                name, span.start_byte, span.end_byte
            ):
                owner = self._scoping.owner_at(path, declaration.offset)
                place = Place(path, owner, declaration.offset)
                found = self._of_declaration(declaration, place, fuel)
                if found.sort is not Sort.UNKNOWN:
                    return found
        return UNKNOWN

    # -- results ------------------------------------------------------------------------------

    def result(self, function: Definition, fuel: int, index: int = 0) -> Value:
        """Return what calling a function gives: its declared result, else what it returns."""
        key = (function.path, function.ordinal, index)
        known = self._results.get(key)
        if known is None:
            self._results[key] = UNKNOWN  # while it is being found: recursion ends here
            known = self._find_result(function, fuel, index)
            self._results[key] = known
        return known

    def _find_result(self, function: Definition, fuel: int, index: int) -> Value:
        path, symbol = function.path, function.symbol
        family = self._facts.family(path)
        place = Place(path, function.ordinal, symbol.body_byte)
        declared = result_chain(self.texts.signature(function), symbol.name, family.name, index)
        if declared is not None:
            if declared.steps[0].name in ("Self", "self", "static", "this"):
                around = self._scoping.enclosing_type(path, function.ordinal)
                return UNKNOWN if around is None else Value(Sort.INSTANCE, (around,))
            value = self.evaluate(declared, place, fuel)
            if value.sort is Sort.TYPE:
                return Value(Sort.INSTANCE, value.definitions)
            return LIBRARY if not family.is_open else value
        return UNKNOWN if index else self._returned(function, fuel)

    def _returned(self, function: Definition, fuel: int) -> Value:
        """Return what the last `return` of a function without a declared result gives."""
        symbol = function.symbol
        body = " " + self.texts.body(function)
        word = "return " if " return " in body else "yield "
        at = body.rfind(f" {word}")
        if at < 0:
            return UNKNOWN
        chain = chain_at(body, at + 1 + len(word))
        if chain is None:
            return UNKNOWN
        start = symbol.body_byte + at
        owner = self._scoping.owner_at(function.path, start)
        return self.evaluate(chain, Place(function.path, owner, start), fuel)
