"""Go's imports: a package is a folder, found through the go.mod files of the tree. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from sidelight.graph.bounds import ALL, Bound
from sidelight.graph.configs import GoModule
from sidelight.graph.tree import Tree, join
from sidelight.model import Import, ImportKind

_VERSION = re.compile(r"v\d+$|\.v\d+$")


class GoResolver:
    """Resolves an import path to the non-test files of its folder."""

    def __init__(self, tree: Tree, modules: tuple[GoModule, ...]) -> None:
        self._tree = tree
        self._modules = sorted(modules, key=lambda module: (-len(module.path), module.folder))
        self._package = lru_cache(None)(self._find_package)

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return what the import binds; a package without an alias is bound under likely names.

        In the tree its name is what its files say: the caller knows them, so `name` is None and
        `local` is the last part of the path.
        """
        del path
        if item.kind is ImportKind.PACKAGE:
            return ()
        files = self._package(item.module)
        if any(name.name == ALL for name in item.names):
            return (Bound(ALL, files, ALL),)
        if item.alias is not None:
            return (Bound("" if item.alias == "_" else item.alias, files),)
        return tuple(Bound(name, files) for name in package_names(item.module))

    def _find_package(self, import_path: str) -> tuple[str, ...]:
        for module in self._modules:
            if import_path == module.path or import_path.startswith(module.path + "/"):
                folder = join(module.folder, import_path[len(module.path) :])
                return self.files_in(folder or "")
        if self._modules or "/" not in import_path:
            return ()
        tail = "/".join(import_path.split("/")[-2:])  # before modules: below some GOPATH
        folders = self._tree.folders_ending(tail)
        return self.files_in(folders[0]) if len(folders) == 1 else ()

    def files_in(self, folder: str) -> tuple[str, ...]:
        """Return the Go files of a folder that its importers see."""
        files = self._tree.folders.get(folder, ())
        return tuple(f for f in files if f.endswith(".go") and not f.endswith("_test.go"))


def package_names(import_path: str) -> tuple[str, ...]:
    """Return the names that a package at this path may have, likeliest first.

    `github.com/a/go-yaml/v3` → go-yaml is no identifier: yaml; `gopkg.in/yaml.v2` → yaml.
    """
    parts = [part for part in import_path.split("/") if part]
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    last = _VERSION.sub("", parts[-1]) if parts else ""
    names = [last, last.replace("-", "_"), last.removeprefix("go-"), last.removesuffix("-go")]
    names += [last.replace("-", ""), last.rpartition("-")[2], last.removesuffix(".go")]
    return tuple(dict.fromkeys(name for name in names if name.isidentifier()))
