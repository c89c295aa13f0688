"""Answer a query over one view: retrievers → fusion → features → collapsing → hits."""

from sidelight.search.request import IndexInfo, SearchMode, SearchRequest, SearchResult
from sidelight.search.searcher import Searcher

__all__ = ["IndexInfo", "SearchMode", "SearchRequest", "SearchResult", "Searcher"]
