"""Python: the hand-checked sample, and what its syntax hides."""

from __future__ import annotations

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("python", "store.py.sample") == expected_sample(
        "python", "store.py.sample"
    )


def test_types_are_read_from_strings_unions_and_subscripts() -> None:
    source = "x: a.B[str] | 'pkg.C[D]' = 1\ny: list['E']\nz: Callable[[F, g.H], None]\n"
    assert references_of(source, "python") == [
        "type a -> B",
        "type pkg -> C",
        "type D",
        "type E",
        "type Callable",
        "type F",
        "type g -> H",
    ]


def test_values_of_a_literal_are_no_types() -> None:
    source = "def f(a: Literal['r', 'w'], b: t.Literal['x']): ..."
    assert references_of(source, "python") == ["type Literal", "type t -> Literal"]


def test_caught_exceptions_are_types() -> None:
    source = "try:\n  a()\nexcept (B, c.D) as e:\n  pass\nexcept* E:\n  pass\n"
    assert references_of(source, "python") == ["call a", "type B", "type c -> D", "type E"]


def test_conditional_imports_and_definitions_count_as_top_level() -> None:
    source = "if A:\n    import b\n    C = 1\n    def d(): pass\nelse:\n    from . import e\n"
    assert imports_of(source, "python") == ["import b", "import .: e"]
    assert symbols_of(source, "python") == ["variable C", "function d"]


def test_local_variables_are_no_symbols_but_local_functions_are() -> None:
    source = "def f():\n    x = 1\n    def g():\n        y = 2\n    class H:\n        z = 3\n"
    assert symbols_of(source, "python") == [
        "function f",
        "function f.g",
        "class f.H",
        "field f.H.z",
    ]


def test_dunder_all_is_a_plain_variable_and_chained_names_do_not_nest() -> None:
    source = "__all__ = ['a']\nx = y = 0\na.b = c[0] = 1\n"
    assert symbols_of(source, "python") == ["variable __all__", "variable x", "variable y"]
