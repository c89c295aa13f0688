"""Answer a query over one view: retrievers → fusion → features → collapsing → hits.

What is named here is imported when it is asked for: others need only a small part of the package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sidelight.search.request import IndexInfo, SearchMode, SearchRequest, SearchResult
    from sidelight.search.searcher import Searcher

__all__ = ["IndexInfo", "SearchMode", "SearchRequest", "SearchResult", "Searcher"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "searcher" if name == "Searcher" else "request"
    return getattr(import_module(f"{__name__}.{home}"), name)
