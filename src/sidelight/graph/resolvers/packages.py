"""Imports by package or namespace: Java, Kotlin, Scala, C#. Pure: no file is looked for.

Which file of a package defines a name is known from what the files declare, not from paths.
"""

from __future__ import annotations

from sidelight.graph.bounds import ALL, Bound
from sidelight.graph.tree import Tree
from sidelight.model import Import, ImportKind


class PackageResolver:
    """Binds `import a.b.C` to the definition C of package a.b, `import a.b.*` to all of it."""

    def __init__(self, tree: Tree) -> None:
        del tree  # packages are known by what files declare

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return what the import binds. C#'s `using A.B` brings all; `using X = A.B.C` an alias."""
        del path
        if item.kind is ImportKind.PACKAGE:
            return ()
        module = item.module.removeprefix("global::").replace("::", ".")
        module = module.removeprefix("_root_.")
        if item.alias is not None and not item.names:
            package, _, name = module.rpartition(".")
            return (Bound(item.alias, package=package, name=name),)
        if not item.names:
            return (Bound(ALL, package=module, name=ALL),)
        return tuple(
            Bound(ALL, package=module, name=ALL)
            if name.name in (ALL, "_", "given")
            else Bound(name.alias or name.name, package=module, name=name.name)
            for name in item.names
            if name.alias != "_"
        )
