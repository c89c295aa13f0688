"""Which definition a use means, by what the using file says itself. Pure.

Only definitions of the tree are candidates, and a use that several could be meant by binds to none
of them: a missing definition costs the reader less than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sidelight.model import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    Import,
    Reference,
    ReferenceKind,
    Symbol,
    SymbolKind,
)

SELF_WORDS = frozenset({"self", "this", "cls", "Self", "static", "$this", "@self", "super"})
RELATED_LANGUAGES = (
    frozenset({"javascript", "typescript", "tsx"}),
    frozenset({"c", "cpp"}),
    frozenset({"java", "kotlin", "scala"}),
)
_SEPARATOR = re.compile(r"::|[./\\]")
LEAST_LETTERS = 3  # a shorter name that nothing binds means something else
SAME_FILE, IMPORTED, SAME_FOLDER, UNIQUE, UNIQUE_METHOD = 0.95, 0.9, 0.8, 0.6, 0.4


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol of the tree with its file."""

    path: bytes
    language: str
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Dependency:
    """A definition that is used, how sure that is (0-1), by which name of what kind, and where."""

    definition: Definition
    confidence: float
    kind: ReferenceKind
    line: int


@dataclass(frozen=True, slots=True)
class UsingFile:
    """The file whose uses are bound."""

    path: bytes
    language: str
    symbols: Sequence[Symbol]
    imports: Sequence[Import]


def bind_uses(
    file: UsingFile,
    references: Iterable[Reference],
    named: Callable[[str], Sequence[Definition]],
) -> list[Dependency]:
    """Return the definitions that the references mean, surest first, each once.

    `named` gives all definitions of a name in the tree. Confidence: the same file or class .95,
    imported by name .9, the same folder (where the language sees it) .8, the only one of its name
    in the tree .6, the only method of an unknown receiver .4. Ties: the order of uses.
    """
    found: dict[tuple[bytes, int], Dependency] = {}
    for reference in references:
        bound = _bind(file, reference, named)
        if bound is None:
            continue
        definition, confidence = bound
        key = (definition.path, definition.symbol.span.start_byte)
        known = found.get(key)
        if known is None or confidence > known.confidence:
            line = reference.span.start_line
            found[key] = Dependency(definition, confidence, reference.kind, line)
    return sorted(found.values(), key=lambda item: -item.confidence)


_FOLDER_LANGUAGES = frozenset(
    "go java kotlin scala csharp swift ruby php c cpp rust bash lua".split()
)
_Bound = tuple[Definition, float] | None


def _bind(file: UsingFile, use: Reference, named: Callable[[str], Sequence[Definition]]) -> _Bound:
    imported = _imported_name(file, use.name)
    candidates = [d for d in named(imported[1] if imported else use.name) if _fits(file, use, d)]
    if not candidates:
        return None
    receiver = (use.receiver or "").strip()
    if receiver in SELF_WORDS:
        return _member(file, use, candidates)
    if receiver:
        return _through(file, use, receiver.split(".")[-1], candidates)
    return _bare(file, use, candidates, imported)


def _bare(
    file: UsingFile,
    use: Reference,
    candidates: Sequence[Definition],
    imported: tuple[str, str] | None,
) -> _Bound:
    """Bind a name alone: of this file, imported, of this folder, or the only one."""
    top = [d for d in candidates if "." not in d.symbol.qualified_name or _is_type(d)]
    own = _one([d for d in top or candidates if d.path == file.path])
    if own:
        return own, SAME_FILE
    if imported:
        return _sure(_one([d for d in top if _is_module(d.path, imported[0])]), IMPORTED)
    beside = _one([d for d in top if _folder(d.path) == _folder(file.path)])
    if beside and file.language in _FOLDER_LANGUAGES:
        return beside, SAME_FOLDER
    return _sure(_one(top), UNIQUE) if len(use.name) >= LEAST_LETTERS else None


def _member(file: UsingFile, use: Reference, candidates: Sequence[Definition]) -> _Bound:
    """Bind `self.name`: a member of the class around the use, else the only method of that name."""
    owner = use.owner
    while owner is not None:
        symbol = file.symbols[owner]
        around = {symbol.qualified_name.rpartition(".")[0]} - {""}
        if symbol.kind in CONTAINER_KINDS:
            around.add(symbol.qualified_name)
        for definition in candidates:
            qualifier = definition.symbol.qualified_name.rpartition(".")[0]
            if definition.path == file.path and qualifier in around:
                return definition, SAME_FILE
        owner = symbol.parent
    return _sure(_one(candidates), UNIQUE)


def _through(
    file: UsingFile, use: Reference, receiver: str, candidates: Sequence[Definition]
) -> _Bound:
    """Bind `receiver.name`: a type or module of that name, else the only method that there is."""
    members = [d for d in candidates if d.symbol.qualified_name.split(".")[-2:-1] == [receiver]]
    own = _one([d for d in members if d.path == file.path]) or _one(members)
    if own:
        return own, IMPORTED
    module = _module_of(file, receiver)
    if module is not None:
        top = [d for d in candidates if "." not in d.symbol.qualified_name]
        return _sure(_one([d for d in top if _is_module(d.path, module)]), IMPORTED)
    telling = "_" in use.name.strip("_") or use.name != use.name.casefold()
    is_method = "." in candidates[0].symbol.qualified_name
    return _sure(_one(candidates), UNIQUE_METHOD) if telling and is_method else None


def _sure(definition: Definition | None, confidence: float) -> _Bound:
    return None if definition is None else (definition, confidence)


def _fits(file: UsingFile, use: Reference, definition: Definition) -> bool:
    symbol = definition.symbol
    if definition.language != file.language and not any(
        {definition.language, file.language} <= family for family in RELATED_LANGUAGES
    ):
        return False
    if symbol.kind in (SymbolKind.VARIABLE, SymbolKind.FIELD, SymbolKind.CONSTANT):
        return False
    if use.kind in (ReferenceKind.TYPE, ReferenceKind.BASE):
        return _is_type(definition)
    return symbol.kind in CALLABLE_KINDS or _is_type(definition)


def _is_type(definition: Definition) -> bool:
    kind = definition.symbol.kind
    return (kind in CONTAINER_KINDS or kind is SymbolKind.TYPE) and kind is not SymbolKind.MODULE


def _imported_name(file: UsingFile, name: str) -> tuple[str, str] | None:
    """Return (module, name there) of what the file calls `name` by an import."""
    for item in file.imports:
        for imported in item.names:
            if (imported.alias or imported.name) == name:
                return item.module, imported.name
    return None


def _module_of(file: UsingFile, receiver: str) -> str | None:
    """Return the module that the file calls `receiver`."""
    for item in file.imports:
        if receiver in (item.alias, None if item.alias else _tail(item.module)):
            return item.module
        for imported in item.names:  # `from package import module`
            if (imported.alias or imported.name) == receiver:
                return imported.name
    return None


def _tail(module: str) -> str:
    return _SEPARATOR.split(module)[-1]


def _is_module(path: bytes, module: str) -> bool:
    """Return whether a path may be the module: its file or folder has the module's last name."""
    *folders, name = path.decode("utf-8", "replace").split("/")
    tail = _tail(module)
    # `from . import name` has no name; headers are included with their ending.
    return not tail or tail in (name.split(".")[0], *folders[-1:]) or module.endswith(name)


def _folder(path: bytes) -> bytes:
    return path.rpartition(b"/")[0]


def _one(definitions: Sequence[Definition]) -> Definition | None:
    """Return the one definition that is meant, overloads of one name in one file being one."""
    named = {(d.path, d.symbol.qualified_name) for d in definitions}
    return definitions[0] if len(named) == 1 else None
