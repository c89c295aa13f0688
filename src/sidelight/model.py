"""Value types that flow through the pipeline. Pure: frozen, slotted, only arithmetic.

Paths are `bytes`, exactly as git stores them; `display_path` is the one way to show them.
Object ids are lower-case hex (40 digits for SHA-1, 64 for SHA-256).
Lines are 1-based and inclusive; byte offsets are 0-based and half-open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


def display_path(path: bytes) -> str:
    """Return the path as text; bytes that are not UTF-8 become surrogate escapes' `\\xNN` form."""
    return path.decode("utf-8", "backslashreplace")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file: half-open bytes, and the inclusive lines that they touch."""

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int

    def contains(self, other: Span) -> bool:
        """Return whether `other` lies inside this span, by bytes."""
        return self.start_byte <= other.start_byte and other.end_byte <= self.end_byte

    def overlaps_lines(self, other: Span) -> bool:
        """Return whether both touch a common line."""
        return self.start_line <= other.end_line and other.start_line <= self.end_line


@dataclass(frozen=True, slots=True)
class FileRef:
    """One entry of a git tree. `size` is the blob's, in bytes (0 for what has no blob)."""

    path: bytes
    blob: str
    size: int
    mode: int


class ChangeKind(StrEnum):
    """How a path differs between two trees."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class FileChange:
    """A path that differs between two trees; `old_*` is None if added, `new_*` if deleted."""

    kind: ChangeKind
    path: bytes
    old_path: bytes | None
    old_blob: str | None
    new_blob: str | None
    old_mode: int | None
    new_mode: int | None


class SymbolKind(StrEnum):
    """What a definition defines, across languages."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    INTERFACE = "interface"
    STRUCT = "struct"
    ENUM = "enum"
    TRAIT = "trait"
    TYPE = "type"
    MODULE = "module"
    MACRO = "macro"
    CONSTANT = "constant"
    VARIABLE = "variable"
    FIELD = "field"


CONTAINER_KINDS = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.STRUCT,
        SymbolKind.ENUM,
        SymbolKind.TRAIT,
        SymbolKind.MODULE,
    }
)
CALLABLE_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.MACRO})


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition.

    `qualified_name` joins the enclosing definitions of the same file with dots in every language
    (`Server.run` for Go's `func (s *Server) run`, Rust's `impl Server`, C++'s `Server::run`).
    `span` is the whole definition with its decorators or attributes; `lead_byte` (≤ its start)
    is where the comments directly above it begin; `body_byte` is where its body begins
    (`span.end_byte` if it has none), so the signature is `source[span.start_byte:body_byte]`.
    `parent` is the index, in the file's symbols, of the innermost enclosing definition.
    """

    name: str
    qualified_name: str
    kind: SymbolKind
    span: Span
    lead_byte: int
    body_byte: int
    parent: int | None = None


class ReferenceKind(StrEnum):
    """How a name is used."""

    CALL = "call"
    TYPE = "type"  # annotations, generics, fields' and parameters' types
    BASE = "base"  # superclasses, implemented interfaces and traits
    DECORATOR = "decorator"


@dataclass(frozen=True, slots=True)
class Reference:
    """A use of a name. `receiver` is the text before the last dot (`self`, `os.path`), if any.

    `owner` is the index of the innermost enclosing definition in the file's symbols.
    """

    name: str
    kind: ReferenceKind
    receiver: str | None
    span: Span
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedName:
    """One name brought in by an import; `alias` is what the file calls it, if it differs."""

    name: str
    alias: str | None = None


class ImportKind(StrEnum):
    """What sort of statement brought the module in."""

    IMPORT = "import"
    INCLUDE = "include"  # C and C++ with quotes, PHP's and Ruby's require of a file, Bash's source
    SYSTEM_INCLUDE = "system_include"  # C and C++ with angle brackets
    REEXPORT = "reexport"  # JS/TS `export … from`, Rust `pub use`
    MODULE = "module"  # Rust's `mod name;`: the file belongs to this one
    PACKAGE = (
        "package"  # the file's own package or namespace declaration (Java, Kotlin, Go, C#, PHP)
    )


@dataclass(frozen=True, slots=True)
class Import:
    """An import as it is written: nothing is resolved here.

    Python `from .a import b as c` → module `.a`, names ((b, c),); `import a.b as c` → module `a.b`,
    alias `c`. A wildcard is the name `*`; a JS default import is the name `default`.
    """

    module: str
    kind: ImportKind
    span: Span
    names: tuple[ImportedName, ...] = ()
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that could not be understood; the file is indexed all the same."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Break:
    """A place where a long body may be cut: a statement starts here, `depth` blocks deep."""

    byte: int
    depth: int


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What syntax says about one blob in one language; a function of these two alone.

    Symbols are in source order (an enclosing definition before what it holds).
    """

    language: str
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    problems: tuple[Problem, ...] = ()
    breaks: tuple[Break, ...] = ()


class ChunkKind(StrEnum):
    """What a chunk holds."""

    DEFINITION = "definition"  # a function, method, small class, constant: whole
    OVERVIEW = "overview"  # a large class: header, attributes, signatures of its methods
    PART = "part"  # a stretch of a long definition, its signature in `header`
    MODULE = "module"  # code between definitions
    SECTION = "section"  # prose under one heading
    TEXT = "text"  # lines of a file without syntax


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of retrieval.

    `text` is what is searched and embedded; it equals the source at `span` except for overviews.
    `header` is context from outside the span (a part's signature, a section's heading trail).
    `symbol` is the qualified name of the definition it shows, or of the one around it, or "".
    `symbol_kind` is None where no definition belongs to the chunk. `parent` is the index, in the
    file's chunks, of the enclosing overview. `imports` are the modules whose names the text uses.
    """

    span: Span
    kind: ChunkKind
    language: str
    symbol: str
    symbol_kind: SymbolKind | None
    header: str
    text: str
    parent: int | None = None
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedList:
    """One retriever's answer: chunk ids best first, with that retriever's own scores.

    `pool` is the number of rows asked for, which fusion needs for rows that are missing.
    """

    retriever: str
    rows: tuple[int, ...]
    scores: tuple[float, ...]
    pool: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a hit is shown: `kind` names the signal, `detail` tells it, `weight` is its share."""

    kind: str
    detail: str
    weight: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer: a stretch of a file of the indexed tree, with the reasons it is there."""

    path: bytes
    span: Span
    symbol: str
    kind: str
    language: str
    score: float
    reasons: tuple[Reason, ...] = ()
    alike: tuple[bytes, ...] = field(default=())
