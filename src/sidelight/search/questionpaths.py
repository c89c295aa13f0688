"""Which paths a text names: whole, by their last two parts, as a module, by name alone. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

WHOLE = 1.0  # the path, or its last two parts; of a file at the root its name is the whole path
MODULE = 0.9  # `package.module`, without the ending
NAME = 0.5  # `utils.py` may be one of many

# From the start of a run of such characters only, so that a long one is looked at once.
_PATH = re.compile(
    r"(?<![\w.@+-])(?:[\w.@+-]++(?:[/\\][\w.@+-]++)+|[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9})"
)
_SEPARATOR = re.compile(r"[/\\]")
_LINE = re.compile(r"\S*?\w(?::(\d{1,9})(?::\d+)?|#L(\d{1,9})(?:-L?\d+)?)")


@dataclass(frozen=True, slots=True)
class NamedPaths:
    """The paths that a text names, case folded: `pairs` are last two parts, `names` last ones."""

    pairs: frozenset[str] = field(default=frozenset())
    names: frozenset[str] = field(default=frozenset())
    modules: frozenset[str] = field(default=frozenset())

    def __bool__(self) -> bool:
        return bool(self.pairs or self.names or self.modules)

    def certainty(self, path: str) -> float:
        """Return how surely the text names the path, in [0, 1]."""
        whole, name, module = _forms(path)
        if whole in self.pairs or (whole == name and name in self.names):
            return WHOLE
        if module and module in self.modules:
            return MODULE
        return NAME if name in self.names else 0.0


def named_paths(text: str) -> NamedPaths:
    """Return the paths in a text, URLs and stack frames included."""
    pairs: set[str] = set()
    names: set[str] = set()
    modules: set[str] = set()
    for found in _PATH.findall(text):
        parts = [part for part in _SEPARATOR.split(found.strip(".").casefold()) if part]
        if not parts:
            continue
        if len(parts) > 1:
            pairs.add("/".join(parts[-2:]))
        if "." in parts[-1]:
            names.add(parts[-1])
            dotted = parts[-1].split(".")
            if len(parts) == 1:
                # `package.module.name` may mean a name in the module, or the module itself
                modules.update(f"{a}/{b}" for a, b in pairwise(dotted))
    return NamedPaths(frozenset(pairs), frozenset(names), frozenset(modules))


def named_line(query: str) -> int | None:
    """Return the line that a query asks for which is but a path and a line: `tree.go:81`."""
    found = _LINE.fullmatch(query.strip())
    return int(found[1] or found[2]) if found else None


@lru_cache(maxsize=1 << 16)
def _forms(path: str) -> tuple[str, str, str]:
    """Return the path's last two parts, its name, and its last two parts without the ending."""
    parts = path.casefold().split("/")
    whole = "/".join(parts[-2:])
    stem = parts[-1].rsplit(".", 1)[0]
    return whole, parts[-1], f"{parts[-2]}/{stem}" if len(parts) > 1 and stem else ""
