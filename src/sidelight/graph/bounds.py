"""What an import binds: the form in which every language's resolver answers. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sidelight.model import Import

ALL = "*"


@dataclass(frozen=True, slots=True)
class Bound:
    """One name that an import brings into a file, and the files of the tree that hold it.

    `local` is what the file calls it: "" if it has no name there, `ALL` for whatever `paths` hold.
    Dotted if it is used so (`import a.b` → `a.b`).
    `paths` are files of the tree; none of them: a library's. `name` is the definition in them,
    dotted when nested; None means the module itself. `submodules` are the files of a module of that
    name, for when `paths` define nothing so called (Python's `from package import module`).
    `package` is for languages that import by package: the definition stands in whichever file of
    the package defines it.
    """

    local: str
    paths: tuple[str, ...] = ()
    name: str | None = None
    submodules: tuple[str, ...] = ()
    package: str | None = None

    @property
    def is_library(self) -> bool:
        """Whether nothing in the tree can be meant."""
        return not self.paths and not self.submodules and self.package is None


class Resolver(Protocol):
    """Resolves the imports of one family of languages."""

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return what the import of the file at `path` binds."""
        ...
