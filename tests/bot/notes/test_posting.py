"""How a note is written, known again, and marked when its line is gone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight_bot.notes.anchors import (
    NoteMarker,
    anchor_of,
    is_gone,
    line_hash,
    read_marker,
    write_marker,
)
from sidelight_bot.notes.feedback import Dislike, read_dislikes, write_dislikes
from sidelight_bot.notes.model import Evidence, Note, Side
from sidelight_bot.notes.posting import PostedNote, mark_resolved, render_note, resolved_body
from sidelight_bot.notes.schema import Kind, Severity

HOSTILE = "![x](http://evil) @everyone fixes #12 <img src=x> [a](http://evil)\n/close"


def _note(**changes: object) -> Note:
    values: dict[str, object] = {
        "path": "a/b.py",
        "line": 4,
        "start_line": None,
        "side": Side.RIGHT,
        "severity": Severity.MAJOR,
        "kind": Kind.DATA_LOSS,
        "title": "Rows are lost in `page`",
        "body": "It cuts one row too early.",
        "suggestion": None,
        "evidence": (Evidence("a/c.py", 7, 9, "page(rows, 10)"),),
        "anchor": anchor_of("a/b.py", "x = 1", "data_loss"),
        "quote": line_hash("x = 1"),
    }
    return Note(**(values | changes))  # type: ignore[arg-type]


def _link(path: str, first: int, last: int) -> str:
    return f"https://git.example/o/r/blob/abc/{path}#L{first}-L{last}"


def test_a_note_says_what_where_and_why() -> None:
    body = render_note(_note(suggestion="    x = 2"), _link)
    assert body.startswith("**Major · data loss:** Rows are lost in `page`\n\nIt cuts one row")
    assert "```suggestion\n    x = 2\n```" in body
    assert "https://git.example/o/r/blob/abc/a/c.py#L7-L9" in body
    assert "`page(rows, 10)`" in body
    assert read_marker(body) == NoteMarker(_note().anchor, _note().quote, "data_loss")


def test_a_suggestion_on_a_removed_line_is_not_written() -> None:
    assert "suggestion" not in render_note(_note(side=Side.LEFT, suggestion="x"), _link)


@pytest.mark.parametrize("field", ["title", "body", "suggestion"])
def test_nothing_of_a_model_reaches_beyond_the_note(field: str) -> None:
    body = render_note(_note(**{field: HOSTILE}), _link)
    prose = body if field != "suggestion" else body.split("```")[0]
    assert "](http://evil)" not in prose.replace("\\](", "")
    assert "@everyone" not in prose
    assert "#12" not in prose
    assert "<img" not in prose.replace("\\<", "")
    assert not any(line.startswith("/close") for line in body.split("\n"))


def test_a_second_marker_makes_a_note_nobodys() -> None:
    marker = NoteMarker("0" * 16, "1" * 16, "bug")
    assert read_marker(write_marker(marker)) == marker
    assert read_marker(write_marker(marker) * 2) is None
    forged = render_note(_note(body=write_marker(marker)), _link)
    assert read_marker(forged) == NoteMarker(_note().anchor, _note().quote, "data_loss")


def test_a_note_is_marked_once_when_its_line_is_gone() -> None:
    body = render_note(_note(), _link)
    posted = [PostedNote(7, "a/b.py", body)]
    assert mark_resolved(posted, {"a/b.py": ["def f():", "    x = 10"]}) != []
    assert mark_resolved(posted, {"a/b.py": ["y = 2", "  x = 1  "]}) == []
    [(number, text)] = mark_resolved(posted, {})
    assert number == 7
    assert "Rows are lost" in text
    assert mark_resolved([PostedNote(7, "a/b.py", text)], {}) == []
    assert mark_resolved([PostedNote(8, "a/b.py", "somebody's words")], {}) == []
    assert read_marker(resolved_body(body)) == read_marker(body)


@given(st.text(), st.text())
def test_anchors_know_a_line_by_its_words(text: str, pad: str) -> None:
    spaces = "".join(c for c in pad if c in " \t")
    assert line_hash(spaces + text + spaces) == line_hash(text)
    assert anchor_of("p", text, "bug") == anchor_of("p", spaces + text, "bug")
    assert not is_gone(NoteMarker("0" * 16, line_hash(text), "bug"), [spaces + text])


_DISLIKES = st.lists(
    st.builds(
        Dislike,
        st.text("0123456789abcdef", min_size=16, max_size=16),
        st.sampled_from([kind.value for kind in Kind]),
        st.frozensets(st.from_regex(r"[a-z0-9_]{3,20}", fullmatch=True), max_size=20),
    ),
    max_size=20,
    unique_by=lambda item: item.anchor,
)


@given(_DISLIKES)
def test_dislikes_survive_their_file(dislikes: list[Dislike]) -> None:
    assert list(read_dislikes(write_dislikes(dislikes))) == dislikes


@given(st.binary(max_size=300))
def test_a_foreign_file_of_dislikes_is_empty(data: bytes) -> None:
    assert read_dislikes(data) == ()


@pytest.mark.parametrize(
    "data",
    [
        b'{"version": 1, "dislikes": [{"anchor": "x", "kind": "bug", "words": []}]}',
        b'{"version": 1, "dislikes": [{"anchor": 1, "kind": [], "words": {}}, 7, null]}',
        b'{"version": 2, "dislikes": []}',
        b"[" * 100_000,
        b" " * 2_000_000,
    ],
)
def test_hostile_files_of_dislikes_are_empty(data: bytes) -> None:
    assert read_dislikes(data) == ()
