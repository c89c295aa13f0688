"""Edges between files: what each brings in, who brings it in, and how far imports carry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from sidelight.graph.bounds import ALL, Bound
from sidelight.graph.facts import Facts, file_ref
from sidelight.graph.lookup import Lookup, nestings
from sidelight.graph.model import Confidence, Edge, EdgeKind, ImportEdge, byte_path, text_path
from sidelight.graph.resolving import Imports
from sidelight.graph.tree import parent
from sidelight.model import Import

Mentions = Callable[[str], Sequence[str]]
_HEAD = re.compile(r"\w+")
_FOLDER_STEMS = frozenset({"__init__", "index", "mod", "lib", "main", "init"})


class FileEdges:
    """Import edges of one view."""

    def __init__(self, lookup: Lookup, imports: Imports, mentions: Mentions) -> None:
        self._lookup = lookup
        self._facts: Facts = lookup.facts
        self._imports = imports
        self._mentions = mentions

    def out_of(self, path: str) -> tuple[ImportEdge, ...]:
        """Return the files that a file brings in, by line, then by path.

        Of a package of several files only those are named that define what is used; all of them,
        if nothing is.
        """
        return self._edges(path, lambda _bound: True)

    def _edges(self, path: str, wanted: Callable[[Bound], bool]) -> tuple[ImportEdge, ...]:
        edges: dict[tuple[str, int], list[str]] = {}
        for item, bounds in self._imports.bounds(path):
            for bound in filter(wanted, bounds):
                for target, names in self._targets(path, bound).items():
                    if target != path:
                        known = edges.setdefault((target, item.span.start_line), [])
                        known += [name for name in names if name not in known]
        return tuple(
            ImportEdge(byte_path(path), byte_path(target), tuple(names), line)
            for (target, line), names in sorted(edges.items(), key=lambda e: (e[0][1], e[0][0]))
        )

    def into(self, path: str) -> tuple[ImportEdge, ...]:
        """Return the imports of a file by others, by path and line."""
        target = byte_path(path)
        candidates = self._may_import(path)
        self._facts.fetch_imports(candidates)
        leads = self._leads_to(path)
        found = [edge for other in candidates for edge in self._edges(other, leads)]
        return tuple(edge for edge in found if edge.target == target)

    def _leads_to(self, path: str) -> Callable[[Bound], bool]:
        """Return whether something bound may be in the file, told without looking names up."""
        packages = frozenset(self._facts.packages(path))
        names = frozenset(symbol.qualified_name for symbol in self._facts.symbols(path))

        def leads(bound: Bound) -> bool:
            if bound.package is None or bound.submodules:
                return path in (bound.submodules or bound.paths)
            name = bound.name if bound.name not in (None, ALL) else None
            pairs = nestings(bound.package, name or "")
            return any(p in packages and (name is None or dotted in names) for p, dotted in pairs)

        return leads

    def as_edge(self, edge: ImportEdge) -> Edge:
        """Return an import as an edge between whole files."""
        return Edge(
            file_ref(text_path(edge.source)),
            file_ref(text_path(edge.target)),
            EdgeKind.IMPORT,
            Confidence.EXACT,
            edge.line,
            evidence=", ".join(edge.names),
        )

    def unresolved(self, path: str) -> tuple[Import, ...]:
        """Return the imports of a file that lead out of the tree: to libraries, or nowhere."""
        return tuple(
            item
            for item, bounds in self._imports.bounds(path)
            if not any(self._files(bound) for bound in bounds)
        )

    def reached(self, path: str) -> list[tuple[str, ...]]:
        """Return, of each import that stays in the tree, the module's files; no use is read."""
        groups: list[tuple[str, ...]] = []
        for _, bounds in self._imports.bounds(path):
            for bound in bounds:
                files = self._files(bound)
                if files and files != (path,):
                    groups.append(files)
        return list(dict.fromkeys(groups))

    def _files(self, bound: Bound) -> tuple[str, ...]:
        if bound.submodules:
            return bound.submodules
        if bound.package is None:
            return bound.paths
        if bound.name in (None, ALL):
            return self._facts.package_files.get(bound.package, ())
        found = self._lookup.in_package(bound.package, bound.name or "")
        return tuple(dict.fromkeys(item.path for item in found))

    def _targets(self, path: str, bound: Bound) -> dict[str, list[str]]:
        """Return the files that one bound name leads to, each with the names it gives."""
        name = bound.name if bound.name not in (None, ALL) else None
        if bound.package is not None and name is None:
            return self._used_of_package(path, bound.package)
        is_folder = len(bound.paths) > 1 or any(file.endswith(".go") for file in bound.paths)
        if bound.submodules or name is not None or not is_folder:
            return {file: [name] if name else [] for file in self._files(bound)}
        found: dict[str, list[str]] = {}
        for used in self._used(path, bound.local):
            for definition in self._lookup.at_top(bound.paths, used):
                found.setdefault(definition.path, []).append(used)
        return found or {file: [] for file in bound.paths}

    def _used_of_package(self, path: str, package: str) -> dict[str, list[str]]:
        """Return the files of a package that define what a file uses, with the names."""
        found: dict[str, list[str]] = {}
        for used in self._used(path, ALL):
            for definition in self._lookup.in_package(package, used):
                found.setdefault(definition.path, []).append(used)
        return found

    def _used(self, path: str, local: str) -> Iterable[str]:
        """Return the names that a file uses of a module that it calls `local`."""
        names: dict[str, None] = {}
        for use in self._facts.references(path):
            if local == ALL:
                head = _HEAD.match(use.receiver) if use.receiver is not None else None
                names[use.name if head is None else head[0]] = None
            elif use.receiver is None:
                continue
            elif use.receiver == local:
                names[use.name] = None
            elif use.receiver.startswith(local + "."):  # `json.API.Marshal`
                names[use.receiver[len(local) + 1 :].partition(".")[0]] = None
        return names

    def _may_import(self, path: str) -> list[str]:
        """Return the files of the family that mention what the file is imported by."""
        languages = self._facts.family(path).languages
        found: dict[str, None] = {}
        for word in self.words(path):
            found.update(dict.fromkeys(self._mentions(word)))
        folder = parent(path)
        stem = path.rpartition("/")[2].partition(".")[0]
        if stem in _FOLDER_STEMS:  # `from . import x`, `require("..")`, `use super::x`
            prefix = f"{folder}/" if folder else ""
            found.update(dict.fromkeys(p for p in self._facts.tree.files if p.startswith(prefix)))
        return sorted(p for p in found if p != path and self._facts.language(p) in languages)

    def words(self, path: str) -> list[str]:
        """Return words of which every import of the file must hold one, but for relative dots."""
        folder, _, name = path.rpartition("/")
        stem = name.partition(".")[0]
        words = [stem]
        family = self._facts.family(path).name
        if stem in _FOLDER_STEMS or family == "go":
            words += [folder.rpartition("/")[2]] if folder else []
            words += self._imports.package_words(path)
        return [word for word in dict.fromkeys(words) if word]

    @cached_property
    def everything(self) -> dict[str, list[tuple[str, ...]]]:
        """File → the groups of files that it brings in, for every file of the view."""
        paths = [path for path in self._facts.entries if self._facts.is_indexed(path)]
        self._facts.fetch_imports(paths)
        reached = {path: self.reached(path) for path in paths}
        for files in self._imports.folder_packages(paths):
            reached[files[0]].append(files)  # its files see each other without an import
        return reached
