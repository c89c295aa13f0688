"""Swift: the hand-checked sample, and what its grammar misreads."""

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
from sidelight.parsing.rules.swift import RULES


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("swift", "Server.swift") == expected_sample("swift", "Server.swift")


def test_extensions_belong_to_the_type_they_extend() -> None:
    source = "extension A.B: P { var x: Int { 1 }\n func f() {} }\nextension Array<C> { init() {} }"
    assert symbols_of(source, "swift") == ["field A.B.x", "method A.B.f", "method Array.init"]
    assert references_of(source, "swift") == [
        "type A -> B",
        "base P",
        "type Array",
        "type C",
    ]


def test_conditions_of_compilation_do_not_end_a_class() -> None:
    source = (
        "class A {\n  #if DEBUG\n  let x = 1\n  #else\n  let y = 2\n  #endif\n  func f() {}\n}\n"
    )
    assert symbols_of(source, "swift") == ["class A", "field A.x", "field A.y", "method A.f"]


def test_operators_are_functions_with_their_sign() -> None:
    source = (
        "struct A { static func == (l: A, r: A) -> Bool { true }\n static prefix func - (a: A) {} }"
    )
    assert symbols_of(source, "swift") == ["struct A", "method A.==", "method A.-"]


def test_subscripts_are_no_calls_and_implicit_members_are() -> None:
    source = "func f() { a[0]; b.c[1]; done(.success(x)); d?.e { $0 } }"
    assert references_of(source, "swift") == [
        "call done",
        "call success",
        "call d -> e",
    ]


def test_function_types_keep_their_parameters() -> None:
    source = "struct A { let f: @Sendable (_ x: B) -> C\n func g(h: @escaping (D) -> E) {} }"
    assert references_of(source, "swift") == ["type B", "type C", "type D", "type E"]


def test_locals_are_no_fields() -> None:
    source = "struct A { var x: Int { let y = 1; return y }\n func f() { let z = 2 } }"
    assert symbols_of(source, "swift") == ["struct A", "field A.x", "method A.f"]


def test_imports_of_every_sort() -> None:
    source = "import A\n@testable import B\nimport struct C.D\nimport E.F\n"
    assert imports_of(source, "swift") == ["import A", "import B", "import C: D", "import E.F"]


@given(st.text(alphabet="#ifelsndx @Sendable(\n", max_size=120))
def test_masking_keeps_every_offset(source: str) -> None:
    assert RULES.mask is not None
    masked = RULES.mask(source.encode())
    assert len(masked) == len(source)
    assert masked.count(b"\n") == source.count("\n")
