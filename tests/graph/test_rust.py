"""Rust: modules as files, crates of a workspace, paths without imports, traits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.lab import calls_in, graph_of, imports_in, lines_of, one, types_in
from sidelight.graph import CodeGraph

FILES = {
    "Cargo.toml": '[workspace]\nmembers = ["core", "app"]\n',
    "core/Cargo.toml": '[package]\nname = "shop-core"\n',
    "core/src/lib.rs": """\
pub mod cart;
mod util;

pub use cart::Cart;
pub use util::{helper as assist, inner::deep};
""",
    "core/src/cart/mod.rs": """\
mod line;

use self::line::Line;
use super::util;
use crate::util::helper;
use std::collections::HashMap;

pub struct Cart {
    lines: Vec<Line>,
    map: HashMap<String, Line>,
}

pub trait Saver {
    fn save(&self) { self.check(); }
    fn check(&self);
}

impl Saver for Cart {
    fn check(&self) {
        helper(1);
        util::helper(2);
        crate::util::inner::deep();
        self.lines[0].weigh();
        std::mem::drop(1);
    }
}

impl Cart {
    pub fn new() -> Self { Self { lines: vec![Line::default()], map: HashMap::new() } }

    pub fn add(&mut self, line: &Line) -> &mut Self {
        line.weigh();
        let other = Line::make();
        other.weigh();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        let mut cart = Cart::new();
        cart.add(&Line::make()).add(&Line::make());
        assert_eq!(helper(1), 1);
    }
}
""",
    "core/src/cart/line.rs": """\
use super::Cart;

#[derive(Default)]
pub struct Line;

impl Line {
    pub fn make() -> Line { Line }
    pub fn weigh(&self) -> u32 { super::super::util::helper(3) }
    fn push(&self) {}
}
""",
    "core/src/util.rs": """\
pub fn helper(x: u32) -> u32 { x }

pub mod inner {
    pub fn deep() { super::helper(1); }
}
""",
    "app/Cargo.toml": """\
[package]
name = "app"
[dependencies]
core2 = { package = "shop-core", path = "../core" }
serde = "1"
""",
    "app/src/main.rs": """\
use core2::{assist, cart, Cart};
use serde::helper;

fn main() {
    let cart: Cart = Cart::new();
    cart.add(&make());
    assist(1);
    helper(2);
    core2::deep();
    serde::deep();
    let list = Vec::new();
    list.push(1);
    cart::Cart::new();
}

fn make() -> cart::Cart { Cart::new() }
""",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeGraph]:
    with graph_of(tmp_path_factory.mktemp("rust") / "repo", FILES) as found:
        yield found


def test_modules_and_crates_lead_to_files(graph: CodeGraph) -> None:
    assert imports_in(graph, "core/src/cart/mod.rs") == [
        "1 core/src/cart/line.rs",
        "3 core/src/cart/line.rs: Line",
        "4 core/src/util.rs: util",
        "5 core/src/util.rs: helper",
    ]
    assert imports_in(graph, "core/src/cart/line.rs") == ["1 core/src/cart/mod.rs: Cart"]
    assert imports_in(graph, "core/src/lib.rs") == [
        "1 core/src/cart/mod.rs",
        "2 core/src/util.rs",
        "4 core/src/cart/mod.rs: Cart",
        "5 core/src/util.rs: helper, inner.deep",
    ]
    assert imports_in(graph, "app/src/main.rs") == [
        "1 core/src/cart/mod.rs: cart",
        "1 core/src/lib.rs: assist, Cart",
    ]
    assert graph.library_imports(b"app/src/main.rs") == ("serde",)


def test_calls_in_a_module(graph: CodeGraph) -> None:
    cart, line = "core/src/cart/mod.rs", "core/src/cart/line.rs"
    assert calls_in(graph, cart) == [
        f"14 Saver.save -> {cart}::Saver.check exact",
        "20 Cart.check -> core/src/util.rs::helper exact",
        "21 Cart.check -> core/src/util.rs::helper exact",
        "22 Cart.check -> core/src/util.rs::inner.deep exact",
        f"23 Cart.check -> {line}::Line.weigh exact",
        f"32 Cart.add -> {line}::Line.weigh exact",
        f"33 Cart.add -> {line}::Line.make exact",
        f"34 Cart.add -> {line}::Line.weigh exact",
        f"45 tests.adds -> {cart}::Cart.new exact",
        f"46 tests.adds -> {cart}::Cart.add exact",
        f"46 tests.adds -> {line}::Line.make exact",
        f"46 tests.adds -> {cart}::Cart.add exact",
        f"46 tests.adds -> {line}::Line.make exact",
        "47 tests.adds -> core/src/util.rs::helper exact",
    ]
    assert calls_in(graph, "core/src/util.rs") == ["4 inner.deep -> core/src/util.rs::helper exact"]
    assert calls_in(graph, line) == ["8 Line.weigh -> core/src/util.rs::helper exact"]


def test_calls_across_crates_follow_reexports_and_renames(graph: CodeGraph) -> None:
    cart = "core/src/cart/mod.rs"
    assert calls_in(graph, "app/src/main.rs") == [
        f"5 main -> {cart}::Cart.new exact",
        f"6 main -> {cart}::Cart.add exact",
        "6 main -> app/src/main.rs::make exact",
        "7 main -> core/src/util.rs::helper exact",
        "9 main -> core/src/util.rs::inner.deep exact",
        f"13 main -> {cart}::Cart.new exact",
        f"16 make -> {cart}::Cart.new exact",
    ]
    assert "app/src/main.rs:7 main -> core/src/util.rs::helper exact" in lines_of(
        graph.callers(one(graph, "helper"))
    )


def test_traits_are_bases_and_their_methods_are_overridden(graph: CodeGraph) -> None:
    assert "18 Cart -> core/src/cart/mod.rs::Saver exact" in types_in(graph, "core/src/cart/mod.rs")
    (edge,) = graph.overrides(one(graph, "Cart.check"))
    assert edge.target.qualified_name == "Saver.check"


@pytest.mark.parametrize(
    "function",
    [
        "f(x: Box<dyn Shape>)",
        "f(x: std::sync::Arc<dyn Shape + Send + Sync>)",
        "f(x: &mut impl Shape)",
        "f<T: Shape>(x: T)",
        "f<A, T: Shape + Clone>(x: &T, a: A)",
        "f<T>(x: &T) where T: Shape",
    ],
)
def test_a_receiver_known_by_its_trait_calls_the_trait(tmp_path: Path, function: str) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "m"\n',
        "src/lib.rs": f"mod shape;\nuse shape::Shape;\nfn {function} {{ x.area(); }}\n",
        "src/shape.rs": "pub trait Shape { fn area(&self) -> f64; }\npub struct Square;\n"
        "impl Shape for Square { fn area(&self) -> f64 { 1.0 } }\n",
    }
    with graph_of(tmp_path / "repo", files) as graph:
        assert calls_in(graph, "src/lib.rs") == ["3 f -> src/shape.rs::Shape.area exact"]


def test_a_type_parameter_without_a_trait_of_the_tree_is_unknown(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "m"\n',
        "src/lib.rs": "struct Own;\nimpl Own { fn into(&self) {} }\n"
        "fn f<T: Into<Own>>(x: T) { x.into(); }\n",
    }
    with graph_of(tmp_path / "repo", files) as graph:
        assert calls_in(graph, "src/lib.rs") == []
