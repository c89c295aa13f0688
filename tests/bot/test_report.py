"""A report survives its journey as JSON, and whatever is not a report is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.reports import REPORTS, ordinary
from sidelight_bot.checked import ReportError
from sidelight_bot.report import MAX_JSON, from_json, to_json

ODD = [None, True, -1, 1.5, 10**30, "x" * 5000, "\x1b[2J", "a\nb", [], {}, [[]], "../../etc/passwd"]


@given(REPORTS)
@settings(max_examples=60)
def test_a_report_comes_back_as_it_was(report: Any) -> None:
    assert from_json(to_json(report)) == report


def table() -> dict[str, Any]:
    return json.loads(to_json(ordinary()))


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where every value of the data stands."""
    if at:
        yield at
    inside = dict(enumerate(value)) if isinstance(value, list) else value
    for key, inner in inside.items() if isinstance(inside, dict) else ():
        yield from places(inner, (*at, key))


PLACES = list(places(table()))


def changed(at: tuple[Any, ...], value: Any) -> dict[str, Any]:
    data = copy.deepcopy(table())
    inner: Any = data
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = value
    return data


@given(st.sampled_from(PLACES), st.sampled_from(ODD))
@settings(max_examples=300)
def test_odd_values_are_refused_or_harmless(at: tuple[Any, ...], value: Any) -> None:
    try:
        report = from_json(json.dumps(changed(at, value)))
    except ReportError:
        return
    else:  # the value is one that this field may have
        assert from_json(to_json(report)) == report


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("head",), "a" * 39),
        (("head",), "A" * 40),
        (("base",), "--upload-pack=touch x"),
        (("merge_base",), "HEAD"),
        (("repo",), "octo/app)](https://evil.example"),
        (("repo",), "octo"),
        (("number",), 0),
        (("number",), True),
        (("number",), "7"),
        (("title",), "a\nb"),
        (("title",), "\x1b[31m"),
        (("title",), "x" * 301),
        (("touched", 0, "path"), "/etc/passwd"),
        (("touched", 0, "path"), "a/../../b"),
        (("touched", 0, "path"), "a//b"),
        (("touched", 0, "path"), "./a"),
        (("touched", 0, "path"), "a\nb"),
        (("touched", 0, "path"), ""),
        (("touched", 0, "path"), "a\ud800"),
        (("touched", 0, "name"), "a\udcff"),
        (("touched", 0, "start_line"), 0),
        (("touched", 0, "start_line"), 1.0),
        (("touched", 0, "callers"), -1),
        (("touched",), [table()["touched"][0]] * 61),
        (("groups", 0, "reason"), "because"),
        (("groups", 0, "items", 0, "excerpt", "text"), "\x00"),
        (("groups", 0, "items", 0, "excerpt", "language"), "a\n```"),
        (("groups",), {}),
        (("ledger",), None),
        (("index", "cache_hit"), "yes"),
        (("stages", 0, "seconds"), -1),
        (("usage",), {}),
        (("run",), None),
        (("version",), 2),
    ],
)
def test_the_message_says_where_the_data_is_wrong(at: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(ReportError) as caught:
        from_json(json.dumps(changed(at, value)))
    assert str(at[0]) in str(caught.value)


def test_unknown_and_missing_fields_are_refused() -> None:
    data = table()
    with pytest.raises(ReportError, match="extra"):
        from_json(json.dumps(data | {"extra": 1}))
    del data["head"]
    with pytest.raises(ReportError, match="head"):
        from_json(json.dumps(data))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", "NaN", '{"version": NaN}', "[" * 100_000, "\ufeff{}", '"x"'],
)
def test_what_is_no_report_at_all_is_refused(text: str) -> None:
    with pytest.raises(ReportError):
        from_json(text)


def test_infinite_seconds_are_refused() -> None:
    text = to_json(ordinary()).replace('"seconds":1.5', '"seconds":1e999')
    with pytest.raises(ReportError, match="seconds"):
        from_json(text)


def test_a_file_that_is_too_large_is_not_parsed() -> None:
    with pytest.raises(ReportError, match="larger"):
        from_json(b" " * (MAX_JSON + 1))


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(ReportError):
        from_json(b"\xff\xfe{}")


def test_a_path_that_is_not_utf_8_keeps_its_bytes() -> None:
    first = ordinary().touched[0]
    path = b"src/\xff.py".decode("utf-8", "surrogateescape")
    report = replace(ordinary(), touched=(replace(first, path=path),))
    text = to_json(report)
    assert text.isascii()
    assert from_json(text).touched[0].path.encode("utf-8", "surrogateescape") == b"src/\xff.py"
