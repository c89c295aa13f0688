"""What a name alone means where it stands: local scopes, the file, its imports, its neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sidelight.graph.families import Reach
from sidelight.graph.lookup import LIBRARY, NOTHING, Found, Lookup, distinct
from sidelight.graph.rows import Definition
from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS, SymbolKind

_SEPARATOR = re.compile(r"\?\.|\.|::|->|\\")
_TYPE_KINDS = (CONTAINER_KINDS | {SymbolKind.TYPE}) - {SymbolKind.MODULE}


class Scoping:
    """Walks the scopes of one view's files."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._facts = lookup.facts

    def at(self, path: str, ordinal: int) -> Definition:
        """Return the file's definition of that ordinal."""
        return Definition(path, ordinal, self._facts.symbols(path)[ordinal])

    def enclosing(self, path: str, owner: int | None) -> Iterator[Definition]:
        """Yield the definitions around a place, innermost first."""
        symbols = self._facts.symbols(path)
        while owner is not None and owner < len(symbols):
            yield Definition(path, owner, symbols[owner])
            owner = symbols[owner].parent

    def enclosing_type(self, path: str, owner: int | None) -> Definition | None:
        """Return the type whose member the place belongs to, wherever the type is written.

        Go's methods, Rust's `impl`s, C++'s `A::f`, JavaScript's `app.f = function` stand outside.
        """
        family = self._facts.family(path)
        outer: Definition | None = None
        for around in self.enclosing(path, owner):
            if around.symbol.kind in _TYPE_KINDS:
                return around
            outer = around
            if self._makes_objects(around):
                return around
            qualifier = around.symbol.qualified_name.rpartition(".")[0]
            if qualifier and (around.symbol.kind is SymbolKind.METHOD or family.name == "ruby"):
                found = self._lookup.beside(path, qualifier, family.members_reach, family)
                if found:
                    same_file = [item for item in found if item.path == path]
                    return (same_file or list(found))[0]
        if outer is not None and outer.symbol.kind is SymbolKind.MODULE:
            return outer
        return None

    def _makes_objects(self, definition: Definition) -> bool:
        """Return whether a function of JavaScript is a constructor, as its name says."""
        symbol = definition.symbol
        return (
            symbol.kind is SymbolKind.FUNCTION
            and symbol.name[:1].isupper()
            and self._facts.family(definition.path).name == "javascript"
        )

    def owner_at(self, path: str, byte: int) -> int | None:
        """Return the innermost definition that holds the byte."""
        best: int | None = None
        for ordinal, symbol in enumerate(self._facts.symbols(path)):
            if symbol.span.start_byte > byte:
                break
            if byte < symbol.span.end_byte:
                best = ordinal
        return best

    def name(self, name: str, path: str, owner: int | None) -> Found:
        """Return what a name means by scope, import, package or wildcard; nothing else is tried."""
        local = self.in_scopes(name, path, owner)
        if local:
            return Found(local)
        imported = self._lookup.imports.scope(path).names.get(name, ())
        for bound in imported:
            found = self._lookup.bound(bound)
            if found.definitions or found.modules:
                return found
        if imported:
            return LIBRARY  # also what the tree's files bind in ways that syntax does not show
        beside = self.beside(name, path)
        if beside:
            return Found(beside)
        return self.by_wildcard(name, path)

    def dotted(self, receiver: str, name: str, path: str, owner: int | None) -> Found:
        """Return what `receiver.name` means if the receiver is made of names alone."""
        words = [word for word in _SEPARATOR.split(receiver) if word]
        scope = self._lookup.imports.scope(path)
        for count in range(len(words), 0, -1):
            head, rest = ".".join(words[:count]), ".".join((*words[count:], name))
            for bound in scope.names.get(head, ()):
                found = self._lookup.bound(bound, rest)
                if found:
                    return found
        if not words:
            return NOTHING
        found = self.name(words[0], path, owner)
        if found.modules:
            return self._lookup.in_modules(found.modules, ".".join((*words[1:], name)))
        family = self._facts.family(path)
        for definition in found.definitions:
            qualified = ".".join((definition.symbol.qualified_name, *words[1:], name))
            inner = self._lookup.beside(definition.path, qualified, family.members_reach, family)
            if inner:
                return Found(inner)
        if found.is_library:
            return LIBRARY
        return self.anywhere(".".join((*words, name)), path, owner)

    def beside(self, name: str, path: str) -> tuple[Definition, ...]:
        """Return the definitions of the name that the language shows to `path` without import."""
        family = self._facts.family(path)
        if family.names_reach in (Reach.FILE, Reach.TREE):
            return ()
        return self._lookup.beside(path, name, family.names_reach, family)

    def by_wildcard(self, name: str, path: str) -> Found:
        """Return what the wildcard imports that reach the tree bring under the name."""
        if self._facts.family(path).is_open:
            included = self._lookup.included(path)
            files = [item.path for item in self._facts.named(name) if item.path in included]
            return Found(self._lookup.at_top(dict.fromkeys(files), name))
        for bound in self._lookup.imports.scope(path).wildcards:
            if bound.package is not None:
                found = Found(self._lookup.in_package(bound.package, name))
            elif bound.paths:
                found = self._lookup.in_modules(bound.paths, name)
            else:
                continue
            if found:
                return found
        return NOTHING

    def anywhere(self, dotted: str, path: str, owner: int | None) -> Found:
        """Return the only type or module of that name that the tree shows without an import."""
        family = self._facts.family(path)
        if not family.is_open and family.names_reach is not Reach.TREE:
            return NOTHING
        found = [
            item
            for item in self._lookup.in_tree(dotted, path, self.around(path, owner))
            if item.symbol.kind in CONTAINER_KINDS or item.symbol.kind is SymbolKind.TYPE
        ]
        return Found(tuple(found)) if len(found) == 1 else NOTHING

    def around(self, path: str, owner: int | None) -> str:
        """Return the qualified name of the innermost definition around, "" at the top."""
        return self._facts.symbols(path)[owner].qualified_name if owner is not None else ""

    def in_scopes(self, name: str, path: str, owner: int | None) -> tuple[Definition, ...]:
        """Return the file's definitions of the name that are visible at the owner, innermost."""
        candidates = self._facts.in_file(path, name)
        if not candidates:
            return ()
        around = list(self.enclosing(path, owner))
        qualified = {item.symbol.qualified_name for item in around} | {""}
        bare_members = self._facts.family(path).bare_members
        visible: dict[int, list[Definition]] = {}
        for candidate in candidates:
            symbol = candidate.symbol
            container = symbol.qualified_name[: -len(name)].rstrip(".")
            if symbol.kind is SymbolKind.METHOD and container.rpartition(".")[2] == name:
                continue  # a constructor is called as its class
            is_self = owner is not None and candidate.ordinal == owner
            if is_self and symbol.kind not in CALLABLE_KINDS and symbol.kind not in CONTAINER_KINDS:
                continue  # `x = x()`: the other x
            if container not in qualified and not self._in_namespace(container, around):
                continue
            inside_type = symbol.kind in (SymbolKind.METHOD, SymbolKind.FIELD) or (
                container and self._is_type(path, container)
            )
            if inside_type and not bare_members:
                innermost = around[0].symbol.qualified_name if around else ""
                if innermost != container or symbol.kind is SymbolKind.FIELD:
                    continue
            visible.setdefault(len(container), []).append(candidate)
        return distinct(visible[max(visible)]) if visible else ()

    def _in_namespace(self, container: str, around: list[Definition]) -> bool:
        """Return whether the container qualifies what is around without being a definition."""
        return any(item.symbol.qualified_name.startswith(container + ".") for item in around)

    def _is_type(self, path: str, qualified: str) -> bool:
        name = qualified.rpartition(".")[2]
        return any(
            item.symbol.qualified_name == qualified
            and item.symbol.kind not in CALLABLE_KINDS
            and item.symbol.kind is not SymbolKind.MODULE
            for item in self._facts.in_file(path, name)
        )
