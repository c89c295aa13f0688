"""What a search is asked and what it answers. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from sidelight.errors import UsageError
from sidelight.model import Hit

MAX_QUERY_CHARS = 20_000  # an issue with its logs; what comes after is cut, and said so


class SearchMode(StrEnum):
    """Which retrievers answer."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    DENSE = "dense"
    SYMBOL = "symbol"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query with its limits. `paths` are git's `:(glob)` patterns; empty means everywhere.

    With `plain`, hits are chunks by relevance alone, whatever is configured: for who chooses and
    cuts them by other rules, as packing does. Only hybrid searches are ever anything else.
    """

    query: str
    k: int = 10
    mode: SearchMode = SearchMode.HYBRID
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    min_score: float | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """The state of the view that answered. `behind`: how many commits HEAD is ahead of it."""

    tree: str
    commit: str
    state: str
    files: int
    chunks: int
    behind: int = 0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits, best first, and what to know about them."""

    query: str
    index: IndexInfo
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = field(default=())


def clean_query(query: str) -> tuple[str, tuple[str, ...]]:
    """Return the query without control characters, cut to size, and notes on what was done.

    Raises:
        UsageError: nothing is left to search for.
    """
    text = "".join(c if c.isprintable() or c in "\n\t" else " " for c in query).strip()
    if not text:
        raise UsageError("the query is empty", hint="say what to look for, or name a symbol")
    if len(text) > MAX_QUERY_CHARS:
        note = f"the query was cut from {len(text):,} to {MAX_QUERY_CHARS:,} characters"
        return text[:MAX_QUERY_CHARS], (note,)
    return text, ()
