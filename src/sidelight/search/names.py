"""How well the query's words and a name's words cover each other. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from sidelight.tokens import text_terms

# Files that are called the same in every folder: there the folder is the name.
FOLDER_NAMES = frozenset({"mod", "index", "__init__", "main", "lib", "init"})


class NameCover:
    """Weighs names against one query, whose terms come with frequency and rarity; remembers them.

    A term that the query lacks weighs as much as the query's terms do on average.
    """

    def __init__(self, terms: Mapping[str, float], counts: Mapping[str, int]) -> None:
        self._idf = {term: weight / counts[term] for term, weight in terms.items()}
        self._total = sum(self._idf.values())
        self._mean = self._total / len(self._idf) if self._idf else 1.0
        self._known: dict[str, tuple[float, float]] = {}

    def of_query(self, name: str) -> float:
        """Return the share of the query's weight that the name holds (its recall), in [0, 1]."""
        return self._cover(name)[0]

    def of_name(self, name: str) -> float:
        """Return the share of the name's weight that the query holds (its precision), in [0, 1]."""
        return self._cover(name)[1]

    def _cover(self, name: str) -> tuple[float, float]:
        if name not in self._known:
            terms = name_terms(name)
            held = sum(self._idf.get(term, 0.0) for term in terms)
            own = sum(self._idf.get(term, self._mean) for term in terms)
            recall = min(1.0, held / self._total) if self._total else 0.0
            self._known[name] = recall, held / own if own else 0.0
        return self._known[name]


@lru_cache(maxsize=1 << 16)
def name_terms(name: str) -> frozenset[str]:
    """Return the terms of a name or path; remembered, since queries meet the same ones again."""
    return frozenset(text_terms(name))


@lru_cache(maxsize=1 << 16)
def stem_of(path: str) -> str:
    """Return a file's own name without its endings; its folder's for `index.ts`, `mod.rs`, …"""
    *folders, name = path.split("/")
    stem = name.split(".")[0] or name
    return folders[-1] if stem.casefold() in FOLDER_NAMES and folders else stem
