"""Which tests reach a definition through the graph, in how many steps. Asks, decides nothing."""

from __future__ import annotations

from dataclasses import dataclass

from sidelight.graph.graph import CodeGraph
from sidelight.graph.model import Confidence, Edge, EdgeKind, SymbolRef, text_path
from sidelight.graph.testpaths import is_test_path
from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS

MAX_OPENED = 60  # definitions looked at for one changed one
MAX_TOTAL = 1_200  # definitions looked at for one diff; beyond, only what tests use themselves
KINDS = (EdgeKind.CALL, EdgeKind.DECORATOR, EdgeKind.BASE)


@dataclass(frozen=True, slots=True)
class TestReach:
    """A test that reaches a definition: what it uses, where, and over how many definitions.

    `hops` is 0 if the test itself uses it, or a helper of the tests; `through` names what stands
    between, nearest the test first.
    """

    __test__ = False  # pytest: this is no test

    test: SymbolRef
    line: int
    hops: int
    through: tuple[str, ...]
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Reach:
    """The tests found, nearest first; `is_complete`: everything above was looked at.

    `is_open` tells that something above is used in a way that the graph cannot follow: by an
    ambiguous name, as an override, or not at all.
    """

    tests: tuple[TestReach, ...]
    is_complete: bool
    n_callers: int


class TestFinder:
    """Walks callers upwards from changed definitions; remembers what it asked."""

    __test__ = False

    def __init__(self, graph: CodeGraph, *, by_base: bool = False) -> None:
        """Take a graph; `by_base`: a call of what a method overrides may run the method."""
        self._graph = graph
        self._by_base = by_base
        self._uses: dict[SymbolRef, tuple[Edge, ...]] = {}

    def reach(self, symbol: SymbolRef, hops: int) -> Reach:
        """Return the tests that use a definition, or what uses it, over at most `hops` others."""
        found: dict[SymbolRef, TestReach] = {}
        level: list[tuple[SymbolRef, tuple[str, ...]]] = [(symbol, ())]
        seen = {symbol}
        is_complete, opened = True, 0
        n_callers = -1
        for hop in range(hops + 1):
            following: list[tuple[SymbolRef, tuple[str, ...]]] = []
            for current, through in level:
                opened += 1
                is_new = current not in self._uses
                if hop and (opened > MAX_OPENED or (is_new and len(self._uses) >= MAX_TOTAL)):
                    is_complete = False
                    continue
                edges = self.uses(current)
                if n_callers < 0:
                    n_callers = len({e.source for e in edges if not _is_test(e.source)})
                for edge in edges:
                    source = edge.source
                    if _is_test(source):
                        test = self._outermost(source)
                        if test not in found and edge.confidence is not Confidence.AMBIGUOUS:
                            item = TestReach(test, edge.line, hop, through, edge.confidence)
                            found[test] = item
                        if _is_helper(test) and test not in seen:
                            seen.add(test)
                            level.append((test, (test.name, *through)))  # no hop: tests' own
                    elif source not in seen and edge.confidence is not Confidence.AMBIGUOUS:
                        seen.add(source)
                        following.append(
                            (source, (source.name or text_path(source.path), *through))
                        )
            level = following
        tests = [item for item in found.values() if not _is_helper(item.test)]
        tests.sort(key=lambda t: (t.hops, t.test.path, t.test.span))
        return Reach(tuple(tests), is_complete and not level, max(n_callers, 0))

    def _outermost(self, symbol: SymbolRef) -> SymbolRef:
        """Return the outermost function around a definition: what a test runner knows by name."""
        for around in self._graph.symbols(symbol.path):
            if around.kind in CALLABLE_KINDS and around.span.contains(symbol.span):
                return SymbolRef(symbol.path, around.qualified_name, around.kind, around.span)
        return symbol

    def uses(self, symbol: SymbolRef) -> tuple[Edge, ...]:
        """Return the uses of a definition that make it run."""
        known = self._uses.get(symbol)
        if known is None:
            if not symbol.qualified_name:
                known = ()
            else:
                known = self._graph.uses_of(symbol, KINDS)
                for edge in self._graph.overrides(symbol) if self._by_base else ():
                    if edge.source == symbol:
                        known += self._graph.uses_of(edge.target, KINDS)
            self._uses[symbol] = known
        return known


def _is_test(symbol: SymbolRef) -> bool:
    return is_test_path(text_path(symbol.path))


def _is_helper(symbol: SymbolRef) -> bool:
    """Return whether a definition in a test file serves tests and is none itself."""
    if not symbol.name or symbol.kind not in CALLABLE_KINDS | CONTAINER_KINDS:
        return False
    name = symbol.name.casefold()
    return not (
        name.startswith(("test", "it_", "should")) or "test" in symbol.qualified_name.casefold()
    )
