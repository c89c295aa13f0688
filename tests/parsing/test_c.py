"""C: the hand-checked samples, and what its declarators hide."""

from __future__ import annotations

import pytest

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)


@pytest.mark.parametrize("name", ["store.c", "store.h"])
def test_sample_gives_what_a_person_wrote_down(name: str) -> None:
    assert parsed_sample("c", name) == expected_sample("c", name)


@pytest.mark.parametrize(
    "head",
    ["int f(void)", "char *f(void)", "struct a **f(void)", "int (*f(int x))(int)"],
)
def test_function_is_found_behind_any_declarator(head: str) -> None:
    assert symbols_of(f"{head} {{ int f2 = 0; }}", "c") == ["function f"]


def test_declarations_inside_functions_are_local() -> None:
    source = "int f(void) { int g(int); static const int k = 1; char *s, *t; return k; }"
    assert symbols_of(source, "c") == ["function f"]


def test_typedef_names_its_struct() -> None:
    assert symbols_of("typedef struct a { int x; } a;", "c") == ["struct a", "field a.x"]
    assert symbols_of("typedef struct { int x; } b;", "c") == ["struct b", "field b.x"]
    assert symbols_of("typedef struct c c_t;", "c") == ["type c_t"]


def test_flags_and_include_guards_are_no_macros() -> None:
    source = "#ifndef A_H\n#define A_H\n#define LIMIT 3\n#define F(x) x\n#endif\n"
    assert symbols_of(source, "c") == ["macro LIMIT", "macro F"]


def test_declared_names_are_no_type_references() -> None:
    source = "struct a; struct b { struct a *x; };\ntypedef int n; n f(struct b v);"
    assert references_of(source, "c") == ["type a", "type n", "type b"]


def test_quotes_and_angles_are_two_kinds_of_include() -> None:
    source = '#include <sys/a.h>\n#include "b/c.h"\n#include NAME\n'
    assert imports_of(source, "c") == [
        "system_include sys/a.h",
        "include b/c.h",
        "include NAME",
    ]
