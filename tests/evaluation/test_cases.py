"""Case files: what is accepted, what is refused and why, and that one never costs others."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.fakes import BASE, diff_record, line, question, record
from sidelight.errors import UsageError
from sidelight.evaluation.cases import (
    CaseFile,
    DiffCase,
    QuestionCase,
    find_case_files,
    load_cases,
    parse_case,
)

CASES = Path(__file__).parents[2] / "evaluation" / "cases"


def test_every_published_case_loads() -> None:
    case_set = load_cases(find_case_files([CASES]))
    counts: dict[str, int] = {}
    for file in case_set.files:
        counts[file.family] = counts.get(file.family, 0) + len(file.cases)
    assert case_set.problems == ()
    assert counts == {"cochange": 660, "issue_loc": 75, "prmerge": 224, "semble": 124}
    tasks = {case.task for file in case_set.files for case in file.cases}
    assert tasks == {"question", "diff"}


def test_question_keeps_every_field() -> None:
    case = question(
        root="src",
        category="symbol",
        names_gold_path=True,
        sets=["Lite"],
        relevant=[{"path": "src/a.py", "kind": "source", "lines": [[3, 7], [9, 9]]}],
        secondary=[{"path": "src/b.py", "lines": []}],
    )
    assert case.relevant[0].lines == ((3, 7), (9, 9))
    assert case.relevant[0].kind == "source"
    assert [t.path for t in case.targets] == [b"src/a.py", b"src/b.py"]
    assert (case.root, case.category, case.names_gold_path) == (b"src", "symbol", True)
    assert case.sets == ("Lite",)


def test_diff_case_is_read_with_its_focal_files() -> None:
    case = parse_case(line(diff_record(title="")))
    assert isinstance(case, DiffCase)
    assert case.focal == (b"a.py",)
    assert case.title == ""  # a commit without a subject is still a change


def test_null_stands_for_absent_where_a_field_is_optional() -> None:
    assert question() == _without_digest(line(record() | {"root": None, "category": None}))


def _without_digest(text: bytes) -> QuestionCase:
    case = parse_case(text)
    assert isinstance(case, QuestionCase)
    fields: dict[str, Any] = {name: getattr(case, name) for name in case.__slots__}
    return QuestionCase(**(fields | {"digest": question().digest}))


def test_path_bytes_that_are_not_utf8_survive() -> None:
    case = question(relevant=[{"path": b"caf\xe9.py".decode("utf-8", "surrogateescape")}])
    assert case.relevant[0].path == b"caf\xe9.py"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not UTF-8 at byte 0"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "an object is expected, not a list"),
        (line(record(task="quest")), "`task` must be question or diff"),
        (line(record(task=None)), "`task` must be question or diff"),
        (line(record(base=None)), "field `base` is missing"),
        (line(record(base="HEAD")), "field `base`: 'HEAD' is not of the form"),
        (line(record(base="A" * 40)), "is not of the form"),
        (line(record(repo="name")), "field `repo`: 'name' is not of the form owner/name"),
        (line(record(repo="../../etc/x")), "is not of the form owner/name"),
        (line(record(query=" ")), "field `query`: is empty"),
        (line(record(query=3)), "a text is expected, not a number"),
        (line(record(relevant=[])), "`relevant` is empty"),
        (line(record(relevant="a.py")), "field `relevant`: a list is expected, not a text"),
        (line(record(relevant=["a.py"])), "an object with a path is expected"),
        (line(record(relevant=[{"path": "/etc/passwd"}])), "is not a path inside"),
        (line(record(relevant=[{"path": "a/../b"}])), "is not a path inside"),
        (line(record(relevant=[{"path": "a", "lines": [[0, 3]]}])), "is not a line range"),
        (line(record(relevant=[{"path": "a", "lines": [[5, 3]]}])), "is not a line range"),
        (line(record(relevant=[{"path": "a", "lines": [[True, 3]]}])), "is not a line range"),
        (line(record(relevant=[{"path": "a", "kind": "doc"}])), "neither source nor test"),
        (line(record(relevant=[{"path": "a", "line": 3}])), "unknown field `line`"),
        (line(record(names_gold_path="yes")), "true or false is expected, not a text"),
        (line(record(root="src/")), "is not a path inside"),
        (line(record(title="x")), "unknown field `title` for a question case"),
        (line(diff_record(query="x")), "unknown field `query` for a diff case"),
        (line(diff_record(head="x")), "field `head`"),
        (line(diff_record(focal=[])), "field `focal`: is empty"),
    ],
)
def test_bad_line_is_refused_with_the_reason(text: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_case(text)


def test_bad_lines_are_listed_and_the_others_kept(tmp_path: Path) -> None:
    path = tmp_path / "mix_a.jsonl"
    path.write_bytes(
        b"\n".join([line(record("a")), b"", b"{", line(record("a")), line(diff_record("b"))])
    )
    case_set = load_cases([path, tmp_path / "absent.jsonl"])
    assert [case.id for case in case_set.files[0].cases] == ["a", "b"]
    assert [str(problem).removeprefix(str(tmp_path)) for problem in case_set.problems] == [
        "/mix_a.jsonl:3: not JSON: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)",
        f"/mix_a.jsonl:4: id 'a' was already used at {path}:1",
        "/absent.jsonl: cannot be read: No such file or directory",
    ]


def test_windows_line_ends_are_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(line(record("a")) + b"\r\n" + line(record("b")) + b"\r\n\r\n")
    case_set = load_cases([path])
    assert len(case_set.files[0].cases) == 2
    assert not case_set.problems


def test_digest_follows_the_content_and_not_the_spelling() -> None:
    spelled = json.dumps(record(), indent=1, sort_keys=True).replace("\n", " ").encode()
    assert parse_case(spelled).digest == question().digest
    assert question(query="other").digest != question().digest


def test_folder_stands_for_its_case_files(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl", "README.md"):
        (tmp_path / name).write_text("")
    assert [p.name for p in find_case_files([tmp_path, tmp_path / "a.jsonl"])] == [
        "a.jsonl",
        "b.jsonl",
    ]


def test_missing_or_empty_path_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        find_case_files([tmp_path / "x"])
    with pytest.raises(UsageError, match="holds no case file"):
        find_case_files([tmp_path])


@pytest.mark.parametrize(("name", "family"), [("issue_loc_gin", "issue_loc"), ("mine", "mine")])
def test_family_is_the_name_up_to_the_last_underscore(name: str, family: str) -> None:
    assert CaseFile(name, ()).family == family


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(st.sampled_from(sorted(record())), JSON)
def test_any_value_in_any_field_is_taken_or_refused(name: str, value: Any) -> None:
    with contextlib.suppress(ValueError):
        assert parse_case(line(record() | {name: value})).base == BASE
