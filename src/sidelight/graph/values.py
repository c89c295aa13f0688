"""What an expression is, and where it stands, as values. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sidelight.graph.rows import Definition


class Sort(Enum):
    """What a value is."""

    UNKNOWN = "unknown"
    LIBRARY = "library"
    MODULE = "module"
    TYPE = "type"
    INSTANCE = "instance"
    CALLABLE = "callable"


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression is: `definitions` the type or function, `modules` the module's files.

    `is_own`: it is the object itself whose method is being looked at (`self`, `this`).
    """

    sort: Sort
    definitions: tuple[Definition, ...] = ()
    modules: tuple[str, ...] = ()
    is_own: bool = False
    is_super: bool = False


UNKNOWN = Value(Sort.UNKNOWN)
LIBRARY = Value(Sort.LIBRARY)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression stands: a file, the innermost definition around it, and its byte."""

    path: str
    owner: int | None
    byte: int
