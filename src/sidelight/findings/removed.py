"""What the diff removed or renamed and code outside of it still refers to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sidelight.findings.bases import has_unseen_base
from sidelight.findings.model import Evidence, Finding, FindingKind
from sidelight.findings.sides import Sides
from sidelight.focal import FocalFile
from sidelight.git.diffs import LineKind
from sidelight.graph.families import family_of
from sidelight.graph.model import Confidence, EdgeKind, SymbolRef, text_path
from sidelight.graph.testpaths import is_test_path
from sidelight.model import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    ParsedFile,
    Span,
    Symbol,
    SymbolKind,
)

SURE = 0.9
MAX_EVIDENCE = 20
MAX_IMPORT_LINES = 60  # of one statement
_KINDS = CALLABLE_KINDS | CONTAINER_KINDS | {SymbolKind.TYPE}
_WEAK = ("only method of that name", "method of an imported file", "only definition of that name")
_DYNAMIC = re.compile(rb"__getattr__|method_missing|const_missing|Proxy\(|__call\b|globals\(\)\[")
_START = Span(0, 0, 1, 1)


def broken_references(sides: Sides) -> Iterator[Finding]:
    """Yield one finding for each removed definition or file that is still referred to at head."""
    added = _added_names(sides)
    for file in sides.focal.files:
        gone = _gone(file)
        lost_imports = _lost_imports(sides, file)
        reported: set[tuple[bytes, int]] = set()
        for symbol in gone:
            evidence = [
                e for e in lost_imports.get(symbol.name, ()) if "." not in symbol.qualified_name
            ]
            evidence += _lost_uses(sides, file, symbol)
            evidence = [e for e in dict.fromkeys(evidence) if (e.path, e.line) not in reported]
            if evidence:
                reported |= {(e.path, e.line) for e in evidence}
                yield _finding(file, symbol, evidence, added)
        if file.diff.change.new_blob is None or file.diff.change.old_path not in (None, file.path):
            rest = [e for e in lost_imports.get("", ()) if (e.path, e.line) not in reported]
            if rest:
                yield _lost_file(file, rest)


def _gone(file: FocalFile) -> list[Symbol]:
    """Return the outermost definitions that only the base side has."""
    there = {symbol.qualified_name for symbol in file.new.symbols}
    last = {symbol.name for symbol in file.new.symbols}
    if file.language == "go":
        there |= {name.rpartition(".")[2] for name in there}
    found: list[Symbol] = []
    names: set[str] = set()
    for symbol in file.old.symbols:
        name = symbol.qualified_name
        if name in there or name in names or symbol.kind not in _KINDS:
            continue
        around = name.rpartition(".")[0]
        if around and (around in names or around not in there):
            continue  # goes with what holds it, or hangs on something unseen
        if not around and symbol.name in last and symbol.kind in CALLABLE_KINDS:
            continue  # became a member: found by its name alone, nothing is sure
        names.add(name)
        found.append(symbol)
    return found


def _lost_uses(sides: Sides, file: FocalFile, symbol: Symbol) -> list[Evidence]:
    """Return uses of a removed definition that stand at head as they stood, bound to nothing."""
    old_path = file.diff.change.old_path or file.path
    if _is_served_otherwise(sides, file, symbol):
        return []
    target = SymbolRef(old_path, symbol.qualified_name, symbol.kind, symbol.span)
    edges = sides.base.uses_of(target)
    is_open = family_of(file.language).name == "c"  # elsewhere names of the runtime are open, too
    found: list[Evidence] = []
    for edge in edges:
        if edge.confidence is Confidence.AMBIGUOUS or (
            edge.evidence in _WEAK and not (is_open and symbol.kind is SymbolKind.FUNCTION)
        ):
            continue
        place = _at_head(sides, edge.source.path, edge.line)
        if place is None:
            continue
        path, line = place
        text = sides.line(path, line)
        if not _mentions(text, symbol.name) or _is_bound(sides, path, line, symbol.name):
            continue
        if _is_guarded(sides, path, line):
            continue
        note = "" if edge.kind is EdgeKind.CALL else f"as a {edge.kind.value}"
        found.append(Evidence(path, line, text, note))
    return found


def _is_served_otherwise(sides: Sides, file: FocalFile, symbol: Symbol) -> bool:
    """Return whether the name may still lead somewhere: a library's base, a dynamic attribute, an
    alias or import that took its place."""
    word = symbol.name.encode("utf-8", "replace")
    if _is_imported_now(sides, file, symbol.name):
        return True
    assigned = re.search(rb"^\s*" + re.escape(word) + rb"\s*(?::[^=\n]+)?=", file.new_source, re.M)
    if assigned or (word in file.new_source and _DYNAMIC.search(file.new_source)):
        return True
    holder = symbol.qualified_name.rpartition(".")[0]
    if not holder:
        return False
    is_dynamic = _DYNAMIC.search(file.new_source) is not None
    return is_dynamic or has_unseen_base(sides.head, file.path, holder)


def _is_imported_now(sides: Sides, file: FocalFile, name: str) -> bool:
    """Return whether a changed file brings the name in since, or the same file does anyway."""
    for other in sides.focal.files:
        now = _imported(other.new)
        if name in now and (other.path == file.path or name not in _imported(other.old)):
            return True
    return False


def _imported(parsed: ParsedFile) -> set[str | None]:
    return {name for item in parsed.imports for n in item.names for name in (n.name, n.alias)}


def _lost_imports(sides: Sides, file: FocalFile) -> dict[str, list[Evidence]]:
    """Return, by imported name ("" for the file as a whole), imports that lead nowhere at head."""
    if file.diff.change.old_blob is None:
        return {}
    gone = _gone_names(file)
    old_path = file.diff.change.old_path or file.path
    is_away = file.path != old_path or file.diff.change.new_blob is None
    if not gone and not is_away:
        return {}  # as most changes: nobody need be asked who imports the file
    found: dict[str, list[Evidence]] = {}
    for edge in sides.base.importers(old_path):
        lost = [name for name in edge.names if name in gone]
        place = _at_head(sides, edge.source, edge.line) if lost or is_away else None
        if place is None or _is_guarded(sides, *place):
            continue
        path, line = place
        now = [item for item in sides.head.imports(path) if item.line == line]
        kept = {name for item in now if item.target != file.path for name in item.names}
        for name in lost:
            at = _line_naming(sides, path, line, name) if name not in kept else None
            if at is None:
                continue  # the statement is there, the name is not any more
            evidence = Evidence(path, at, sides.line(path, at), "imports it")
            found.setdefault(name, []).append(evidence)
        if not now and is_away:
            text = sides.line(path, line)
            found.setdefault("", []).append(Evidence(path, line, text, "imports the file"))
    return found


def _gone_names(file: FocalFile) -> set[str]:
    """Return the qualified names that a file defined, and neither has nor brings in since."""
    if _DYNAMIC.search(file.new_source):
        return set()
    there = {name for symbol in file.new.symbols for name in (symbol.name, symbol.qualified_name)}
    there |= {name for name in _imported(file.new) if name}
    return {symbol.qualified_name for symbol in file.old.symbols} - there - {"*", "default"}


def _line_naming(sides: Sides, path: bytes, line: int, name: str) -> int | None:
    """Return the line of an import statement that holds the name; None if none does."""
    depth = 0
    for at in range(line, line + MAX_IMPORT_LINES):
        text = sides.line(path, at)
        if _mentions(text, name):
            return at
        depth += sum(text.count(c) for c in "({[") - sum(text.count(c) for c in ")}]")
        if depth <= 0 and not text.endswith("\\"):
            return None
    return None


def _at_head(sides: Sides, path: bytes, line: int) -> tuple[bytes, int] | None:
    """Return where an unchanged line of the base side stands at head; None if the diff took it."""
    for file in sides.focal.files:
        change = file.diff.change
        if (change.old_path or file.path) != path or change.old_blob is None:
            continue
        if change.new_blob is None:
            return None
        shift = 0
        for hunk in file.diff.hunks:
            for item in hunk.lines:
                if item.old == line:
                    kept = item.kind is LineKind.CONTEXT and item.new is not None
                    return (file.path, item.new) if kept and item.new is not None else None
            if hunk.old_start > line:
                break
            shift = (hunk.new_start + hunk.new_count) - (hunk.old_start + hunk.old_count)
        return file.path, line + shift
    return path, line


def _is_bound(sides: Sides, path: bytes, line: int, name: str) -> bool:
    """Return whether a use of the name on the line leads to something at head."""
    file = sides.head.file(path)
    return any(
        edge.line == line and (edge.target.name == name or name in edge.target.qualified_name)
        for edge in sides.head.used_by(file)
    )


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) is not None


def _is_guarded(sides: Sides, path: bytes, line: int) -> bool:
    """Return whether the line stands in a `try:` of its own: it expects to fail."""
    if sides.head.language(path) != "python":
        return False
    above = sides.head.source(path).split(b"\n")[max(0, line - 12) : line]
    if not above:
        return False
    indent = len(above[-1]) - len(above[-1].lstrip())
    for text in reversed(above[:-1]):
        stripped = text.strip()
        if stripped and len(text) - len(text.lstrip()) < indent:
            return stripped.startswith(b"try")
    return False


def _added_names(sides: Sides) -> dict[str, SymbolRef]:
    """Return what the diff added, by its last name: where a removed definition may have gone."""
    found: dict[str, SymbolRef] = {}
    for file in sides.focal.files:
        before = {symbol.qualified_name for symbol in file.old.symbols}
        for symbol in file.new.symbols:
            if symbol.qualified_name not in before and symbol.kind in _KINDS:
                ref = SymbolRef(file.path, symbol.qualified_name, symbol.kind, symbol.span)
                found.setdefault(symbol.name, ref)
    return found


def _finding(
    file: FocalFile, symbol: Symbol, evidence: list[Evidence], added: dict[str, SymbolRef]
) -> Finding:
    count = len(evidence)
    evidence.sort(key=lambda e: (is_test_path(text_path(e.path)), e.path, e.line))
    what = f"`{symbol.qualified_name}` is removed"
    moved = added.get(symbol.name)
    if moved is not None:
        what = f"`{symbol.qualified_name}` moved to {text_path(moved.path)}"
    places = f"{count} place{'' if count == 1 else 's'} still refer{'s' if count == 1 else ''}"
    return Finding(
        FindingKind.REMOVED,
        file.path,
        symbol.span if file.diff.change.new_blob is None else _START,
        symbol.qualified_name,
        f"{what}, and {places} to it",
        tuple(evidence[:MAX_EVIDENCE]),
        SURE,
    )


def _lost_file(file: FocalFile, evidence: list[Evidence]) -> Finding:
    old_path = file.diff.change.old_path or file.path
    count = len(evidence)
    gone = file.diff.change.new_blob is None
    what = "is deleted" if gone else f"is now {text_path(file.path)}"
    return Finding(
        FindingKind.REMOVED,
        file.path,
        _START,
        "",
        f"{text_path(old_path)} {what}, and {count} file{'' if count == 1 else 's'}"
        f" still import{'s' if count == 1 else ''} it",
        tuple(evidence[:MAX_EVIDENCE]),
        SURE,
    )
