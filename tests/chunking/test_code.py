"""Code is cut along its definitions, and what is too small to be found alone is merged."""

from __future__ import annotations

import re

from sidelight.chunking import chunk_file
from sidelight.model import (
    Chunk,
    ChunkKind,
    Import,
    ImportedName,
    ImportKind,
    ParsedFile,
    Span,
    Symbol,
    SymbolKind,
)
from sidelight.parsing import parse


def chunks_of(source: str, **limits: int) -> tuple[Chunk, ...]:
    """Return the chunks of a Python file."""
    data = source.encode()
    return chunk_file(data, b"pkg/a.py", parse(data, "python"), **limits)


def shape(chunks: tuple[Chunk, ...]) -> list[tuple[str, str, int, int]]:
    """Return kind, symbol and lines of each chunk."""
    return [(str(c.kind), c.symbol, c.span.start_line, c.span.end_line) for c in chunks]


def body(n: int, name: str = "x") -> str:
    """Return n statements of a function's body."""
    return "".join(f"    {name} = {name} + {i}\n" for i in range(n))


LONG_CLASS = '''\
# about the class
@decorated
class Server(Base):
    """Serves."""

    port: int = 80

    # how it starts
    @property
    def start(self) -> None:
        self.a = 1
        self.b = 2
        self.c = 3

    limit = 5
    other = 6
    third = 7

    class Inner:
        def nested(self) -> None:
            return
            return

    def stop(
        self,
        when: int,
    ) -> None:
        self.a = 2
        self.b = 2
        self.c = 3
'''


def test_a_function_is_whole_with_decorators_and_the_comment_above() -> None:
    source = (
        "import os\nimport sys\nimport re\n\n\n# why\n@cache\ndef f(x):\n"
        + body(5)
        + "\n\ndef g(x):\n"
        + body(5)
    )
    assert shape(chunks_of(source)) == [
        ("module", "", 1, 5),
        ("definition", "f", 6, 15),
        ("definition", "g", 16, 21),
    ]


def test_a_small_class_is_one_chunk() -> None:
    assert shape(chunks_of(LONG_CLASS)) == [("definition", "Server", 1, 30)]


def test_a_large_class_is_an_overview_and_its_methods() -> None:
    chunks = chunks_of(LONG_CLASS, max_lines=20)
    assert shape(chunks) == [
        ("overview", "Server", 1, 7),
        ("definition", "Server.start", 8, 14),
        ("part", "Server", 15, 18),
        ("definition", "Server.Inner", 19, 23),
        ("definition", "Server.stop", 24, 30),
    ]
    assert [chunk.parent for chunk in chunks] == [None, 0, 0, 0, 0]
    assert chunks[0].symbol_kind is chunks[2].symbol_kind is SymbolKind.CLASS
    assert chunks[2].header.endswith("class Server(Base):")


def test_an_overview_shows_attributes_and_the_signatures_of_members() -> None:
    text = chunks_of(LONG_CLASS, max_lines=20)[0].text
    assert "port: int = 80" in text
    assert re.search(r"def start\(self\) -> None:  \[9-13\]\n", text)
    assert "class Inner:  [19-22]\n" in text
    assert "def stop( self, when: int, ) -> None:  [24-30]\n" in text
    assert "self.b" not in text


def test_an_overview_stays_bounded() -> None:
    members = "".join(
        f"    def method_{n}(self):\n        a = {n}\n        b = 1\n        return a\n\n"
        for n in range(400)
    )
    overview, *rest = chunks_of(f"class Big:\n    pass\n\n{members}")
    assert len(overview.text) < 4_000
    assert re.search(r"… \d+ more\n$", overview.text)
    assert len(rest) == 400
    assert {chunk.parent for chunk in rest} == {0}


def test_a_long_function_is_cut_at_statements_with_its_signature_as_header() -> None:
    loops = "".join(f"    for i in y:\n{'    ' * 2}a = i\n" + body(4, "b") for _ in range(20))
    chunks = chunks_of(f"def f(\n    y,\n):\n{loops}")
    assert len(chunks) == 3
    assert {chunk.kind for chunk in chunks} == {ChunkKind.PART}
    assert {chunk.symbol for chunk in chunks} == {"f"}
    assert [chunk.header for chunk in chunks] == ["", "def f(\n    y,\n):", "def f(\n    y,\n):"]
    sizes = [chunk.span.end_line - chunk.span.start_line + 1 for chunk in chunks]
    assert max(sizes) - min(sizes) <= 6
    assert all(re.match(r"    \S", chunk.text) for chunk in chunks[1:])


def test_without_statements_a_long_function_is_cut_by_its_layout() -> None:
    rows = ["def f():"] + [f"    a{n}\n        deeper\n        deeper" for n in range(30)]
    source = "\n".join(rows).encode()
    symbol = Symbol(
        "f", "f", SymbolKind.FUNCTION, Span(0, len(source), 1, 91), 0, rows[0].__len__() + 1
    )
    chunks = chunk_file(source, b"a.x", ParsedFile("x", (symbol,)))
    assert len(chunks) == 2
    assert re.match(r"    a\d+", chunks[1].text)
    assert chunks[1].header == "def f():"


def test_tiny_definitions_and_constants_share_a_chunk_that_names_them() -> None:
    tiny = "A = 1\nB = 2\n\n\ndef one(): return 1\n\n\ndef two(): return 2\n\n\n"
    chunks = chunks_of(tiny + "def big(x):\n" + body(8))
    assert shape(chunks) == [("definition", "", 1, 10), ("definition", "big", 11, 19)]
    assert chunks[0].header == "A, B, one, two"


def test_tiny_methods_share_a_chunk_with_the_name_of_their_class() -> None:
    tiny = "".join(f"    def m{n}(self):\n        return {n}\n\n" for n in range(3))
    big = "    def big(self):\n" + "        x = 1\n" * 12 + "\n"
    chunks = chunks_of(f"class A:\n    x = 1\n\n{big}{tiny}{big}", max_lines=20)
    assert shape(chunks)[2] == ("definition", "A", 18, 26)
    assert chunks[2].symbol_kind is SymbolKind.CLASS
    assert chunks[2].header == "m0, m1, m2"
    assert chunks[2].parent == 0


def test_no_chunk_of_a_line_or_two_is_left_beside_a_definition() -> None:
    source = (
        "#!/usr/bin/env python\n\nLIMIT = 3\n\n\ndef f(x):\n"
        + body(9)
        + "\n\n_unset = object()\n\n\ndef g(x):\n"
        + body(9)
        + "\n\nf.alias = g\n"
    )
    chunks = chunks_of(source)
    assert shape(chunks) == [("definition", "f", 1, 17), ("definition", "g", 18, 33)]


def test_closing_lines_stay_with_what_they_close_and_openers_with_what_follows() -> None:
    rows = ["impl Server {"]
    rows += ["    fn run() {", *["        a;"] * 6, "    }", ""]
    rows += ["    fn stop() {", *["        b;"] * 6, "    }", "}", ""]
    rows += ["impl Drop for Server {", "    fn drop() {", *["        c;"] * 6, "    }", "}"]
    source = "\n".join(rows).encode() + b"\n"
    symbols = []
    for name in ("run", "stop", "drop"):
        start = source.index(f"    fn {name}".encode()) + 4
        end = source.index(b"\n    }", start) + 6
        line = source.count(b"\n", 0, start) + 1
        span = Span(start, end, line, line + 7)
        symbols.append(Symbol(name, f"Server.{name}", SymbolKind.METHOD, span, start, start + 10))
    chunks = chunk_file(source, b"a.rs", ParsedFile("rust", tuple(symbols)))
    assert shape(chunks) == [
        ("definition", "Server.run", 1, 10),
        ("definition", "Server.stop", 11, 20),
        ("definition", "Server.drop", 21, 30),
    ]


def test_a_licence_is_not_read_into_the_first_function() -> None:
    licence = "# Copyright\n" * 14
    chunks = chunks_of(f"{licence}\ndef f(x):\n" + body(8))
    assert shape(chunks) == [("module", "", 1, 15), ("definition", "f", 16, 24)]
    chunks = chunks_of(f"{licence}\nimport os\n\n\ndef f(x):\n" + body(8))
    assert shape(chunks) == [("module", "", 1, 18), ("definition", "f", 19, 27)]


def test_a_long_script_is_cut_at_its_statements() -> None:
    block = "if x:\n    a = 1\n    b = 2\n\n    c = 3\n"
    chunks = chunks_of(block * 40)
    assert {chunk.kind for chunk in chunks} == {ChunkKind.MODULE}
    assert all(chunk.text.startswith("if x:") for chunk in chunks)


def test_a_large_function_inside_a_larger_one_stands_alone() -> None:
    inner = "    def inner(x):\n" + "        x = 1\n" * 39
    chunks = chunks_of("def outer(x):\n" + body(20) + inner + body(20))
    assert shape(chunks) == [
        ("part", "outer", 1, 21),
        ("definition", "outer.inner", 22, 61),
        ("part", "outer", 62, 81),
    ]
    assert chunks[2].header == "def outer(x):"


def test_definitions_that_share_a_line_share_a_chunk() -> None:
    source = b"function a(){1};function b(){2};\nfunction c(){\n\n\n\n\n3}\n"
    symbols = []
    for name, start, end, line in (("a", 0, 15, 1), ("b", 16, 31, 1), ("c", 33, 54, 2)):
        last = source.count(b"\n", 0, end) + 1
        span = Span(start, end, line, last)
        symbols.append(Symbol(name, name, SymbolKind.FUNCTION, span, start, start + 12))
    chunks = chunk_file(source, b"a.js", ParsedFile("javascript", tuple(symbols)))
    assert b"".join(source[c.span.start_byte : c.span.end_byte] for c in chunks) == source
    assert "function a" in chunks[0].text
    assert "function b" in chunks[0].text


def test_imports_are_noted_where_their_names_are_used() -> None:
    def statement(module: str, *names: ImportedName, alias: str | None = None) -> Import:
        kind = ImportKind.PACKAGE if module == "pkg" else ImportKind.IMPORT
        return Import(module, kind, Span(0, 1, 1, 1), names, alias)

    imports = (
        statement("os.path"),
        statement("numpy", alias="np"),
        statement(".a", ImportedName("b", "c"), ImportedName("d")),
        statement("net/http"),
        statement("all", ImportedName("*")),
        statement("pkg"),
    )

    def used(text: str) -> tuple[str, ...]:
        (chunk,) = chunk_file(text.encode(), b"a.x", ParsedFile("python", imports=imports))
        return chunk.imports

    assert used("os.path.join(np.x)") == ("numpy", "os.path")
    assert used("c(1)") == (".a",)
    assert used("b(1); pkg; all") == ()
    assert used("http.Get(d)") == (".a", "net/http")


def chunks_in(language: str, source: str) -> tuple[Chunk, ...]:
    """Return the chunks of a file in any language."""
    data = source.encode()
    return chunk_file(data, b"a", parse(data, language))


def test_a_doc_comment_with_a_blank_line_below_belongs_to_its_function() -> None:
    comment = "/**\n * Says what it does.\n *\n * @public\n */\n\n"
    body_lines = "  x();\n" * 9
    source = "'use strict'\n\na(1)\nb(2)\nc(3)\n\n" + "".join(
        f"{comment}app.{name} = function {name}() {{\n{body_lines}}};\n\n" for name in ("on", "off")
    )
    chunks = chunks_in("javascript", source)
    assert shape(chunks) == [
        ("module", "", 1, 6),
        ("definition", "app.on", 7, 24),
        ("definition", "app.off", 25, 42),
    ]


def test_functions_inside_of_test_callbacks_stay_with_the_test() -> None:
    case = (
        "    it('works', function () {\n      function fn() {}\n"
        + "      ok(fn);\n" * 9
        + "    });\n"
    )
    source = (
        "describe('app', function () {\n"
        + "".join(f"  describe('part {n}', function () {{\n{case * 3}  }});\n" for n in range(4))
        + "});\n\nfunction helper() {\n"
        + "  a();\n" * 9
        + "}\n"
    )
    *tests, helper = chunks_in("javascript", source)
    assert (helper.kind, helper.symbol) == (ChunkKind.DEFINITION, "helper")
    assert {chunk.kind for chunk in tests} == {ChunkKind.MODULE}
    assert tests[0].header == ""
    assert all(chunk.header.startswith("describe('app'") for chunk in tests[1:])


def test_overloads_and_companions_of_one_name_share_a_chunk() -> None:
    source = (
        "export function get(a: string): string;\n"
        "export function get(a: number): number;\n"
        "export function get(a: any): any {\n" + "  x();\n" * 9 + "}\n"
    )
    (chunk,) = chunks_in("typescript", source)
    assert (chunk.kind, chunk.symbol, chunk.header) == (ChunkKind.DEFINITION, "get", "")


def test_members_that_are_only_declared_are_grouped() -> None:
    member = "  parse(data: unknown,\n    params?: Params): Output;\n"
    members = "".join(member.replace("parse", f"parse{n}") for n in range(40))
    overview, *groups = chunks_in("typescript", f"interface Type {{\n{members}}}\n")
    assert overview.kind is ChunkKind.OVERVIEW
    assert "parse7(data: unknown, params?: Params): Output  [16-17]\n" in overview.text
    assert len(groups) <= 4
    assert {chunk.symbol for chunk in groups} == {"Type"}
    assert groups[0].header.startswith("parse0, parse1")


def test_namespaces_are_looked_through() -> None:
    method = "    public int M{n}() {{\n" + "      x();\n" * 8 + "    }}\n\n"
    methods = "".join(method.format(n=n) for n in range(8))
    source = f"namespace A {{\n  class B {{\n    int f;\n\n{methods}  }}\n}}\n"
    chunks = chunks_in("csharp", source)
    assert chunks[0].kind is ChunkKind.OVERVIEW
    assert chunks[0].symbol.endswith("B")
    assert [chunk.symbol.rpartition(".")[2] for chunk in chunks[1:]] == [f"M{n}" for n in range(8)]
    assert {chunk.parent for chunk in chunks[1:]} == {0}


def test_the_same_file_always_gives_the_same_chunks() -> None:
    assert chunks_of(LONG_CLASS, max_lines=20) == chunks_of(LONG_CLASS, max_lines=20)
