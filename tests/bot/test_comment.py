"""The comment: quiet, linked, small enough, and harmless whatever the repository says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token

from helpers.reports import HEAD, LINKS, REPORTS, huge, ordinary
from sidelight_bot.comment import (
    HARD_LIMIT,
    CommentMarker,
    is_worth_saying,
    read_marker,
    render_comment,
    write_marker,
)
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.report import ChangeReport, Group, GroupReason, from_json, to_json

OWN_HTML = re.compile(
    r"<!-- sidelight:v1 head=[0-9a-f]{40,64} run=\d+ -->"
    r"|<details><summary>(?:<code>[^<>]*</code>|[\d,]+ changed files? (?:was|were) not looked into"
    r"|Also related: [\d,]+ places?)"
    r"</summary>|</details>|<sub>|</sub>"
)


def flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from flat(token.children or [])


def parse(markdown: str) -> list[Token]:
    return list(flat(MarkdownIt("gfm-like", {"html": True, "linkify": True}).parse(markdown)))


def hrefs(tokens: list[Token]) -> list[str]:
    return [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]


def render(report: ChangeReport, **options: object) -> str:
    text = render_comment(report, LINKS, always=True, **options)  # type: ignore[arg-type]
    assert text is not None
    return text


@given(REPORTS)
@settings(max_examples=70, deadline=None)
def test_nothing_from_the_repository_touches_anybody(report: ChangeReport) -> None:
    text = render(report)
    tokens = parse(text)
    for token in tokens:
        assert token.type not in ("image", "table_open"), text
        if token.type in ("html_block", "html_inline"):
            assert OWN_HTML.sub("", token.content).strip() == "", token.content
        if token.type == "fence":
            assert token.info not in ("suggestion", "mermaid"), token.info
    for href in hrefs(tokens):
        assert href.startswith(f"https://github.com/octo/app/blob/{HEAD}/"), href
    runs = [""]
    for token in tokens:
        if token.type in ("text", "text_special"):
            runs[-1] += token.content
        elif token.type != "inline":
            runs.append("")
    for run in runs:
        assert not re.search(r"@[A-Za-z0-9]|#\d|(?i:gh)-\d", run), run
    for line in text.split("\n"):
        assert not re.match(r"[ \t]*/[A-Za-z][\w-]*(?:[ \t]|$)", line), line
    assert text.count("<!-- sidelight:v1") == 1 or "`" in text
    assert len(text.encode()) <= HARD_LIMIT


@given(REPORTS)
@settings(max_examples=40, deadline=None)
def test_folds_are_balanced_and_their_code_stays_inside(report: ChangeReport) -> None:
    blocks = "".join(t.content for t in parse(render(report)) if t.type == "html_block")
    assert blocks.count("<details>") == blocks.count("</details>")


@given(REPORTS)
@settings(max_examples=40, deadline=None)
def test_the_comment_is_a_function_of_the_data(report: ChangeReport) -> None:
    assert render(report) == render(from_json(to_json(report)))


def test_the_largest_report_stays_below_the_limit_and_says_that_it_was_cut() -> None:
    text = render(from_json(to_json(huge())))
    assert len(text.encode()) < HARD_LIMIT < 65_536
    assert "Shortened" in text
    assert read_marker(text) == CommentMarker(HEAD, 12)


def test_a_tiny_limit_still_gives_a_comment_that_is_found_again() -> None:
    text = render(huge(), limit=300)
    assert len(text.encode()) <= 300
    assert read_marker(text) is not None


def test_each_item_has_a_permalink_a_reason_and_a_folded_excerpt() -> None:
    text = render(replace(ordinary(), signatures=()))
    blob = f"https://github.com/octo/app/blob/{HEAD}"
    assert f"{blob}/app/views.py#L40-L43" in hrefs(parse(text))
    assert f"{blob}/docs/render.md?plain=1#L1-L3" in hrefs(parse(text))
    assert "[`app/views.py:40-43`][s" in text
    assert "calls `render` in line 42" in text
    assert "  <details><summary><code>return render(page, 1)</code></summary>" in text


def test_a_caller_whose_call_no_longer_fits_is_shown_once() -> None:
    report = ordinary()
    assert render(report).count("app/views.py:4") == 1
    text = render(replace(report, signatures=()))
    assert "[`app/views.py:40-43`][s" in text
    assert "calls `render` in line 42" in text


def test_unchanged_call_sites_come_first_and_on_their_own() -> None:
    titles = re.findall(r"^#### (.*)$", render(ordinary()), re.MULTILINE)
    assert titles == [
        "Changed signature, unchanged call sites",
        "Removed, but still referred to",
        "What this touches",
        "What the changed code uses",
        "Usually changed together, not in this diff",
        "Tests to run",
    ]


def test_counts_the_ledger_and_the_way_to_reproduce_it_are_there() -> None:
    text = render(ordinary())
    assert "new signature, 3 callers, 1 test" in text
    assert "1 changed file was not looked into" in text
    assert "`logo.png`: binary" in text
    assert f"`sidelight related --base {'b' * 12} --head {'a' * 12}`" in text
    assert "Note: the clone is shallow" in text


def test_it_is_silent_when_there_is_nothing_worth_saying() -> None:
    item = ordinary().groups[0].items
    quiet = replace(
        ordinary(), signatures=(), findings=(), groups=(Group(GroupReason.RELATED, item),)
    )
    assert not is_worth_saying(quiet)
    assert render_comment(quiet, LINKS) is None
    assert render_comment(quiet, LINKS, always=True) is not None
    assert render_comment(ordinary(), LINKS) is not None


def test_lines_are_short_as_plain_mail() -> None:
    for line in render(ordinary()).split("\n"):
        if not re.match(r"\[s\d+\]: https://", line):
            assert len(line) <= 140, line


def test_without_a_server_there_are_no_links() -> None:
    text = render_comment(ordinary(), Permalinks("https://github.com", "", HEAD))
    assert text is not None
    assert not hrefs(parse(text))
    assert "`app/views.py:42`" in text


@pytest.mark.parametrize(
    ("path", "lines", "tail"),
    [
        ("a b/ü(1)#.py", (3, 3), "a%20b/%C3%BC%281%29%23.py#L3"),
        ("README.md", (2, 4), "README.md?plain=1#L2-L4"),
        ("x\udcff", (1, 1), "x%FF#L1"),
    ],
)
def test_permalinks_quote_the_paths_bytes(path: str, lines: tuple[int, int], tail: str) -> None:
    assert LINKS.lines(path, *lines) == f"https://github.com/octo/app/blob/{HEAD}/{tail}"


def test_notes_on_their_lines_are_counted_and_the_others_are_shown() -> None:
    note = huge().notes[0]
    loose = replace(note, anchor="2" * 16, title="Off by one", body="`n` may be 0.", evidence=())
    text = render(replace(ordinary(), notes=(note, loose)), placed=frozenset({note.anchor}))
    assert "1 note on the lines" in text
    assert "**Off by one** (major)" in text
    assert "`n` may be 0." in text


def test_a_marker_counts_only_at_the_beginning() -> None:
    marker = CommentMarker(HEAD, 5)
    assert read_marker(write_marker(marker) + "\nx") == marker
    assert read_marker("> " + write_marker(marker)) is None
    assert read_marker("x") is None
