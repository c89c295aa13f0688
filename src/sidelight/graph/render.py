"""Edges as text trees, tables for JSON, Mermaid and DOT. Pure: edges in, text out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sidelight.graph.model import (
    CONFIDENCE_ORDER,
    Confidence,
    Edge,
    GraphStats,
    Impact,
    ImportEdge,
    SymbolRef,
)
from sidelight.model import display_path

MAX_DRAWN = 400  # edges in one drawing: more is no picture
SURE = (Confidence.EXACT, Confidence.SAME_CLASS)


def symbol_table(symbol: SymbolRef) -> dict[str, Any]:
    """Return a symbol as JSON shows it; a file as a whole has the symbol "" and kind "file"."""
    return {
        "path": display_path(symbol.path),
        "symbol": symbol.qualified_name,
        "kind": symbol.kind.value if symbol.kind is not None else "file",
        "start_line": symbol.span.start_line,
        "end_line": symbol.span.end_line,
    }


def edge_table(edge: Edge) -> dict[str, Any]:
    """Return an edge as JSON shows it."""
    return {
        "source": symbol_table(edge.source),
        "target": symbol_table(edge.target),
        "kind": edge.kind.value,
        "confidence": edge.confidence.value,
        "line": edge.line,
        "candidates": edge.candidates,
        "evidence": edge.evidence,
    }


def import_table(edge: ImportEdge) -> dict[str, Any]:
    """Return an import as JSON shows it."""
    return {
        "source": display_path(edge.source),
        "target": display_path(edge.target),
        "names": list(edge.names),
        "line": edge.line,
    }


def impact_table(impact: Impact) -> dict[str, Any]:
    """Return a reached symbol as JSON shows it."""
    return {
        **symbol_table(impact.symbol),
        "distance": impact.distance,
        "via": edge_table(impact.via),
    }


def stats_table(stats: GraphStats) -> dict[str, Any]:
    """Return a graph's numbers as JSON shows them."""
    return {
        "files": stats.files,
        "definitions": stats.definitions,
        "imports": stats.imports,
        "library_imports": stats.unresolved_imports,
        "edges": [
            {"kind": kind.value, "confidence": confidence.value, "count": count}
            for kind, confidence, count in stats.edges
        ],
        "most_called": [{**symbol_table(s), "calls": n} for s, n in stats.most_called],
        "widest_callers": [{**symbol_table(s), "callees": n} for s, n in stats.widest_callers],
        "most_imported": [
            {"path": display_path(path), "importers": n} for path, n in stats.most_imported
        ],
    }


def place_text(symbol: SymbolRef) -> str:
    """Return `path:line` of a symbol, the path alone of a file."""
    path = display_path(symbol.path)
    return f"{path}:{symbol.span.start_line}" if symbol.qualified_name else path


def choice_text(symbol: SymbolRef) -> str:
    """Return a symbol as the command line takes it back: `path::Name`."""
    return f"{display_path(symbol.path)}::{symbol.qualified_name}"


def render_tree(root: SymbolRef, edges: Sequence[Edge], *, inwards: bool) -> list[str]:
    """Return a text tree: each symbol once with its place, its lines of use and its confidence.

    What was shown above is not opened again.
    """
    children: dict[SymbolRef, dict[SymbolRef, list[Edge]]] = {}
    for edge in edges:
        near, far = (edge.target, edge.source) if inwards else (edge.source, edge.target)
        children.setdefault(near, {}).setdefault(far, []).append(edge)
    lines = [f"{root.qualified_name or '(file)'}  {place_text(root)}"]
    opened = {root}

    def grow(symbol: SymbolRef, indent: str) -> None:
        below = list(children.get(symbol, {}).items())
        for at, (other, found) in enumerate(below):
            is_last = at == len(below) - 1
            again = other in opened and other in children
            opened.add(other)
            lines.append(f"{indent}{'└' if is_last else '├'} {_line(other, found, inwards)}")
            if again:
                lines[-1] += "  …"
            else:
                grow(other, indent + ("  " if is_last else "│ "))

    grow(root, "")
    return lines


def _line(symbol: SymbolRef, edges: Sequence[Edge], inwards: bool) -> str:
    numbers = ", ".join(str(n) for n in dict.fromkeys(edge.line for edge in edges))
    best = min(edges, key=lambda edge: CONFIDENCE_ORDER[edge.confidence])
    sure = best.confidence.value
    if best.candidates > 1:
        sure = f"{sure}, 1 of {best.candidates}"
    path = display_path(symbol.path)
    where = f"{path}:{numbers}" if inwards else f"{place_text(symbol)}  used in {numbers}"
    return f"{symbol.qualified_name or '(file)'}  {where}  [{sure}]"


def render_path(edges: Sequence[Edge]) -> list[str]:
    """Return a path of edges, one step a line."""
    if not edges:
        return []
    lines = [f"{edges[0].source.qualified_name or '(file)'}  {place_text(edges[0].source)}"]
    for edge in edges:
        target = edge.target.qualified_name or "(file)"
        lines.append(
            f"  {edge.kind.value} in line {edge.line} → {target}  {place_text(edge.target)}"
            f"  [{edge.confidence.value}]"
        )
    return lines


def render_mermaid(edges: Iterable[Edge]) -> list[str]:
    """Return a Mermaid flowchart; edges that are not sure are dotted."""
    names = _Numbers()
    body: list[str] = []
    for edge in _drawn(edges):
        arrow = "-->" if edge.confidence in SURE else "-.->"
        body.append(f"  {names.of(edge.source)} {arrow} {names.of(edge.target)}")
    nodes = [f'  {number}["{_mermaid(symbol)}"]' for symbol, number in names.all()]
    return ["flowchart LR", *nodes, *dict.fromkeys(body)]


def render_dot(edges: Iterable[Edge]) -> list[str]:
    """Return a Graphviz graph; edges that are not sure are dashed."""
    names = _Numbers()
    body: list[str] = []
    for edge in _drawn(edges):
        style = "" if edge.confidence in SURE else " [style=dashed]"
        body.append(f"  {names.of(edge.source)} -> {names.of(edge.target)}{style};")
    nodes = [f"  {number} [label={_quoted(_label(symbol))}];" for symbol, number in names.all()]
    head = ["digraph sidelight {", "  rankdir=LR;", "  node [shape=box];"]
    return [*head, *nodes, *dict.fromkeys(body), "}"]


def _drawn(edges: Iterable[Edge]) -> list[Edge]:
    return list(edges)[:MAX_DRAWN]


class _Numbers:
    """Names nodes n0, n1, … in the order they are met."""

    def __init__(self) -> None:
        self._known: dict[SymbolRef, str] = {}

    def of(self, symbol: SymbolRef) -> str:
        return self._known.setdefault(symbol, f"n{len(self._known)}")

    def all(self) -> Iterable[tuple[SymbolRef, str]]:
        return self._known.items()


def _label(symbol: SymbolRef) -> str:
    name = symbol.qualified_name
    return f"{name}\n{place_text(symbol)}" if name else display_path(symbol.path)


def _mermaid(symbol: SymbolRef) -> str:
    """Return a label without what Mermaid reads as markup."""
    text = "".join(f"#{ord(c)};" if c in '"#<>&`' else c for c in _label(symbol))
    return text.replace("\n", "<br/>")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


Renderer = Callable[[Iterable[Edge]], list[str]]
DRAWINGS: dict[str, Renderer] = {"mermaid": render_mermaid, "dot": render_dot}
