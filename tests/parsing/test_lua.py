"""Lua: the hand-checked sample, and what its tables and calls hide."""

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
    assert parsed_sample("lua", "server.lua") == expected_sample("lua", "server.lua")


def test_functions_are_named_by_the_table_they_are_put_into() -> None:
    source = (
        "function A.b.c() end\nfunction A:d() end\nA.e = function() end\nA['f'] = function() end\n"
    )
    assert symbols_of(source, "lua") == [
        "function A.b.c",
        "method A.d",
        "function A.e",
        "function A.f",
    ]


def test_locals_of_functions_are_no_symbols_and_their_functions_are() -> None:
    source = "local a, B_C = 1, 2\nfunction f()\n  local x = 1\n  local g = function() end\nend\n"
    assert symbols_of(source, "lua") == [
        "variable a",
        "constant B_C",
        "function f",
        "function f.g",
    ]


def test_functions_of_a_returned_table_are_found() -> None:
    source = "return { f = function() end, x = 1, g = { h = function() end } }"
    assert symbols_of(source, "lua") == ["function f", "function g.h"]


def test_calls_without_parentheses_and_with_colons() -> None:
    assert references_of('f "x"; g{1}; a.b:c(); a.d.e()', "lua") == [
        "call f",
        "call g",
        "call a.b -> c",
        "call a.d -> e",
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('local a = require "b.c"', ["import b.c as a"]),
        ("local a, d = require('b'), require('c')", ["import b as a", "import c as d"]),
        ("local x = require('m').y", ["import m: y as x"]),
        ("require 'm'", ["import m"]),
        ("local ok, m = pcall(require, 'm')", ["import m as m"]),
        ("local C = class(require('base'))", ["import base"]),
        ("dofile('x.lua')", ["include x.lua"]),
        ("require(name)", []),
    ],
)
def test_imports_of_every_sort(source: str, expected: list[str]) -> None:
    assert imports_of(f"{source}\n", "lua") == expected
