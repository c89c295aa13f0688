"""Which paths a text names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.search.questionpaths import MODULE, NAME, WHOLE, named_line, named_paths


@pytest.mark.parametrize(
    ("text", "path", "certainty"),
    [
        ("see src/cache/keys.py, please", "src/cache/keys.py", WHOLE),
        ("in cache/keys.py:12", "src/cache/keys.py", WHOLE),
        ('File "/home/me/site-packages/cache/keys.py", line 3', "src/cache/keys.py", WHOLE),
        ("C:\\work\\cache\\keys.py", "src/cache/keys.py", WHOLE),
        ("https://example.org/blob/0a1b/logger.go#L81", "logger.go", WHOLE),
        ("(logger.go)", "logger.go", WHOLE),
        ("logger.go fails", "render/logger.go", NAME),
        ("Cache/Keys.py", "src/cache/keys.py", WHOLE),
        ("`cache.keys.make` fails", "src/cache/keys.py", MODULE),
        ("other/keys.py", "src/cache/keys.py", NAME),
        ("the keys of a cache", "src/cache/keys.py", 0.0),
        ("keys.pyc", "src/cache/keys.py", 0.0),
        ("and/or", "src/cache/keys.py", 0.0),
    ],
)
def test_a_path_is_named_whole_as_a_module_or_by_its_name(
    text: str, path: str, certainty: float
) -> None:
    assert named_paths(text).certainty(path) == certainty


def test_plain_words_name_nothing() -> None:
    assert not named_paths("where are the keys of a cache made")


@given(st.text(max_size=200), st.text(min_size=1, max_size=30))
def test_any_text_can_be_asked(text: str, path: str) -> None:
    assert 0.0 <= named_paths(text).certainty(path) <= 1.0


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("tree.go:81", 81),
        ("src/tree.go:81:7", 81),
        (" tree.go#L81 ", 81),
        ("lib/tree.go#L81-L95", 81),
        ("tree.go", None),
        ("tree.go:", None),
        ("why does tree.go:81 panic", None),
        (":81", None),
        ("", None),
    ],
)
def test_a_line_is_asked_for_by_a_path_and_a_line_alone(query: str, line: int | None) -> None:
    assert named_line(query) == line
