"""Python's imports: relative, absolute, src layouts, namespace packages, stubs. Pure."""

from __future__ import annotations

import sys
from functools import lru_cache

from sidelight.graph.bounds import ALL, Bound
from sidelight.graph.tree import Tree, ancestors, parent, shared_folders
from sidelight.model import Import

_SUFFIXES = (".py", ".pyi", ".pyx")
_INITS = ("__init__.py", "__init__.pyi")
_USUAL_ROOTS = ("src", "lib", "python")
_CACHE = 1 << 14


class PythonResolver:
    """Resolves against the roots that the tree's shape shows: no installation is looked at.

    A root is a folder that is no package itself. Those around the importing file are tried first,
    innermost first, with the usual names of roots beside them; then any root, if one alone fits.
    The standard library is never in the tree.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._absolute = lru_cache(_CACHE)(self._find_absolute)

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return what the import binds; `import a.b` binds `a`, `a.b`."""
        module = item.module
        stripped = module.lstrip(".")
        level = len(module) - len(stripped)
        words = stripped.split(".") if stripped else []
        if not item.names:
            return self._plain(path, words, item.alias)
        if level:
            found = self._relative(path, level, words)
        else:
            found = self._absolute(parent(path), tuple(words))
        return tuple(self._named(found, name.name, name.alias) for name in item.names)

    def _plain(self, path: str, words: list[str], alias: str | None) -> tuple[Bound, ...]:
        if alias is not None:
            return (Bound(alias, _files(self._absolute(parent(path), tuple(words)))),)
        return tuple(
            Bound(
                ".".join(words[:count]),
                _files(self._absolute(parent(path), tuple(words[:count]))),
            )
            for count in range(1, len(words) + 1)
        )

    def _named(self, module: _Module | None, name: str, alias: str | None) -> Bound:
        local = alias or name
        if module is None:
            return Bound(local, (), name)
        if name == ALL:
            return Bound(ALL, _files(module), ALL)
        submodule = self._at(module.folder, (name,)) if module.folder is not None else None
        return Bound(local, _files(module), name, submodules=_files(submodule))

    def _relative(self, path: str, level: int, words: list[str]) -> _Module | None:
        folder = parent(path)
        for _ in range(level - 1):
            if not folder:
                return None
            folder = parent(folder)
        return self._at(folder, tuple(words))

    def _find_absolute(self, folder: str, words: tuple[str, ...]) -> _Module | None:
        if words[0] in sys.stdlib_module_names:
            return None
        for around in (folder, *ancestors(folder)) if folder else ("",):
            if around and self._is_package(around):
                continue
            for root in (around, *(f"{around}/{name}".strip("/") for name in _USUAL_ROOTS)):
                found = self._at(root, words)
                if found is not None:
                    return found
        return self._elsewhere(folder, words)

    def _elsewhere(self, folder: str, words: tuple[str, ...]) -> _Module | None:
        """Look in roots that are not around the file; the nearest must be nearest alone."""
        first = words[0]
        roots = {parent(found) for found in self._tree.folders_ending(first)}
        roots |= {parent(found) for name in _SUFFIXES for found in self._tree.ending(first + name)}
        fitting: list[tuple[int, str, _Module]] = []
        for root in sorted(roots):
            if root and self._is_package(root):
                continue
            found = self._at(root, words)
            if found is None or (found.file is None and len(words) == 1):
                continue
            shared = shared_folders(f"{root}/x", f"{folder}/x")
            is_package = self._is_package(f"{root}/{first}".strip("/"))
            if is_package or shared:  # a lone script elsewhere is no library of this file
                fitting.append((-shared, root, found))
        fitting.sort(key=lambda item: item[:2])
        if len(fitting) > 1 and fitting[0][0] == fitting[1][0]:
            return None
        return fitting[0][2] if fitting else None

    def _is_package(self, folder: str) -> bool:
        return any(f"{folder}/{name}" in self._tree for name in _INITS)

    def _at(self, root: str, words: tuple[str, ...]) -> _Module | None:
        """Return the module at a dotted path below a root: a package before a file of its name."""
        folder = "/".join(part for part in (root, *words) if part)
        inits = [f"{folder}/{name}".lstrip("/") for name in _INITS]
        own = self._tree.first(inits)
        if own is None and words:
            own = self._tree.first(folder + suffix for suffix in _SUFFIXES)
            if own is not None:
                return _Module(own, None)
        if own is None and folder not in self._tree.folders:
            return None
        return _Module(own, folder)


class _Module:
    """A module's file (None: a namespace package) and, of a package, its folder."""

    __slots__ = ("file", "folder")

    def __init__(self, file: str | None, folder: str | None) -> None:
        self.file = file
        self.folder = folder


def _files(module: _Module | None) -> tuple[str, ...]:
    return () if module is None or module.file is None else (module.file,)
