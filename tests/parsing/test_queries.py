"""The query files themselves: they compile, and keep clear of what breaks tree-sitter."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import sidelight.parsing
from sidelight.languages import LANGUAGES, QUERIED
from sidelight.model import SymbolKind
from sidelight.parsing import parse
from sidelight.parsing.captures import known_captures
from sidelight.parsing.generic import definition_kind
from sidelight.parsing.grammars import load_grammar, load_query

QUERIES = Path(sidelight.parsing.__file__).parent / "queries"
SHARED = {"ecmascript", "jsx"}
NAMES = sorted(file.stem for file in QUERIES.glob("*.scm"))
_CAPTURE = re.compile(r"(?<![\w.])@([\w.]+)")


def _patterns(text: str) -> list[str]:
    """Return the top-level patterns of a query file, comments removed."""
    text = re.sub(r"(?m)^\s*;.*$| ;.*$", "", text)
    patterns, depth, start = [], 0, 0
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|[()\[\]]', text):
        if found[0] in "([":
            if depth == 0:
                patterns.append(text[start : found.start()])
                start = found.start()
            depth += 1
        elif found[0] in ")]":
            depth -= 1
    return [*patterns, text[start:]]


@pytest.mark.parametrize("name", NAMES)
def test_query_belongs_to_a_language_and_compiles(name: str) -> None:
    if name in SHARED:
        return
    grammar = LANGUAGES[name].grammar
    assert grammar is not None
    assert load_query(name, grammar).pattern_count > 0


@pytest.mark.parametrize("name", NAMES)
def test_query_uses_known_captures_only(name: str) -> None:
    text = re.sub(r'"(?:\\.|[^"\\])*"|(?m:;.*$)', "", (QUERIES / f"{name}.scm").read_text("utf-8"))
    unknown = {
        label for label in _CAPTURE.findall(text) if not label.startswith("_")
    } - known_captures()
    assert not unknown


@pytest.mark.parametrize("name", NAMES)
def test_no_pattern_has_a_setting_beside_a_predicate(name: str) -> None:
    """tree-sitter 0.26.1 corrupts memory on `#set!` next to `#eq?` and the like."""
    for pattern in _patterns((QUERIES / f"{name}.scm").read_text("utf-8")):
        assert not ("#set!" in pattern and re.search(r"#[\w-]+\?", pattern)), pattern


def test_every_language_that_promises_queries_has_them() -> None:
    assert set(QUERIED) <= set(NAMES)
    assert all(LANGUAGES[name].has_queries for name in QUERIED)


def test_every_grammar_of_the_table_loads() -> None:
    for entry in LANGUAGES.values():
        if entry.grammar is not None:
            assert load_grammar(entry.grammar).node_kind_count > 0


@pytest.mark.parametrize(
    ("node_type", "kind"),
    [
        ("function_definition", SymbolKind.FUNCTION),
        ("class_declaration", SymbolKind.CLASS),
        ("struct_item", SymbolKind.STRUCT),
        ("interface_declaration", SymbolKind.INTERFACE),
        ("module_definition", SymbolKind.MODULE),
        ("function_call", None),
        ("function_type", None),
        ("class_body", None),
        ("type_identifier", None),
        ("if_statement", None),
    ],
)
def test_node_types_are_read_by_their_names(node_type: str, kind: SymbolKind | None) -> None:
    assert definition_kind(node_type) == kind


@pytest.mark.parametrize(
    ("language", "source", "symbols"),
    [
        ("elixir", "defmodule A.B do\n  def f(x), do: x\nend", ["module A.B", "function A.B.f"]),
        ("haskell", "module A where\nf :: Int\nf = 1\n", ["module A", "function f", "variable f"]),
        ("zig", "pub fn f() void {}\nconst S = struct { a: u8 };",
         ["function f", "struct S", "field S.a"]),
        ("dart", "class A { int x = 1; void f() {} }", ["class A", "field A.x", "method A.f"]),
        ("julia", "struct A\n x::Int\nend\nfunction f(x) end\ng(x) = 1",
         ["struct A", "function f", "function g"]),
        ("ocaml", "let f x = x\nmodule M = struct let z = 1 end",
         ["function f", "module M", "variable M.z"]),
        ("r", "f <- function(x) { x }", ["function f"]),
        ("perl", "package A;\nsub f { 1 }\npackage B::C;\nsub g { 2 }",
         ["function A.f", "function B.C.g"]),
        ("solidity", "contract A { function f() public {} }", ["class A", "method A.f"]),
        ("sql", "CREATE TABLE a (b int);", ["struct a", "field a.b"]),
        ("proto", "message A { string b = 1; }", ["struct A", "field A.b"]),
        ("make", "A = 1\nb: c\n\td\n", ["variable A", "function b"]),
        ("cuda", "__global__ void f(float* a) { g(); }", ["function f"]),
        ("wgsl", "fn f() { }", ["function f"]),
    ],
)  # fmt: skip
def test_definitions_of_other_grammars(language: str, source: str, symbols: list[str]) -> None:
    found = parse(source.encode(), language).symbols
    assert [f"{symbol.kind} {symbol.qualified_name}" for symbol in found] == symbols


def test_importing_the_parser_loads_no_grammar_and_no_numpy() -> None:
    code = (
        "import sys, sidelight.parsing; "
        "heavy = [m for m in sys.modules if m.startswith(('tree_sitter_language_pack', 'numpy'))]; "
        "sys.exit(1 if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
