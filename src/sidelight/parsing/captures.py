"""Run a language's query over a tree and sort its captures into raw definitions, uses, imports.

Knows the capture convention of `queries/README.md`; knows no language. Offsets are bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from tree_sitter import Node, Query, QueryCursor

from sidelight.model import ImportedName, ImportKind, ReferenceKind, SymbolKind
from sidelight.parsing.names import receiver_before, receiver_text, scope_text, text_of, unquoted
from sidelight.parsing.rules import ImportSpec, Rules

Captures = dict[str, list[Node]]
Range = tuple[int, int]

_DEFINITIONS: dict[str, SymbolKind | None] = {
    **{f"definition.{kind}": kind for kind in SymbolKind},
    "definition.none": None,
}
_REFERENCES: dict[str, ReferenceKind | None] = {
    **{f"reference.{kind}": kind for kind in ReferenceKind},
    "reference.none": None,
}
_IMPORTS = {f"import.{kind}": kind for kind in ImportKind}
_SCOPES = {"scope.type": True, "scope.namespace": False, "scope.file": False}
MATCH_LIMIT = 512  # matches in progress at once; 1,469 files of eight projects need under 64


def known_captures() -> frozenset[str]:
    """Return every capture of the convention; names that start with `_` are free for predicates."""
    others = "import wrapper wrapped attribute comment name body scope receiver owner touching"
    imports = "module module_alias imported alias block definition reference reference.types"
    return frozenset(
        {*_DEFINITIONS, *_REFERENCES, *_IMPORTS, *_SCOPES, *others.split(), *imports.split()}
    )


@dataclass(frozen=True, slots=True)
class RawDefinition:
    """A definition before nesting is known. `scope` is the explicit qualifier, dotted, or ""."""

    range: Range
    name_start: int
    name: str
    kind: SymbolKind
    scope: str
    body_byte: int


@dataclass(frozen=True, slots=True)
class RawScope:
    """A stretch that qualifies what it holds; `is_type` makes its functions methods."""

    range: Range
    name: str
    is_type: bool


@dataclass(frozen=True, slots=True)
class RawReference:
    """A use before its owner is known. `owner` names an owner that stands elsewhere, or is ""."""

    range: Range
    name: str
    kind: ReferenceKind
    receiver: str | None
    owner: str


@dataclass(frozen=True, slots=True)
class RawImport:
    """An import with the range of its statement."""

    range: Range
    spec: ImportSpec


@dataclass(slots=True)
class Raw:
    """All that one run of a query found, unordered."""

    definitions: list[RawDefinition] = field(default_factory=list)
    scopes: list[RawScope] = field(default_factory=list)
    references: list[RawReference] = field(default_factory=list)
    imports: list[RawImport] = field(default_factory=list)
    wrappers: dict[Range, Range] = field(default_factory=dict)
    attributes: list[Range] = field(default_factory=list)
    comments: list[Range] = field(default_factory=list)
    is_cut: bool = False  # nested so deeply that `MATCH_LIMIT` dropped some

    def extend(self, other: Raw) -> None:
        """Add what another run found in another part of the same source."""
        self.definitions += other.definitions
        self.scopes += other.scopes
        self.references += other.references
        self.imports += other.imports
        self.wrappers |= other.wrappers
        self.attributes += other.attributes
        self.comments += other.comments
        self.is_cut = self.is_cut or other.is_cut


def collect(query: Query, root: Node, source: bytes, rules: Rules) -> Raw:
    """Return what `query` finds below `root`.

    The query itself has no time limit: the limit of `QueryCursor.matches` needs a predicate
    callback, and tree-sitter 0.26.1 crashes in it. `match_limit` bounds the work instead.
    """
    cursor = QueryCursor(query, match_limit=MATCH_LIMIT)
    raw = _Collector(query, source, rules).sort(cursor.matches(root))
    raw.is_cut = cursor.did_exceed_match_limit
    return raw


class _Collector:
    """One pass over the matches; the earliest pattern of the file wins each name."""

    def __init__(self, query: Query, source: bytes, rules: Rules) -> None:
        self.query = query
        self.source = source
        self.rules = rules
        self.raw = Raw()
        self._definitions: dict[Range, tuple[int, RawDefinition | None]] = {}
        self._references: dict[Range, tuple[int, RawReference | None]] = {}
        self._imports: dict[tuple[Range, str], _GrowingImport] = {}
        self._ruled: set[Range] = set()
        self._file_scopes: dict[int, str] = {}

    def sort(self, matches: list[tuple[int, Captures]]) -> Raw:
        for pattern, captures in matches:
            for label in captures:
                if label == "comment":
                    self.raw.comments.extend(node.byte_range for node in captures[label])
                elif label in _REFERENCES:
                    self._reference(pattern, label, captures)
                elif label in _DEFINITIONS:
                    self._definition(pattern, label, captures)
                elif label == "definition":
                    self._ruled_definitions(pattern, captures[label][0])
                elif label == "reference":
                    self._ruled_references(pattern, captures[label][0])
                else:
                    self._other(label, captures)
        self.raw.definitions = [found for _, found in self._definitions.values() if found]
        self.raw.references = [found for _, found in self._references.values() if found]
        self.raw.scopes.extend(self._closed_file_scopes())
        self.raw.imports += [grown.finish() for grown in self._imports.values()]
        return self.raw

    def _text(self, node: Node) -> str:
        start, end = node.byte_range
        return text_of(self.source, start, end)

    def _definition(self, pattern: int, label: str, captures: Captures) -> None:
        node = captures[label][0]
        named = captures.get("name")
        key = named[0].byte_range if named else (node.start_byte, node.start_byte)
        earlier = self._definitions.get(key)
        if earlier is not None and earlier[0] <= pattern:
            return
        kind = _DEFINITIONS[label]
        if kind is None:
            self._definitions[key] = (pattern, None)
            return
        if named:
            name = unquoted(self._text(named[0]))
        else:
            name = self.query.pattern_settings(pattern).get("name") or ""
        if not name:
            return
        body = captures.get("body")
        found = RawDefinition(
            range=node.byte_range,
            name_start=key[0],
            name=name,
            kind=kind,
            scope=".".join(filter(None, self._scopes(captures.get("scope", ())))),
            body_byte=body[0].start_byte if body else node.end_byte,
        )
        self._definitions[key] = (pattern, found)

    def _scopes(self, nodes: Iterable[Node]) -> list[str]:
        drop = self.rules.scope_drop
        return [scope_text(self._text(node), drop) for node in nodes]

    def _reference(self, pattern: int, label: str, captures: Captures) -> None:
        node = captures[label][0]
        named = captures.get("name")
        key = (named[0] if named else node).byte_range
        earlier = self._references.get(key)
        if earlier is not None and earlier[0] <= pattern:
            return
        kind = _REFERENCES[label]
        if kind is None:
            self._references[key] = (pattern, None)
            return
        touching = captures.get("touching")
        if touching and touching[0].start_byte != key[1]:
            return
        owner = captures.get("owner")
        found = RawReference(
            range=key,
            name=unquoted(text_of(self.source, *key)),
            kind=kind,
            receiver=self._receiver(captures, key[0]),
            owner=scope_text(self._text(owner[0])) if owner else "",
        )
        if found.name:
            self._references[key] = (pattern, found)

    def _receiver(self, captures: Captures, name_start: int) -> str | None:
        nodes = captures.get("receiver")
        if nodes:
            return receiver_text(self.source, nodes[0].start_byte, nodes[-1].end_byte)
        return receiver_before(self.source, name_start) if "touching" in captures else None

    def _other(self, label: str, captures: Captures) -> None:
        if label in _IMPORTS:
            self._import(label, captures)
        elif label == "import":
            self._ruled_import(captures[label][0])
        elif label == "wrapper":
            for wrapped in captures.get("wrapped", ()):
                self.raw.wrappers[wrapped.byte_range] = captures[label][0].byte_range
        elif label == "attribute":
            self.raw.attributes.extend(node.byte_range for node in captures[label])
        elif label == "reference.types":
            for node in captures[label]:
                self._types_below(node)
        elif label in _SCOPES:
            self._scope(label, captures)

    def _scope(self, label: str, captures: Captures) -> None:
        start, end = captures[label][0].byte_range
        name = scope_text(self._text(captures["name"][0])) if "name" in captures else ""
        if label == "scope.file":
            self._file_scopes[start] = name
        else:
            self.raw.scopes.append(RawScope((start, end), name, _SCOPES[label]))

    def _closed_file_scopes(self) -> Iterator[RawScope]:
        """Yield the scopes without an end of their own: each ends where the next one begins."""
        for start, end in pairwise([*sorted(self._file_scopes), len(self.source)]):
            yield RawScope((start, end), self._file_scopes[start], is_type=False)

    def _types_below(self, node: Node) -> None:
        for use in self.rules.types(node, self.source) if self.rules.types else ():
            key = (use.start, use.end)
            name = text_of(self.source, *key)
            found = RawReference(key, name, ReferenceKind.TYPE, use.receiver, "")
            self._references.setdefault(key, (self.query.pattern_count, found))

    def _import(self, label: str, captures: Captures) -> None:
        module_nodes = captures.get("module")
        if not module_nodes:
            return
        statement = captures[label][0].byte_range
        module = unquoted(self._text(module_nodes[0]))
        alias = captures.get("module_alias")
        grown = self._imports.setdefault(
            (statement, module), _GrowingImport(statement, module, _IMPORTS[label])
        )
        if alias:
            grown.alias = self._text(alias[0])
        imported = captures.get("imported")
        if imported:
            renamed = captures.get("alias")
            name = ImportedName(
                unquoted(self._text(imported[0])), self._text(renamed[0]) if renamed else None
            )
            grown.names[imported[0].start_byte] = name

    def _ruled_definitions(self, pattern: int, node: Node) -> None:
        for spec in self.rules.definitions(node) if self.rules.definitions else ():
            key = spec.name.byte_range
            earlier = self._definitions.get(key)
            name = unquoted(self._text(spec.name))
            if not name or (earlier is not None and earlier[0] <= pattern):
                continue  # a name that the grammar had to invent is empty
            found = RawDefinition(
                range=(node.start_byte, (spec.last or node).end_byte),
                name_start=key[0],
                name=name,
                kind=spec.kind,
                scope=".".join(filter(None, self._scopes(spec.scopes))),
                body_byte=(spec.body.start_byte if spec.body else (spec.last or node).end_byte),
            )
            self._definitions[key] = (pattern, found)

    def _ruled_references(self, pattern: int, node: Node) -> None:
        for spec in self.rules.references(node) if self.rules.references else ():
            key = spec.name.byte_range
            earlier = self._references.get(key)
            if earlier is not None and earlier[0] <= pattern:
                continue
            if spec.kind is None:
                self._references[key] = (pattern, None)
                continue
            receivers = spec.receivers
            receiver = (
                receiver_text(self.source, receivers[0].start_byte, receivers[-1].end_byte)
                if receivers
                else None
            )
            name = self._text(spec.name)
            if name:
                self._references[key] = (pattern, RawReference(key, name, spec.kind, receiver, ""))

    def _ruled_import(self, node: Node) -> None:
        key = node.byte_range
        if self.rules.imports is None or key in self._ruled:
            return
        self._ruled.add(key)
        for spec in self.rules.imports(node, self.source):
            self.raw.imports.append(RawImport(key, spec))


@dataclass(slots=True)
class _GrowingImport:
    range: Range
    module: str
    kind: ImportKind
    alias: str | None = None
    names: dict[int, ImportedName] = field(default_factory=dict)

    def finish(self) -> RawImport:
        names = tuple(self.names[at] for at in sorted(self.names))
        return RawImport(self.range, ImportSpec(self.module, self.kind, names, self.alias))
