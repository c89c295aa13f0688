"""The threat model names tests as evidence: they exist."""

from __future__ import annotations

import re

import pytest

from helpers.acting import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
TESTS = ROOT / "tests"
NAMED = re.compile(r"`(?P<file>[\w/]+\.py)(?:::(?P<test>test_\w+))?`")
BARE = re.compile(r"`(test_\w+)`")


@pytest.mark.parametrize("match", list(NAMED.finditer(PAGE)), ids=lambda m: m[0].strip("`"))
def test_a_named_test_exists(match: re.Match[str]) -> None:
    if not match["file"].rpartition("/")[2].startswith("test_"):
        return  # a file that an attacker brings along, or one of ours
    file = TESTS / match["file"]
    assert file.is_file()
    if match["test"]:
        assert f"def {match['test']}(" in file.read_text("utf-8")


@pytest.mark.parametrize("name", sorted(set(BARE.findall(PAGE))))
def test_a_test_that_is_named_without_its_file_exists(name: str) -> None:
    assert any(f"def {name}(" in file.read_text("utf-8") for file in TESTS.rglob("test_*.py"))


def test_every_attack_has_a_defence_and_evidence() -> None:
    section = PAGE.partition("## Attacks")[2].partition("## What is left")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    attacks = [r for r in rows if not r.startswith(("| attack |", "|---"))]
    assert len(attacks) >= 30
    for row in attacks:
        cells = row.strip("| ").split(" | ")
        assert len(cells) == 3, row
        assert cells[2].strip(), row
