"""`parse` on anything: invariants of its answer, and input that is no source at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight.languages import LANGUAGES, QUERIED
from sidelight.model import ParsedFile, Problem, Span, SymbolKind
from sidelight.parsing import parse

_OURS = ("python", "javascript", "typescript", "tsx", "go", "rust")
_WORDS = (
    *("class A", "def f", "fn f", "func f", "function f", "impl", "import a", "use a::b"),
    *("(", ")", "{", "}", "[", "]", "<", ">", ":", ";", ",", ".", "::", "=>", "=", "->", "@d"),
    *("\n", "\r\n", "    ", "\t", '"', "'", "`", "${", "//", "/*", "*/", "#", "#[d]", "\0"),
    *("x", "A", "1", "self", "if a", "return", "new B()", "a.b(c)", "x: T[U]", "const x"),
    *("é", "漢", "😀"),
)


def check_invariants(source: bytes, parsed: ParsedFile) -> None:
    """Fail unless every offset, line, index and order of a parsed file holds together."""
    size, n_lines = len(source), source.count(b"\n") + 1
    for found in (*parsed.symbols, *parsed.references, *parsed.imports, *parsed.problems):
        check_span(source, found.span, n_lines)
    for index, symbol in enumerate(parsed.symbols):
        span = symbol.span
        assert symbol.name
        assert symbol.qualified_name.endswith(symbol.name)
        assert 0 <= symbol.lead_byte <= span.start_byte <= symbol.body_byte <= span.end_byte
        if symbol.parent is not None:
            parent = parsed.symbols[symbol.parent]
            assert symbol.parent < index
            assert parent.span.contains(span)
            assert parent.span != span
            assert symbol.qualified_name.startswith(f"{parent.qualified_name}.")
    starts = [(s.span.start_byte, -s.span.end_byte) for s in parsed.symbols]
    assert starts == sorted(starts)
    uses = [(r.span.start_byte, r.span.end_byte) for r in parsed.references]
    assert uses == sorted(set(uses))
    for reference in parsed.references:
        assert reference.name
        assert reference.owner is None or 0 <= reference.owner < len(parsed.symbols)
    cuts = [cut.byte for cut in parsed.breaks]
    assert cuts == sorted(set(cuts))
    assert all(0 <= cut.byte < size and cut.depth >= 0 for cut in parsed.breaks)


def check_span(source: bytes, span: Span, n_lines: int) -> None:
    """Fail unless a span lies in the source and its lines are those of its bytes."""
    assert 0 <= span.start_byte <= span.end_byte <= len(source)
    assert 1 <= span.start_line <= span.end_line <= n_lines
    assert span.start_line == source.count(b"\n", 0, span.start_byte) + 1
    last = max(span.start_byte, span.end_byte - 1)
    assert span.end_line == source.count(b"\n", 0, last) + 1


@settings(max_examples=60, deadline=None)
@given(
    language=st.sampled_from(_OURS),
    words=st.lists(st.sampled_from(_WORDS), max_size=60),
    glue=st.sampled_from(["", " ", "\n"]),
)
def test_any_mixture_of_words_gives_a_consistent_file(
    language: str, words: list[str], glue: str
) -> None:
    source = glue.join(words).encode()
    check_invariants(source, parse(source, language))


@settings(max_examples=40, deadline=None)
@given(language=st.sampled_from(_OURS), source=st.binary(max_size=300))
def test_any_bytes_give_a_consistent_file(language: str, source: bytes) -> None:
    check_invariants(source, parse(source, language))


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b" \r\n\t\n",
        b"\0" * 3_000,
        b"\xff\xfe" * 100,
        b"(" * 10_000,
        b"[" * 10_000 + b"]" * 10_000,
        b"{" * 10_000 + b"}" * 10_000,
        b"a.b().c" * 1_000,
        b"x = 'unterminated\n" * 3,
        b"/* unterminated",
        b"a" * 100_000,
        b"x = " + b"a => " * 2_000,
        b"use a::{" * 2_000 + b"}" * 2_000,
        b"x: " + b"A[" * 2_000 + b"]" * 2_000,
    ],
    ids=lambda source: repr(source[:12]),
)
@pytest.mark.parametrize("language", ["python", "typescript", "go", "rust"])
def test_source_that_is_none_is_survived(language: str, source: bytes) -> None:
    check_invariants(source, parse(source, language))


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_offsets_are_exact_with_line_ends_and_byte_order_mark(newline: bytes, mark: bytes) -> None:
    lines = [b"# lead \xc3\xa9", b"def f(a):", b"    return g('\xff')", b""]
    source = mark + newline.join(lines)
    parsed = parse(source, "python")
    (symbol,) = parsed.symbols
    (call,) = parsed.references
    assert source[symbol.span.start_byte : symbol.body_byte].startswith(b"def f(a):")
    assert source[symbol.lead_byte :].startswith(b"# lead")
    assert source[call.span.start_byte : call.span.end_byte] == b"g"
    assert (symbol.span.start_line, symbol.span.end_line) == (2, 3)
    check_invariants(source, parsed)


def test_broken_source_still_gives_what_is_whole_and_says_where_it_broke() -> None:
    source = b"def a():\n    return 1\n\nclass (:\n\ndef b():\n    return a()\n"
    parsed = parse(source, "python")
    assert [symbol.name for symbol in parsed.symbols] == ["a", "b"]
    assert [problem.span.start_line for problem in parsed.problems] == [4]


def test_problems_are_few_however_broken_the_file_is() -> None:
    assert 1 <= len(parse(b"def (:\n" * 500, "python").problems) <= 20


def test_a_file_that_takes_too_long_has_one_problem_and_no_symbols() -> None:
    source = b"def f(): pass\n" * 2_000
    parsed = parse(source, "python", timeout_s=0.0)
    assert parsed == ParsedFile(
        "python",
        problems=(Problem("parsing took longer than 0 s", Span(0, len(source), 1, 2_000)),),
    )
    assert len(parse(source, "python", timeout_s=None).symbols) == 2_000


def test_the_same_source_gives_the_same_answer_whatever_was_parsed_before() -> None:
    source = b"class A:\n    def f(self): return self.g()\n"
    first = parse(source, "python")
    parse(b"class (", "python")
    parse(b"def f(): pass\n" * 2_000, "python", timeout_s=0.0)
    assert parse(source, "python") == first


def test_unknown_languages_and_prose_have_no_syntax() -> None:
    for language in ("markdown", "text", "json", "no such language"):
        assert parse(b"# Title\n\ndef f(): pass\n", language) == ParsedFile(language)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_of_the_table_parses(language: str) -> None:
    source = b"function f() { return 1; }\nclass A { }\n# x\n// y\n"
    check_invariants(source, parse(source, language))


def test_every_language_with_queries_has_references_too() -> None:
    call = {"bash": b"f() { g; }", "go": b"package p\nfunc f() { g() }", "php": b"<?php g();"}
    for language in QUERIED:
        source = call.get(language, b"g();")
        if language in {"java", "csharp"}:
            source = b"class A { void f() { g(); } }"
        elif language in {"c", "cpp"}:
            source = b"void f() { g(); }"
        elif language in {"rust", "kotlin", "swift"}:
            source = {"rust": b"fn f() { g(); }", "kotlin": b"fun f() { g() }"}.get(
                language, b"func f() { g() }"
            )
        names = [found.name for found in parse(source, language).references]
        assert "g" in names, language


def test_scripts_of_markup_are_parsed_in_place() -> None:
    source = (
        b"<template><p/></template>\n<script setup lang='ts'>\n// Goes.\n"
        b"function go(a: A) { run() }\n</script>\n<script type='text/template'>function no() {}"
        b"</script>\n<style>a {}</style>\n<script>\nexport const b = 1\n</script>\n"
    )
    parsed = parse(source, "vue")
    check_invariants(source, parsed)
    assert [(s.kind, s.name, s.span.start_line) for s in parsed.symbols] == [
        (SymbolKind.FUNCTION, "go", 4),
        (SymbolKind.VARIABLE, "b", 9),
    ]
    assert source[parsed.symbols[0].lead_byte :].startswith(b"// Goes.")
    assert [(r.name, r.owner) for r in parsed.references] == [("A", 0), ("run", 0)]
    assert parse(b"<p>no script</p>", "html") == ParsedFile("html")


@pytest.mark.parametrize("language", QUERIED)
def test_other_encodings_are_read_with_exact_offsets(language: str) -> None:
    """A predicate of a query must not meet bytes that it cannot decode."""
    source = "café = caf\u00e9('ü')\n<Caf\u00e9 a='ß'/>\n\u00c9T\u00c9 = 1\n".encode("latin-1")
    parsed = parse(source, language)
    check_invariants(source, parsed)
    for reference in parsed.references:
        assert len(source[reference.span.start_byte : reference.span.end_byte]) > 0


def test_letters_of_another_encoding_do_not_break_a_name() -> None:
    (symbol,) = parse("def caf\u00e9(): pass\n".encode("latin-1"), "python").symbols
    assert symbol.name == "caf_"


def test_small_but_hostile_source_is_stopped_too() -> None:
    source = b"/*" * 3_000  # cubic in Swift's scanner: half a minute
    (problem,) = parse(source, "swift", timeout_s=0.05).problems
    assert problem.message == "parsing took longer than 0.05 s"


def test_perl_ends_with_a_comment_that_the_file_cuts() -> None:
    source = b"sub f { 1 }\n__END__ # done"
    check_invariants(source, parse(source, "perl"))
    assert [symbol.name for symbol in parse(source, "perl").symbols] == ["f"]
