"""Ask the code graph who uses what changed, and what the changed lines use. Reads only.

Ambiguous edges are left out: a wrong line costs a reviewer more than a missing one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sidelight.findings.sides import Sides
from sidelight.focal import FocalSymbol, SymbolChange
from sidelight.graph.model import CONFIDENCE_ORDER, Confidence, Edge, EdgeKind, SymbolRef
from sidelight.model import CONTAINER_KINDS, Span
from sidelight.search.pathkind import PathKind, path_kind
from sidelight_bot.analysis.names import is_compound, is_test

_USES = (EdgeKind.CALL, EdgeKind.BASE, EdgeKind.DECORATOR)
_KINDS = (*_USES, EdgeKind.TYPE)
_VERBS = {
    EdgeKind.CALL: "calls",
    EdgeKind.BASE: "extends",
    EdgeKind.DECORATOR: "is decorated with",
    EdgeKind.TYPE: "has the type",
}
_CHANGE_ORDER = (
    SymbolChange.SIGNATURE,
    SymbolChange.CHANGED,
    SymbolChange.ADDED,
    SymbolChange.REMOVED,
)
MAX_NAMES = 3


@dataclass(frozen=True, slots=True)
class Use:
    """A definition outside the diff that uses, or is used by, changed ones.

    `names` are the changed definitions with the verb; `line` is where it matters most in `path`.
    `rank` sorts: surer and more uses first.
    """

    path: bytes
    span: Span
    symbol: str
    line: int
    verb: str
    names: tuple[str, ...]
    confidence: Confidence
    is_test: bool
    is_type: bool = False  # a mere mention in a signature or declaration

    @property
    def rank(self) -> tuple[bool, int, int, bytes, int]:
        """The order in which uses are shown."""
        sure = CONFIDENCE_ORDER[self.confidence]
        return (self.is_type, sure, -len(self.names), self.path, self.line)


def callers_of_change(sides: Sides, most: int) -> list[Use]:
    """Return who uses the first `most` changed definitions from outside the diff, surest first.

    One for each using definition; a changed signature's callers come before those of a body.
    Examples and the like are left out unless the diff is of such files itself.
    """
    found: dict[SymbolRef, list[tuple[int, Edge]]] = {}
    for at, item in enumerate(_changed(sides, most)):
        if item.change is SymbolChange.ADDED:
            continue  # whoever uses it is in the diff, or used another one
        # A class whose attributes changed breaks none of those who make or name one of it.
        kinds = (EdgeKind.BASE,) if item.symbol.kind in CONTAINER_KINDS else _USES
        for edge in sides.head.uses_of(_ref(item), kinds):
            source = edge.source
            if not _is_sure(edge, item) or _is_inside(sides, source):
                continue
            found.setdefault(source, []).append((at, edge))
    uses = (_caller(source, edges) for source, edges in found.items())
    return sorted(_worth(sides, uses), key=_rank)


def used_by_change(sides: Sides, most: int) -> list[Use]:
    """Return the definitions outside the diff that added lines use, surest first.

    One for each used definition. Definitions of tests that tests use are left out.
    """
    found: dict[SymbolRef, list[tuple[Edge, str]]] = {}
    for item in _changed(sides, most):
        lines = sides.changed_lines.get(item.path, frozenset())
        for edge in sides.head.used_by(_ref(item), _KINDS):
            target = edge.target
            unsure = edge.confidence in (Confidence.AMBIGUOUS, Confidence.UNIQUE)
            if edge.line not in lines or unsure or _is_inside(sides, target):
                continue
            if target.qualified_name:
                found.setdefault(target, []).append((edge, item.symbol.qualified_name))
    return sorted((_used(target, uses) for target, uses in found.items()), key=_rank)


def _is_sure(edge: Edge, item: FocalSymbol) -> bool:
    """Return whether the use means the definition; one of its name alone, only if that is rare."""
    if edge.confidence is Confidence.UNIQUE:
        return is_compound(item.symbol.name)
    return edge.confidence is not Confidence.AMBIGUOUS


def _worth(sides: Sides, uses: Iterable[Use]) -> Iterator[Use]:
    wanted = {PathKind.PRODUCTION, PathKind.TEST, *(path_kind(path) for path in sides.files)}
    return (use for use in uses if path_kind(use.path) in wanted)


def _rank(use: Use) -> tuple[bool, int, int, bytes, int]:
    return use.rank


def _caller(source: SymbolRef, edges: list[tuple[int, Edge]]) -> Use:
    _, best = min(edges, key=lambda pair: (pair[0], CONFIDENCE_ORDER[pair[1].confidence]))
    same = [edge for _, edge in edges if edge.kind is best.kind]
    return Use(
        path=source.path,
        span=source.span if source.qualified_name else _around(best.line),
        symbol=source.qualified_name,
        line=best.line,
        verb=_VERBS[best.kind],
        names=tuple(dict.fromkeys(edge.target.qualified_name for edge in same)),
        confidence=best.confidence,
        is_test=is_test(source.path, source.qualified_name),
    )


def _used(target: SymbolRef, uses: list[tuple[Edge, str]]) -> Use:
    best = min((edge for edge, _ in uses), key=lambda edge: CONFIDENCE_ORDER[edge.confidence])
    return Use(
        path=target.path,
        span=target.span,
        symbol=target.qualified_name,
        line=target.span.start_line,
        verb="used by",
        names=tuple(dict.fromkeys(user for _, user in uses)),
        confidence=best.confidence,
        is_test=is_test(target.path, target.qualified_name),
        is_type=all(edge.kind is EdgeKind.TYPE for edge, _ in uses),
    )


def _changed(sides: Sides, most: int) -> list[FocalSymbol]:
    """Return changed definitions at head, no tests, those that reach furthest first."""
    items = [i for i in sides.focal.symbols if i.change is not SymbolChange.REMOVED]
    items = [i for i in items if not is_test(i.path, i.symbol.qualified_name)]
    items.sort(key=lambda i: (_CHANGE_ORDER.index(i.change), i.path, i.symbol.span.start_line))
    return items[:most]


def _ref(item: FocalSymbol) -> SymbolRef:
    return SymbolRef(item.path, item.symbol.qualified_name, item.symbol.kind, item.symbol.span)


def _is_inside(sides: Sides, symbol: SymbolRef) -> bool:
    """Return whether the diff shows the definition, or a part of it, or may do so."""
    if any(path == symbol.path for path, _ in sides.focal.skipped):
        return True  # a changed file that was not parsed
    if not symbol.qualified_name:
        return symbol.path in sides.files
    return sides.is_changed(symbol.path, symbol.span.start_line, symbol.span.end_line)


def _around(line: int) -> Span:
    return Span(0, 0, line, line)


def told(use: Use) -> str:
    """Return why a use is shown: `calls `f` and `g` (line 12)`."""
    return f"{use.verb} {_listed(use.names)}" + (
        f" (line {use.line})" if use.verb != "used by" else ""
    )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(_quoted(names))


def _quoted(names: tuple[str, ...]) -> Iterator[str]:
    for name in names[:MAX_NAMES]:
        yield f"`{name.replace('`', '')}`"
    if len(names) > MAX_NAMES:
        yield f"{len(names) - MAX_NAMES} more"
