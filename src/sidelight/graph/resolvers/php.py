"""PHP's imports: namespaces, placed by composer's PSR-4, and files that are included. Pure."""

from __future__ import annotations

from sidelight.graph.bounds import ALL, Bound
from sidelight.graph.configs import ComposerPackage
from sidelight.graph.tree import Tree, join, nearest, parent
from sidelight.model import Import, ImportKind


class PhpResolver:
    """Resolves `use A\\B\\C` to the file that PSR-4 says; else to what declares the namespace."""

    def __init__(self, tree: Tree, packages: tuple[ComposerPackage, ...]) -> None:
        self._tree = tree
        prefixes = [pair for package in packages for pair in package.prefixes]
        self._prefixes = sorted(prefixes, key=lambda pair: (-len(pair[0]), pair))

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return what a `use` or an include binds."""
        if item.kind is ImportKind.PACKAGE:
            return ()
        if item.kind is ImportKind.INCLUDE:
            file = self._included(path, item.module)
            return (Bound(ALL, (file,) if file else (), ALL),)
        module = item.module.strip("\\")
        if not item.names:
            package, _, name = module.rpartition("\\")
            return (self._bound(item.alias or name, package, name),)
        return tuple(self._bound(n.alias or n.name, module, n.name) for n in item.names)

    def file_of(self, qualified: str) -> str | None:
        """Return the file in which PSR-4 places the class `A\\B\\C`."""
        for prefix, folder in self._prefixes:
            if not prefix or qualified == prefix or qualified.startswith(prefix + "\\"):
                rest = qualified[len(prefix) :].strip("\\").replace("\\", "/")
                file = f"{folder}/{rest}.php".lstrip("/")
                if rest and file in self._tree:
                    return file
        return None

    def _bound(self, local: str, package: str, name: str) -> Bound:
        file = self.file_of(f"{package}\\{name}".strip("\\"))
        if file is not None:
            return Bound(local, (file,), name)
        return Bound(local, package=package.replace("\\", "."), name=name)

    def _included(self, path: str, module: str) -> str | None:
        target = join(parent(path), module.lstrip("/"))
        if target is not None and target in self._tree:
            return target
        tail = module.lstrip("./")
        return nearest(self._tree.ending(tail), path) if tail else None
