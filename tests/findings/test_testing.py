"""Tests that reach what changed, and changed functions that none reaches."""

from __future__ import annotations

from pathlib import Path

from findings.story import findings_of, only, places
from sidelight.findings import FindingKind

CORE = """def lonely_total(values):
    result = sum(values)
    return result


def inner_total(values):
    result = sum(values)
    return result


def outer_total(values):
    return inner_total(values)
"""
TESTS = {
    "tests/test_core.py": "from core import outer_total\n\n\ndef test_outer():\n"
    "    assert outer_total([1]) == 1\n",
    "tests/test_more.py": "from core import outer_total\n\n\ndef helper(n):\n"
    "    return outer_total([n])\n\n\ndef test_more():\n    assert helper(1) == 1\n",
    "tests/test_third.py": "import core\n\n\ndef test_third():\n    assert core.outer_total([])\n",
}
BEFORE = {"core.py": CORE, **TESTS}


def _changed(name: str) -> dict[str, str | None]:
    head, _, tail = CORE.partition(f"def {name}(values):\n")
    return {"core.py": head + f"def {name}(values):\n    values = list(values)\n" + tail}


def test_tests_are_found_through_what_calls_the_change(tmp_path: Path) -> None:
    finding = only(findings_of(tmp_path, BEFORE, _changed("inner_total")), FindingKind.TESTS)
    assert finding.symbol == "inner_total"
    assert finding.message == "3 tests may reach `inner_total`, through what it is called by"
    assert places(finding) == [
        "tests/test_core.py:5 test_outer through outer_total",
        "tests/test_more.py:9 test_more through helper → outer_total",
        "tests/test_third.py:5 test_third through outer_total",
    ]


def test_a_function_that_no_test_reaches_is_named(tmp_path: Path) -> None:
    found = findings_of(tmp_path, BEFORE, _changed("lonely_total"))
    finding = only(found, FindingKind.UNTESTED)
    assert finding.message == "`lonely_total` is changed, and no test reaches it"
    assert [(item.symbol, item.callers, item.tests) for item in found.touched] == [
        ("lonely_total", 0, 0)
    ]


def test_nothing_is_said_of_tests_where_there_are_none_to_follow(tmp_path: Path) -> None:
    found = findings_of(tmp_path, {"core.py": CORE}, _changed("lonely_total"))
    assert found.of(FindingKind.UNTESTED) == ()
    assert [item.tests for item in found.touched] == [None]


def test_a_name_that_tests_mention_may_be_tested(tmp_path: Path) -> None:
    mention = {"tests/test_names.py": "NAMES = ['lonely_total']\n"}
    found = findings_of(tmp_path, BEFORE | mention, _changed("lonely_total"))
    assert found.of(FindingKind.UNTESTED) == ()


def test_a_function_that_is_handed_over_may_run_anywhere(tmp_path: Path) -> None:
    other = {"app.py": "from core import lonely_total\n\nHANDLERS = {'a': lonely_total}\n"}
    found = findings_of(tmp_path, BEFORE | other, _changed("lonely_total"))
    assert found.of(FindingKind.UNTESTED) == ()


def test_tests_themselves_are_not_looked_at(tmp_path: Path) -> None:
    after = {"tests/test_core.py": TESTS["tests/test_core.py"] + "\n\ndef test_new():\n    pass\n"}
    found = findings_of(tmp_path, BEFORE, after)
    assert found.touched == ()
    assert found.items == ()
