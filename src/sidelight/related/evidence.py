"""What the code graph says of a diff: files near the changed ones, and uses of what changed.

The only module of the package that asks the graph. Bounded: what is asked grows with the diff and
with how often its names are mentioned, not with the repository.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from sidelight.focal import FocalSet, FocalSymbol, SymbolChange
from sidelight.graph import CodeGraph, Confidence, Edge, SymbolRef
from sidelight.graph.model import byte_path, text_path
from sidelight.graph.walk import import_walk

WHOLE_WALK = 1_200  # files; of a larger tree only what focal files and users import is walked
MOST_WALKED = 20  # files whose imports are read there
LEAST_SHARE = 1e-5  # of the walk's time: less says nothing
MOST_SYMBOLS = 60  # changed definitions whose uses are looked for, those nobody else mentions first
MOST_COUNTED = 300  # changed definitions of a huge diff whose mentions are counted
MOST_MENTIONS = 60  # documents that may hold a name; one that more hold says less
MOST_DOCUMENTS = 400  # of all names together

SURENESS = {
    Confidence.EXACT: 1.0,
    Confidence.SAME_CLASS: 0.9,
    Confidence.IMPORTED: 0.7,
    Confidence.UNIQUE: 0.5,
    Confidence.AMBIGUOUS: 0.2,
}


@dataclass(frozen=True, slots=True)
class GraphEvidence:
    """By path: `near` is ln(share / 10⁻⁵) of a walk over imports; `uses` the uses of changed code.

    `imports` are the files that a focal file imports, with the focal file; `walked` tells whether
    the whole tree was.
    """

    near: Mapping[bytes, float] = field(default_factory=dict)
    uses: Mapping[bytes, tuple[Edge, ...]] = field(default_factory=dict)
    imports: Mapping[bytes, bytes] = field(default_factory=dict)
    walked: bool = False

    def use_scores(self) -> dict[bytes, float]:
        """Return log1p Σ sureness of the uses in each file."""
        return {
            path: math.log1p(math.fsum(SURENESS[edge.confidence] for edge in edges))
            for path, edges in self.uses.items()
        }


def read_evidence(
    graph: CodeGraph, focal: FocalSet, n_files: int, mentions: Callable[[str], int]
) -> GraphEvidence:
    """Return what the graph says of the diff; `mentions` counts the documents that hold a name."""
    paths = sorted(path for path in focal.paths if graph.has_file(path))
    uses = _uses_of_changed(graph, focal, cache(mentions))
    imports: dict[bytes, bytes] = {}
    for path in paths[:MOST_WALKED]:
        for edge in graph.imports(path):
            imports.setdefault(edge.target, path)
    if n_files <= WHOLE_WALK:
        shares: Mapping[bytes, float] = graph.import_walk(paths)
    else:
        shares = _walk_around(graph, paths, uses)
    near = {
        path: math.log(share / LEAST_SHARE) for path, share in shares.items() if share > LEAST_SHARE
    }
    return GraphEvidence(near, uses, imports, n_files <= WHOLE_WALK)


def neighbours(graph: CodeGraph, focal: FocalSet) -> dict[bytes, str]:
    """Return the files that imports connect with a focal one, each with how: a baseline's boost."""
    found: dict[bytes, str] = {}
    importers: dict[bytes, None] = {}
    paths = sorted(path for path in focal.paths if graph.has_file(path))
    for path in paths:
        for edge in graph.imports(path):
            found.setdefault(edge.target, "imported")
        for edge in graph.importers(path):
            importers[edge.source] = None
            found.setdefault(edge.source, "importer")
    for importer in importers:
        for edge in graph.imports(importer):
            found.setdefault(edge.target, "co-imported")
    return found


def _walk_around(
    graph: CodeGraph, focal: Sequence[bytes], users: Mapping[bytes, object]
) -> dict[bytes, float]:
    """Walk over the imports of the focal files, of what these import, and of their users."""
    known: dict[bytes, tuple[bytes, ...]] = {}
    pending = [*focal, *sorted(users)]
    for path in pending:  # grows
        if len(known) == MOST_WALKED:
            break
        if path in known:
            continue
        targets = tuple(dict.fromkeys(edge.target for edge in graph.imports(path)))
        known[path] = targets
        if path in focal:
            pending += targets
    groups: dict[str, list[tuple[str, ...]]] = {}
    for path, targets in known.items():
        groups[text_path(path)] = [(text_path(target),) for target in targets]
        for target in targets:
            groups.setdefault(text_path(target), [])
    for user in users:
        if user in known:
            groups[text_path(user)] += [(text_path(path),) for path in focal]
    shares = import_walk(groups, [text_path(path) for path in focal if path in known])
    return {byte_path(path): share for path, share in shares.items()}


def _uses_of_changed(
    graph: CodeGraph, focal: FocalSet, mentions: Callable[[str], int]
) -> dict[bytes, tuple[Edge, ...]]:
    """Return by path, focal ones left out, the uses of changed definitions that the tree has."""
    found: dict[bytes, list[Edge]] = {}
    own = focal.paths
    left = MOST_DOCUMENTS
    for item in _asked(focal, mentions):
        count = mentions(item.symbol.name)
        if count > min(left, MOST_MENTIONS):
            continue
        left -= count
        symbol = item.symbol
        target = SymbolRef(item.path, symbol.qualified_name, symbol.kind, symbol.span)
        for edge in graph.uses_of(target):
            if edge.source.path not in own:
                found.setdefault(edge.source.path, []).append(edge)
    return {path: tuple(edges) for path, edges in found.items()}


def _asked(focal: FocalSet, mentions: Callable[[str], int]) -> list[FocalSymbol]:
    """Return changed definitions, those whose signature changed first, then the rarest names."""
    first = (SymbolChange.SIGNATURE, SymbolChange.REMOVED)

    def place(item: FocalSymbol) -> tuple[bool, bytes, int]:
        return item.change not in first, item.path, item.symbol.span.start_byte

    counted = [
        (place(item)[0], mentions(item.symbol.name), place(item), item)
        for item in sorted(focal.symbols, key=place)[:MOST_COUNTED]
    ]
    counted.sort(key=lambda entry: entry[:3])
    return [entry[3] for entry in counted[:MOST_SYMBOLS]]
