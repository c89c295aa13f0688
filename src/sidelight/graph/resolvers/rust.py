"""Rust's imports: modules as files, `crate`, `self`, `super`, crates of the workspace. Pure."""

from __future__ import annotations

from functools import lru_cache

from sidelight.graph.bounds import ALL, Bound
from sidelight.graph.configs import CargoPackage
from sidelight.graph.tree import Tree, join, parent, within
from sidelight.model import Import, ImportKind

_OWN_FOLDER = frozenset({"lib.rs", "main.rs", "mod.rs"})  # their child modules lie beside them
_STANDARD = frozenset({"std", "core", "alloc", "proc_macro", "test"})
_LOOSE_ROOTS = frozenset({"tests", "examples", "benches", "bin"})  # each file is a crate of its own


class RustResolver:
    """Resolves paths module by module; what is no module is a name within the last one."""

    def __init__(self, tree: Tree, packages: tuple[CargoPackage, ...]) -> None:
        self._tree = tree
        self._packages = sorted(packages, key=lambda p: (-len(p.folder), p.folder))
        self._crates = {package.name: package.root for package in reversed(self._packages)}
        self._walk = lru_cache(1 << 14)(self._find_module)

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return what a `use`, `mod name;` or `extern crate` binds."""
        if item.kind is ImportKind.MODULE:
            child = self.child(path, item.module)
            return (Bound(item.module, (child,) if child else ()),)
        file, rest = self._walk(path, item.module)
        if not item.names:
            local = item.alias or item.module.rpartition("::")[2]
            return (self._bound(local, file, rest, ""),)
        return tuple(self._named(file, rest, n.name, n.alias, item.module) for n in item.names)

    def module(self, path: str, dotted: str) -> tuple[str | None, str]:
        """Return the file of the longest start of `a::b::c` that is a module, and what is left."""
        return self._walk(path, dotted)

    def child(self, path: str, name: str) -> str | None:
        """Return the file of the module `name` that a file declares."""
        folder, _, file = path.rpartition("/")
        stem = file.removesuffix(".rs")
        own = file in _OWN_FOLDER or self._is_root(path)
        base = folder if own else join(folder, stem) or ""
        return self._tree.first(
            f"{base}/{end}".lstrip("/") for end in (f"{name}.rs", f"{name}/mod.rs")
        )

    def _named(
        self, file: str | None, rest: str, name: str, alias: str | None, module: str
    ) -> Bound:
        if name == ALL:
            files = (file,) if file is not None and not rest else ()
            return Bound(ALL if files else "", files, ALL if files else None)
        if name == "self":
            return self._bound(alias or module.rpartition("::")[2], file, rest, "")
        return self._bound(alias or name, file, rest, name)

    def _bound(self, local: str, file: str | None, rest: str, name: str) -> Bound:
        if file is None:
            return Bound(local, (), name or None)
        dotted = ".".join(part for part in (rest, name) if part)
        child = self.child(file, name) if name and not rest else None
        return Bound(local, (file,), dotted or None, submodules=(child,) if child else ())

    def _find_module(self, path: str, module: str) -> tuple[str | None, str]:
        words = [word for word in module.split("::") if word]
        file = self._start(path, words)
        while file is not None and words:
            following = self.child(file, words[0])
            if following is None:
                break
            file = following
            words.pop(0)
        return file, ".".join(words)

    def _start(self, path: str, words: list[str]) -> str | None:
        """Return the file that a path begins in, and take what names it off the words."""
        if not words:
            return path
        first = words[0]
        if first == "crate":
            words.pop(0)
            return self._root(path)
        if first in ("self", "super"):
            file: str | None = path
            while words and words[0] in ("self", "super"):
                if words.pop(0) == "super":
                    file = self._above(file) if file is not None else None
            return file
        if first not in _STANDARD and self.child(path, first) is not None:
            return path
        root = self.crate(path, first)
        if root is not None:
            words.pop(0)
        return root

    def crate(self, path: str, name: str) -> str | None:
        """Return the root file of the workspace's crate that a file knows by the name."""
        renames = (pair for package in self._around(path) for pair in package.renames)
        called = next((new for old, new in renames if old == name), name)
        root = self._crates.get(called)
        return root if root is not None and root in self._tree else None

    def _above(self, path: str) -> str | None:
        """Return the file of the module around the one that a file is."""
        folder, _, file = path.rpartition("/")
        if self._is_root(path):
            return None
        if file == "mod.rs":
            folder = parent(folder)
        beside = [f"{folder}/{name}".lstrip("/") for name in ("mod.rs", "lib.rs", "main.rs")]
        return self._tree.first((f"{folder}.rs", *beside))

    def _root(self, path: str) -> str | None:
        """Return the root file of the crate that a file belongs to."""
        current: str | None = path
        for _ in range(64):
            if current is None:
                break
            if self._is_root(current):
                return current
            current = self._above(current)
        around = self._around(path)
        return around[0].root if around and around[0].root in self._tree else None

    def _is_root(self, path: str) -> bool:
        folder, _, file = path.rpartition("/")
        if file in ("lib.rs", "main.rs"):
            return folder.rpartition("/")[2] == "src" or any(p.root == path for p in self._packages)
        if any(package.root == path for package in self._packages):
            return True
        holder = folder.rpartition("/")[2]
        return file != "mod.rs" and holder in _LOOSE_ROOTS and self._is_loose(folder)

    def _is_loose(self, folder: str) -> bool:
        """Return whether a folder called `tests`, `bin` … is cargo's, not a module's."""
        above = parent(folder)
        if folder.endswith("/bin"):
            return above.rpartition("/")[2] == "src"
        return any(package.folder == above for package in self._packages)

    def _around(self, path: str) -> list[CargoPackage]:
        return [package for package in self._packages if within(path, package.folder)]
