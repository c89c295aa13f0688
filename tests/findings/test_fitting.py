"""Whether calls fit parameters, language by language, and what is said when they do not."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.findings.fitting import misfit, moved_argument
from sidelight.model import CALLABLE_KINDS
from sidelight.parsing import parse
from sidelight.parsing.calls import Call, read_calls
from sidelight.parsing.parameters import Parameters, read_parameters


def parameters_of(source: str, language: str) -> Parameters:
    data = source.encode()
    symbols = [s for s in parse(data, language).symbols if s.kind in CALLABLE_KINDS]
    found = read_parameters(data, language, [(s.span, s.body_byte) for s in symbols])[0]
    assert found is not None
    return found


def call_of(source: str, language: str, name: str = "f") -> Call:
    data = source.encode()
    lines = {line: {name} for line in range(1, source.count("\n") + 2)}
    found = [call for calls in read_calls(data, language, lines).values() for call in calls]
    assert len(found) == 1, found
    return found[0]


def verdict(definition: str, call: str, language: str) -> str:
    return misfit(parameters_of(definition, language), call_of(call, language), language)


JAVA = "class A { void f(int a, String... b) {} }"
CSHARP = "class A { void f(int a, int b = 1) {} }"
CASES = [
    ("python", "def f(a, b): ...", "f(1, 2)", ""),
    ("python", "def f(a, b): ...", "f(1)", "lacks the required `b`"),
    ("python", "def f(a, b): ...", "f(1, 2, 3)", "passes 3 arguments; at most 2 are taken"),
    ("python", "def f(): ...", "f(1)", "passes 1 argument; none is taken"),
    ("python", "def f(a, b=1): ...", "f(1, c=2)", "passes `c`, which it does not take"),
    ("python", "def f(a, *, b): ...", "f(1)", "lacks the required `b`"),
    ("python", "def f(a, *, b): ...", "f(1, b=2)", ""),
    ("python", "def f(a, /, b): ...", "f(a=1, b=2)", "passes `a`, which it does not take"),
    ("python", "def f(a, b): ...", "f(1, a=2)", "passes `a` by name and by position"),
    ("python", "def f(a, b): ...", "f(*x)", ""),
    ("python", "def f(a, *, b): ...", "f(**x)", ""),
    ("python", "def f(a, *, b): ...", "f(*x, c=1)", "passes `c`, which it does not take"),
    ("python", "def f(a, *rest, **more): ...", "f(1, 2, 3, k=4)", ""),
    ("python", "def f(self, a): ...", "x.f(1)", ""),
    ("python", "def f(self, a): ...", "Base.f(self, 1)", ""),
    ("python", "def f(a: int, b: str = ''): ...", "f(x for x in y)", ""),
    ("javascript", "function f(a, b) {}", "f(1)", "lacks the required `b`"),
    ("javascript", "function f(a, {b}) {}", "f(1)", "passes 1 argument; 2 are required"),
    ("javascript", "const f = (a, b = 1) => a;", "f(...x)", ""),
    ("typescript", "function f(a: string, b?: number) {}", "f<X>('')", ""),
    ("typescript", "function f(this: A, a: string) {}", "f('', 1)", "passes 2 arguments; at most"),
    ("go", "package a\nfunc f(a, b int, c ...string) {}", "package a\nfunc g(){ f(1) }", "lacks"),
    ("go", "package a\nfunc f(a, b int, c ...string) {}", 'package a\nfunc g(){ f(1,2,"") }', ""),
    ("go", "package a\nfunc f(a, b int) {}", "package a\nfunc g(){ f(h()) }", ""),
    ("go", "package a\nfunc (s *S) f(a int) {}", "package a\nfunc g(){ s.f() }", "lacks"),
    ("rust", "impl S { fn f(&self, a: i32) {} }", "fn g() { s.f(1); }", ""),
    ("rust", "impl S { fn f(&self, a: i32) {} }", "fn g() { S::f(&s, 1); }", ""),
    ("rust", "fn f(a: i32, b: i32) {}", "fn g() { f(|x, y| x); }", "lacks the required `b`"),
    (
        "java",
        "class A { void f(int a, String... b) {} }",
        "class B { void g() { a.f(); } }",
        "lacks",
    ),
    (
        "java",
        "class A { void f(int a, String... b) {} }",
        "class B { void g() { a.f(1,2,3); } }",
        "",
    ),
    ("kotlin", "fun f(a: Int, b: Int = 1) {}", "fun g() { f(1, c = 2) }", "passes `c`"),
    ("kotlin", "fun f(a: Int, b: () -> Unit) {}", "fun g() { f(1) { } }", ""),
    ("c", "int f(void) { return 1; }", "int g(void) { return f(1); }", "passes 1 argument"),
    ("c", "int f(int a, ...) { return 1; }", "int g(void) { return f(1, 2, 3); }", ""),
    ("cpp", "int f(int a, int b = 2) { return 1; }", "int g() { return f(1); }", ""),
    (
        "csharp",
        "class A { void f(int a, int b = 1) {} }",
        "class B { void g() { f(1, b: 2); } }",
        "",
    ),
    ("csharp", CSHARP, "class B { void g() { f(); } }", "lacks"),
    ("php", "<?php function f($a, $b = 1) {}", "<?php f(1, c: 2);", "passes `c`"),
    ("php", "<?php function f($a, ...$b) {}", "<?php f(1, 2, 3);", ""),
    ("ruby", "def f(a, b = 1)\nend", "f(1, 2, 3)", "passes 3 arguments"),
    ("ruby", "def f(a, opts)\nend", "f(1, k: 2)", ""),
    ("ruby", "def f(a, k:)\nend", "f(1)", "lacks the required `k`"),
    ("ruby", "def f(a, *rest, last)\nend", "f 1, 2 do |x|\nend", ""),
]


@pytest.mark.parametrize(("language", "definition", "call", "expected"), CASES)
def test_a_call_fits_or_the_misfit_is_named(
    language: str, definition: str, call: str, expected: str
) -> None:
    found = verdict(definition, call, language)
    assert found.startswith(expected) if expected else found == ""


NAMES = st.sampled_from(["a", "b", "c", "d"])


@st.composite
def signatures(draw: st.DrawFn) -> str:
    names = draw(st.lists(NAMES, unique=True, max_size=4))
    n_required = draw(st.integers(0, len(names)))
    n_places = draw(st.integers(0, len(names)))
    parts: list[str] = []
    for at, name in enumerate(names):
        if at == n_places:
            parts.append(draw(st.sampled_from(["*", "*rest"])))
        parts.append(name if at < n_required else f"{name}=0")
    if draw(st.booleans()):
        parts.append("**more")
    return ", ".join(parts)


@given(
    signature=signatures(),
    n_positional=st.integers(0, 5),
    keywords=st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), unique=True, max_size=3),
)
def test_python_calls_fit_exactly_when_python_binds_them(
    signature: str, n_positional: int, keywords: list[str]
) -> None:
    scope: dict[str, Callable[..., Any]] = {}
    exec(f"def f({signature}): ...", scope)  # noqa: S102 - made of four names
    words = ["0"] * n_positional + [f"{name}=0" for name in keywords]
    try:
        inspect.signature(scope["f"]).bind(*[0] * n_positional, **dict.fromkeys(keywords, 0))
        binds = True
    except TypeError:
        binds = False
    found = verdict(f"def f({signature}): ...", f"f({', '.join(words)})", "python")
    assert (found == "") == binds, found


def test_an_argument_that_moved_is_named() -> None:
    old = parameters_of("def f(a, b=1): ...", "python")
    new = parameters_of("def f(ctx, a, b=1): ...", "python")
    call = call_of("f(1, 2)", "python")
    assert misfit(new, call, "python") == ""
    assert moved_argument(old, new, call, "python") == "argument 1 was `a` and is now `ctx`"
    assert moved_argument(old, new, call_of("f(a=1, ctx=2)", "python"), "python") == ""


def test_a_renamed_parameter_is_no_moved_one() -> None:
    old = parameters_of("def f(a, b): ...", "python")
    new = parameters_of("def f(first, b): ...", "python")
    assert moved_argument(old, new, call_of("f(1, 2)", "python"), "python") == ""


def test_nothing_is_said_of_what_does_not_parse() -> None:
    assert read_parameters(b"def f(a,,: x", "python", []) == []
    source = b"function f(a) { return arguments.length }"
    symbol = parse(source, "javascript").symbols[0]
    assert read_parameters(source, "javascript", [(symbol.span, symbol.body_byte)]) == [None]
    assert read_calls(b"\xff\xfe(", "python", {1: {"f"}}) == {}
    assert read_calls(b"f(1)", "markdown", {1: {"f"}}) == {}
