"""What we post touches nobody: no mentions, references, links, images, HTML or commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from sidelight.untrusted.outgoing import clean_outgoing, code_text, escape_text, fenced, rich_text

ALLOWED = frozenset({"https://example.org/o/r/blob/abc/a.py#L1"})
PIECES = [
    *("@", "@octocat", "#", "#12", "GH-3", "gh-", "o/r#4", "fixes ", "Closes ", "\\", "`", "``"),
    *("```", "~~~", "\n", "\n\n", " ", "    ", "\t", "> ", "- ", "* ", "1. ", "+ ", "# ", "---"),
    *(
        "===",
        "|",
        "|---|",
        "a|b",
        "<b>",
        "<img src=x>",
        "<!--",
        "-->",
        "&lt;",
        "&commat;",
        "<",
        ">",
    ),
    *("![x](y)", "[x](y)", "[x]", "[x]: y", "(https://evil.example)", "https://evil.example/x"),
    *("http:", "//e.example", "www.evil.example", "a@b.example", "mailto:", "xmpp:a@b.c", "\\@me"),
    *("\\#5", "/ask", "/ask x", " /review", "**", "*", "_", "__", "~~", "$", "$x$", "$$", "[^1]"),
    *("[ ]", "[x](https://example.org/o/r/blob/abc/a.py#L1)", "[!NOTE]", ":+1:", "\r", "\u202e"),
    *("\u200b", "\U000e0041", "deadbeef", "0123456789abcdef0123456789abcdef01234567", "abc", "1"),
    *("suggestion", "mermaid", "word", "ﬁ", "é", "日本", "<details>", "</details>", "{", "}", "!"),
]
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=14).map("".join)
MENTION = re.compile(r"@[A-Za-z0-9]")
ISSUE = re.compile(r"#\d|\b[Gg][Hh]-\d")
SHA = re.compile(r"\b[0-9a-fA-F]{7,64}\b")
COMMAND = re.compile(r"^[ \t>*+-]*/[A-Za-z]", re.MULTILINE)


def parsed(markdown: str) -> list[Token]:
    parser = MarkdownIt("gfm-like", {"linkify": True, "html": True})
    return parser.parse(markdown)


def flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from flat(token.children or [])


def read_text(tokens: list[Token]) -> list[str]:
    """Return the text nodes that GitHub would look at: runs of text that no tag divides."""
    runs = [""]
    for token in flat(tokens):
        if token.type in ("text", "text_special"):
            runs[-1] += token.content
        elif token.type != "inline":
            runs.append("")
    return runs


def assert_harmless(markdown: str, allowed: frozenset[str] = frozenset()) -> None:
    tokens = parsed(markdown)
    kinds = {token.type for token in flat(tokens)}
    assert not kinds & {"html_block", "html_inline", "image", "table_open"}, markdown
    links = {str(t.attrs["href"]) for t in flat(tokens) if t.type == "link_open"}
    assert links <= allowed, markdown
    for run in read_text(tokens):
        assert not MENTION.search(run), run
        assert not ISSUE.search(run), run
        assert not SHA.search(run), run
    outside = "\n".join(
        line for line in markdown.split("\n") if not re.match(r"\s*/[A-Za-z]", line)
    )
    assert outside == markdown or "`" in markdown
    for token in flat(tokens):
        if token.type == "fence":
            assert token.info not in ("suggestion", "mermaid", "math"), token.info


@given(HOSTILE)
@settings(max_examples=250)
def test_escaped_text_is_shown_as_it_is_and_touches_nobody(text: str) -> None:
    escaped = escape_text(text)
    assert_harmless(escaped)
    assert not COMMAND.search(escaped)
    kinds = {token.type for token in flat(parsed(escaped))}
    assert kinds <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special",
                     "softbreak", "hardbreak"}, kinds  # fmt: skip


@given(HOSTILE)
@settings(max_examples=250)
def test_cleaned_markdown_of_a_model_touches_nobody(text: str) -> None:
    assert_harmless(clean_outgoing(text, ALLOWED), ALLOWED)


@given(HOSTILE)
@settings(max_examples=150)
def test_a_line_with_marked_code_is_one_line_that_touches_nobody(text: str) -> None:
    line = rich_text(text)
    assert "\n" not in line
    assert_harmless(line)


@given(HOSTILE, HOSTILE)
@settings(max_examples=150)
def test_inline_code_cannot_be_left(text: str, around: str) -> None:
    code = code_text(text)
    markdown = f"before {code} after {escape_text(around.replace(chr(10), ' '))}"
    inline = parsed(markdown)[1].children or []
    assert sum(token.type == "code_inline" for token in inline) == (1 if code else 0)
    assert_harmless(markdown)


@given(HOSTILE, HOSTILE)
@settings(max_examples=150)
def test_a_code_block_cannot_be_left(text: str, language: str) -> None:
    block = fenced(text, language)
    tokens = parsed(f"{block}\n\nafter")
    assert [token.type for token in tokens] == [
        *("fence", "paragraph_open", "inline", "paragraph_close")
    ]
    assert tokens[0].info not in ("mermaid", "math")


@given(HOSTILE)
@settings(max_examples=100)
def test_no_line_of_anything_is_a_command(text: str) -> None:
    for made in (clean_outgoing(text), fenced(text), f"{rich_text(text)}", escape_text(text)):
        for line in made.split("\n"):
            assert not re.match(r"[ \t]*/[A-Za-z][\w-]*(?:[ \t]|$)", line), made


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words.", "plain words."),
        ("see `f_x` and `g`", "see `f_x` and `g`"),
        ("a_b", "a\\_b"),
        ("an odd ` mark", "an odd \\` mark"),
    ],
)
def test_ordinary_words_stay_readable_in_the_source(text: str, shown: str) -> None:
    assert rich_text(text) == shown


def test_a_model_keeps_lists_code_bold_words_and_allowed_links() -> None:
    link = next(iter(ALLOWED))
    text = f"Yes, **really**:\n\n- `f(x)` see [1]({link})\n- b\n\n```python\nx = 1\n```\n"
    assert clean_outgoing(text, ALLOWED) == text.removesuffix("\n") + "\n"


def test_a_forbidden_link_keeps_its_words() -> None:
    assert clean_outgoing("see [the docs](https://evil.example/x).") == "see the docs."


def test_an_escaped_reference_stays_broken() -> None:
    assert "#\u200b5" in clean_outgoing("fixes \\#5")
    assert "@\u200bme" in clean_outgoing("\\@me")


def test_hidden_characters_are_shown_in_code_and_dropped_elsewhere() -> None:
    assert code_text("a\u202eb") == "`a\\u{202e}b`"
    assert escape_text("a\u202eb") == "ab"


def test_a_fence_is_longer_than_any_in_its_text() -> None:
    assert fenced("````\nx", "md").startswith("`````md\n")


def test_a_paths_comment_is_no_command_and_stays_as_it_is() -> None:
    assert fenced("// x\n/* y */\n/usr/bin x") == "```\n// x\n/* y */\n/usr/bin x\n```"
    assert "\u200b/ask" in fenced("/ask me")
