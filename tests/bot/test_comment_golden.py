"""Comments on real merged pull requests, kept as data without code: each was judged by eye.

`docs/comment.md` has the judgements, and says how the files are made anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight_bot.comment import render_comment
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.report import from_json

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.stem for path in GOLDEN.glob("*.json"))


def test_there_are_at_least_ten() -> None:
    assert len(NAMES) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_the_comment_is_what_was_judged(name: str) -> None:
    report = from_json((GOLDEN / f"{name}.json").read_bytes())
    links = Permalinks("https://github.com", report.repo, report.head)
    text = render_comment(report, links, always=True)
    assert text == (GOLDEN / f"{name}.md").read_text(encoding="utf-8")
    for group in report.groups:
        for item in group.items:
            if item.excerpt is not None:
                assert item.excerpt.text.startswith("line "), "no code of others is kept here"
