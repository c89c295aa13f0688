"""Rust: the hand-checked sample, impls, macros and `use` trees."""

from __future__ import annotations

import pytest

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)
from sidelight.parsing import parse


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("rust", "server.rs") == expected_sample("rust", "server.rs")


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("use a;", ["import a"]),
        ("use a as b;", ["import a: self as b"]),
        ("use a::b;", ["import a: b"]),
        ("use a::{self, b::{c as d, *}, e::f};", ["import a: self", "import a::b: c as d, *",
                                                  "import a::e: f"]),
        ("use {a::b, c};", ["import a: b", "import c"]),
        ("use ::a::b;", ["import ::a: b"]),
        ("pub(crate) use self::a::*;", ["reexport self::a: *"]),
        ("mod a; mod b { use super::*; }", ["module a", "import super: *"]),
    ],
)  # fmt: skip
def test_use_trees_are_flattened(source: str, imports: list[str]) -> None:
    assert imports_of(source, "rust") == imports


def test_members_of_an_impl_are_qualified_by_its_type() -> None:
    source = "impl<T> a::B<T> { fn c() {} const D: u8 = 1; }\nimpl E for &F { type G = H; }"
    assert symbols_of(source, "rust") == ["method a.B.c", "constant a.B.D", "type F.G"]


def test_an_implemented_trait_belongs_to_the_type_that_the_file_defines() -> None:
    parsed = parse(b"struct A;\nstruct B;\nimpl C for B {}\nimpl d::E<F> for A {}", "rust")
    bases = [found for found in parsed.references if found.kind == "base"]
    assert [(base.name, base.owner) for base in bases] == [("C", 1), ("E", 0)]


def test_calls_among_the_tokens_of_a_macro_are_calls() -> None:
    source = "fn f() { assert!(a(1) && b.c(d)[0], (x, y), Some(z)); }"
    assert references_of(source, "rust") == ["call assert", "call a", "call b -> c"]


def test_attributes_belong_to_the_definition_and_docs_lead_it() -> None:
    source = b"/// Doc.\n#[a]\n// more\n#[b::c]\nfn f() {}\n\n// apart\n\nfn g() {}\n"
    first, second = parse(source, "rust").symbols
    assert (first.lead_byte, first.span.start_line, first.span.end_line) == (0, 2, 5)
    assert second.lead_byte == second.span.start_byte
