"""C#: the hand-checked sample, and what its syntax hides."""

from __future__ import annotations

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("csharp", "Server.cs") == expected_sample("csharp", "Server.cs")


def test_namespaces_do_not_qualify() -> None:
    assert symbols_of("namespace A.B; class C { void F() {} }", "csharp") == [
        "class C",
        "method C.F",
    ]
    assert imports_of("namespace A.B; class C {}", "csharp") == ["package A.B"]


def test_primary_constructor_and_its_base() -> None:
    source = "class A(Log log) : p.B<T>(log), I { }\nrecord struct P(int X);"
    assert references_of(source, "csharp") == ["type Log", "base p -> B", "type T", "base I"]
    assert symbols_of(source, "csharp") == ["class A", "class P", "field P.X"]


def test_types_are_found_in_patterns_tuples_and_catches() -> None:
    source = """class A { void F() {
        if (x is Foo f) {} if (x is Bar) {} (One, Two) t = g(out Three q);
        try {} catch (p.Ex e) {} var v = (Four[])w; } }"""
    assert references_of(source, "csharp") == [
        "type Foo",
        "type Bar",
        "type One",
        "type Two",
        "call g",
        "type Three",
        "type p -> Ex",
        "type Four",
    ]


def test_conditional_calls_keep_their_receiver() -> None:
    source = "class A { void F() { a?.B(); a?.B?.C<T>(); base.D(); nameof(x); } }"
    assert references_of(source, "csharp") == [
        "call a -> B",
        "call a?.B -> C",
        "type T",
        "call base -> D",
    ]


def test_using_of_every_sort() -> None:
    source = "using A.B;\nusing static A.C;\nusing X = A.D<int>;\nglobal using E;\n"
    assert imports_of(source, "csharp") == [
        "import A.B",
        "import A.C: *",
        "import A.D<int> as X",
        "import E",
    ]
