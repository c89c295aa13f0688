"""TypeScript and TSX: the hand-checked samples, and quirks of their grammars."""

from __future__ import annotations

import pytest

from helpers.parsed_text import expected_sample, parsed_sample, references_of, symbols_of


@pytest.mark.parametrize(("language", "name"), [("typescript", "service.ts"), ("tsx", "view.tsx")])
def test_sample_gives_what_a_person_wrote_down(language: str, name: str) -> None:
    assert parsed_sample(language, name) == expected_sample(language, name)


def test_each_overload_is_a_definition() -> None:
    source = "class A { f(a: string): void\n f(a: any) {} }\nfunction g(): A\nfunction g() {}"
    assert symbols_of(source, "typescript") == [
        "class A",
        "method A.f",
        "method A.f",
        "function g",
        "function g",
    ]


def test_awaited_generic_and_asserted_calls_are_calls() -> None:
    source = "const r = await this.a.b<T>(c); d!(); e?.f!()"
    assert references_of(source, "typescript") == [
        "call this.a -> b",
        "type T",
        "call d",
        "call e -> f",
    ]


def test_members_of_a_declared_namespace_are_qualified() -> None:
    source = "declare global { interface Window { a: B } }\nnamespace C { const d = () => 1 }"
    assert symbols_of(source, "typescript") == [
        "interface Window",
        "field Window.a",
        "module C",
        "function C.d",
    ]


def test_parameters_of_a_type_are_no_members() -> None:
    source = "function f(options: { a: string; b(): void }) {}"
    assert symbols_of(source, "typescript") == ["function f"]


def test_elements_of_the_page_are_no_calls() -> None:
    source = "const V = () => <><div/><A.B/><C>{d()}</C></>"
    assert references_of(source, "tsx") == ["call A -> B", "call C", "call d"]
