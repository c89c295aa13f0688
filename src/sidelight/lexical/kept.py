"""Scored postings of the terms that were asked lately: questions share their common words.

Belongs to one opened corpus, whose statistics went into the scores. Not for several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from sidelight.lexical.bm25 import ScoredPostings

MOST_POSTINGS = 2_000_000  # 8 MB of scores, and as much of rows where they are not mapped


class KeptScores:
    """The answers for a few keys, the longest unused ones dropped."""

    def __init__(self, most_postings: int = MOST_POSTINGS) -> None:
        self._most = most_postings
        self._held = 0
        self._known: dict[Hashable, ScoredPostings] = {}  # in the order of their last use

    def get(self, key: Hashable, score: Callable[[], ScoredPostings]) -> ScoredPostings:
        """Return what `score` once returned for the key; call it if that is not known."""
        found = self._known.pop(key, None)
        if found is None:
            found = score()
            self._held += len(found.rows)
        self._known[key] = found
        while self._held > self._most and len(self._known) > 1:
            oldest = next(iter(self._known))
            self._held -= len(self._known.pop(oldest).rows)
        return found
