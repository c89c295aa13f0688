"""Ruby: the hand-checked sample, and the many things that are calls."""

from __future__ import annotations

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("ruby", "server.rb") == expected_sample("ruby", "server.rb")


def test_operators_and_setters_keep_their_names() -> None:
    source = "class A; def <=>(o) 0 end; def []=(k, v) end; def x=(v) end; def ok?() end end"
    assert symbols_of(source, "ruby") == [
        "class A",
        "method A.<=>",
        "method A.[]=",
        "method A.x=",
        "method A.ok?",
    ]


def test_singleton_methods_belong_to_the_class_however_written() -> None:
    source = "class A\n def self.x; end\n class << self\n def y; end\n end\nend\ndef A.z; end"
    assert symbols_of(source, "ruby") == ["class A", "method A.x", "method A.y", "method A.z"]


def test_classes_made_by_calls_hold_their_methods() -> None:
    source = "P = Struct.new(:x) do\n  def m; end\nend\nQ = Class.new(Base) { def n; end }\nR = 1"
    assert symbols_of(source, "ruby") == [
        "struct P",
        "method P.m",
        "class Q",
        "method Q.n",
        "constant R",
    ]


def test_mixins_and_superclasses_are_bases() -> None:
    source = "class A < B::C\n  include D, E::F\n  extend G\nend"
    assert references_of(source, "ruby") == [
        "base B -> C",
        "base D",
        "base E -> F",
        "base G",
    ]


def test_classes_handed_over_are_types_and_constants_are_not() -> None:
    source = "register Foo, BAR, a::Baz\nbegin\n x\nrescue Err, N::Bad => e\nend"
    assert references_of(source, "ruby") == [
        "call register",
        "type Foo",
        "type a -> Baz",
        "type Err",
        "type N -> Bad",
    ]


def test_only_plain_strings_are_imports() -> None:
    source = (
        "require 'a/b'\nrequire \"x#{y}\"\nrequire_relative 'c'\nKernel.require 'd'\nrequire e\n"
    )
    assert imports_of(source, "ruby") == ["import a/b", "include c"]
