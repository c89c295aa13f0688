"""A parsed file as text, one line an item, for comparison with hand-checked expectations."""

from __future__ import annotations

from pathlib import Path

from sidelight.model import Import, ParsedFile, Reference, Symbol
from sidelight.parsing import parse

SAMPLES = Path(__file__).parent.parent / "parsing" / "samples"


def render_parsed(source: bytes, parsed: ParsedFile) -> str:
    """Return symbols (S), references (R) and imports (I), each in source order.

    `S 14-97 class Server lead=11 body=16`: lines; `lead` where comments above begin, if any;
    `body` the line where the body begins, if it has one.
    `R 28 call this.handlers -> add in Server.Server`: receiver before the arrow, owner last.
    """
    lines = [_symbol(source, symbol) for symbol in parsed.symbols]
    lines += [_reference(parsed, reference) for reference in parsed.references]
    lines += [_import(found) for found in parsed.imports]
    return "".join(f"{line}\n" for line in lines)


def parsed_sample(language: str, name: str) -> str:
    """Return the rendered parse of `samples/<language>/<name>`."""
    source = (SAMPLES / language / name).read_bytes()
    return render_parsed(source, parse(source, language))


def expected_sample(language: str, name: str) -> str:
    """Return what a person wrote down for that sample."""
    return (SAMPLES / language / f"{name}.expected").read_text(encoding="utf-8")


def symbols_of(source: str, language: str) -> list[str]:
    """Return `kind qualified.name` of each symbol."""
    parsed = parse(source.encode(), language)
    return [f"{symbol.kind} {symbol.qualified_name}" for symbol in parsed.symbols]


def references_of(source: str, language: str) -> list[str]:
    """Return `kind receiver -> name` of each reference."""
    parsed = parse(source.encode(), language)
    return [f"{found.kind} {_use(found)}" for found in parsed.references]


def imports_of(source: str, language: str) -> list[str]:
    """Return `kind module: names` of each import."""
    parsed = parse(source.encode(), language)
    return [_import(found).split(" ", 2)[2] for found in parsed.imports]


def _line(source: bytes, byte: int) -> int:
    return source.count(b"\n", 0, byte) + 1


def _symbol(source: bytes, symbol: Symbol) -> str:
    span = symbol.span
    text = f"S {span.start_line}-{span.end_line} {symbol.kind} {symbol.qualified_name}"
    if symbol.lead_byte < span.start_byte:
        text += f" lead={_line(source, symbol.lead_byte)}"
    if symbol.body_byte < span.end_byte:
        text += f" body={_line(source, symbol.body_byte)}"
    return text


def _use(reference: Reference) -> str:
    if reference.receiver is None:
        return reference.name
    return f"{reference.receiver} -> {reference.name}"


def _reference(parsed: ParsedFile, reference: Reference) -> str:
    text = f"R {reference.span.start_line} {reference.kind} {_use(reference)}"
    if reference.owner is not None:
        text += f" in {parsed.symbols[reference.owner].qualified_name}"
    return text


def _import(found: Import) -> str:
    text = f"I {found.span.start_line} {found.kind} {found.module}"
    if found.alias is not None:
        text += f" as {found.alias}"
    if found.names:
        names = (
            f"{name.name} as {name.alias}" if name.alias else name.name for name in found.names
        )
        text += f": {', '.join(names)}"
    return text
