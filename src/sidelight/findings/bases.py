"""Whether a type extends something that is not in the tree. Asks the graph and the header."""

from __future__ import annotations

import re

from sidelight.graph.graph import CodeGraph
from sidelight.graph.model import SymbolRef


def has_unseen_base(graph: CodeGraph, path: bytes, holder: str) -> bool:
    """Return whether a type, or one above it, extends something that is not in the tree."""
    pending = [
        SymbolRef(path, symbol.qualified_name, symbol.kind, symbol.span)
        for symbol in graph.symbols(path)
        if symbol.qualified_name == holder
    ]
    seen: set[SymbolRef] = set()
    while pending:
        ref = pending.pop()
        if ref in seen:
            continue
        seen.add(ref)
        bases = graph.bases(ref)
        if _n_named_bases(graph, ref) > len(bases):
            return True
        pending += bases
    return False


def _n_named_bases(graph: CodeGraph, ref: SymbolRef) -> int:
    """Return how many bases a type's header names, roughly: none if it names none."""
    source = graph.source(ref.path)[ref.span.start_byte : ref.span.end_byte]
    head = re.split(rb"[{\n]", source.lstrip(), maxsplit=1)[0]
    if graph.language(ref.path) == "python":
        held = re.search(rb"class\s+\w+\s*\(([^)]*)", source)
        parts = held[1].split(b",") if held else []
        return len([p for p in parts if p.strip() and b"=" not in p and p.strip() != b"object"])
    if re.search(
        rb"\b(?:extends|implements|include|prepend)\b|<\s*[A-Z]|:\s*(?:public\s+)?[A-Z]", head
    ):
        return max(1, head.count(b",") + 1)
    return len(re.findall(rb"^\s*(?:include|extend|prepend|use)\s", source, re.M))
