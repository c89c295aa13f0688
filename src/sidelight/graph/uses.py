"""Edges of single definitions: who uses it, found by who mentions it; and what it uses itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from sidelight.graph.binding import Binder, Binding
from sidelight.graph.facts import Facts, file_ref, ref_of
from sidelight.graph.families import family_of
from sidelight.graph.lookup import Lookup
from sidelight.graph.model import EDGE_KINDS, Confidence, Edge, EdgeKind, SymbolRef
from sidelight.graph.resolving import Imports
from sidelight.graph.rows import Definition
from sidelight.model import CONTAINER_KINDS, Reference

Mentions = Callable[[str], Sequence[str]]  # word → paths that may hold it
MAX_ALIAS_HOPS = 3  # of re-exports under other names
_KINDS = {kind: use for use, kind in EDGE_KINDS.items()}


class Uses:
    """Edges into and out of definitions of one view."""

    def __init__(
        self, lookup: Lookup, imports: Imports, binder: Binder, mentions: Mentions
    ) -> None:
        self._lookup = lookup
        self._facts: Facts = lookup.facts
        self._imports = imports
        self._binder = binder
        self._mentions = mentions

    def edges_to(self, target: Definition, kinds: Iterable[EdgeKind]) -> tuple[Edge, ...]:
        """Return the uses of a definition, by path and line."""
        wanted = {_KINDS[kind] for kind in kinds if kind in _KINDS}
        targets = [target, *self._constructed(target)]
        keys = {(item.path, item.symbol.qualified_name) for item in targets}
        names = dict.fromkeys(item.symbol.name for item in targets)
        edges: list[Edge] = []
        for path, uses in self._candidates(target, list(names)):
            for use in uses:
                if use.kind not in wanted:
                    continue
                binding = self._binder.bind(path, use)
                hit = any((d.path, d.symbol.qualified_name) in keys for d in binding.definitions)
                if hit:
                    edges.append(self._edge(path, use, binding, target))
        return tuple(edges)

    def edges_from(self, source: Definition, kinds: Iterable[EdgeKind]) -> tuple[Edge, ...]:
        """Return what a definition, with all that it holds, uses; in the order of its text."""
        inside = self._inside(source)
        wanted = {_KINDS[kind] for kind in kinds if kind in _KINDS}
        uses = [
            use
            for use in self._facts.references(source.path)
            if use.owner in inside and use.kind in wanted
        ]
        return tuple(self._bound_edges(source.path, uses, ref_of(source)))

    def edges_of_file(self, path: str) -> Iterator[Edge]:
        """Yield every edge of a file; code outside of definitions belongs to the file itself."""
        yield from self._bound_edges(path, self._facts.references(path), None)

    def _bound_edges(
        self, path: str, uses: Iterable[Reference], source: SymbolRef | None
    ) -> Iterator[Edge]:
        for use in uses:
            binding = self._binder.bind(path, use)
            for definition in binding.definitions:
                edge = self._edge(path, use, binding, definition)
                yield edge if source is None else _from(edge, source)

    def _edge(self, path: str, use: Reference, binding: Binding, target: Definition) -> Edge:
        source = file_ref(path)
        if use.owner is not None:
            symbols = self._facts.symbols(path)
            source = ref_of(Definition(path, use.owner, symbols[use.owner]))
        ambiguous = binding.confidence is Confidence.AMBIGUOUS
        return Edge(
            source,
            ref_of(target),
            EDGE_KINDS[use.kind],
            binding.confidence,
            use.span.start_line,
            len(binding.definitions) if ambiguous else 1,
            binding.evidence,
        )

    def _inside(self, source: Definition) -> set[int]:
        symbols = self._facts.symbols(source.path)
        inside = {source.ordinal}
        for ordinal in range(source.ordinal + 1, len(symbols)):
            parent = symbols[ordinal].parent
            if parent in inside:
                inside.add(ordinal)
        if source.symbol.kind in CONTAINER_KINDS:  # members written outside of it (Go, Rust)
            prefix = source.symbol.qualified_name + "."
            inside |= {n for n, s in enumerate(symbols) if s.qualified_name.startswith(prefix)}
        return inside

    def _constructed(self, target: Definition) -> list[Definition]:
        """Return the class whose making calls the target, if it is a constructor."""
        family = family_of(self._facts.language(target.path))
        symbol = target.symbol
        qualifier = symbol.qualified_name.rpartition(".")[0]
        class_name = qualifier.rpartition(".")[2]
        is_named = family.named_constructor and symbol.name == class_name
        if not qualifier or not (symbol.name in family.constructors or is_named):
            return []
        found = self._lookup.at_top([target.path], qualifier)
        return [item for item in found if item.symbol.kind in CONTAINER_KINDS]

    def _candidates(
        self, target: Definition, names: list[str]
    ) -> Iterator[tuple[str, Sequence[Reference]]]:
        """Yield the files that may use the target, each with its uses of the target's names."""
        languages = self._facts.family(target.path).languages
        local: dict[str, set[str]] = {}
        pending = [(name, self._mentions(name)) for name in names]
        if self._lookup.is_default(target):
            pending.append(("default", self._mentions(self._module_word(target.path))))
        seen = {name for name, _ in pending}
        for _ in range(MAX_ALIAS_HOPS):
            more: list[tuple[str, Sequence[str]]] = []
            for name, paths in pending:
                fitting = [p for p in paths if self._facts.language(p) in languages]
                self._facts.fetch_imports(fitting)
                for path in fitting:
                    known = local.setdefault(path, set())
                    if name != "default":
                        known.add(name)
                    aliases = self._aliases(path, name)
                    known |= aliases
                    more += [(a, self._mentions(a)) for a in sorted(aliases - seen)]
                    seen |= aliases
            pending = more
        self._facts.fetch_uses(local)
        found = [(path, self._facts.references_named(path, sorted(local[path]))) for path in local]
        using = sorted((path, uses) for path, uses in found if uses)
        self._facts.fetch_sources(path for path, _ in using)  # at once: one turn of git for each
        yield from using

    def _aliases(self, path: str, name: str) -> set[str]:
        """Return what a file calls a name that it imports under another."""
        found = {
            imported.alias
            for item in (self._facts.imports(path) if self._facts.may_rename(path, name) else ())
            for imported in item.names
            if imported.name == name and imported.alias
        }
        if name == "default":
            found |= {
                bound.local
                for _, bounds in self._imports.bounds(path)
                for bound in bounds
                if bound.paths and bound.name is None and bound.local
            }
        return found

    def _module_word(self, path: str) -> str:
        stem = path.rpartition("/")[2].partition(".")[0]
        return path.split("/")[-2] if stem == "index" and "/" in path else stem


def _from(edge: Edge, source: SymbolRef) -> Edge:
    return Edge(
        source, edge.target, edge.kind, edge.confidence, edge.line, edge.candidates, edge.evidence
    )


CALL_KINDS = (EdgeKind.CALL, EdgeKind.DECORATOR)
USE_KINDS = (EdgeKind.CALL, EdgeKind.DECORATOR, EdgeKind.TYPE, EdgeKind.BASE)
