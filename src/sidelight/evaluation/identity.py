"""Digests that tell whether stored results still belong to the present code and settings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import sidelight

# They ask and count; what they change in a ranking, they change through an adapter's own digest.
_NOT_RANKING = frozenset({"evaluation", "cli"})
# These only read an index: a store stays valid whatever they become.
_NOT_INDEXING = _NOT_RANKING | {
    *("search", "fusion", "symbols", "exact", "lexical"),
    *("focal", "related", "graph", "packing", "rerank", "diversify"),
}
_NOT_SEARCHING = _NOT_RANKING | {"related"}  # a layer above search


def source_digest(settings: str, files: Iterable[Path]) -> str:
    """Return 16 hex digits that change with the settings' text or any file's content."""
    digest = hashlib.blake2b(settings.encode(), digest_size=8)
    for path in files:
        content = path.read_bytes()
        digest.update(b"\0%d\0" % len(content))
        digest.update(content)
    return digest.hexdigest()


def ranking_sources() -> list[Path]:
    """Return the package's code and queries that can change a ranking, sorted.

    A result must not outlive the code that it was made by, and nobody remembers to raise a number.
    """
    return _sources(_NOT_RANKING)


def searching_sources() -> list[Path]:
    """Return those that can change the ranking of a question, sorted."""
    return _sources(_NOT_SEARCHING)


def indexing_sources() -> list[Path]:
    """Return the package's code and queries that can change what an index holds, sorted."""
    return _sources(_NOT_INDEXING)


def _sources(without: frozenset[str]) -> list[Path]:
    root = Path(sidelight.__file__).parent
    return sorted(
        path
        for suffix in ("*.py", "*.scm")
        for path in root.rglob(suffix)
        if path.relative_to(root).parts[0].removesuffix(".py") not in without
    )
