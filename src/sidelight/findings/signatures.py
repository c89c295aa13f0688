"""Calls outside the diff that fitted a function before the change and do not fit it any more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sidelight.findings.fitting import (
    LENIENT,
    misfit,
    moved_argument,
    parameter_changes,
)
from sidelight.findings.model import Evidence, Finding, FindingKind
from sidelight.findings.sides import Sides
from sidelight.focal import FocalSymbol, SymbolChange
from sidelight.focal.symbols import signature_text
from sidelight.graph.families import family_of
from sidelight.graph.model import Confidence, Edge, EdgeKind, SymbolRef, text_path
from sidelight.graph.testpaths import is_test_path
from sidelight.model import Span, Symbol
from sidelight.parsing.calls import Call, read_calls
from sidelight.parsing.parameters import Parameters, read_parameters

SURE = 0.9
LESS_SURE = 0.7  # bound by the method's name, or a language that takes any number of arguments
MAX_EVIDENCE = 20  # calls shown of one function
# What a Python decorator may be without changing how the function is called.
_PLAIN_DECORATORS = frozenset(
    "staticmethod classmethod abstractmethod contextmanager asynccontextmanager cache lru_cache"
    " overload override final wraps deprecated typing.overload t.overload te.final"
    " functools.wraps functools.lru_cache functools.cache abc.abstractmethod"
    " contextlib.contextmanager contextlib.asynccontextmanager typing.final".split()
)
_DECORATOR = re.compile(r"@\s*([\w.]+)")


@dataclass(frozen=True, slots=True)
class _Changed:
    """A function with its parameters on both sides: one of each overload."""

    item: FocalSymbol
    language: str
    old: tuple[Parameters, ...]
    new: tuple[Parameters, ...]
    old_text: str
    new_text: str


def broken_calls(sides: Sides) -> Iterator[Finding]:
    """Yield one finding for each function whose callers outside the diff no longer fit."""
    for item in sides.focal.symbols:
        if item.change is not SymbolChange.SIGNATURE:
            continue
        changed = _changed(sides, item)
        if changed is not None:
            finding = _finding(sides, changed)
            if finding is not None:
                yield finding


def _changed(sides: Sides, item: FocalSymbol) -> _Changed | None:
    """Return what the function took and takes; None if that is the same or not known for sure."""
    file = sides.files[item.path]
    name = item.symbol.qualified_name
    before = [s for s in file.old.symbols if s.qualified_name == name]
    after = [s for s in file.new.symbols if s.qualified_name == name]
    if not before or not after:
        return None
    if any(_is_decorated(file.new_source, s, file.language) for s in after):
        return None
    old = read_parameters(file.old_source, file.language, _spans(before))
    new = read_parameters(file.new_source, file.language, _spans(after))
    if family_of(file.language).name == "c":
        new += _elsewhere(sides, item)
    known_old = tuple(p for p in old if p is not None)
    known_new = tuple(p for p in new if p is not None)
    if len(known_old) != len(old) or len(known_new) != len(new) or known_old == known_new:
        return None
    return _Changed(
        item,
        file.language,
        known_old,
        known_new,
        _shown(file.old_source, before[-1]),
        _shown(file.new_source, after[-1]),
    )


def _elsewhere(sides: Sides, item: FocalSymbol) -> list[Parameters | None]:
    """Return the parameters of the other declarations: C's prototypes hold the defaults."""
    found: list[Parameters | None] = []
    for ref in sides.head.named(item.symbol.name):
        if ref.path != item.path and ref.qualified_name == item.symbol.qualified_name:
            language = sides.head.language(ref.path)
            source = sides.head.source(ref.path)
            found += read_parameters(source, language, [(ref.span, ref.span.end_byte)])
    return found


def _spans(symbols: Sequence[Symbol]) -> list[tuple[Span, int]]:
    return [(symbol.span, symbol.body_byte) for symbol in symbols]


def _is_decorated(source: bytes, symbol: Symbol, language: str) -> bool:
    """Return whether a decorator may change how the function is called."""
    if language != "python":
        return False
    head = source[symbol.span.start_byte : symbol.body_byte].decode("utf-8", "replace")
    before = head.partition("def ")[0]
    return any(name not in _PLAIN_DECORATORS for name in _DECORATOR.findall(before))


def _finding(sides: Sides, changed: _Changed) -> Finding | None:
    item = changed.item
    target = SymbolRef(item.path, item.symbol.qualified_name, item.symbol.kind, item.symbol.span)
    edges = [
        edge
        for edge in sides.head.uses_of(target, (EdgeKind.CALL,))
        if edge.confidence is not Confidence.AMBIGUOUS
    ]
    evidence: list[Evidence] = []
    is_sure = changed.language not in LENIENT
    by_file: dict[bytes, list[Edge]] = {}
    for edge in edges:
        by_file.setdefault(edge.source.path, []).append(edge)
    n_moved = 0
    for path, mine in by_file.items():
        names = _call_names(item.symbol)
        language = sides.head.language(path)
        calls = read_calls(sides.head.source(path), language, {edge.line: names for edge in mine})
        for edge in mine:
            for call in calls.get(edge.line, ()):
                if sides.is_changed(path, call.start_line, call.end_line):
                    continue
                note, moved = _problem(changed, call, language)
                if note:
                    is_sure = is_sure and _is_typed(edge)
                    n_moved += moved
                    text = sides.line(path, edge.line)
                    evidence.append(Evidence(path, edge.line, text, note))
    evidence = list(dict.fromkeys(evidence))
    if not evidence:
        return None
    evidence.sort(key=lambda e: (is_test_path(text_path(e.path)), e.path, e.line))
    return Finding(
        FindingKind.SIGNATURE,
        item.path,
        item.symbol.span,
        item.symbol.qualified_name,
        _message(changed, len(evidence), n_moved == len(evidence)),
        tuple(evidence[:MAX_EVIDENCE]),
        SURE if is_sure else LESS_SURE,
    )


def _message(changed: _Changed, count: int, all_moved: bool) -> str:
    calls = f"{count} call{'' if count == 1 else 's'} outside the diff"
    name = changed.item.symbol.qualified_name
    what = f"`{name}{changed.old_text}` became `{name}{changed.new_text}`"
    if len(changed.old) == len(changed.new) == 1:
        told = parameter_changes(changed.old[0], changed.new[0])
        what = f"`{name}` {told}" if told else what
    if all_moved:
        return f"{what}: {calls} may mean another parameter"
    if changed.language in LENIENT:
        return f"{what}: {calls} still pass{'es' if count == 1 else ''} what it took before"
    return f"{what}: {calls} no longer fit{'s' if count == 1 else ''}"


def _problem(changed: _Changed, call: Call, language: str) -> tuple[str, bool]:
    """Return what no longer fits of a call that fitted before, and whether an argument moved."""
    if all(misfit(parameters, call, language) for parameters in changed.old):
        return "", False  # it never fitted: what is called is something else
    notes = [misfit(parameters, call, language) for parameters in changed.new]
    if all(notes):  # of overloads, the one that takes most is the likeliest to be meant
        nearest = max(range(len(notes)), key=lambda at: len(changed.new[at].items))
        return notes[nearest], False
    if len(changed.old) == len(changed.new) == 1:
        moved = moved_argument(changed.old[0], changed.new[0], call, language)
        return moved, bool(moved)
    return "", False


def _call_names(symbol: Symbol) -> frozenset[str]:
    """Return the names under which a call may show: a constructor is called by its class."""
    around = symbol.qualified_name.split(".")[-2:-1]
    return frozenset({symbol.name, *around, "super", "this", "cls", "new"})


def _is_typed(edge: Edge) -> bool:
    return edge.confidence in (Confidence.EXACT, Confidence.SAME_CLASS)


def _shown(source: bytes, symbol: Symbol) -> str:
    """Return the parameters as they are written, shortened."""
    text = signature_text(source, symbol)
    start = text.find(f"{symbol.name}(")
    text = text[start + len(symbol.name) :] if start >= 0 else text[text.find("(") :]
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            text = text[: at + 1]
            break
    return text if len(text) <= 80 else text[:77] + "…)"
