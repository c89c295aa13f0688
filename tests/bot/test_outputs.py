"""Outputs, summaries, annotations and logs, with whatever strangers may have written in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sidelight.errors import StorageError
from sidelight_bot.outputs import (
    MAX_SUMMARY,
    Annotation,
    annotation_line,
    format_outputs,
    log_line,
    write_outputs,
    write_summary,
)


def read_back(text: str) -> dict[str, str]:
    """Return outputs as the runner reads them: by line ends of any kind."""
    found, lines = {}, iter(re.split(r"\r\n|\n|\r", text))
    for line in lines:
        name, mark, delimiter = line.partition("<<")
        if not mark:
            assert line == ""
            continue
        value = []
        for part in lines:
            if part == delimiter:
                break
            value.append(part)
        found[name] = "\n".join(value)
    return found


@given(st.text(), st.text())
@example("", "\r")
@example("\r\n", "a\r")
def test_no_value_can_add_an_output(one: str, two: str) -> None:
    found = read_back(format_outputs({"one": one, "two": two}))
    assert set(found) == {"one", "two"}
    assert found["two"] == re.sub(r"\r\n|\r", "\n", two)


def test_an_injection_stays_a_value() -> None:
    value = "x\nend-0\nresult<<end-0\n/etc/passwd\nend-0"
    assert read_back(format_outputs({"title": value})) == {"title": value}


def test_delimiters_are_new_each_time() -> None:
    texts = {format_outputs({"a": "x"}) for _ in range(20)}
    assert len(texts) == 20


@pytest.mark.parametrize("name", ["", "a b", "a=b", "A", "a\nb", "a<<b"])
def test_only_our_names_are_outputs(name: str) -> None:
    with pytest.raises(ValueError, match="not the name"):
        format_outputs({name: "x"})


def test_nothing_is_written_without_a_file(tmp_path: Path) -> None:
    write_outputs(None, {"a": "x"})
    write_summary(None, "x")
    with pytest.raises(StorageError, match="cannot be written"):
        write_outputs(tmp_path / "missing" / "output", {"a": "x"})


def test_a_summary_is_never_larger_than_github_shows(tmp_path: Path) -> None:
    place = tmp_path / "summary.md"
    write_summary(place, "first\n")
    write_summary(place, "zeile mit ü\n" * 200_000)
    write_summary(place, "more\n" * 10)
    data = place.read_bytes()
    assert len(data) <= MAX_SUMMARY
    text = data.decode("utf-8")
    assert text.startswith("first\nzeile")
    assert "left out" in text


def test_odd_characters_do_not_stop_a_summary(tmp_path: Path) -> None:
    place = tmp_path / "summary.md"
    write_summary(place, "a\ud800b\x00c\n")
    assert place.read_bytes() == b"a\\ud800b\x00c\n"


@given(st.text())
def test_a_log_line_is_one_line_and_no_command(text: str) -> None:
    line = log_line(text)
    assert len(line.splitlines()) <= 1
    assert "::" not in line
    assert "##[" not in line


@given(st.text(), st.text(), st.text())
def test_an_annotation_is_one_command(path: str, title: str, message: str) -> None:
    line = annotation_line(Annotation(path, 3, title, message))
    assert "\n" not in line
    assert "\r" not in line
    properties = line.removeprefix("::notice ").partition("::")[0]
    assert [part.partition("=")[0] for part in properties.split(",")] == ["file", "line", "title"]


def test_an_annotation_reads_as_the_runner_has_it() -> None:
    line = annotation_line(Annotation("a,b:c.py", 3, "100%", "one\ntwo", "warning"))
    assert line == "::warning file=a%2Cb%3Ac.py,line=3,title=100%25::one%0Atwo"
