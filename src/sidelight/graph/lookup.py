"""Find the definitions that a name means within given files, through re-exports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from sidelight.graph.bounds import Bound
from sidelight.graph.facts import Facts
from sidelight.graph.families import Family, Reach
from sidelight.graph.resolving import Imports
from sidelight.graph.rows import Definition
from sidelight.graph.tree import parent, shared_folders
from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS, SymbolKind

MAX_NESTED = 4  # types around an imported name
_DEFAULT = re.compile(
    rb"(?:^|[\n;{}])\s*(?:export\s+default\s+(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?\s*|class\s+)?"
    rb"|(?:exports\s*=\s*)?module\.exports\s*=\s*(?:exports\s*=\s*)?(?:function\s*\*?\s*|new\s+)?)"
    rb"([A-Za-z_$][\w$]*)"
)
_EXPORTED_AS = re.compile(rb"export\s*\{[^}]*?\b([\w$]+)\s+as\s+default\b")

_NAMED_OBJECT = re.compile(
    rb"\b(?:var|let|const)\s+([\w$]+)\s*=\s*(?:exports\s*=\s*)?module\.exports\s*="
)
_RETURNED = re.compile(rb"\n\s*return\s+([A-Za-z_]\w*)\s*;?\s*\Z")
_WHOLE = {"javascript": (_NAMED_OBJECT, _DEFAULT, _EXPORTED_AS), "lua": (_RETURNED,)}
_MEMBERS = (SymbolKind.METHOD, SymbolKind.FIELD)


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

_Key = tuple[tuple[str, ...], str]


class Lookup:
    """Answers for one view; remembers what it found."""

    def __init__(self, facts: Facts, imports: Imports) -> None:
        self.facts = facts
        self.imports = imports
        self._defaults: dict[str, str] = {}
        self._known: dict[_Key, Found] = {}
        self._included: dict[str, frozenset[str]] = {}

    def in_modules(self, paths: Sequence[str], name: str) -> Found:
        """Return what a (dotted) name means in the module that the files make up."""
        key = (tuple(paths), name)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._in_modules(key[0], name, set())
        return known

    def bound(self, bound: Bound, rest: str = "") -> Found:
        """Return what an imported name (and, dotted, what hangs on it) means."""
        return self._bound(bound, rest, set())

    def included(self, path: str) -> frozenset[str]:
        """Return the files whose names a file has by wildcards, also theirs (C, Ruby, shells)."""
        known = self._included.get(path)
        if known is None:
            found: dict[str, None] = {}
            pending = [path]
            while pending:
                for bound in self.imports.scope(pending.pop()).wildcards:
                    fresh = [file for file in bound.paths if file not in found]
                    found.update(dict.fromkeys(fresh))
                    pending += fresh
            known = self._included[path] = frozenset(found)
        return known

    def _in_modules(self, paths: tuple[str, ...], name: str, seen: set[_Key]) -> Found:
        own = self.at_top(paths, name)
        if own or (paths, name) in seen:
            return Found(own)
        seen.add((paths, name))
        for path in paths:
            called = self._default_export(path)
            if name == "default" and called:
                return self._in_modules((path,), called, seen)
            member = self.at_top([path], f"{called}.{name}") if called else ()
            if member:
                return Found(member)  # the module is an object, and this its method
        return self._reexported(paths, name, seen)

    def _reexported(self, paths: tuple[str, ...], name: str, seen: set[_Key]) -> Found:
        head, _, rest = name.partition(".")
        for path in paths:
            scope = self.imports.scope(path)
            named = (self._bound(bound, rest, seen) for bound in scope.names.get(head, ()))
            is_open = self.facts.family(path).is_open
            wild = (
                self._in_modules(bound.paths, name, seen)
                for bound in scope.wildcards
                if bound.paths and not is_open
            )
            found = next(filter(None, chain(named, wild)), None)
            if found is not None:
                return found
        return NOTHING

    def _bound(self, bound: Bound, rest: str, seen: set[_Key]) -> Found:
        if bound.is_library:
            return LIBRARY
        name = ".".join(part for part in (bound.name or "", rest) if part)
        if bound.package is not None:
            return Found(self.in_package(bound.package, name)) if name else NOTHING
        if not name:
            return Found(modules=bound.paths)
        found = self._in_modules(bound.paths, name, seen) if bound.paths else NOTHING
        if found or not bound.submodules:
            return found
        if rest:
            return self._in_modules(bound.submodules, rest, seen)
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
        """Return the definitions of a qualified name in the files that declare the package.

        What looks like a package may be a type that holds the name (`import a.b.Outer.Inner`).
        """
        for around, qualified in nestings(package, dotted):
            found = [
                definition
                for definition in self.facts.qualified(qualified)
                if around in self.facts.packages(definition.path)
            ]
            if found:
                return distinct(found)
        return ()

    def in_tree(self, dotted: str, path: str, around: str) -> tuple[Definition, ...]:
        """Return what a name that needs no import may mean, innermost namespace first.

        `around` is the qualified name of where it stands: `Status` inside `leveldb.DB` means
        `leveldb.DB.Status`, else `leveldb.Status`, else `Status`, else any other. A type or module
        that is written in several places is one thing; of functions all are returned.
        """
        name = dotted.rpartition(".")[2]
        languages = self.facts.family(path).languages
        holders: dict[str, list[Definition]] = {}
        for item in self.facts.named(name):
            qualified = item.symbol.qualified_name
            fits = qualified == dotted or qualified.endswith(f".{dotted}")
            is_member = item.symbol.kind in _MEMBERS and "." not in dotted
            if fits and not is_member and self.facts.language(item.path) in languages:
                holders.setdefault(qualified[: -len(dotted)].rstrip("."), []).append(item)
        while True:
            if around in holders:
                return self.implemented(_merged(holders[around]))
            if not around:
                break
            around = around.rpartition(".")[0]
        return self.implemented(_merged([item for items in holders.values() for item in items]))

    def implemented(self, definitions: tuple[Definition, ...]) -> tuple[Definition, ...]:
        """Return the definitions with C's prototypes replaced by what they announce."""
        found: dict[Definition, None] = {}
        for definition in definitions:
            found.update(dict.fromkeys(self._bodies(definition)))
        return tuple(found)

    def _bodies(self, definition: Definition) -> tuple[Definition, ...]:
        symbol = definition.symbol
        family = self.facts.family(definition.path)
        is_prototype = symbol.body_byte >= symbol.span.end_byte and symbol.kind in CALLABLE_KINDS
        if family.name != "c" or not is_prototype or symbol.kind is SymbolKind.MACRO:
            return (definition,)
        bodies = [
            item
            for item in self.facts.qualified(symbol.qualified_name)
            if item.symbol.body_byte < item.symbol.span.end_byte
            and self.facts.language(item.path) in family.languages
        ]
        stem = stem_of(definition.path)
        same = [item for item in bodies if stem_of(item.path) == stem]
        return distinct(same or bodies) or (definition,)

    def beside(
        self, path: str, dotted: str, reach: Reach, family: Family
    ) -> tuple[Definition, ...]:
        """Return the definitions of a qualified name that `path` reaches without an import."""
        if reach is Reach.FILE:
            return self.at_top([path], dotted)
        found = [
            definition
            for definition in self.facts.qualified(dotted)
            if self.facts.language(definition.path) in family.languages
        ]
        if reach is Reach.FOLDER:
            folder = parent(path)
            found = [d for d in found if parent(d.path) == folder and self._sees(path, d.path)]
        elif reach is Reach.PACKAGE:
            own = set(self.facts.packages(path))
            if family.name == "csharp":  # a namespace sees those around it
                own |= {package.rpartition(".")[0] for package in own} - {""}
            found = [
                d
                for d in found
                if d.path == path
                or own.intersection(self.facts.packages(d.path))
                or self._is_global(d)
                or (not own and not self.facts.packages(d.path) and parent(d.path) == parent(path))
            ]
        return distinct(found)

    def _is_global(self, definition: Definition) -> bool:
        """Return whether it is a PHP function outside of any namespace: seen from all of them."""
        return (
            definition.symbol.kind is SymbolKind.FUNCTION
            and self.facts.language(definition.path) == "php"
            and not self.facts.packages(definition.path)
        )

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
        """Return the name of what a JavaScript or Lua module is as a whole, "" if it has none."""
        known = self._defaults.get(path)
        if known is None:
            known = ""
            patterns = _WHOLE.get(self.facts.family(path).name, ())
            source = self.facts.source(path) if patterns else b""
            found = next(filter(None, (pattern.search(source) for pattern in patterns)), None)
            if found is not None and found[1] not in (b"require", b"async", b"new", b"function"):
                known = found[1].decode("utf-8", "replace")
            self._defaults[path] = known
        return known


def nestings(package: str, dotted: str) -> Iterator[tuple[str, str]]:
    """Yield what a name in a package may be: itself, then one in a type that looks like a package.

    `a.B`, `C` → (`a.B`, `C`), (`a`, `B.C`).
    """
    for _ in range(MAX_NESTED):
        yield package, dotted
        package, _, last = package.rpartition(".")
        if not last[:1].isupper():
            return
        dotted = f"{last}.{dotted}"


def stem_of(path: str) -> str:
    """Return the last part of a path without its endings."""
    return path.rpartition("/")[2].partition(".")[0]


def closest(definitions: Iterable[Definition], path: str) -> tuple[Definition, ...]:
    """Return the definitions of the file, else those that share the most folders with it."""
    found = tuple(definitions)
    own = tuple(item for item in found if item.path == path)
    if own or len(found) < 2:
        return own or found
    shared = [shared_folders(item.path, path) for item in found]
    return tuple(d for d, count in zip(found, shared, strict=True) if count == max(shared))


def _merged(definitions: list[Definition]) -> tuple[Definition, ...]:
    """Return one definition for each qualified name of a type or module, and all functions."""
    best: dict[tuple[str, str], Definition] = {}
    for item in distinct(definitions):
        symbol = item.symbol
        is_type = symbol.kind in CONTAINER_KINDS
        key = ("" if is_type else item.path, symbol.qualified_name)
        if key not in best or _weight(item) > _weight(best[key]):
            best[key] = item
    return tuple(best.values())


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
