"""JavaScript: the hand-checked sample, and definitions made by assignment."""

from __future__ import annotations

import pytest

from helpers.parsed_text import expected_sample, imports_of, parsed_sample, symbols_of


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("javascript", "router.js") == expected_sample("javascript", "router.js")


@pytest.mark.parametrize(
    ("source", "symbols"),
    [
        ("module.exports = function make() {}", ["function make"]),
        ("module.exports = function () {}", ["function exports"]),
        ("module.exports = () => 1", ["function exports"]),
        ("module.exports = class Box {}", ["class Box"]),
        ("module.exports.a = () => 1", ["function a"]),
        ("module.exports = { a: function () {}, b() {}, c }", ["method a", "method b"]),
        ("exports.a = 1", ["variable a"]),
        ("module.exports = other", []),
        ("A.prototype.b = function () {}", ["method A.b"]),
        ("app.b = function b() {}", ["method app.b"]),
        ("a[key] = function () {}", []),
        ("window.start = () => 1", ["function start"]),
        ("const a = require('a'), { b } = require('b'), c = require('c').d", []),
        ("const a = 1, B_C = 2; var D = 3", ["variable a", "constant B_C", "variable D"]),
        ("function f() { const x = 1; const g = () => 2 }", ["function f", "function f.g"]),
        ("it('x', () => { const y = 1; function z() {} })", ["function z"]),
        ("use({ onDone: () => 1, done() {} })", ["method done"]),
        ("return_({ a: 1 }); f = () => ({ g: () => 1 })", ["function f", "method f.g"]),
        ("export default { data() {}, methods: { go() {} } }",
         ["variable default", "method default.data", "method default.methods.go"]),
        ("export default () => 1", ["function default"]),
        ("export default function named() {}", ["function named"]),
        ("const A = class B { m() {} }", ["class A", "method A.m"]),
    ],
)  # fmt: skip
def test_definitions_by_assignment(source: str, symbols: list[str]) -> None:
    assert symbols_of(source, "javascript") == symbols


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("module.exports = require('./a')", ["reexport ./a"]),
        ("exports.b = require('./b')", ["reexport ./b"]),
        ("const c = (await import('./c')).default", ["import ./c: default as c"]),
        ("const { d = 1, e: f } = require(`./d`)", ["import ./d: d, e as f"]),
        ("require('./g')(app)", ["import ./g"]),
        ("require('./h').start()", ["import ./h: start"]),
        ("require(name); require(`./${name}`); import(name)", []),
        ("const l = () => import('./l')", ["import ./l"]),
    ],
)
def test_imports_by_call(source: str, imports: list[str]) -> None:
    assert imports_of(source, "javascript") == imports
