"""Whatever happened, the past says what a naive reading of `git log` says, however it was read."""

from __future__ import annotations

from pathlib import Path

import pytest

from history.helpers import Archive, assert_equals_oracle
from history.wander import Wander, steps


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_one_reading_equals_the_oracle(tmp_path: Path, seed: int) -> None:
    wander = Wander(tmp_path / "repo")
    for step, pick in steps(seed, 45):
        step(wander, pick)
    archive = Archive(wander.repo, tmp_path / "index")
    archive.update()
    assert_equals_oracle(archive)


@pytest.mark.parametrize(("seed", "object_format"), [(5, "sha1"), (6, "sha256")])
def test_every_commit_by_itself_equals_the_oracle(
    tmp_path: Path, seed: int, object_format: str
) -> None:
    wander = Wander(tmp_path / "repo", object_format=object_format)
    archive = Archive(wander.repo, tmp_path / "index")
    archive.update()
    for at, (step, pick) in enumerate(steps(seed, 45)):
        step(wander, pick)
        assert not archive.update(wait=False).pending
        if at % 15 == 14:
            assert_equals_oracle(archive)
    for branch in wander.branches:  # what was read on the way to one belongs to another as well
        archive.update(branch, wait=False)
        assert_equals_oracle(archive, branch)


def test_the_order_of_readings_changes_nothing(tmp_path: Path) -> None:
    wander = Wander(tmp_path / "repo")
    for step, pick in steps(7, 60):
        step(wander, pick)
    forth, back = Archive(wander.repo, tmp_path / "one"), Archive(wander.repo, tmp_path / "two")
    tips = [*wander.branches, "HEAD"]
    for tip in tips:
        forth.update(tip)
    for tip in reversed(tips):
        back.update(tip)
    assert forth.commits() == back.commits()
    for tip in tips:
        one, two = forth.open(tip), back.open(tip)
        paths = sorted(one.recent_scores())
        assert one.recent_scores() == two.recent_scores()  # to the last bit
        assert one.cochange(paths[:4]) == two.cochange(paths[:4])
        assert one.message_scores({"token": 1.0}) == two.message_scores({"token": 1.0})
        assert one.usual_companions(paths, min_support=1) == two.usual_companions(
            paths, min_support=1
        )
