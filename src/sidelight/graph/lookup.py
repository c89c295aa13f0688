"""Find the definitions that a name means within given files, through re-exports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from sidelight.graph.bounds import Bound
from sidelight.graph.facts import Facts
from sidelight.graph.families import Family, Reach
from sidelight.graph.resolving import Imports
from sidelight.graph.rows import Definition
from sidelight.graph.tree import parent
from sidelight.model import SymbolKind

MAX_HOPS = 8  # of re-exports; a cycle ends there
_DEFAULT = re.compile(
    rb"(?:^|[\n;{}])\s*(?:export\s+default\s+(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?\s*|class\s+)?"
    rb"|(?:exports\s*=\s*)?module\.exports\s*=\s*(?:exports\s*=\s*)?(?:function\s*\*?\s*|new\s+)?)"
    rb"([A-Za-z_$][\w$]*)"
)
_EXPORTED_AS = re.compile(rb"export\s*\{[^}]*?\b([\w$]+)\s+as\s+default\b")


@dataclass(frozen=True, slots=True)
class Found:
    """What a name means: definitions, or modules (a module's files), or a library's."""

    definitions: tuple[Definition, ...] = ()
    modules: tuple[str, ...] = ()
    is_library: bool = False

    def __bool__(self) -> bool:
        return bool(self.definitions or self.modules or self.is_library)


NOTHING = Found()
LIBRARY = Found(is_library=True)


class Lookup:
    """Answers for one view; keeps nothing but what its parts keep."""

    def __init__(self, facts: Facts, imports: Imports) -> None:
        self.facts = facts
        self.imports = imports
        self._defaults: dict[str, str] = {}

    def in_modules(self, paths: Sequence[str], name: str, hops: int = MAX_HOPS) -> Found:
        """Return what a (dotted) name means in the module that the files make up."""
        own = self.at_top(paths, name)
        if own or not hops:
            return Found(own)
        if name == "default":
            for path in paths:
                called = self._default_export(path)
                if called:
                    return self.in_modules([path], called, hops - 1)
        return self._reexported(paths, name, hops)

    def _reexported(self, paths: Sequence[str], name: str, hops: int) -> Found:
        head, _, rest = name.partition(".")
        for path in paths:
            scope = self.imports.scope(path)
            named = (self.bound(bound, rest, hops - 1) for bound in scope.names.get(head, ()))
            wild = (
                self.in_modules(bound.paths, name, hops - 1)
                for bound in scope.wildcards
                if bound.paths
            )
            found = next(filter(None, chain(named, wild)), None)
            if found is not None:
                return found
        return NOTHING

    def bound(self, bound: Bound, rest: str = "", hops: int = MAX_HOPS) -> Found:
        """Return what an imported name (and, dotted, what hangs on it) means."""
        if bound.is_library:
            return LIBRARY
        name = ".".join(part for part in (bound.name or "", rest) if part)
        if bound.package is not None:
            return Found(self.in_package(bound.package, name)) if name else NOTHING
        if not name:
            return Found(modules=bound.paths)
        found = self.in_modules(bound.paths, name, hops) if bound.paths else NOTHING
        if found or not bound.submodules:
            return found
        if rest:
            return self.in_modules(bound.submodules, rest, hops)
        return Found(modules=bound.submodules)

    def at_top(self, paths: Iterable[str], dotted: str) -> tuple[Definition, ...]:
        """Return the definitions in the files whose qualified name is this, one for each name."""
        name = dotted.rpartition(".")[2]
        found = [
            definition
            for path in paths
            for definition in self.facts.in_file(path, name)
            if definition.symbol.qualified_name == dotted
        ]
        return distinct(found)

    def in_package(self, package: str, dotted: str) -> tuple[Definition, ...]:
        """Return the definitions of a qualified name in the files that declare the package."""
        name = dotted.rpartition(".")[2]
        found = [
            definition
            for definition in self.facts.named(name)
            if definition.symbol.qualified_name == dotted
            and package in self.facts.packages(definition.path)
        ]
        return distinct(found)

    def beside(
        self, path: str, dotted: str, reach: Reach, family: Family
    ) -> tuple[Definition, ...]:
        """Return the definitions of a qualified name that `path` reaches without an import."""
        if reach is Reach.FILE:
            return self.at_top([path], dotted)
        name = dotted.rpartition(".")[2]
        found = [
            definition
            for definition in self.facts.named(name)
            if definition.symbol.qualified_name == dotted
            and self.facts.language(definition.path) in family.languages
        ]
        if reach is Reach.FOLDER:
            folder = parent(path)
            found = [d for d in found if parent(d.path) == folder and self._sees(path, d.path)]
        elif reach is Reach.PACKAGE:
            own = set(self.facts.packages(path))
            found = [
                d
                for d in found
                if d.path == path
                or own.intersection(self.facts.packages(d.path))
                or (not own and not self.facts.packages(d.path) and parent(d.path) == parent(path))
            ]
        return distinct(found)

    def is_default(self, definition: Definition) -> bool:
        """Return whether a definition is what its JavaScript module exports as a whole."""
        if self.facts.family(definition.path).name != "javascript":
            return False
        name = definition.symbol.name
        return name == "default" or self._default_export(definition.path) == name

    def _sees(self, path: str, other: str) -> bool:
        """Return whether two Go files of a folder share a package: tests see, and are not seen."""
        if other == path:
            return True
        if other.endswith("_test.go") and not path.endswith("_test.go"):
            return False
        return self.facts.packages(path) == self.facts.packages(other)

    def _default_export(self, path: str) -> str:
        """Return the name of what a JavaScript module exports as a whole, "" if it has none."""
        known = self._defaults.get(path)
        if known is None:
            known = ""
            if self.facts.family(path).name == "javascript":
                source = self.facts.source(path)
                found = _DEFAULT.search(source) or _EXPORTED_AS.search(source)
                if found and found[1] not in (b"require", b"async", b"new", b"function"):
                    known = found[1].decode("utf-8", "replace")
            self._defaults[path] = known
        return known


def distinct(definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    """Return one definition for each path and qualified name: the longest, which is the body's.

    Overloads, conditional definitions and property accessors are one thing to those that use them.
    """
    best: dict[tuple[str, str], Definition] = {}
    for definition in definitions:
        key = (definition.path, definition.symbol.qualified_name)
        known = best.get(key)
        if known is None or _weight(definition) > _weight(known):
            best[key] = definition
    return tuple(best.values())


def _weight(definition: Definition) -> tuple[bool, int]:
    symbol = definition.symbol
    has_body = symbol.body_byte < symbol.span.end_byte
    is_variable = symbol.kind in (SymbolKind.VARIABLE, SymbolKind.FIELD)
    return (has_body and not is_variable, symbol.span.end_byte - symbol.span.start_byte)
