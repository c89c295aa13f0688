"""Chunks cover files, whatever the bytes and whatever the parser claims to have seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight import chunking
from sidelight.chunking import chunk_file
from sidelight.model import Break, Chunk, ChunkKind, ParsedFile, Span, Symbol, SymbolKind
from sidelight.parsing import parse

LANGUAGES = ("python", "markdown", "rst", "asciidoc", "text", "json", "rust")

lines = st.lists(
    st.one_of(
        st.sampled_from(
            [
                b"",
                b"    ",
                b"}",
                b"end",
                b"# Title",
                b"## Sub",
                b"Title",
                b"=====",
                b"-----",
                b"```",
                b"---",
                b"<!--",
                b"-->",
                b"def f():",
                b"    return 1",
                b"class A {",
                b"\r",
                b"a\rb",
                b"\x0c",
                b"\xff\xfe",
                b"\x80" * 70,
                "naïve 日本語 🙂".encode() * 9,
                b"x" * 200,
            ]
        ),
        st.binary(max_size=30),
    ),
    max_size=90,
)
sources = st.one_of(
    st.builds(lambda rows, end: end.join(rows), lines, st.sampled_from([b"\n", b"\r\n"])),
    st.binary(max_size=400),
)


@st.composite
def parsed_files(draw: st.DrawFn, source: bytes) -> ParsedFile:
    """Return symbols and breaks anywhere: overlapping, nested wrongly, out of the file."""
    size = len(source)
    places = st.integers(0, size + 3)
    symbols: list[Symbol] = []
    for index in range(draw(st.integers(0, 12))):
        start, end = sorted((draw(places), draw(places)))
        parent = draw(st.one_of(st.none(), st.integers(0, index)))
        name = f"n{index}"
        symbols.append(
            Symbol(
                name,
                f"Outer.{name}" if parent is not None else name,
                draw(st.sampled_from(SymbolKind)),
                Span(start, end, 1, 1),
                max(0, start - draw(st.integers(0, 9))),
                min(end, start + draw(st.integers(0, 9))),
                parent,
            )
        )
    breaks = draw(st.lists(st.builds(Break, places, st.integers(0, 4)), max_size=20))
    return ParsedFile(draw(st.sampled_from(LANGUAGES)), tuple(symbols), breaks=tuple(breaks))


def assert_covers(source: bytes, chunks: tuple[Chunk, ...]) -> None:
    """Check that spans are the file, byte for byte and in order, and that lines agree."""
    at = 0
    for chunk in chunks:
        span = chunk.span
        assert span.start_byte == at < span.end_byte
        at = span.end_byte
        assert span.start_line == source.count(b"\n", 0, span.start_byte) + 1
        assert span.end_line == source.count(b"\n", 0, span.end_byte - 1) + 1
        text = source[span.start_byte : span.end_byte].decode("utf-8", "replace")
        if chunk.kind is ChunkKind.OVERVIEW:
            assert chunk.text.startswith(text.rstrip())
        else:
            assert chunk.text == text
    assert at == len(source)
    for index, chunk in enumerate(chunks):
        if chunk.parent is not None:
            assert chunk.parent < index
            assert chunks[chunk.parent].kind is ChunkKind.OVERVIEW


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_every_byte_of_any_file_lies_in_exactly_one_chunk(data: st.DataObject) -> None:
    source = data.draw(sources)
    parsed = data.draw(parsed_files(source))
    max_lines, max_bytes = data.draw(st.sampled_from([(60, 6_000), (8, 300), (1, 8), (3, 64)]))
    chunks = chunk_file(source, b"a.x", parsed, max_lines=max_lines, max_bytes=max_bytes)
    assert_covers(source, chunks)
    assert chunks == chunk_file(source, b"a.x", parsed, max_lines=max_lines, max_bytes=max_bytes)
    for chunk in chunks:
        span = chunk.span
        assert span.end_byte - span.start_byte <= max_bytes * 5 // 4
        assert span.end_line - span.start_line < max_lines + 19


SOURCES = sorted(Path(chunking.__file__).parent.parent.rglob("*.py"))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SOURCES), st.data())
def test_torn_source_is_covered_with_the_real_parser(path: Path, data: st.DataObject) -> None:
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole)))
    source = whole[:at] + data.draw(st.binary(max_size=9)) + whole[at + 99 :]
    parsed = parse(source, data.draw(st.sampled_from(["python", "ruby", "java", "c"])))
    for limits in ({}, {"max_lines": 9, "max_bytes": 400}):
        assert_covers(source, chunk_file(source, b"a.py", parsed, **limits))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=3_000), st.integers(8, 100))
def test_no_character_is_cut_in_two(text: str, max_bytes: int) -> None:
    source = text.replace("\n", "").encode("utf-8", "replace")
    for language in ("text", "python", "markdown"):
        chunks = chunk_file(source, b"a", ParsedFile(language), max_bytes=max_bytes)
        assert "".join(chunk.text for chunk in chunks) == source.decode()


def test_an_empty_file_has_no_chunk() -> None:
    for language in LANGUAGES:
        assert chunk_file(b"", b"a", ParsedFile(language)) == ()


def test_a_file_of_line_ends_has_a_chunk() -> None:
    for language in LANGUAGES:
        (chunk,) = chunk_file(b"\n\n", b"a", ParsedFile(language))
        assert (chunk.span.start_line, chunk.span.end_line) == (1, 2)


def test_a_line_of_five_megabytes_is_cut_into_bounded_chunks() -> None:
    source = b"var a=1;" * 650_000
    for language in ("text", "javascript", "markdown"):
        chunks = chunk_file(source, b"a.js", ParsedFile(language))
        assert b"".join(source[c.span.start_byte : c.span.end_byte] for c in chunks) == source
        assert {chunk.span.start_line for chunk in chunks} == {1}
        assert max(len(chunk.text) for chunk in chunks) <= 6_000
        assert all(chunk.text.endswith(";") for chunk in chunks)


def test_carriage_returns_and_form_feeds_do_not_end_lines() -> None:
    source = b"a\rb\x0cc\r\nd"
    (chunk,) = chunk_file(source, b"a", ParsedFile("text"))
    assert (chunk.span.start_line, chunk.span.end_line) == (1, 2)
    assert chunk.text == "a\rb\x0cc\r\nd"


def test_spans_stay_exact_where_text_is_not_utf_8() -> None:
    source = b"\xff\xfe ok\n" * 100
    chunks = chunk_file(source, b"a", ParsedFile("text"))
    assert_covers(source, chunks)
    assert chunks[0].text.startswith("\ufffd\ufffd ok\n")


@pytest.mark.parametrize(("max_lines", "max_bytes"), [(0, 100), (10, 0)])
def test_limits_that_are_not_positive_are_refused(max_lines: int, max_bytes: int) -> None:
    with pytest.raises(ValueError, match="at least"):
        chunk_file(b"a", b"a", ParsedFile("text"), max_lines=max_lines, max_bytes=max_bytes)
