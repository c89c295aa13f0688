"""Which lines count as touched by the hidden part of a change."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.gitrepo import GitRepo
from sidelight.evaluation.touched import as_ranges, touched_lines
from sidelight.git.repository import open_repository

TEN = [f"line {n}" for n in range(1, 11)]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ([*TEN[:2], "changed", *TEN[3:]], ((3, 3),)),
        (TEN[:4] + TEN[6:], ((5, 6),)),
        ([*TEN[:4], "new", "newer", *TEN[4:]], ((4, 5),)),
        (["new", *TEN], ((1, 1),)),
        ([*TEN, "new"], ((10, 11),)),
        (["changed", *TEN[1:8], "changed", TEN[9]], ((1, 1), (9, 9))),
        ([*TEN[:3], "x", "y", *TEN[5:6], "z", *TEN[6:]], ((4, 7),)),
    ],
)
def test_removed_lines_and_both_sides_of_an_insertion(
    tmp_path: Path, new: list[str], expected: tuple[tuple[int, int], ...]
) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.txt", "\n".join(TEN) + "\n")
    base = repo.commit("One")
    repo.write("a.txt", "\n".join(new) + "\n")
    head = repo.commit("Two")
    assert touched_lines(open_repository(repo.path), base, head, [b"a.txt"]) == {b"a.txt": expected}


def test_binary_unchanged_and_other_files_are_left_out(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    for name in ("same.py", "other.py", "wanted.py"):
        repo.write(name, "a = 1\n")
    repo.write("image.png", "\0one")
    base = repo.commit("One")
    for name in ("other.py", "wanted.py"):
        repo.write(name, "a = 2\n")
    repo.write("image.png", "\0two")
    head = repo.commit("Two")
    wanted = [b"same.py", b"wanted.py", b"image.png", b"absent.py"]
    found = touched_lines(open_repository(repo.path), base, head, wanted)
    assert found == {b"wanted.py": ((1, 1),)}


@given(st.sets(st.integers(1, 60)))
def test_ranges_hold_exactly_the_lines_and_never_touch(lines: set[int]) -> None:
    ranges = as_ranges(lines)
    assert {n for first, last in ranges for n in range(first, last + 1)} == lines
    assert all(a[1] + 1 < b[0] for a, b in itertools.pairwise(ranges))
