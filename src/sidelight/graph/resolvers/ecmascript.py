"""Imports of JavaScript and TypeScript: relative, tsconfig, package exports, workspaces. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from sidelight.graph.bounds import ALL, Bound
from sidelight.graph.configs import Configs, NodePackage, TsConfig
from sidelight.graph.tree import Tree, ancestors, join, nearest, parent
from sidelight.model import Import, ImportKind

_EXTENSIONS = (
    *(".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"),
    *(".d.ts", ".json", ".vue", ".svelte"),
)
_WRITTEN_FOR = {  # what an import calls by its compiled name
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
_CONDITIONS = ("source", "types", "import", "module", "require", "node", "browser", "default")
_BUILT = re.compile(
    r"^(?:dist|lib|build|out|es|esm|cjs|umd|types|typings)(?=/|$)(?:/(?:esm|cjs|es|src))?"
)
_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_ALIASES = ("@/", "~/")  # bundlers' usual name for the package's `src`
MAX_DEPTH = 8  # of nested conditions in `exports`


class EcmaScriptResolver:
    """Resolves module specifiers as bundlers do; what nothing in the tree answers is a library."""

    def __init__(self, tree: Tree, configs: Configs) -> None:
        self._tree = tree
        self._packages = {package.folder: package for package in configs.node}
        self._named: dict[str, list[NodePackage]] = {}
        for package in configs.node:
            if package.name:
                self._named.setdefault(package.name, []).append(package)
        self._typescript: dict[str, list[TsConfig]] = {}
        for config in configs.typescript:
            self._typescript.setdefault(config.folder, []).append(config)
        self._module = lru_cache(1 << 15)(self._find_module)

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return what the import binds; `default` is the name of a default export."""
        file = self._module(parent(path), item.module)
        files = () if file is None else (file,)
        bounds = [] if item.alias is None else [Bound(item.alias, files)]
        for name in item.names:
            if name.name == ALL and name.alias is not None:
                bounds.append(Bound(name.alias, files))
            elif name.name == ALL:
                bounds.append(Bound(ALL, files, ALL))
            else:
                bounds.append(Bound(name.alias or name.name, files, name.name))
        if not bounds:
            kind = ALL if item.kind is ImportKind.REEXPORT else ""
            bounds.append(Bound(kind, files, kind or None))
        return tuple(bounds)

    def _find_module(self, folder: str, specifier: str) -> str | None:
        specifier = specifier.partition("?")[0]  # bundlers' `./a.svg?raw`
        if specifier.startswith("."):
            return self._below(join(folder, specifier))
        if specifier.startswith("/"):
            return self._below(specifier.strip("/"))
        if specifier.startswith("#"):
            return self._package_import(folder, specifier)
        found = self._by_tsconfig(folder, specifier) or self._by_package(folder, specifier)
        if found is None and specifier.startswith(_ALIASES):
            found = self._by_alias(folder, specifier[2:])
        return found

    def _below(self, target: str | None) -> str | None:
        if target is None:
            return None
        if target in self._tree:
            return target
        written = next((end for end in _WRITTEN_FOR if target.endswith(end)), None)
        candidates = [target + end for end in _EXTENSIONS]
        if written is not None:
            stem = target[: -len(written)]
            candidates = [stem + end for end in _WRITTEN_FOR[written]] + candidates
        found = self._tree.first(candidates)
        return found if found is not None else self._folder(target)

    def _folder(self, folder: str) -> str | None:
        if folder not in self._tree.folders:
            return None
        package = self._packages.get(folder)
        for entry in package.entries if package else ():
            found = self._entry(folder, entry)
            if found is not None:
                return found
        index = f"{folder}/index".lstrip("/")
        return self._tree.first(index + end for end in _EXTENSIONS)

    def _entry(self, folder: str, entry: str) -> str | None:
        """Return the source of a file that a package.json names, which may be a built one."""
        target = join(folder, entry)
        if not target or target == folder:
            return None
        found = target if target in self._tree else None
        if found is None:
            candidates = [target + end for end in _EXTENSIONS]
            stem = _SUFFIX.sub("", target)
            candidates += [stem + end for end in _EXTENSIONS]
            candidates += [f"{target}/index{end}" for end in _EXTENSIONS]
            found = self._tree.first(candidates)
        if found is None:
            found = self._source_of(folder, entry)
        return found

    def _source_of(self, folder: str, entry: str) -> str | None:
        relative = _SUFFIX.sub("", entry.removeprefix("./"))
        below = _BUILT.sub("", relative).strip("/")
        for start in ("src", ""):
            stem = join(folder, f"{start}/{below}")
            if stem and stem != folder and below:
                found = self._tree.first(
                    [stem + end for end in _EXTENSIONS]
                    + [f"{stem}/index{end}" for end in _EXTENSIONS]
                )
                if found is not None:
                    return found
        return None

    def _by_tsconfig(self, folder: str, specifier: str) -> str | None:
        for around in (folder, *ancestors(folder)):
            for config in self._typescript.get(around, ()):
                for target in _mapped(config.paths, specifier):
                    found = self._below(target)
                    if found is not None:
                        return found
                if config.base is not None:
                    found = self._below(join(config.base, specifier))
                    if found is not None:
                        return found
        return None

    def _by_package(self, folder: str, specifier: str) -> str | None:
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        name, rest = "/".join(parts[:count]), "/".join(parts[count:])
        packages = {package.folder: package for package in self._named.get(name, ())}
        if not packages:
            return None
        at = next(iter(packages)) if len(packages) == 1 else nearest(packages, f"{folder}/x")
        return None if at is None else self._in_package(packages[at], rest)

    def _in_package(self, package: NodePackage, rest: str) -> str | None:
        for target in _exported(package.exports, f"./{rest}" if rest else "."):
            found = self._entry(package.folder, target)
            if found is not None:
                return found
        if rest:
            below = self._below(join(package.folder, rest))
            return below or self._source_of(package.folder, rest)
        found = self._folder(package.folder)
        return found or self._source_of(package.folder, "src/index")

    def _package_import(self, folder: str, specifier: str) -> str | None:
        for around in (folder, *ancestors(folder)):
            package = self._packages.get(around)
            if package is not None:
                for target in _exported(package.imports, specifier):
                    found = self._entry(around, target)
                    if found is not None:
                        return found
                return None
        return None

    def _by_alias(self, folder: str, rest: str) -> str | None:
        for around in (folder, *ancestors(folder)):
            if around in self._packages:
                return self._below(join(around, f"src/{rest}")) or self._below(join(around, rest))
        return None


def _mapped(paths: tuple[tuple[str, tuple[str, ...]], ...], specifier: str) -> Iterator[str]:
    """Yield the targets of the pattern that fits best: an exact one, else the longest prefix."""
    best: tuple[int, str, tuple[str, ...]] | None = None
    for pattern, targets in paths:
        start, star, end = pattern.partition("*")
        if not star:
            if pattern == specifier:
                yield from targets
                return
        elif (
            specifier.startswith(start)
            and specifier.endswith(end)
            and len(specifier) >= len(start) + len(end)
            and (best is None or len(start) > best[0])
        ):
            best = (len(start), specifier[len(start) : len(specifier) - len(end)], targets)
    if best is not None:
        yield from (target.replace("*", best[1]) for target in best[2])


def _exported(exports: Any, subpath: str) -> Iterator[str]:
    """Yield the targets of a subpath in `exports` (or `imports`), in order of preference."""
    if isinstance(exports, dict) and any(str(key).startswith((".", "#")) for key in exports):
        patterns = [(str(key), (value,)) for key, value in exports.items()]
        for pattern, (value,) in patterns:
            start, star, end = pattern.partition("*")
            if pattern == subpath:
                yield from _conditional(value, "", MAX_DEPTH)
            elif star and subpath.startswith(start) and subpath.endswith(end):
                inner = subpath[len(start) : len(subpath) - len(end)]
                yield from _conditional(value, inner, MAX_DEPTH)
    elif subpath == ".":
        yield from _conditional(exports, "", MAX_DEPTH)


def _conditional(value: Any, inner: str, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value.replace("*", inner)
    elif isinstance(value, list) and depth:
        for item in value:
            yield from _conditional(item, inner, depth - 1)
    elif isinstance(value, dict) and depth:
        known = [key for key in _CONDITIONS if key in value]
        for key in (*known, *(key for key in value if key not in known)):
            yield from _conditional(value[key], inner, depth - 1)
