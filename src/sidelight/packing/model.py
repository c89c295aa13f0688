"""Values of context packing. Pure: frozen, slotted, no files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Lines:
    """Consecutive lines of one file, 1-based and inclusive."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def contains(self, other: Lines) -> bool:
        """Return whether every line of `other` is one of these."""
        return self.first <= other.first and other.last <= self.last


class Role(StrEnum):
    """What a piece is packed for."""

    HIT = "hit"  # retrieval found it
    OVERVIEW = "overview"  # the class around several hits
    DEFINITION = "definition"  # something packed uses it


class DropReason(StrEnum):
    """Why a piece is not in the context."""

    BUDGET = "budget"  # it does not fit into what is left
    WEAK = "weak"  # far less relevant than the best one
    REDUNDANT = "redundant"  # says what packed pieces say
    GATE = "gate"  # retrieval as a whole found nothing that answers
    UNUSED = "unused"  # a definition whose user is not packed
    MISSING = "missing"  # its source cannot be read


class Order(StrEnum):
    """How the sources are laid out before the reader."""

    ASCENDING = "ascending"  # most relevant last, next to the question
    USHAPE = "ushape"  # most relevant first and last, least in the middle
    RANK = "rank"  # most relevant first


@dataclass(frozen=True, slots=True)
class Scope:
    """A definition around other lines: the lines of its signature, and all its lines."""

    name: str
    header: Lines
    whole: Lines


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the indexed tree as lines without line ends; `scopes` are in source order."""

    path: bytes
    blob: str
    language: str
    lines: tuple[str, ...]
    scopes: tuple[Scope, ...] = ()

    def text(self, lines: Lines) -> str:
        """Return the lines' text; lines beyond the file are left out."""
        return "\n".join(self.lines[lines.first - 1 : lines.last])


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a file that may be packed.

    `score` is its relevance, the best piece's being 1. `shorter` are narrower stretches of it, each
    worth packing where the whole is not, best first. `needed_by` are the places, in the sequence
    that is packed, of the pieces that use this definition: without one of them it is not packed.
    """

    path: bytes
    lines: Lines
    score: float
    role: Role
    symbol: str = ""
    reasons: tuple[str, ...] = ()
    shorter: tuple[Lines, ...] = ()
    needed_by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """One numbered source of a packed context: consecutive lines of one file.

    `headers` are lines above it that say where it stands: signatures of the definitions around it.
    `text` holds headers and lines, with `…` where lines between them are left out. `tokens` counts
    the source as it is rendered, its heading included.
    """

    number: int
    path: bytes
    blob: str
    language: str
    lines: Lines
    headers: tuple[Lines, ...]
    text: str
    score: float
    tokens: int
    symbols: tuple[str, ...] = ()
    roles: tuple[Role, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A piece that was left out; `tokens` is what it would have cost when it was refused."""

    path: bytes
    lines: Lines
    symbol: str
    role: Role
    score: float
    tokens: int
    reason: DropReason


@dataclass(frozen=True, slots=True)
class PackedContext:
    """Numbered sources in the order of reading, and what they cost in tokens.

    `used` counts all of them as they are rendered, and is at most `budget`. `notes` say what the
    reader should know, such as why nothing is packed.
    """

    items: tuple[Source, ...]
    budget: int
    used: int
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def utilisation(self) -> float:
        """The share of the budget that is used, in [0, 1]."""
        return self.used / self.budget if self.budget else 0.0
