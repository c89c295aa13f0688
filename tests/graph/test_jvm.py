"""Java, Kotlin and Scala: packages, members without a receiver, inheritance, static imports."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.lab import calls_in, graph_of, imports_in, one, types_in
from sidelight.graph import CodeGraph

FILES = {
    "src/main/java/com/shop/Cart.java": """\
package com.shop;

import com.shop.store.Store;
import com.shop.util.*;
import static com.shop.util.Text.trim;
import java.util.List;
import java.util.Map.Entry;

public class Cart extends Base implements Saver {
  private final Store store = new Store("x");
  private List<Item> items;

  public Cart(Store other) { super(other); }

  @Override public void save() {
    check();
    store.put(this);
    this.helper().put(null);
    super.save();
    trim(" ");
    Text.pad("x");
    items.get(0);
    Item item = new Item();
    item.weigh();
    Store.Kind kind = Store.Kind.of("x");
    Runnable again = this::save;
  }

  Store helper() { return store; }

  static class Line { void check2() { } }
}
""",
    "src/main/java/com/shop/Base.java": """\
package com.shop;

abstract class Base {
  Base(Object o) { }
  void check() { save(); }
  public void save() { }
}
""",
    "src/main/java/com/shop/Saver.java": "package com.shop;\ninterface Saver { void save(); }\n",
    "src/main/java/com/shop/Item.java": (
        "package com.shop;\nclass Item { int weigh() { return 1; } int get(int i) { return i; } }\n"
    ),
    "src/main/java/com/shop/store/Store.java": """\
package com.shop.store;

public class Store {
  public Store(String name) { }
  public void put(Object x) { }
  public enum Kind { A, B; public static Kind of(String s) { return A; } }
}
""",
    "src/main/java/com/shop/util/Text.java": """\
package com.shop.util;

public final class Text {
  public static String trim(String s) { return s; }
  public static String pad(String s) { return trim(s); }
}
""",
    "src/main/java/com/other/Store.java": (
        "package com.other;\npublic class Store { public void put(Object x) { } }\n"
    ),
    "src/main/kotlin/App.kt": """\
package com.shop.app

import com.shop.Cart
import com.shop.store.Store as Shelf
import com.shop.util.*

class App(private val cart: Cart, shelf: Shelf) : Runner() {
    fun run(other: Cart?) {
        cart.save()
        other?.helper()!!.put(1)
        val fresh = Cart(null)
        fresh.save()
        prepare("x")
        Text.pad("x")
        listOf(1).map { it }
        go()
    }

    companion object {
        fun make(): App = App(Cart(null), Shelf("x"))
    }
}

open class Runner {
    fun go() {}
}

fun prepare(text: String): String = text

fun main() {
    App.make().run(null)
}
""",
    "src/main/scala/Calc.scala": """\
package com.shop
package calc

import com.shop.store.{Store => Depot, _}

trait Adder { def add(x: Int): Int = x }

object Calc extends Adder {
  def total(depot: Depot): Int = {
    depot.put(1)
    add(1)
    Helper.go(2)
  }
}

object Helper { def go(x: Int) = x }
""",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeGraph]:
    with graph_of(tmp_path_factory.mktemp("jvm") / "repo", FILES) as found:
        yield found


def test_java_imports_lead_to_what_the_packages_define(graph: CodeGraph) -> None:
    java = "src/main/java/com/shop/"
    assert imports_in(graph, f"{java}Cart.java") == [
        f"3 {java}store/Store.java: Store",
        f"4 {java}util/Text.java: Text",
        f"5 {java}util/Text.java: trim",
    ]
    assert graph.library_imports(f"{java}Cart.java".encode()) == ("java.util", "java.util.Map")
    kotlin = [edge.source for edge in graph.importers(f"{java}store/Store.java".encode())]
    assert kotlin == [
        b"src/main/java/com/shop/Cart.java",
        b"src/main/kotlin/App.kt",
        b"src/main/scala/Calc.scala",
    ]


def test_java_calls(graph: CodeGraph) -> None:
    java = "src/main/java/com/shop/"
    assert calls_in(graph, f"{java}Cart.java") == [
        f"10 Cart.store -> {java}store/Store.java::Store exact",
        f"16 Cart.save -> {java}Base.java::Base.check same_class",
        f"17 Cart.save -> {java}store/Store.java::Store.put exact",
        f"18 Cart.save -> {java}Cart.java::Cart.helper exact",
        f"18 Cart.save -> {java}store/Store.java::Store.put exact",
        f"19 Cart.save -> {java}Base.java::Base.save same_class",
        f"20 Cart.save -> {java}util/Text.java::Text.trim exact",
        f"21 Cart.save -> {java}util/Text.java::Text.pad exact",
        f"23 Cart.save -> {java}Item.java::Item exact",
        f"24 Cart.save -> {java}Item.java::Item.weigh exact",
        f"25 Cart.save -> {java}store/Store.java::Store.Kind.of exact",
        f"26 Cart.save -> {java}Cart.java::Cart.save exact",
    ]


def test_bases_are_found_in_the_package_and_methods_override(graph: CodeGraph) -> None:
    assert types_in(graph, "src/main/java/com/shop/Cart.java")[:2] == [
        "9 Cart -> src/main/java/com/shop/Base.java::Base exact",
        "9 Cart -> src/main/java/com/shop/Saver.java::Saver exact",
    ]
    overridden = {e.target.qualified_name for e in graph.overrides(one(graph, "Cart.save"))}
    assert overridden == {"Base.save", "Saver.save"}


def test_kotlin_calls_java_and_its_own(graph: CodeGraph) -> None:
    java, app = "src/main/java/com/shop/", "src/main/kotlin/App.kt"
    assert calls_in(graph, app) == [
        f"9 App.run -> {java}Cart.java::Cart.save exact",
        f"10 App.run -> {java}Cart.java::Cart.helper exact",
        f"10 App.run -> {java}store/Store.java::Store.put exact",
        f"11 App.run -> {java}Cart.java::Cart exact",
        f"12 App.run -> {java}Cart.java::Cart.save exact",
        f"13 App.run -> {app}::prepare exact",
        f"14 App.run -> {java}util/Text.java::Text.pad exact",
        f"16 App.run -> {app}::Runner.go same_class",
        f"20 App.make -> {app}::App exact",
        f"20 App.make -> {java}Cart.java::Cart exact",
        f"20 App.make -> {java}store/Store.java::Store exact",
        f"31 main -> {app}::App.make exact",
        f"31 main -> {app}::App.run exact",
    ]


def test_scala_calls_cross_packages_and_objects(graph: CodeGraph) -> None:
    calc = "src/main/scala/Calc.scala"
    assert calls_in(graph, calc) == [
        "10 Calc.total -> src/main/java/com/shop/store/Store.java::Store.put exact",
        f"11 Calc.total -> {calc}::Adder.add same_class",
        f"12 Calc.total -> {calc}::Helper.go exact",
    ]
