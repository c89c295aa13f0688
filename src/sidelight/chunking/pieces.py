"""A stretch of a file before it becomes a chunk. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Role(Enum):
    """What a stretch of lines is to the definitions around it."""

    WHOLE = auto()  # a definition, complete
    OVERVIEW = auto()  # the head of a large class
    HEAD = auto()  # the first stretch of any other long definition
    PART = auto()  # a later stretch of a long definition
    GAP = auto()  # what stands between definitions, and groups of tiny ones


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines first to last (0-based, half-open).

    `symbols` are the definitions that begin here (indices of the file's symbols), `owner` is the
    definition around the piece; for a PART that is the definition it is a part of.
    """

    first: int
    last: int
    role: Role
    symbols: tuple[int, ...] = ()
    owner: int | None = None
