"""PHP: the hand-checked sample, and what its syntax hides."""

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
    assert parsed_sample("php", "Server.php") == expected_sample("php", "Server.php")


def test_own_words_and_language_constructs_are_no_references() -> None:
    source = "<?php class A { function f(): static { return new self(isset($a), empty($b)); } }"
    assert references_of(source, "php") == []


def test_namespaces_of_qualified_names_are_receivers() -> None:
    source = r"<?php new \A\B\C(); x\f(); try {} catch (D|\E\F $e) {} $y = G\H::class;"
    assert references_of(source, "php") == [
        r"call A\B -> C",
        "call x -> f",
        "type D",
        r"type E -> F",
        "type G -> H",
    ]


def test_methods_of_an_anonymous_class_belong_to_the_function_around() -> None:
    source = "<?php function f() { return new class extends B { function g() {} }; }"
    assert symbols_of(source, "php") == ["function f", "method f.g"]
    assert references_of(source, "php") == ["base B"]


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (r"use A\B as C, D\E;", ["import A: B as C", "import D: E"]),
        (r"use A\{B, Sub\C as D};", ["import A: B", "import A\\Sub: C as D"]),
        (r"use function A\f;", ["import A: f"]),
        ("use Closure;", ["import Closure"]),
        ("namespace A\\B { }", ["package A\\B"]),
        ("require __DIR__ . '/a.php';", ["include ./a.php"]),
        ("require_once(dirname(__DIR__) . '/b.php');", ["include ../b.php"]),
        ("include $path . '/c.php';", ["include $path/c.php"]),
    ],
)
def test_imports_of_every_sort(use: str, expected: list[str]) -> None:
    assert imports_of(f"<?php {use}", "php") == expected
