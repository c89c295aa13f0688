"""Which tests reach a definition or a file: by what they call and import, else by their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sidelight.graph.facts import Facts, file_ref, ref_of
from sidelight.graph.importing import FileEdges
from sidelight.graph.model import CONFIDENCE_ORDER, Confidence, Edge, EdgeKind, SymbolRef, text_path
from sidelight.graph.rows import Definition
from sidelight.graph.testpaths import is_test_path
from sidelight.graph.uses import Uses
from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS

Mentions = Callable[[str], Sequence[str]]
_AFFIX = re.compile(r"^(?:tests?|specs?)[_-]?|[_.-]?(?:tests?|specs?)$", re.IGNORECASE)
_USED = (EdgeKind.CALL, EdgeKind.DECORATOR, EdgeKind.TYPE, EdgeKind.BASE)
_NAMED = "named after it"
_INSIDE = re.compile(r"[^a-z0-9]+")


class Tests:
    """Edges from tests to what they test."""

    __test__ = False  # pytest: this is no test

    def __init__(self, facts: Facts, uses: Uses, files: FileEdges, mentions: Mentions) -> None:
        self._facts = facts
        self._uses = uses
        self._files = files
        self._mentions = mentions

    def of_symbol(self, target: Definition) -> tuple[Edge, ...]:
        """Return the tests of a definition, surest first: those that use it, directly or through a
        helper of the tests; then those that are only named after it."""
        direct = [e for e in self._uses.edges_to(target, _USED) if self._is_test(e)]
        found = {edge.source: _as_test(edge, target) for edge in reversed(direct)}
        for edge in direct:
            helper = self._helper(edge)
            for outer in self._uses.edges_to(helper, _USED) if helper else ():
                if self._is_test(outer):
                    found.setdefault(outer.source, _as_test(outer, target))
        for edge in self._named_after(target):
            found.setdefault(edge.source, edge)
        return tuple(sorted(found.values(), key=_order))

    def of_file(self, path: str) -> tuple[Edge, ...]:
        """Return the test files of a file: those that import it, then those of its name."""
        target = file_ref(path)
        found: dict[str, Edge] = {}
        for imported in self._files.into(path):
            test = text_path(imported.source)
            if is_test_path(test):
                edge = _edge(file_ref(test), target, Confidence.EXACT, imported.line, "imports it")
                found.setdefault(test, edge)
        stem = _core(path)
        languages = self._facts.family(path).languages
        for other in self._facts.tree.files if stem else ():
            if other in found or other == path or not is_test_path(other):
                continue
            if _core(other) == stem and self._facts.language(other) in languages:
                found[other] = _edge(file_ref(other), target, Confidence.AMBIGUOUS, 1, _NAMED)
        return tuple(sorted(found.values(), key=_order))

    def _is_test(self, edge: Edge) -> bool:
        return is_test_path(text_path(edge.source.path))

    def _helper(self, edge: Edge) -> Definition | None:
        """Return the source of an edge if it is a helper that tests call, and no test itself."""
        name = edge.source.name
        if not name or name.casefold().startswith("test") or edge.source.kind not in CALLABLE_KINDS:
            return None
        found = self._facts.in_file(text_path(edge.source.path), name)
        same = [d for d in found if d.symbol.qualified_name == edge.source.qualified_name]
        return same[0] if same else None

    def _named_after(self, target: Definition) -> list[Edge]:
        wanted = _plain(target.symbol.name)
        if len(wanted) < 4 or target.symbol.kind not in CALLABLE_KINDS | CONTAINER_KINDS:
            return []
        stem = _core(target.path)
        languages = self._facts.family(target.path).languages
        edges: list[Edge] = []
        for path in sorted(self._facts.tree.files):
            fits = is_test_path(path) and stem and _core(path) == stem
            if not fits or self._facts.language(path) not in languages:
                continue
            for ordinal, symbol in enumerate(self._facts.symbols(path)):
                name = _plain(symbol.name)
                if name.startswith("test") and name.removeprefix("test").startswith(wanted):
                    source = ref_of(Definition(path, ordinal, symbol))
                    line = symbol.span.start_line
                    edges.append(_edge(source, ref_of(target), Confidence.AMBIGUOUS, line, _NAMED))
        return edges


def _as_test(edge: Edge, target: Definition) -> Edge:
    evidence = f"{edge.kind.value} of {edge.target.qualified_name}"
    source, line = edge.source, edge.line
    return _edge(source, ref_of(target), edge.confidence, line, evidence, edge.candidates)


def _edge(
    source: SymbolRef,
    target: SymbolRef,
    confidence: Confidence,
    line: int,
    evidence: str,
    candidates: int = 1,
) -> Edge:
    return Edge(source, target, EdgeKind.TEST, confidence, line, candidates, evidence)


def _order(edge: Edge) -> tuple[int, bytes, int]:
    return CONFIDENCE_ORDER[edge.confidence], edge.source.path, edge.line


def _core(path: str) -> str:
    """Return a file's name without its endings and its signs of being a test."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return _plain(_AFFIX.sub("", stem))


def _plain(name: str) -> str:
    return _INSIDE.sub("", name.casefold())
