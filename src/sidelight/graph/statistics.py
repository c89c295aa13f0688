"""Numbers of a whole graph. Reads every file of the view."""

from __future__ import annotations

from collections import Counter, defaultdict

from sidelight.graph.facts import Facts
from sidelight.graph.importing import FileEdges
from sidelight.graph.model import (
    CONFIDENCE_ORDER,
    Confidence,
    EdgeKind,
    GraphStats,
    SymbolRef,
)
from sidelight.graph.uses import CALL_KINDS, Uses

MOST = 10


def count_graph(facts: Facts, uses: Uses, files: FileEdges) -> GraphStats:
    """Return the numbers of the view's graph; ties by path and name. Ambiguous calls are counted
    among the edges, by uses and not by candidates, and nowhere else."""
    facts.load_all()
    paths = [path for path in facts.entries if facts.is_indexed(path)]
    facts.fetch_sources(paths)
    edges: Counter[tuple[EdgeKind, Confidence]] = Counter()
    called: Counter[SymbolRef] = Counter()
    targets: dict[SymbolRef, set[SymbolRef]] = defaultdict(set)
    imported: Counter[bytes] = Counter()
    n_imports = n_unresolved = 0
    for path in paths:
        out = {edge.target for edge in files.out_of(path)}
        n_imports += len(out)
        n_unresolved += len(files.unresolved(path))
        imported.update(out)
        seen: set[tuple[SymbolRef, int, EdgeKind]] = set()
        for edge in uses.edges_of_file(path):
            if edge.confidence is Confidence.AMBIGUOUS:
                key = (edge.source, edge.line, edge.kind)
                edges[edge.kind, edge.confidence] += key not in seen
                seen.add(key)
                continue
            edges[edge.kind, edge.confidence] += 1
            if edge.kind in CALL_KINDS:
                called[edge.target] += 1
                if edge.source.qualified_name:
                    targets[edge.source].add(edge.target)
    wide = Counter({source: len(found) for source, found in targets.items()})
    return GraphStats(
        files=len(paths),
        definitions=sum(len(facts.symbols(path)) for path in paths),
        imports=n_imports,
        unresolved_imports=n_unresolved,
        edges=tuple(
            (kind, confidence, count)
            for (kind, confidence), count in sorted(
                edges.items(), key=lambda item: (item[0][0], CONFIDENCE_ORDER[item[0][1]])
            )
        ),
        most_called=_top(called),
        widest_callers=_top(wide),
        most_imported=tuple(sorted(imported.items(), key=lambda i: (-i[1], i[0]))[:MOST]),
    )


def _top(counts: Counter[SymbolRef]) -> tuple[tuple[SymbolRef, int], ...]:
    ordered = sorted(counts.items(), key=lambda i: (-i[1], i[0].path, i[0].qualified_name))
    return tuple(ordered[:MOST])
