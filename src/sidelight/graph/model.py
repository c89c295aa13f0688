"""Values of the code graph. Pure: frozen, slotted, no look-ups.

Paths are `bytes`, as git has them. Inside the package they are `str` (`text_path`), since resolvers
work with text of imports; both ways lose nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sidelight.model import ReferenceKind, Span, SymbolKind


def text_path(path: bytes) -> str:
    """Return the path as text that `byte_path` turns back into the same bytes."""
    return path.decode("utf-8", "surrogateescape")


def byte_path(path: str) -> bytes:
    """Return the bytes of a path that `text_path` made."""
    return path.encode("utf-8", "surrogateescape")


class Confidence(StrEnum):
    """How an edge was found, surest first."""

    EXACT = "exact"  # scope, import, or the receiver's known type leads to this definition alone
    SAME_CLASS = "same_class"  # a member of the class hierarchy around the use
    IMPORTED = "imported"  # the only definition of the name in the files that this one imports
    UNIQUE = "unique"  # the only definition of the name in the tree
    AMBIGUOUS = "ambiguous"  # one of several definitions of the name: see `Edge.candidates`


CONFIDENCE_ORDER = {confidence: at for at, confidence in enumerate(Confidence)}


class EdgeKind(StrEnum):
    """What the source does with the target."""

    CALL = "call"
    TYPE = "type"
    BASE = "base"
    DECORATOR = "decorator"
    OVERRIDE = "override"
    IMPORT = "import"
    TEST = "test"


EDGE_KINDS = {
    ReferenceKind.CALL: EdgeKind.CALL,
    ReferenceKind.TYPE: EdgeKind.TYPE,
    ReferenceKind.BASE: EdgeKind.BASE,
    ReferenceKind.DECORATOR: EdgeKind.DECORATOR,
}


@dataclass(frozen=True, slots=True, order=True)
class SymbolRef:
    """A definition in the tree; a file as a whole has the qualified name "" and no kind."""

    path: bytes
    qualified_name: str
    kind: SymbolKind | None
    span: Span

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualified_name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Edge:
    """`source` uses `target` at `line` of the source's file.

    `candidates` is the number of definitions that the use may mean: 1 but for ambiguous edges, of
    which there is one for each candidate. `evidence` says what the edge rests on.
    """

    source: SymbolRef
    target: SymbolRef
    kind: EdgeKind
    confidence: Confidence
    line: int
    candidates: int = 1
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class ImportEdge:
    """A file brings in another at `line`; `names` are what it takes, () for all or the module."""

    source: bytes
    target: bytes
    names: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Impact:
    """A definition that a change may reach: the edge that reached it, and how many steps away."""

    symbol: SymbolRef
    via: Edge
    distance: int


@dataclass(frozen=True, slots=True)
class GraphStats:
    """Numbers of a whole graph. `most_called` counts uses, `widest_callers` distinct targets."""

    files: int
    definitions: int
    imports: int
    unresolved_imports: int
    edges: tuple[tuple[EdgeKind, Confidence, int], ...]
    most_called: tuple[tuple[SymbolRef, int], ...]
    widest_callers: tuple[tuple[SymbolRef, int], ...]
    most_imported: tuple[tuple[bytes, int], ...]
