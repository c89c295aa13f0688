"""Go: the hand-checked sample, receivers, embedding and groups."""

from __future__ import annotations

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("go", "server.go") == expected_sample("go", "server.go")


def test_methods_hang_on_their_receiver_whatever_its_form() -> None:
    source = "package p\nfunc (a A) f() {}\nfunc (*B) g() {}\nfunc (c *C[K, V]) h() {}\n"
    assert symbols_of(source, "go") == ["method A.f", "method B.g", "method C.h"]
    assert references_of(source, "go") == ["type K", "type V"]


def test_embedded_types_are_bases_and_unions_are_types() -> None:
    source = "package p\ntype A struct { B; *c.D; e F }\ntype G interface { H; c.I; ~int | J }\n"
    assert references_of(source, "go") == [
        "base B",
        "base c -> D",
        "type F",
        "base H",
        "base c -> I",
        "type J",
    ]


def test_every_name_of_a_group_is_a_symbol_but_the_blank_one() -> None:
    source = "package p\nconst (\n\tA, B = 1, 2\n\tC\n)\nvar _, d = f()\nvar e = func() {}\n"
    assert symbols_of(source, "go") == [
        "constant A",
        "constant B",
        "constant C",
        "variable d",
        "function e",
    ]


def test_forms_of_import() -> None:
    source = 'package p\nimport "a/b"\nimport (\n\tc "d"\n\t_ "e"\n\t. "f"\n)\n'
    assert imports_of(source, "go") == [
        "package p",
        "import a/b",
        "import d as c",
        "import e as _",
        "import f: *",
    ]
