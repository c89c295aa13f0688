"""Scala: the hand-checked sample, and what its syntax hides."""

from __future__ import annotations

import pytest

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("scala", "Server.scala") == expected_sample("scala", "Server.scala")


def test_parameters_of_case_classes_and_vals_are_fields() -> None:
    source = "case class A(x: Int)\nclass B(val y: Int, z: Int)(implicit var w: C)"
    assert symbols_of(source, "scala") == [
        "class A",
        "field A.x",
        "class B",
        "field B.y",
        "field B.w",
    ]


def test_extensions_belong_to_the_type_they_extend() -> None:
    source = "extension [T](xs: List[T])\n  def a = 1\n  def b = 2\n"
    assert symbols_of(source, "scala") == ["method List.a", "method List.b"]


def test_braceless_bodies_nest_as_braced_ones() -> None:
    source = "object A:\n  def f(x: Int): Int =\n    val y = 1\n    x + y\n  val z = 2\nend A\n"
    assert symbols_of(source, "scala") == ["class A", "method A.f", "field A.z"]


def test_all_of_a_list_of_bases_are_found() -> None:
    source = "class A(x: X) extends B[C](x) with D.E\n  with F"
    assert references_of(source, "scala") == [
        "type X",
        "base B",
        "type C",
        "base D -> E",
        "base F",
    ]


def test_words_between_operands_and_generic_calls_are_calls() -> None:
    source = "object A { a map f; g[B]; c.d[E].h(1); x :+ y; this(2) }"
    assert references_of(source, "scala") == [
        "call a -> map",
        "call g",
        "type B",
        "call c -> d",
        "type E",
        "call c.d[] -> h",
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a.b.C", ["import a.b: C"]),
        ("import a.b._", ["import a.b: *"]),
        ("import a.{B, C => D, E => _, _}", ["import a: B, C as D, *"]),
        ("import a.b, c.{D as E}", ["import a: b", "import c: D as E"]),
        ("import a.given", ["import a: given"]),
        ("package a.b\npackage c", ["package a.b", "package c"]),
    ],
)
def test_imports_of_every_sort(source: str, expected: list[str]) -> None:
    assert imports_of(f"{source}\n", "scala") == expected
