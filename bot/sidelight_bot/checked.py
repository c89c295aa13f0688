"""Read plain data into frozen dataclasses, believing nothing. Pure.

The rules stand beside the fields, as `Annotated` types; what has no rule is refused, so that a
field that is added later cannot be forgotten here.
"""

from __future__ import annotations

import dataclasses
import math
import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from sidelight.errors import SidelightError

MAX_PATH = 4096
MAX_LINE = 10_000_000
MAX_COUNT = 1_000_000_000
BYTE_80, BYTE_FF = "\udc80", "\udcff"  # how a path's bytes that are not UTF-8 are written


class ReportError(SidelightError):
    """A result that came from outside is not one that we would have written."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"the result is not valid: {where}: {what}")


@dataclasses.dataclass(frozen=True, slots=True)
class Text:
    """A string of at most `most` characters without control characters.

    With `lines` it may hold line ends and tabs; with `pattern` the whole of it has to match.
    """

    most: int
    lines: bool = False
    pattern: str = ""

    def check(self, value: Any, where: str) -> str:
        """Return the string, or raise."""
        if not isinstance(value, str):
            raise ReportError(where, "not a string")
        if len(value) > self.most:
            raise ReportError(where, f"longer than {self.most} characters")
        if any(is_control(c) for c in value if not (self.lines and c in "\n\t")):
            raise ReportError(where, "a control character")
        if self.pattern and not re.fullmatch(self.pattern, value, re.ASCII):
            raise ReportError(where, "not of the form that it must have")
        return value


@dataclasses.dataclass(frozen=True, slots=True)
class RelativePath:
    """A path inside a repository: no root, no `.` or `..`, no control characters.

    Bytes that are not UTF-8 are written as Python's surrogate escapes, and no other surrogates.
    """

    def check(self, value: Any, where: str) -> str:
        """Return the path, or raise."""
        path = value if isinstance(value, str) else ""
        if len(path) > MAX_PATH or not is_plain_path(path):
            raise ReportError(where, "not a path inside the repository")
        return path


@dataclasses.dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int = MAX_COUNT

    def check(self, value: Any, where: str) -> int:
        """Return the number, or raise."""
        if type(value) is not int:
            raise ReportError(where, "not a whole number")
        if not self.least <= value <= self.most:
            raise ReportError(where, f"not between {self.least} and {self.most}")
        return value


@dataclasses.dataclass(frozen=True, slots=True)
class Real:
    """A finite number from 0 to `most`."""

    most: float

    def check(self, value: Any, where: str) -> float:
        """Return the number, or raise."""
        if type(value) not in (int, float) or not math.isfinite(value):
            raise ReportError(where, "not a number")
        if not 0 <= value <= self.most:
            raise ReportError(where, f"not between 0 and {self.most:g}")
        return float(value)


@dataclasses.dataclass(frozen=True, slots=True)
class Most:
    """A list of at most `n` items."""

    n: int

    def check(self, value: Any, where: str) -> list[Any]:
        """Return the list, its items unread, or raise."""
        if not isinstance(value, list):
            raise ReportError(where, "not a list")
        if len(value) > self.n:
            raise ReportError(where, f"more than {self.n} items")
        return value


Sha = Annotated[str, Text(64, pattern=r"[0-9a-f]{40}(?:[0-9a-f]{24})?")]
Path = Annotated[str, RelativePath()]
Line = Annotated[int, Whole(1, MAX_LINE)]
Count = Annotated[int, Whole()]
Name = Annotated[str, Text(300)]
Sentence = Annotated[str, Text(1000)]
_T = TypeVar("_T")


def is_control(character: str) -> bool:
    """Return whether the character moves a terminal's cursor, ends a line, or is half of one."""
    return unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs")


def is_plain_path(path: str) -> bool:
    """Return whether a path may stand in a report: inside the repository, without oddities."""
    if any(part in ("", ".", "..") for part in path.split("/")):
        return False
    return not any(is_control(c) for c in path if not BYTE_80 <= c <= BYTE_FF)


def read_dataclass(kind: type[_T], value: Any, where: str) -> _T:
    """Return plain data as a frozen dataclass whose fields are all given and all follow rules.

    Raises:
        ReportError: anything else; the message names the field.
    """
    if not isinstance(value, Mapping):
        raise ReportError(where, "not an object")
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    if value.keys() != set(names):
        odd = sorted(str(name)[:40] for name in value.keys() ^ set(names))
        raise ReportError(where, f"missing or unknown fields: {', '.join(odd[:5])!r}")
    return kind(**{name: _read(hints[name], value[name], f"{where}.{name}") for name in names})


def _read(kind: Any, value: Any, where: str) -> Any:
    if get_origin(kind) is Annotated:
        inner, rule = get_args(kind)
        checked = rule.check(value, where)
        if get_origin(inner) is tuple:
            item = get_args(inner)[0]
            return tuple(_read(item, one, f"{where}[{at}]") for at, one in enumerate(checked))
        return checked
    if get_origin(kind) in (Union, UnionType):
        others = [part for part in get_args(kind) if part is not NoneType]
        return None if value is None else _read(others[0], value, where)
    if kind is bool and isinstance(value, bool):
        return value
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        found = next((member for member in kind if member.value == value), None)
        if found is None:
            raise ReportError(where, "not one of the words that it may be")
        return found
    if dataclasses.is_dataclass(kind):
        return read_dataclass(kind, value, where)  # type: ignore[arg-type]
    raise ReportError(where, "not what it must be")
