"""Which definitions a file's hunks touch, and whether their signature changed. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from sidelight.focal.model import FocalFile, FocalSymbol, SymbolChange
from sidelight.model import CALLABLE_KINDS, ParsedFile, Symbol


def changed_symbols(file: FocalFile) -> list[FocalSymbol]:
    """Return the innermost definitions around changed lines: head's for added, base's for removed.

    A definition that both sides have by qualified name is one, shown on the head's side.
    """
    new_lines = [line.new for hunk in file.diff.hunks for line in hunk.added if line.new]
    old_lines = [line.old for hunk in file.diff.hunks for line in hunk.removed if line.old]
    touched_new = _innermost(file.new, new_lines)
    touched_old = _innermost(file.old, old_lines)
    by_name_new = {symbol.qualified_name: symbol for symbol in file.new.symbols}
    by_name_old = {symbol.qualified_name: symbol for symbol in file.old.symbols}
    found: dict[str, FocalSymbol] = {}
    for symbol in touched_new:
        old = by_name_old.get(symbol.qualified_name)
        found[symbol.qualified_name] = _compare(file, old, symbol)
    for symbol in touched_old:
        new = by_name_new.get(symbol.qualified_name)
        if symbol.qualified_name not in found:
            found[symbol.qualified_name] = _compare(file, symbol, new)
    return list(found.values())


def signature_text(source: bytes, symbol: Symbol) -> str:
    """Return the definition's text up to its body, white space folded."""
    end = symbol.body_byte if symbol.body_byte > symbol.span.start_byte else symbol.span.end_byte
    text = source[symbol.span.start_byte : end].decode("utf-8", "replace")
    return " ".join(text.split()).removesuffix("{").rstrip()


def _compare(file: FocalFile, old: Symbol | None, new: Symbol | None) -> FocalSymbol:
    old_signature = signature_text(file.old_source, old) if old else ""
    new_signature = signature_text(file.new_source, new) if new else ""
    shown = new or old
    assert shown is not None  # noqa: S101 - a touched symbol is on one side at least
    if old is None:
        change = SymbolChange.ADDED
    elif new is None:
        change = SymbolChange.REMOVED
    elif shown.kind in CALLABLE_KINDS and old_signature != new_signature:
        change = SymbolChange.SIGNATURE
    else:
        change = SymbolChange.CHANGED
    return FocalSymbol(file.path, shown, change, old_signature, new_signature)


def _innermost(parsed: ParsedFile, lines: Iterable[int]) -> list[Symbol]:
    """Return, in source order, the last symbol to begin of those around each line, in one pass."""
    symbols = parsed.symbols  # in source order
    found: set[int] = set()
    around: list[int] = []
    at = 0
    for line in sorted(set(lines)):
        while at < len(symbols) and symbols[at].span.start_line <= line:
            around.append(at)
            at += 1
        while around and symbols[around[-1]].span.end_line < line:
            around.pop()  # lines ascend: it is around none of the others either
        if around:
            found.add(around[-1])
    return [symbols[index] for index in sorted(found)]
