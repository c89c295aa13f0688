"""C++: the hand-checked sample, and what macros, qualifiers and declarators hide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)
from sidelight.parsing.macros import without_opaque_macros


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("cpp", "engine.cpp") == expected_sample("cpp", "engine.cpp")


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_namespaces_of_any_depth_qualify(depth: int) -> None:
    path = ["a", "b", "c"][:depth]
    source = f"namespace {'::'.join(path)} {{ void f(); }}"
    assert symbols_of(source, "cpp") == [
        f"module {'.'.join(path)}",
        f"function {'.'.join(path)}.f",
    ]


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("int A::f()", "A.f"),
        ("int* ns::A::f() const", "ns.A.f"),
        ("const T& A<T>::f()", "A.f"),
        ("A::A(int x) : x_(x)", "A.A"),
        ("A::~A()", "A.~A"),
        ("A& A::operator=(const A& other)", "A.operator="),
    ],
)
def test_definition_outside_of_its_class_is_a_method(head: str, name: str) -> None:
    assert symbols_of(f"{head} {{}}", "cpp") == [f"method {name}"]


def test_defaulted_members_outside_of_their_class_are_methods() -> None:
    source = "namespace n {\nA::A() = default;\nA::~A() = default;\n}\nint x = f(default_);\n"
    assert symbols_of(source, "cpp") == [
        "module n",
        "method n.A.A",
        "method n.A.~A",
        "variable x",
    ]
    assert references_of(source, "cpp") == ["call f"]


def test_object_made_inside_a_function_is_no_prototype() -> None:
    assert symbols_of("void f() { Point p(other); Lock lock(mutex_); }", "cpp") == ["function f"]


@pytest.mark.parametrize(
    "source",
    [
        "class LIB_API A : public B {\npublic:\n  void f();\n};\n",
        "LIB_BEGIN_NS\nclass A : public B {\n  LIB_NODISCARD void f();\n};\nLIB_END_NS\n",
    ],
)
def test_macros_that_no_grammar_knows_hide_nothing(source: str) -> None:
    assert symbols_of(source, "cpp") == ["class A", "method A.f"]
    assert references_of(source, "cpp") == ["base B"]


def test_google_tests_are_named_by_their_suite_and_case() -> None:
    source = "TEST(Store, Opens) { open(); }\nTEST_F(Fixture, Closes) { close(); }\n"
    assert symbols_of(source, "cpp") == ["function Store.Opens", "function Fixture.Closes"]


def test_upper_case_words_that_are_types_or_values_stay() -> None:
    source = (
        b"enum e {\n  A_B,\n  C_D\n};\nMY_TYPE f(MY_TYPE x);\n"
        b"int x = F(\n  A_B\n);\nx = (int) A_B;\n"
    )
    assert without_opaque_macros(source) == source


@given(st.binary(max_size=200))
def test_masking_keeps_every_offset(source: bytes) -> None:
    masked = without_opaque_macros(source)
    assert len(masked) == len(source)
    assert [i for i, b in enumerate(masked) if b == 10] == [
        i for i, b in enumerate(source) if b == 10
    ]


def test_qualified_uses_keep_the_whole_qualifier() -> None:
    source = "void f() { a::b::C::make<D>(new x::E(1)); std::vector<p::q::R> v; }"
    assert references_of(source, "cpp") == [
        "call a::b::C -> make",
        "type D",
        "call x -> E",
        "type std -> vector",
        "type p::q -> R",
    ]


def test_using_and_namespace_aliases_are_imports() -> None:
    source = "using namespace std;\nusing a::b::C;\nnamespace fs = std::filesystem;\n"
    assert imports_of(source, "cpp") == [
        "import std: *",
        "import a::b: C",
        "import std::filesystem as fs",
    ]
