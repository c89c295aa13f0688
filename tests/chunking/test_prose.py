"""Prose is cut by heading; what is not a heading is not taken for one."""

from __future__ import annotations

from sidelight.chunking import chunk_file
from sidelight.model import Chunk, ChunkKind, ParsedFile

PROSE = "A sentence that says something.\n" * 7


def chunks_of(text: str, language: str = "markdown", path: bytes = b"a.md") -> tuple[Chunk, ...]:
    """Return the chunks of a text."""
    return chunk_file(text.encode(), path, ParsedFile(language))


def headers(text: str, language: str = "markdown", path: bytes = b"a.md") -> list[str]:
    """Return the heading trails of a text's chunks."""
    return [chunk.header for chunk in chunks_of(text, language, path)]


def test_sections_carry_the_trail_of_their_headings() -> None:
    text = f"# A\n{PROSE}## B `code`\n{PROSE}### C\n{PROSE}## [D](x) ##\n{PROSE}# E\n{PROSE}"
    assert headers(text) == ["A", "A > B code", "A > B code > C", "A > D", "E"]
    assert {chunk.kind for chunk in chunks_of(text)} == {ChunkKind.SECTION}
    assert chunks_of(text)[1].text.startswith("## B")


def test_text_before_the_first_heading_is_a_chunk_of_its_own() -> None:
    assert headers(f"{PROSE}\n# A\n{PROSE}") == ["", "A"]


def test_fenced_code_comments_and_front_matter_hold_no_headings() -> None:
    text = (
        f"---\ntitle: x\n# no\n---\n# A\n{PROSE}```sh\n# no\n``` no\n~~~\n```\n"
        f"<!--\n# no\n-->\n~~~~ python\n# no\n```\n# no\n~~~~~\n- ```\n  # no\n  ```\n# B\n{PROSE}"
    )
    assert headers(text) == ["", "A", "B"]


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    assert headers(f"# A\n{PROSE}```\n# no\n{PROSE}") == ["A"]


def test_underlined_titles_are_headings_and_rules_are_not() -> None:
    text = f"Title\n=====\n{PROSE}\nSub\n---\n{PROSE}\n---\n\n- item\n---\n{PROSE}"
    assert headers(text) == ["Title", "Title > Sub"]


def test_crlf_is_no_obstacle() -> None:
    text = f"# A\n{PROSE}Sub\n---\n{PROSE}".replace("\n", "\r\n")
    assert headers(f"# A\r\n{PROSE}\r\n## B\r\n{PROSE}") == ["A", "A > B"]
    assert chunks_of(text)[0].header == "A"


def test_a_heading_with_nothing_below_goes_with_the_next_one() -> None:
    text = f"# A\n\n## B\n\n{PROSE}"
    (chunk,) = chunks_of(text)
    assert chunk.header == "A > B"


def test_small_sections_are_joined_and_all_named() -> None:
    text = "# Changes\n\n" + PROSE + "".join(f"## 1.{n}\n\n- one\n- two\n\n" for n in range(4))
    assert headers(text) == ["Changes", "Changes > 1.0, 1.1, 1.2, 1.3"]


def test_a_long_section_is_cut_between_paragraphs() -> None:
    paragraph = "word " * 9 + "\n" + "more\n" * 8 + "\n"
    chunks = chunks_of("# A\n\n" + paragraph * 12)
    assert len(chunks) > 1
    assert {chunk.header for chunk in chunks} == {"A"}
    assert all(chunk.text.startswith(("# A", "word")) for chunk in chunks)


def test_a_code_block_is_not_cut_if_a_paragraph_is_near() -> None:
    code = "```\n" + "x = 1\n\n" * 12 + "```\n\n"
    chunks = chunks_of("# A\n\n" + (PROSE + "\n" + code) * 3)
    assert all(chunk.text.count("```") % 2 == 0 for chunk in chunks)


def test_restructured_text_levels_follow_the_order_of_styles() -> None:
    text = (
        f"=====\nTitle\n=====\n\n{PROSE}\nPart\n====\n\n{PROSE}\nSub\n----\n\n{PROSE}"
        f"\nNext\n====\n\n{PROSE}\n::\n\n  Not\n  ===\n\n====== ===\ntable  x\n====== ===\n\n----\n"
    )
    expected = ["Title", "Title > Part", "Title > Part > Sub", "Title > Next"]
    assert headers(text, "rst", b"a.rst") == expected
    assert headers(text, "text", b"docs/a.RST") == expected


def test_asciidoc_headings_and_listings() -> None:
    text = f"= Title\n\n{PROSE}\n== Part\n\n{PROSE}----\n== no\n----\n====\n== no\n====\n{PROSE}"
    assert headers(text, "asciidoc") == ["Title", "Title > Part"]


def test_plain_text_and_data_are_cut_at_shallow_lines() -> None:
    rows = [f'  "key{n}": {{\n    "a": 1,\n    "b": [\n      2\n    ]\n  }},\n' for n in range(30)]
    chunks = chunks_of("{\n" + "".join(rows) + "}\n", "json", b"a.json")
    assert len(chunks) > 2
    assert all(chunk.kind is ChunkKind.TEXT for chunk in chunks)
    assert all(chunk.text.startswith(("{", '  "key')) for chunk in chunks)
    text = "Some words.\nMore of them.\n\n" * 60
    assert all(c.text.startswith("Some") for c in chunks_of(text, "text", b"a.txt"))
