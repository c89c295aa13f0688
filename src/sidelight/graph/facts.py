"""What is known of each file of a view, read when it is asked for and then kept.

Everything here is a function of the view's rows and blobs; nothing is resolved. One `Facts` serves
one generation: it never looks whether the index has moved on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from functools import cached_property

from sidelight.errors import MissingObjectError
from sidelight.graph.families import Family, family_of
from sidelight.graph.model import SymbolRef, byte_path, text_path
from sidelight.graph.rows import (
    Definition,
    FileEntry,
    all_symbols,
    is_renamed_in,
    near_names,
    packed_columns,
    read_files,
    symbols_in,
    symbols_named,
    uses_named,
)
from sidelight.graph.tree import Tree
from sidelight.model import Import, ImportKind, Reference, Span, Symbol
from sidelight.store.reader import read_symbols
from sidelight.store.rows import unpack_imports, unpack_uses

BlobSource = Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]  # ids → (id, bytes) in order

_NOWHERE = Span(0, 0, 1, 1)


def no_blobs(blobs: Sequence[str]) -> Iterable[tuple[str, bytes]]:
    """Return nothing: a graph without sources knows fewer receivers' types."""
    del blobs
    return ()


class Facts:
    """Rows and sources of one view, by path."""

    def __init__(
        self, connection: sqlite3.Connection, view_id: int, read_blobs: BlobSource = no_blobs
    ) -> None:
        self._connection = connection
        self._view_id = view_id
        self._read_blobs = read_blobs
        self._symbols: dict[str, tuple[Symbol, ...]] = {}
        self._named: dict[str, tuple[Definition, ...]] = {}
        self._qualified: dict[str, tuple[Definition, ...]] = {}
        self._in_file: dict[tuple[str, str], tuple[Definition, ...]] = {}
        self._imports: dict[str, tuple[Import, ...]] = {}
        self._packed_imports: dict[str, bytes] = {}
        self._uses: dict[str, bytes] = {}
        self._references: dict[str, tuple[Reference, ...]] = {}
        self._sources: dict[str, bytes] = {}
        self._is_complete = False

    @cached_property
    def entries(self) -> dict[str, FileEntry]:
        """Path → entry, for every path of the view."""
        return {text_path(e.path): e for e in read_files(self._connection, self._view_id)}

    @cached_property
    def tree(self) -> Tree:
        """The paths of the view."""
        return Tree(self.entries)

    @cached_property
    def documents(self) -> dict[int, str]:
        """Document id → path."""
        return {e.doc_id: path for path, e in self.entries.items() if e.doc_id}

    def is_indexed(self, path: str) -> bool:
        """Return whether the file has a document."""
        entry = self.entries.get(path)
        return entry is not None and entry.doc_id != 0

    def language(self, path: str) -> str:
        """Return the file's language, "" if it has no document."""
        entry = self.entries.get(path)
        return entry.language if entry is not None else ""

    def family(self, path: str) -> Family:
        """Return the family of the file's language."""
        return family_of(self.language(path))

    def symbols(self, path: str) -> tuple[Symbol, ...]:
        """Return the file's definitions in source order."""
        if path not in self._symbols:
            entry = self.entries.get(path)
            found = read_symbols(self._connection, entry.parsed_id) if entry else ()
            self._symbols[path] = found
        return self._symbols[path]

    def named(self, name: str) -> tuple[Definition, ...]:
        """Return all definitions of that very name, by path and place."""
        if name not in self._named:
            if self._is_complete:
                return ()
            self._named[name] = tuple(
                Definition(text_path(path), ordinal, symbol)
                for path, ordinal, symbol in symbols_named(self._connection, self._view_id, name)
            )
        return self._named[name]

    def qualified(self, dotted: str) -> tuple[Definition, ...]:
        """Return all definitions of that very qualified name, by path and place.

        Names like `run` are defined in hundreds of places, and few of them outside of a type.
        """
        found = self._qualified.get(dotted)
        if found is None:
            found = self._qualified[dotted] = self._find_qualified(dotted)
        return found

    def _find_qualified(self, dotted: str) -> tuple[Definition, ...]:
        name = dotted.rpartition(".")[2]
        if name in self._named or self._is_complete:
            return tuple(d for d in self.named(name) if d.symbol.qualified_name == dotted)
        rows = symbols_named(self._connection, self._view_id, name, dotted)
        return tuple(Definition(text_path(path), ordinal, symbol) for path, ordinal, symbol in rows)

    def names_like(self, key: str, limit: int) -> list[str]:
        """Return names of the view that share a piece with `key`."""
        return near_names(self._connection, self._view_id, key, limit)

    def in_file(self, path: str, name: str) -> tuple[Definition, ...]:
        """Return the file's definitions of that very name, in source order."""
        key = (path, name)
        found = self._in_file.get(key)
        if found is None:
            if name in self._named or self._is_complete:
                found = tuple(d for d in self.named(name) if d.path == path)
            else:
                entry = self.entries.get(path)
                rows = symbols_in(self._connection, entry.parsed_id, name) if entry else []
                found = tuple(Definition(path, ordinal, symbol) for ordinal, symbol in rows)
            self._in_file[key] = found
        return found

    def imports(self, path: str) -> tuple[Import, ...]:
        """Return the file's imports in source order."""
        if path not in self._imports:
            packed = self._packed_imports_of(path)
            self._imports[path] = unpack_imports(packed) if packed else ()
        return self._imports[path]

    def may_rename(self, path: str, name: str) -> bool:
        """Return whether an import of the file may give the name another one."""
        if path in self._imports:
            return True
        packed = self._packed_imports_of(path)
        return bool(packed) and is_renamed_in(packed, name)

    def packages(self, path: str) -> tuple[str, ...]:
        """Return the packages or namespaces that the file declares, dotted."""
        return tuple(
            item.module.replace("\\", ".").replace("::", ".")
            for item in self.imports(path)
            if item.kind is ImportKind.PACKAGE
        )

    @cached_property
    def package_files(self) -> dict[str, tuple[str, ...]]:
        """Package → the files that declare it; reads every file's imports."""
        paths = [path for path, entry in self.entries.items() if entry.doc_id]
        self.fetch_imports(paths)
        found: dict[str, list[str]] = {}
        for path in paths:
            for package in self.packages(path):
                found.setdefault(package, []).append(path)
        return {package: tuple(files) for package, files in found.items()}

    def references(self, path: str) -> tuple[Reference, ...]:
        """Return the file's uses of names in source order."""
        if path not in self._references:
            packed = self._packed_uses(path)
            self._references[path] = unpack_uses(packed)[0] if packed else ()
        return self._references[path]

    def references_named(self, path: str, names: Sequence[str]) -> Sequence[Reference]:
        """Return the file's uses of some names, without decoding the others."""
        if path in self._references:
            return [r for r in self._references[path] if r.name in names]
        packed = self._packed_uses(path)
        return uses_named(packed, names) if packed else ()

    def source(self, path: str) -> bytes:
        """Return the file's bytes; b"" if they cannot be had."""
        if path not in self._sources:
            self.fetch_sources([path])
        return self._sources.get(path, b"")

    def fetch_imports(self, paths: Iterable[str]) -> None:
        """Read the imports of many files in few statements; they stay packed until asked for."""
        wanted = (path for path in paths if path not in self._imports)
        for path, packed in self._fetch("imports", wanted, self._packed_imports):
            self._packed_imports[path] = packed

    def fetch_uses(self, paths: Iterable[str]) -> None:
        """Read the uses of many files in few statements; they stay packed."""
        for path, packed in self._fetch("uses", paths, self._uses):
            self._uses[path] = packed

    def fetch_sources(self, paths: Iterable[str]) -> None:
        """Read many files' bytes through one process."""
        missing = [path for path in dict.fromkeys(paths) if path not in self._sources]
        wanted = {p: self.entries[p].blob for p in missing if p in self.entries}
        contents: dict[str, bytes] = {}
        with suppress(MissingObjectError):  # a partial clone: what came before is there
            contents.update(self._read_blobs(list(dict.fromkeys(wanted.values()))))
        for path, blob in wanted.items():
            self._sources[path] = contents.get(blob, b"")

    def load_all(self) -> None:
        """Read every file's imports and uses and every symbol, for questions about all of them."""
        if self._is_complete:
            return
        paths = [path for path, entry in self.entries.items() if entry.doc_id]
        self.fetch_imports(paths)
        self.fetch_uses(paths)
        named: dict[str, list[Definition]] = {}
        symbols: dict[str, list[Symbol]] = {path: [] for path in paths}
        for raw, ordinal, symbol in all_symbols(self._connection, self._view_id):
            path = text_path(raw)
            symbols.setdefault(path, []).append(symbol)  # an overlay may have taken it away
            named.setdefault(symbol.name, []).append(Definition(path, ordinal, symbol))
        self._symbols = {path: tuple(found) for path, found in symbols.items()}
        self._named = {name: tuple(found) for name, found in named.items()}
        self._in_file.clear()
        self._qualified.clear()
        self._is_complete = True

    def _packed_imports_of(self, path: str) -> bytes:
        if path not in self._packed_imports:
            self.fetch_imports([path])
        return self._packed_imports[path]

    def _packed_uses(self, path: str) -> bytes:
        if path not in self._uses:
            self.fetch_uses([path])
        return self._uses[path]

    def _fetch(
        self, column: str, paths: Iterable[str], known: Container[str]
    ) -> Iterable[tuple[str, bytes]]:
        missing: dict[int, list[str]] = {}
        for path in dict.fromkeys(paths):
            if path in known:
                continue
            entry = self.entries.get(path)
            if entry is None or not entry.parsed_id:
                yield path, b""
            else:
                missing.setdefault(entry.parsed_id, []).append(path)
        for parsed_id, packed in packed_columns(self._connection, column, list(missing)):
            for path in missing.pop(parsed_id):
                yield path, packed
        for lost in missing.values():
            yield from ((path, b"") for path in lost)


def ref_of(definition: Definition) -> SymbolRef:
    """Return a definition as the public value."""
    symbol = definition.symbol
    return SymbolRef(byte_path(definition.path), symbol.qualified_name, symbol.kind, symbol.span)


def file_ref(path: str) -> SymbolRef:
    """Return a file as a whole: what code outside of any definition belongs to."""
    return SymbolRef(byte_path(path), "", None, _NOWHERE)
