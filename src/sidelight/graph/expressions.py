"""Read the little expressions that receivers and initial values are: `a.b().c`, `new X()`. Pure.

Whatever is not a chain of names, calls and subscripts has no reading, and tells nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

MAX_STEPS = 12
MAX_SCAN = 2_000  # bytes of one initial value: a longer one is no chain that tells a type

_LEAD = re.compile(r"(?:(?:new|await|return|throw|not|try|yield)\b\s*|[&*!]|mut\b\s*)+")
_STEP = re.compile(
    r"\s*(?:(?P<sep>\?\.|&\.|!\.|\.|(?:::)+|->|\\)\s*)?(?P<name>@{0,2}[\w$]+(?:[!?](?![.=\w]))?)?"
)
_OPERATOR = re.compile(r"[-+*/%<>|&^?=.](?!>)|(?:and|or|if|is|in|not)\b")
_MARKS = re.compile(r"[?!]+(?=[.;)\s]|$)")  # optional chaining, Kotlin's `!!`, Rust's `?`
_GENERIC = re.compile(r"::<|<")
_OPEN, _CLOSE = "([{", ")]}"
_TRANSPARENT = frozenset({"await", "unwrap", "expect", "clone", "as_ref", "as_mut", "to_owned"})


@dataclass(frozen=True, slots=True)
class Step:
    """One name of a chain, and whether it is called, or an element of it taken."""

    name: str
    is_called: bool
    is_indexed: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """`new a.b(…).c` → steps a, b (called), c; `is_made` if it began with `new`.

    `is_path`: the first name is followed by `::`, so that it is no variable.
    """

    steps: tuple[Step, ...]
    is_made: bool = False
    is_path: bool = False


@lru_cache(maxsize=1 << 14)
def parse_chain(text: str) -> Chain | None:
    """Return the chain that the text is, whole; None if it is anything else.

    Arguments and subscripts may be there or, as in receivers, be reduced to their brackets.
    A subscript is passed over: an element counts as what its container was declared to hold.
    """
    found, end = _read(text, 0)
    return found if found is not None and not text[end:].strip() else None


def chain_at(text: str, start: int) -> Chain | None:
    """Return the chain that an initial value at `start` begins with.

    None if an operator follows: then the chain's type is not the value's. `T{…}` makes a T.
    """
    piece = text[start : start + MAX_SCAN]
    found, end = _read(piece, 0)
    if found is None:
        return None
    rest = piece[end : end + 40].lstrip(" \t")
    last = found.steps[-1]
    if (
        rest.startswith("{")
        and not last.is_called
        and (last.name[0].isupper() or piece[end] == "{")
    ):
        return Chain((*found.steps[:-1], Step(last.name, is_called=True)), is_made=True)
    return None if _OPERATOR.match(rest) else found


def _read(text: str, start: int) -> tuple[Chain | None, int]:
    lead = _LEAD.match(text, start)
    at = lead.end() if lead else start
    is_made = lead is not None and "new" in lead[0]
    steps: list[Step] = []
    is_first, is_path = True, False
    while len(steps) < MAX_STEPS:
        step = _STEP.match(text, at)
        if step is None or step["name"] is None:
            break
        if bool(step["sep"]) == is_first:
            break
        is_path = is_path or (len(steps) == 1 and (step["sep"] or "").startswith("::"))
        is_first = False
        name = step["name"]
        at, is_called, is_indexed = _brackets(text, step.end())
        if not (name in _TRANSPARENT and steps):
            steps.append(Step(name, is_called, is_indexed))
    if not steps:
        return None, at
    if at < len(text) and text[at : at + 1] == "?":
        at += 1  # Rust's
    return Chain(tuple(steps), is_made, is_path), at


def _brackets(text: str, at: int) -> tuple[int, bool, bool]:
    """Pass over generics, arguments, subscripts; return where they end, if called, if indexed."""
    is_called = is_indexed = False
    while at < len(text):
        generic = _GENERIC.match(text, at)
        if generic:
            end = _balanced(text, at, "<", ">")
            follows = text[end : end + 1]
            if end < 0 or follows not in ("(", ".", ":", "{", ""):
                break
            at = end
        elif text[at] in "([":
            is_called = is_called or text[at] == "("
            is_indexed = is_indexed or text[at] == "["
            end = _balanced(text, at, _OPEN, _CLOSE)
            if end < 0:
                return at, is_called, is_indexed
            at = end
        elif mark := _MARKS.match(text, at):
            at = mark.end()
        else:
            break
    return at, is_called, is_indexed


def _balanced(text: str, at: int, opening: str, closing: str) -> int:
    depth = 0
    quote = ""
    for index in range(at, len(text)):
        char = text[index]
        if quote:
            if char == quote and text[index - 1] != "\\":
                quote = ""
        elif char in "\"'`" and opening != "<":
            quote = char
        elif char in opening:
            depth += 1
        elif char in closing:
            depth -= 1
            if depth == 0:
                return index + 1
        elif opening == "<" and char in ";{}":
            return -1
    return -1
