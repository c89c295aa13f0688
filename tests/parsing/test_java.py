"""Java: the hand-checked sample, and what its syntax hides."""

from __future__ import annotations

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("java", "Server.java") == expected_sample("java", "Server.java")


def test_constant_needs_static_and_final_in_any_order() -> None:
    source = "class A { final static int X = 1; static int Y; final int Z = 2; }"
    assert symbols_of(source, "java") == [
        "class A",
        "constant A.X",
        "field A.Y",
        "field A.Z",
    ]


def test_qualified_types_count_once_with_their_qualifier() -> None:
    source = "class A extends p.q.Base<x.Arg> { Map.Entry<K, V> e; @p.Mark void f() {} }"
    assert references_of(source, "java") == [
        "base p.q -> Base",
        "type x -> Arg",
        "type Map -> Entry",
        "type K",
        "type V",
        "decorator p -> Mark",
    ]


def test_import_names_what_it_brings() -> None:
    source = "import a.b.C;\nimport a.b.*;\nimport static a.b.C.d;\nimport static a.b.C.*;\n"
    assert imports_of(source, "java") == [
        "import a.b: C",
        "import a.b: *",
        "import a.b.C: d",
        "import a.b.C: *",
    ]


def test_methods_of_an_anonymous_class_belong_to_the_method_that_makes_it() -> None:
    source = "class A { R r() { return new R() { public void run() { go(); } }; } }"
    assert symbols_of(source, "java") == ["class A", "method A.r", "method A.r.run"]
