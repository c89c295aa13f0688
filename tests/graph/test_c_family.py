"""C and C++: includes, prototypes and bodies, namespaces, members written outside their class."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.lab import calls_in, graph_of, imports_in, lines_of, one, types_in
from sidelight.graph import CodeGraph

FILES = {
    "include/shop/cart.h": """\
#ifndef CART_H
#include <shop/item.h>
struct cart;
int cart_add(struct cart *c, item_t *i);
#define CART_MAX(a) cart_size(a)
int cart_size(struct cart *c);
#endif
""",
    "include/shop/item.h": "typedef struct item { int w; } item_t;\nint item_weigh(item_t *i);\n",
    "src/cart.c": """\
#include "shop/cart.h"
#include <stdio.h>
#include "local.h"

struct cart { item_t *items; };

static int grow(struct cart *c) { return local_help(c); }

int cart_add(struct cart *c, item_t *i) {
  grow(c);
  printf("%d", item_weigh(i));
  other_thing();
  return CART_MAX(c);
}

int cart_size(struct cart *c) { return 0; }
""",
    "src/item.c": "#include <shop/item.h>\nint item_weigh(item_t *i) { return i->w; }\n",
    "src/local.h": "int local_help(void *p);\n",
    "src/local.c": "int local_help(void *p) { return 0; }\nstatic int grow(void) { return 1; }\n",
    "src/string.h": "int strange(void);\n",
    "src/other.c": "void other_thing(void) {}\n",
    "cpp/db.h": """\
#pragma once
#include <string>
#include "status.h"

namespace store {
class Base {
 public:
  virtual ~Base();
  virtual Status Open() = 0;
  void Close() { Flush(); }
  void Flush();
};

class DB : public Base {
 public:
  DB(Status s);
  Status Open() override;
  Status Put(const std::string& key);
 private:
  Status* status_;
  std::unique_ptr<Base> base_;
};
}
""",
    "cpp/db.cc": """\
#include "db.h"

namespace store {
namespace {
int helper(int x) { return x; }
}

void Base::Flush() {}

Status DB::Put(const std::string& key) {
  Status s = Open();
  if (s.ok()) { status_->Check(key.size()); }
  base_->Close();
  Close();
  helper(1);
  auto* other = new DB(s);
  other->Put("x");
  return Status::OK();
}

Status DB::Open() { return util::make(); }
}
""",
    "cpp/status.h": """\
namespace store {
class Status {
 public:
  static Status OK() { return Status(); }
  bool ok() const { return true; }
  void Check(int n);
};
namespace util { Status make(); }
}
""",
    "cpp/status.cc": """\
#include "status.h"
namespace store {
void Status::Check(int n) { ok(); }
namespace util { Status make() { return Status::OK(); } }
}
int main() { store::DB db(store::Status::OK()); db.Put("x"); store::util::make(); }
""",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeGraph]:
    with graph_of(tmp_path_factory.mktemp("c") / "repo", FILES) as found:
        yield found


def test_includes_are_found_beside_and_below_roots(graph: CodeGraph) -> None:
    assert imports_in(graph, "src/cart.c") == ["1 include/shop/cart.h", "3 src/local.h"]
    assert imports_in(graph, "include/shop/cart.h") == ["2 include/shop/item.h"]
    assert graph.library_imports(b"src/cart.c") == ("stdio.h",)
    assert graph.library_imports(b"cpp/db.h") == ("string",)


def test_calls_in_c_lead_to_bodies_not_prototypes(graph: CodeGraph) -> None:
    assert calls_in(graph, "src/cart.c") == [
        "7 grow -> src/local.c::local_help imported",
        "10 cart_add -> src/cart.c::grow exact",
        "11 cart_add -> src/item.c::item_weigh imported",
        "12 cart_add -> src/other.c::other_thing unique",
        "13 cart_add -> include/shop/cart.h::CART_MAX imported",
    ]
    assert lines_of(graph.callers(one(graph, "src/local.c::grow"))) == []


def test_members_of_cpp_are_joined_from_header_and_source(graph: CodeGraph) -> None:
    assert calls_in(graph, "cpp/db.cc") == [
        "11 DB.Put -> cpp/db.cc::store.DB.Open exact".replace("11 DB", "11 store.DB"),
        "12 store.DB.Put -> cpp/status.h::store.Status.ok exact",
        "12 store.DB.Put -> cpp/status.cc::store.Status.Check exact",
        "13 store.DB.Put -> cpp/db.h::store.Base.Close exact",
        "14 store.DB.Put -> cpp/db.h::store.Base.Close same_class",
        "15 store.DB.Put -> cpp/db.cc::store.helper exact",
        "16 store.DB.Put -> cpp/db.h::store.DB imported",
        "17 store.DB.Put -> cpp/db.cc::store.DB.Put exact",
        "18 store.DB.Put -> cpp/status.h::store.Status.OK exact",
        "21 store.DB.Open -> cpp/status.cc::store.util.make exact",
    ]
    assert calls_in(graph, "cpp/db.h") == [
        "10 store.Base.Close -> cpp/db.cc::store.Base.Flush exact"
    ]


def test_qualified_names_reach_namespaces_from_outside(graph: CodeGraph) -> None:
    assert calls_in(graph, "cpp/status.cc")[-3:] == [
        "6 main -> cpp/status.h::store.Status.OK exact",
        "6 main -> cpp/db.cc::store.DB.Put exact",
        "6 main -> cpp/status.cc::store.util.make exact",
    ]


def test_bases_of_cpp(graph: CodeGraph) -> None:
    assert "14 store.DB -> cpp/db.h::store.Base exact" in types_in(graph, "cpp/db.h")
