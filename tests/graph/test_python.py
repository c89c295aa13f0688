"""Python: imports, calls with their evidence, inheritance and tests, as a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.lab import calls_in, graph_of, imports_in, lines_of, one, types_in
from sidelight.graph import CodeGraph, Confidence

FILES = {
    "src/shop/__init__.py": "from .cart import Cart as Basket, total\nfrom . import tax\n",
    "src/shop/cart.py": """\
import json
from typing import Optional

from . import tax
from .store import Store


class Base:
    def save(self):
        self.check()

    def check(self):
        pass


class Cart(Base):
    store: Store

    def __init__(self, store: Store):
        self.items = []
        self.backup = Store("b")

    def save(self):
        super().save()
        self.store.put(self)
        self.backup.put(self)
        self.items.append(1)
        self.missing()

    def dump(self):
        return json.dumps(self), tax.rate(1)


def dumps(value):
    return value


def total(cart: Optional["Cart"], callback):
    cart.save()
    callback()
    rate = 3
    return rate


def callback():
    make().dump()


def make() -> Cart:
    return Cart(Store("a"))
""",
    "src/shop/tax.py": "def rate(x):\n    return x\n",
    "src/shop/store.py": """\
class Store:
    def put(self, x):
        return x.weigh()

    def weigh(self):
        with open("x") as f:
            f.write(self)
""",
    "src/shop/other.py": "class Box:\n    def weigh(self): ...\n\n    def drop(self): ...\n",
    "app.py": """\
import shop
import shop.tax
import shop.tax as t
from shop import Basket

basket = Basket(None)
basket.save()
shop.total(basket)
shop.tax.rate(1)
t.rate(2)


def go(thing):
    thing.drop()
    thing.get()
    basket.dump()
""",
    "tests/test_cart.py": """\
import pytest
from shop import total
from shop.cart import Cart


@pytest.fixture
def cart():
    return Cart(None)


def test_total(cart):
    total(cart)


def test_save(cart):
    cart.save()


class TestCart:
    def test_dump(self):
        check(Cart(None).dump())


def check(x):
    assert x
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeGraph]:
    with graph_of(tmp_path_factory.mktemp("python") / "repo", FILES) as graph:
        yield graph


def test_imports_lead_to_files_through_src_layouts_and_relative_dots(shop: CodeGraph) -> None:
    assert imports_in(shop, "app.py") == [
        "1 src/shop/__init__.py",
        "2 src/shop/__init__.py",
        "2 src/shop/tax.py",
        "3 src/shop/tax.py",
        "4 src/shop/__init__.py: Basket",
    ]
    assert imports_in(shop, "src/shop/cart.py") == [
        "4 src/shop/tax.py: tax",
        "5 src/shop/store.py: Store",
    ]
    assert shop.library_imports(b"src/shop/cart.py") == ("json", "typing")


def test_importers_are_found_through_what_mentions_the_file(shop: CodeGraph) -> None:
    found = {(edge.source, edge.line) for edge in shop.importers(b"src/shop/tax.py")}
    assert found == {
        (b"app.py", 2),
        (b"app.py", 3),
        (b"src/shop/__init__.py", 2),
        (b"src/shop/cart.py", 4),
    }


def test_calls_are_bound_by_scope_receiver_and_import(shop: CodeGraph) -> None:
    assert calls_in(shop, "src/shop/cart.py") == [
        "10 Base.save -> src/shop/cart.py::Base.check exact",
        "21 Cart.__init__ -> src/shop/store.py::Store exact",
        "24 Cart.save -> src/shop/cart.py::Base.save same_class",
        "25 Cart.save -> src/shop/store.py::Store.put exact",
        "26 Cart.save -> src/shop/store.py::Store.put exact",
        "31 Cart.dump -> src/shop/tax.py::rate exact",
        "39 total -> src/shop/cart.py::Cart.save exact",
        "46 callback -> src/shop/cart.py::make exact",
        "46 callback -> src/shop/cart.py::Cart.dump exact",
        "50 make -> src/shop/cart.py::Cart exact",
        "50 make -> src/shop/store.py::Store exact",
    ]


def test_aliases_and_reexports_are_followed(shop: CodeGraph) -> None:
    assert calls_in(shop, "app.py") == [
        "6 basket -> src/shop/cart.py::Cart exact",
        "7 (file) -> src/shop/cart.py::Cart.save exact",
        "8 (file) -> src/shop/cart.py::total exact",
        "9 (file) -> src/shop/tax.py::rate exact",
        "10 (file) -> src/shop/tax.py::rate exact",
        "14 go -> src/shop/other.py::Box.drop unique",
        "16 go -> src/shop/cart.py::Cart.dump exact",
    ]


def test_an_unknown_receiver_keeps_all_candidates(shop: CodeGraph) -> None:
    weighing = calls_in(shop, "src/shop/store.py")
    assert weighing == [  # the own method is no likelier than another's: `item` is no `self`
        "3 Store.put -> src/shop/other.py::Box.weigh ambiguous of 2",
        "3 Store.put -> src/shop/store.py::Store.weigh ambiguous of 2",
    ]


def test_library_calls_and_parameters_bind_to_nothing_here(shop: CodeGraph) -> None:
    assert shop.callers(one(shop, "dumps")) == ()
    assert shop.callers(one(shop, "callback")) == ()


def test_callers_come_in_levels(shop: CodeGraph) -> None:
    assert lines_of(shop.callers(one(shop, "Base.check"), depth=2)) == [
        "src/shop/cart.py:10 Base.save -> src/shop/cart.py::Base.check exact",
        "src/shop/cart.py:24 Cart.save -> src/shop/cart.py::Base.save same_class",
    ]


def test_making_a_class_calls_its_constructor(shop: CodeGraph) -> None:
    lines = lines_of(shop.callers(one(shop, "Cart.__init__")))
    assert "app.py:6 basket -> src/shop/cart.py::Cart.__init__ exact" in lines
    assert len(lines) == 4


def test_bases_types_and_overrides(shop: CodeGraph) -> None:
    assert types_in(shop, "src/shop/cart.py") == [
        "16 Cart -> src/shop/cart.py::Base exact",
        "17 Cart.store -> src/shop/store.py::Store exact",
        "19 Cart.__init__ -> src/shop/store.py::Store exact",
        "38 total -> src/shop/cart.py::Cart exact",
        "49 make -> src/shop/cart.py::Cart exact",
    ]
    assert [base.qualified_name for base in shop.bases(one(shop, "Cart"))] == ["Base"]
    assert [edge.source.qualified_name for edge in shop.subclasses(one(shop, "Base"))] == ["Cart"]
    for method in ("Base.save", "Cart.save"):
        edges = shop.overrides(one(shop, method))
        assert [(e.source.qualified_name, e.target.qualified_name) for e in edges] == [
            ("Cart.save", "Base.save")
        ]


def test_tests_of_a_symbol_are_those_that_call_it_then_those_of_its_name(shop: CodeGraph) -> None:
    tests = shop.tests_of(one(shop, "total"))
    assert [(e.source.qualified_name, e.evidence) for e in tests] == [
        ("test_total", "call of total")
    ]
    names = {e.source.qualified_name for e in shop.tests_of(one(shop, "Cart"))}
    assert {"cart", "TestCart.test_dump"} <= names


def test_a_fixture_tells_the_type_of_a_tests_parameter(shop: CodeGraph) -> None:
    (edge,) = shop.tests_of(one(shop, "Cart.save"))
    assert (edge.source.qualified_name, edge.confidence) == ("test_save", Confidence.EXACT)


def test_tests_of_a_file_import_it_or_bear_its_name(shop: CodeGraph) -> None:
    (edge,) = shop.tests_of(b"src/shop/cart.py")
    assert (edge.source.path, edge.evidence) == (b"tests/test_cart.py", "imports it")


def test_a_path_joins_caller_and_callee(shop: CodeGraph) -> None:
    edges = shop.path(one(shop, "callback"), one(shop, "rate"))
    assert [e.target.qualified_name for e in edges] == ["Cart.dump", "rate"]
    files = shop.path(shop.file(b"app.py"), shop.file(b"src/shop/store.py"))
    assert [e.target.path for e in files] == [
        b"src/shop/__init__.py",
        b"src/shop/cart.py",
        b"src/shop/store.py",
    ]


def test_impact_goes_outwards_and_names_its_way(shop: CodeGraph) -> None:
    reached = shop.impact([one(shop, "rate")], depth=2)
    assert [(i.distance, i.symbol.qualified_name) for i in reached if i.symbol.qualified_name] == [
        (1, "Cart.dump"),
        (2, "go"),
        (2, "callback"),
        (2, "TestCart.test_dump"),
    ]


def test_a_stub_that_only_reexports_is_known(shop: CodeGraph) -> None:
    assert shop.stub_targets(b"src/shop/__init__.py") == (b"src/shop/cart.py", b"src/shop/tax.py")
    assert shop.stub_targets(b"src/shop/cart.py") == ()


def test_the_import_walk_stays_near(shop: CodeGraph) -> None:
    shares = shop.import_walk([b"src/shop/cart.py"])
    assert max(shares, key=lambda path: shares[path]) == b"src/shop/cart.py"
    assert shares[b"src/shop/store.py"] > shares.get(b"src/shop/other.py", 0.0)
    assert sum(shares.values()) == pytest.approx(1)


def test_stats_count_every_edge_once(shop: CodeGraph) -> None:
    stats = shop.stats()
    assert stats.files == len(FILES)
    counted = sum(count for kind, _, count in stats.edges if kind in ("call", "decorator"))
    lines = [line for path in FILES for line in calls_in(shop, path)]
    assert [line for line in lines if "ambiguous of 2" in line] != []
    assert counted == len(lines) - 1  # a use with two candidates is one use
    assert stats.most_called[0][0].qualified_name in {"Cart", "rate", "total"}


def test_without_sources_fewer_receivers_are_known_and_nothing_fails(tmp_path: Path) -> None:
    with graph_of(tmp_path / "repo", FILES, sources=False) as graph:
        assert "10 Base.save -> src/shop/cart.py::Base.check exact" in calls_in(
            graph, "src/shop/cart.py"
        )
