"""Which imported modules a stretch of code uses. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sidelight.model import Import, ImportKind

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_SEPARATOR = re.compile(r"[./\\:]+")
_UNBOUND = frozenset({ImportKind.PACKAGE, ImportKind.SYSTEM_INCLUDE, ImportKind.INCLUDE})


class ImportedModules:
    """The names that a file's imports bind, each with its modules."""

    def __init__(self, imports: Iterable[Import]) -> None:
        self._modules: dict[str, list[str]] = {}
        for statement in imports:
            if statement.kind in _UNBOUND:
                continue
            for name in bound_names(statement):
                self._modules.setdefault(name, []).append(statement.module)

    def used_in(self, text: str) -> tuple[str, ...]:
        """Return the modules whose names occur in the text, sorted."""
        if not self._modules:
            return ()
        used = self._modules.keys() & set(_IDENTIFIER.findall(text))
        return tuple(sorted({module for name in used for module in self._modules[name]}))


def bound_names(statement: Import) -> set[str]:
    """Return the names by which a file can use an import.

    `import a.b` binds `a` in Python and `b` in Java or Go; both count, as no language is asked.
    """
    names = {n.alias or n.name for n in statement.names if (n.alias or n.name) != "*"}
    if statement.alias:
        names.add(statement.alias)
    if not names and not statement.names:
        pieces = [p for p in _SEPARATOR.split(statement.module) if p]
        names.update(p for p in (pieces[:1] + pieces[-1:]) if _IDENTIFIER.fullmatch(p))
    return names
