"""Go: modules, packages as folders, methods by receiver, embedding, several results."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.lab import calls_in, graph_of, imports_in, lines_of, one
from sidelight.graph import CodeGraph

FILES = {
    "go.mod": "module example.org/shop\n\ngo 1.22\n",
    "main.go": """\
package main

import (
	"encoding/json"
	"fmt"

	st "example.org/shop/internal/store"
	"example.org/shop/pkg/go-cart/v2"
	"example.org/other/store"
)

func main() {
	c, err := cart.New(st.Open("x"))
	c.Save()
	fmt.Println(c.Total(), err)
	json.Marshal(c)
	store.Open("y")
	handle(func(k *cart.Cart) { k.Save() })
	_, s := pair()
	s.Put(nil)
}

func handle(f func(*cart.Cart)) { f(nil) }

func pair() (*cart.Cart, *st.Store) { return nil, nil }
""",
    "internal/store/store.go": """\
package store

type Base struct{}

func (b *Base) Close() error { return nil }

type Store struct {
	Base
	items map[string]Item
}

func Open(name string) *Store { s := &Store{}; s.init(); return s }

func (s *Store) Put(x any) { s.items["a"].Weigh(); s.Close() }
""",
    "internal/store/item.go": """\
package store

type Item struct{}

func (i Item) Weigh() int { return helper() }

func (s *Store) init() {}
""",
    "internal/store/store_test.go": """\
package store

import "testing"

func TestPut(t *testing.T) {
	s := Open("x")
	s.Put(1)
	t.Run("x", func(t *testing.T) { s.Put(2) })
}

func helper() int { return 1 }
""",
    "internal/store/util.go": "package store\n\nfunc Marshal() {}\n",
    "pkg/go-cart/v2/cart.go": """\
package cart

import "example.org/shop/internal/store"

type Saver interface{ Save() }

type Cart struct{ store *store.Store }

type Carts []*Cart

func New(s *store.Store) (*Cart, error) { return &Cart{s}, nil }

func (c *Cart) Save() { c.store.Put(c) }

func (c *Cart) Total() int { return 0 }

func all(cs Carts) {
	for _, c := range cs {
		c.Save()
	}
}
""",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeGraph]:
    with graph_of(tmp_path_factory.mktemp("go") / "repo", FILES) as found:
        yield found


def test_import_paths_lead_to_the_files_that_define_what_is_used(graph: CodeGraph) -> None:
    assert imports_in(graph, "main.go") == [
        "7 internal/store/store.go: Open, Store",
        "8 pkg/go-cart/v2/cart.go: New, Cart",
    ]
    assert graph.library_imports(b"main.go") == (
        "encoding/json",
        "fmt",
        "example.org/other/store",
    )


def test_receivers_parameters_results_and_closures_have_their_types(graph: CodeGraph) -> None:
    assert calls_in(graph, "main.go") == [
        "13 main -> pkg/go-cart/v2/cart.go::New exact",
        "13 main -> internal/store/store.go::Open exact",
        "14 main -> pkg/go-cart/v2/cart.go::Cart.Save exact",
        "15 main -> pkg/go-cart/v2/cart.go::Cart.Total exact",
        "18 main -> main.go::handle exact",
        "18 main -> pkg/go-cart/v2/cart.go::Cart.Save exact",
        "19 main -> main.go::pair exact",
        "20 main -> internal/store/store.go::Store.Put exact",
    ]


def test_methods_are_found_in_other_files_and_in_embedded_types(graph: CodeGraph) -> None:
    assert calls_in(graph, "internal/store/store.go") == [
        "12 Open -> internal/store/item.go::Store.init exact",
        "14 Store.Put -> internal/store/item.go::Item.Weigh exact",
        "14 Store.Put -> internal/store/store.go::Base.Close exact",
    ]
    assert calls_in(graph, "pkg/go-cart/v2/cart.go") == [
        "13 Cart.Save -> internal/store/store.go::Store.Put exact",
        "19 all -> pkg/go-cart/v2/cart.go::Cart.Save exact",
    ]


def test_what_a_test_file_defines_is_not_seen_outside(graph: CodeGraph) -> None:
    assert calls_in(graph, "internal/store/item.go") == []


def test_callers_of_a_method_include_closures_of_tests(graph: CodeGraph) -> None:
    assert lines_of(graph.callers(one(graph, "Store.Put"))) == [
        "internal/store/store_test.go:7 TestPut -> internal/store/store.go::Store.Put exact",
        "internal/store/store_test.go:8 TestPut -> internal/store/store.go::Store.Put exact",
        "main.go:20 main -> internal/store/store.go::Store.Put exact",
        "pkg/go-cart/v2/cart.go:13 Cart.Save -> internal/store/store.go::Store.Put exact",
    ]
    assert graph.callers(one(graph, "Marshal")) == ()
