"""What kind of query a text is, and what of an issue is looked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.search.question import (
    QueryKind,
    QueryParts,
    message_terms,
    query_kind,
    question_terms,
    split_query,
)
from sidelight.search.questionpaths import named_paths
from sidelight.search.questiontext import clean_prose, take_code_out, without_template

ISSUE = """\
Cache keys collide for empty prefixes
<!-- Thank you for the report!
Please fill in the template. -->

- [x] I searched for duplicates
- [ ] I can send a patch

### Describe the bug

`make_key("", "a")` and `make_key("a", "")` give the same key since 2.4.1, see
https://example.org/app/blob/0123456789abcdef0123456789abcdef01234567/src/cache/keys.py#L10-L12.

```python
from app import make_key
print(make_key("", "zzz"))
```

### Environment

- OS: Linux
- Python 3.11.4
"""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Router", QueryKind.IDENTIFIER),
        ("parse_url()", QueryKind.IDENTIFIER),
        ("Sinatra::Base", QueryKind.IDENTIFIER),
        ("Flask.route", QueryKind.IDENTIFIER),
        ("empty?", QueryKind.IDENTIFIER),
        ("größe", QueryKind.IDENTIFIER),
        ("src/cache/keys.py", QueryKind.PATH),
        ("keys.py:10", QueryKind.PATH),
        ("src/cache/", QueryKind.PATH),
        ("lib/tree.go#L81-L95", QueryKind.PATH),
        ("ValueError: unknown key 'a'", QueryKind.ERROR),
        ("panic: runtime error: index out of range [3]", QueryKind.ERROR),
        ("error[E0382]: borrow of moved value", QueryKind.ERROR),
        ("java.lang.IllegalStateException: closed", QueryKind.ERROR),
        ('Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 1', QueryKind.ERROR),
        ("where are cache keys made?", QueryKind.QUESTION),
        ("error handling and how errors are converted to responses", QueryKind.QUESTION),
        ("a < b", QueryKind.QUESTION),
        ("->", QueryKind.QUESTION),
        (ISSUE, QueryKind.ISSUE),
        ("word " * 61, QueryKind.ISSUE),
    ],
)
def test_a_kind_is_told_by_the_form_of_the_text(text: str, kind: QueryKind) -> None:
    assert query_kind(text) is kind


def test_an_issue_is_its_title_its_prose_and_its_code() -> None:
    parts = split_query(ISSUE)
    assert parts.title == "Cache keys collide for empty prefixes"
    assert parts.prose == (
        '`make_key("", "a")` and `make_key("a", "")` give the same key since , see'
    )
    assert parts.code == 'from app import make_key\nprint(make_key("", "zzz"))'
    assert parts.text.startswith("Cache keys collide for empty prefixes\n`make_key")


def test_a_question_stays_as_it_is() -> None:
    text = "how does v1.2 differ from https://example.org?"
    assert split_query(text) == QueryParts(QueryKind.QUESTION, text)


def test_a_traceback_says_most_in_its_last_line_and_other_errors_in_their_first() -> None:
    python = 'Traceback (most recent call last):\n  File "a.py", line 1, in go\nKeyError: "x"'
    assert split_query(python).title == 'KeyError: "x"'
    assert 'File "a.py"' in split_query(python).code
    java = "java.io.IOException: closed\n\tat app.Main.run(Main.java:3)"
    assert split_query(java).title == "java.io.IOException: closed"
    assert split_query(java).code == "at app.Main.run(Main.java:3)"


def test_an_issue_of_nothing_but_a_template_is_searched_for_as_it_is() -> None:
    text = "### Description\n\n- [x] checked\n\n### Steps to reproduce\n\n### Version\n"
    assert split_query(text).title == text


def test_templates_go_and_what_stands_twice_stands_once() -> None:
    text = "A title\n## Expected behavior\nThis line is long enough to count as one.\n" * 2
    assert without_template(text).split("\n") == [
        "A title",
        "This line is long enough to count as one.",
        "A title",
        "",
    ]


def test_a_section_about_the_machine_goes_up_to_the_next_heading() -> None:
    text = "T\n## System information\nLinux\n```\na\n## b\n```\n## Analysis\nthe parser"
    assert without_template(text) == "T\n## Analysis\nthe parser"


def test_headings_and_check_lists_in_code_are_code() -> None:
    text = "T\n```\n# Version\n- [x] done\n```"
    assert take_code_out(without_template(text)) == ("T", "# Version\n- [x] done")


def test_logs_without_a_fence_are_code_and_paragraphs_of_a_list_are_not() -> None:
    text = "It fails:\n\n    make_key(a)\n>>> b\n\n- first\n\n      more of it\nend"
    prose, code = take_code_out(text)
    assert code == "    make_key(a)\n>>> b"
    assert "more of it" in prose


def test_a_fence_that_is_never_closed_takes_the_rest() -> None:
    assert take_code_out("a\n~~~ py\nb\n```\nc") == ("a", "b\n```\nc")


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("see https://example.org/a?b=c for more", "see for more"),
        ("since v2.3.1-rc1 of 3.9", "since of"),
        ("thanks @someone", "thanks"),
        ("use `@decorator` here", "use `@decorator` here"),
        ("fixed in 0a1b2c3d4e", "fixed in"),
        ("<b>bold</b> & vector<int>", "bold & vector<int>"),
        ("Python version: 3.8.12", ""),
        ("- OS: Linux", ""),
        ("> quoted words", "quoted words"),
        (
            "the version check fails for pre-releases that lie in a folder of their own",
            None,
        ),
    ],
)
def test_prose_is_rid_of_what_says_nothing(line: str, left: str | None) -> None:
    assert clean_prose(line) == (line if left is None else left)


def test_terms_of_the_parts_weigh_as_told_and_repeats_count_less() -> None:
    parts = QueryParts(QueryKind.ISSUE, "cache", "cache keys keys", "zebra")
    terms = question_terms(parts, title=1.0, prose=0.5, code=0.25)
    assert terms["cach"] == 1.5
    assert terms["zebra"] == 0.25
    assert 0.5 < terms["key"] < 1.0
    assert "zebra" not in question_terms(parts, title=1.0, prose=0.5, code=0.0)


def test_terms_of_a_question_are_counted() -> None:
    parts = split_query("cache of a cache")
    assert question_terms(parts)["cach"] == 2.0
    assert question_terms(parts, title=0.0) == question_terms(parts)


def test_names_and_paths_are_not_looked_for_in_messages() -> None:
    assert message_terms(split_query("make_key")) == {}
    assert message_terms(split_query("src/keys.py")) == {}
    assert message_terms(split_query("where are keys made?"))["key"] == 1.0


@given(st.text(max_size=400))
def test_every_text_has_a_kind_and_a_title(text: str) -> None:
    parts = split_query(text)
    assert parts.kind in QueryKind
    assert parts.title.strip() or not text.strip()
    assert question_terms(parts, title=1.0, prose=0.5, code=0.0).keys() >= set()


@pytest.mark.parametrize(
    "part",
    [
        "-",
        ".",
        "a.",
        "<a ",
        "<!--",
        "# a ",
        "#",
        "**",
        "1.",
        "a@",
        "/",
        "a/",
        "`",
        "Error: ",
        "    ",
    ],
)
def test_long_runs_of_anything_are_taken_apart_at_once(part: str) -> None:
    """A pattern that went back and forth would take minutes here."""
    run = part * (20_000 // len(part))
    for text in (run, f"title\n\n{run}\nx", f"# {' ' * 20_000}x\n\n{run}"):
        assert split_query(text).title
        assert named_paths(text) is not None
