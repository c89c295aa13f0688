"""Kotlin: the hand-checked sample, and what its grammar misreads."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)
from sidelight.parsing import parse
from sidelight.parsing.rules.kotlin import RULES


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("kotlin", "Server.kt") == expected_sample("kotlin", "Server.kt")


def test_extensions_belong_to_the_type_they_extend() -> None:
    source = "fun Foo<*>?.f() = 1\nfun a.b.Bar.g() = 2\nval <T> List<T>.h: T get() = first()\n"
    assert symbols_of(source, "kotlin") == [
        "method Foo.f",
        "method a.b.Bar.g",
        "field List.h",
    ]


def test_companions_give_their_members_to_the_class() -> None:
    source = (
        "class A {\n companion object {\n  fun f() = 1\n }\n}\n"
        "class B {\n companion object C {\n  fun g() = 1\n }\n}\n"
    )
    assert symbols_of(source, "kotlin") == [
        "class A",
        "method A.f",
        "class B",
        "class B.C",
        "method B.C.g",
    ]


def test_delegation_does_not_swallow_the_body() -> None:
    source = "class A(val x: Int = 1) : B by make(x) {\n  val y by lazy { 1 }\n  fun f() {}\n}\n"
    assert symbols_of(source, "kotlin") == [
        "class A",
        "field A.x",
        "field A.y",
        "method A.f",
    ]
    assert references_of(source, "kotlin") == ["base B", "call lazy"]


def test_annotated_functions_of_a_file_are_found() -> None:
    source = '@Deprecated("a (b)", R("c"))\nfun f() {}\n@JvmName("x") fun g() {}\n'
    assert symbols_of(source, "kotlin") == ["function f", "function g"]
    assert references_of(source, "kotlin") == ["decorator Deprecated", "decorator JvmName"]


def test_constructor_may_stand_on_a_line_of_its_own() -> None:
    source = "class A\n// why\ninternal constructor(val x: Int) : B {\n  fun f() {}\n}\n"
    assert symbols_of(source, "kotlin") == ["class A", "field A.x", "method A.f"]
    parsed = parse(source.encode(), "kotlin")
    assert [symbol.span.start_line for symbol in parsed.symbols] == [1, 3, 4]


def test_property_holds_the_getter_and_setter_below_it() -> None:
    source = (
        "class A {\n  var x: Int\n    get() = f()\n    set(value) {\n      g(value)\n    }\n}\n"
    )
    parsed = parse(source.encode(), "kotlin")
    assert [(s.name, s.span.start_line, s.span.end_line) for s in parsed.symbols] == [
        ("A", 1, 7),
        ("x", 2, 6),
    ]
    assert [found.owner for found in parsed.references] == [1, 1]


def test_locals_inside_lambdas_are_no_fields() -> None:
    source = "class A {\n val x = run {\n  val y = 1\n  y\n }\n}\n"
    assert symbols_of(source, "kotlin") == ["class A", "field A.x"]


def test_infix_words_and_callable_references_are_calls() -> None:
    source = "fun f() { a to b; xs.map(::g).map(String::trim); X::class }"
    assert references_of(source, "kotlin") == [
        "call a -> to",
        "call xs -> map",
        "call g",
        "call xs.map() -> map",
        "call String -> trim",
        "type X",
    ]


def test_imports_of_every_sort() -> None:
    source = "package a.b\n\nimport c.d.E\nimport c.d.F as G\nimport h.*\nimport i\n"
    assert imports_of(source, "kotlin") == [
        "package a.b",
        "import c.d: E",
        "import c.d: F as G",
        "import h: *",
        "import i",
    ]


@given(st.text(alphabet='@A("\\)by {}class\n :val', max_size=120))
def test_masking_keeps_every_offset(source: str) -> None:
    assert RULES.mask is not None
    masked = RULES.mask(source.encode())
    assert len(masked) == len(source)
