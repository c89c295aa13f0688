"""Files that stand for others: stubs that only re-export, and copies of the same module."""

from __future__ import annotations

from collections import Counter

from sidelight.graph.bounds import ALL
from sidelight.graph.facts import Facts
from sidelight.graph.resolving import Imports
from sidelight.model import SymbolKind

LEAST_SHARED = 0.7  # of the names of both files together
LEAST_NAMES = 3  # with fewer, two files share them by chance
MOST_DEFINERS = 40  # a name that more files define tells nothing of copies
_ASIDE = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)  # `__all__`, `exports`


def stub_targets(facts: Facts, imports: Imports, path: str) -> tuple[str, ...]:
    """Return the files that a file re-exports if it does nothing else; () if it does."""
    symbols = facts.symbols(path)
    if any(symbol.kind not in _ASIDE for symbol in symbols) or facts.references(path):
        return ()
    found: dict[str, None] = {}
    for _, bounds in imports.bounds(path):
        for bound in bounds:
            if bound.local in ("", ALL) or bound.name is not None:
                found.update(dict.fromkeys(bound.submodules or bound.paths))
    return tuple(found)


def near_copies(facts: Facts, path: str) -> tuple[tuple[str, float], ...]:
    """Return files that define the same names, with the share they have in common, best first.

    The share is |A ∩ B| / |A ∪ B| (Jaccard) over qualified names. The same blob elsewhere has 1.
    """
    own = {symbol.qualified_name for symbol in facts.symbols(path)}
    blob = facts.entries[path].blob if path in facts.entries else ""
    found = {p: 1.0 for p, e in facts.entries.items() if blob and e.blob == blob and p != path}
    if len(own) >= LEAST_NAMES:
        shared: Counter[str] = Counter()
        for qualified in own:
            paths = {definition.path for definition in facts.qualified(qualified)}
            if len(paths) <= MOST_DEFINERS:
                shared.update(paths)
        languages = facts.family(path).languages
        for other, count in shared.items():
            if other in found or other == path or count < LEAST_SHARED * len(own):
                continue
            names = {symbol.qualified_name for symbol in facts.symbols(other)}
            share = len(own & names) / len(own | names)
            if share >= LEAST_SHARED and facts.language(other) in languages:
                found[other] = share
    return tuple(sorted(found.items(), key=lambda item: (-item[1], item[0])))
