"""Hand each file's imports to its language's resolver, with the configuration files it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from sidelight.graph.bounds import ALL, Bound, Resolver
from sidelight.graph.configs import Configs, config_paths, read_configs
from sidelight.graph.facts import Facts
from sidelight.graph.resolvers.ecmascript import EcmaScriptResolver
from sidelight.graph.resolvers.golang import GoResolver
from sidelight.graph.resolvers.includes import (
    IncludeResolver,
    LuaResolver,
    RubyResolver,
    ShellResolver,
)
from sidelight.graph.resolvers.packages import PackageResolver
from sidelight.graph.resolvers.php import PhpResolver
from sidelight.graph.resolvers.python import PythonResolver
from sidelight.graph.resolvers.rust import RustResolver
from sidelight.graph.tree import Tree, parent, within
from sidelight.model import Import, ImportKind, SymbolKind


@dataclass(frozen=True, slots=True)
class Scope:
    """What a file's imports bind: `names` by local name, `wildcards` all that their files hold."""

    names: dict[str, tuple[Bound, ...]]
    wildcards: tuple[Bound, ...]


_SIMPLE: dict[str, Callable[[Tree], Resolver]] = {
    "python": PythonResolver,
    "jvm": PackageResolver,
    "csharp": PackageResolver,
    "c": IncludeResolver,
    "ruby": RubyResolver,
    "lua": LuaResolver,
    "shell": ShellResolver,
}


class Imports:
    """The scopes and import edges of one view's files, resolved when asked for and then kept."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._resolvers: dict[str, Resolver | None] = {}
        self._read: dict[str, Configs] = {}
        self._scopes: dict[str, Scope] = {}
        self._bounds: dict[str, tuple[tuple[Import, tuple[Bound, ...]], ...]] = {}

    def bounds(self, path: str) -> tuple[tuple[Import, tuple[Bound, ...]], ...]:
        """Return each import of the file with what it binds."""
        found = self._bounds.get(path)
        if found is None:
            resolver = self._resolver(self._facts.family(path).name)
            found = (
                ()
                if resolver is None
                else tuple(
                    (item, self._named(item, resolver.resolve(path, self._from_inside(path, item))))
                    for item in self._facts.imports(path)
                    if item.kind is not ImportKind.PACKAGE
                )
            )
            self._bounds[path] = found
        return found

    def scope(self, path: str) -> Scope:
        """Return the names that the file's imports bind."""
        found = self._scopes.get(path)
        if found is None:
            found = self._scopes[path] = self._build(path)
        return found

    def folder_packages(self, paths: Iterable[str]) -> list[tuple[str, ...]]:
        """Return the files of each package whose files see each other without imports (Go)."""
        packages: dict[str, list[str]] = {}
        for path in paths:
            if path.endswith(".go") and not path.endswith("_test.go"):
                packages.setdefault(parent(path), []).append(path)
        return [tuple(files) for files in packages.values() if len(files) > 1]

    def package_words(self, path: str) -> list[str]:
        """Return the last words of the names that the packages around a file are imported by."""
        folder = parent(path)
        match self._facts.family(path).name:
            case "javascript":
                names = [p.name for p in self._configs("node").node if within(path, p.folder)]
            case "go":
                names = [m.path for m in self._configs("go").go if m.folder == folder]
                names += [part for name in names for part in name.split("/")[-2:-1]]
            case "rust":
                names = [p.name for p in self._configs("cargo").cargo if within(path, p.folder)]
            case _:
                names = []
        return [name.rpartition("/")[2] for name in names]

    def _build(self, path: str) -> Scope:
        names: dict[str, list[Bound]] = {}
        wildcards: list[Bound] = []
        for _, bounds in self.bounds(path):
            for bound in bounds:
                if bound.local == ALL:
                    wildcards.append(bound)
                    continue
                if bound.local:
                    names.setdefault(bound.local, []).append(bound)
        return Scope({k: tuple(dict.fromkeys(v)) for k, v in names.items()}, tuple(wildcards))

    def _from_inside(self, path: str, item: Import) -> Import:
        """Return an import of an inline module as the file itself would write it (Rust)."""
        if not item.module.startswith("super") or not path.endswith(".rs"):
            return item
        depth = sum(
            symbol.kind is SymbolKind.MODULE and symbol.span.contains(item.span)
            for symbol in self._facts.symbols(path)
        )
        words = item.module.split("::")
        for at in range(min(depth, len(words))):
            if words[at] == "super":
                words[at] = "self"
        return replace(item, module="::".join(words))

    def _named(self, item: Import, bounds: tuple[Bound, ...]) -> tuple[Bound, ...]:
        """Give a Go package of the tree the name that its files say, not its path."""
        is_guess = item.alias is None and bounds and bounds[0].paths and bounds[0].name is None
        if not is_guess or not bounds[0].paths[0].endswith(".go"):
            return bounds
        declared = self._facts.packages(bounds[0].paths[0])
        return (replace(bounds[0], local=declared[0]),) if declared else bounds[:1]

    def _resolver(self, family: str) -> Resolver | None:
        if family not in self._resolvers:
            self._resolvers[family] = self._make(family)
        return self._resolvers[family]

    def _make(self, family: str) -> Resolver | None:
        tree = self._facts.tree
        match family:
            case "javascript":
                return EcmaScriptResolver(tree, self._configs("node"))
            case "go":
                return GoResolver(tree, self._configs("go").go)
            case "rust":
                return self.rust
            case "php":
                return PhpResolver(tree, self._configs("php").composer)
        simple = _SIMPLE.get(family)
        return simple(tree) if simple is not None else None

    @cached_property
    def rust(self) -> RustResolver:
        """Resolver of Rust's paths, which expressions use without importing."""
        return RustResolver(self._facts.tree, self._configs("cargo").cargo)

    def _configs(self, kind: str) -> Configs:
        known = self._read.get(kind)
        if known is None:
            paths = config_paths(self._facts.tree.files, frozenset({kind}))
            self._facts.fetch_sources(paths)
            known = read_configs({path: self._facts.source(path) for path in paths})
            self._read[kind] = known
        return known
