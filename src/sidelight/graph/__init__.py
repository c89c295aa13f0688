"""Who imports, calls, extends and tests what: edges between definitions, each with its confidence.

Pure resolvers turn imports into files (`resolvers/`); `scoping`, `inference` and `binding` turn
uses of names into definitions; `graph` answers questions. Nothing is stored: rows are merged when
asked.
"""

from __future__ import annotations

from sidelight.graph.graph import CodeGraph, open_graph
from sidelight.graph.model import Confidence, Edge, EdgeKind, ImportEdge, SymbolRef

__all__ = [
    "CodeGraph",
    "Confidence",
    "Edge",
    "EdgeKind",
    "ImportEdge",
    "SymbolRef",
    "open_graph",
]
