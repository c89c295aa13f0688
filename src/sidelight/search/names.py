"""How well the query's words and a name's words cover each other. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from sidelight.tokens import text_terms

# Files that are called the same in every folder: there the folder is the name.
FOLDER_NAMES = frozenset({"mod", "index", "__init__", "main", "lib", "init"})


class NameCover:
    """Weighs names against one query, whose terms come with frequency and rarity.

    A term that the query lacks weighs as much as the query's terms do on average. Sums are exact
    (`fsum`): the order of a set's terms, which differs from run to run, changes nothing.
    """

    def __init__(self, terms: Mapping[str, float], counts: Mapping[str, float]) -> None:
        self._idf = {term: weight / counts[term] for term, weight in terms.items()}
        self._words = frozenset(self._idf)
        self._total = sum(self._idf.values())
        self._mean = self._total / len(self._idf) if self._idf else 1.0

    def of_query(self, name: str) -> float:
        """Return the share of the query's weight that the name holds (its recall), in [0, 1]."""
        both = self._words & name_terms(name)
        return min(1.0, self._weight(both) / self._total) if both else 0.0

    def of_name(self, name: str) -> float:
        """Return the share of the name's weight that the query holds (its precision), in [0, 1]."""
        terms = name_terms(name)
        both = self._words & terms
        if not both:
            return 0.0
        held = self._weight(both)
        return held / (held + self._mean * (len(terms) - len(both)))

    def _weight(self, terms: frozenset[str]) -> float:
        return math.fsum(map(self._idf.__getitem__, terms))


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
