"""Which commits count, how much, and for which file."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from history.helpers import Archive, assert_equals_oracle


@pytest.fixture
def made(tmp_path: Path) -> GitRepo:
    return GitRepo.init(tmp_path / "repo")


@pytest.fixture
def archive(made: GitRepo, tmp_path: Path) -> Archive:
    return Archive(made, tmp_path / "index")


def touch(made: GitRepo, message: str, *paths: str) -> str:
    """Change files, each by a line of its own, and commit."""
    for path in paths:
        old = made.read(path) if made.at(path).exists() else path.encode() * 20 + b"\n"
        made.write(path, old + message.encode() + b"\n")
    return made.commit(message)


def crowd(n: int) -> list[str]:
    return [f"many/{number}" for number in range(n)]


def test_a_pair_is_told_by_how_often_its_partner_changed(made: GitRepo, archive: Archive) -> None:
    for at in range(31):
        touch(made, f"change {at}", "a.py", *(["b.py"] if at < 27 else []))
    touch(made, "alone", "b.py")
    archive.update()
    found = archive.open().cochange([b"a.py"])[b"b.py"]
    assert (found.partner, found.together, found.of) == (b"a.py", 27, 31)


def test_the_partner_is_the_focal_file_with_most_common_commits(
    made: GitRepo, archive: Archive
) -> None:
    touch(made, "one", "a.py", "c.py")
    for at in range(3):
        touch(made, f"two {at}", "b.py", "c.py")
    archive.update()
    found = archive.open().cochange([b"a.py", b"b.py"])
    assert set(found) == {b"c.py"}
    assert (found[b"c.py"].partner, found[b"c.py"].together) == (b"b.py", 3)


def test_cochange_fades_with_age_but_never_to_nothing(made: GitRepo, archive: Archive) -> None:
    touch(made, "together", "a.py", "b.py")
    made.clock.seconds += 90 * 86_400 - 3 * 60  # every git command takes a minute
    touch(made, "three months later", "x.py")
    archive.update()
    found = archive.open().cochange([b"a.py"])[b"b.py"]
    assert found.score == pytest.approx(math.log1p((0.1 + 0.9 / 2) / math.log2(3)), abs=1e-6)
    assert found.last_age_days == 90


def test_commits_of_more_than_thirty_files_couple_nothing(made: GitRepo, archive: Archive) -> None:
    touch(made, "thirty", "a.py", *crowd(29))
    archive.update()
    assert len(archive.open().cochange([b"a.py"])) == 29
    touch(made, "thirty-one", "b.py", *crowd(30))
    archive.update()
    assert archive.open().cochange([b"b.py"]) == {}
    assert archive.open().usual_companions([b"b.py"], min_support=1) == []


def test_messages_of_more_than_fifteen_files_say_nothing(made: GitRepo, archive: Archive) -> None:
    touch(made, "zebra", *crowd(15))
    touch(made, "giraffe", *crowd(16))
    archive.update()
    past = archive.open()
    assert len(past.message_scores({"zebra": 1.0})) == 15
    assert past.message_scores({"giraffe": 1.0}) == {}


def test_of_huge_commits_only_the_renames_count(made: GitRepo, archive: Archive) -> None:
    touch(made, "zebra", "a.py", "b.py")
    for path in crowd(300):
        made.write(path, path * 30)
    made.rename("a.py", "moved.py")
    made.commit("move")
    archive.update()
    past = archive.open()
    assert set(past.recent_scores()) == {b"moved.py", b"b.py"}
    assert past.cochange([b"moved.py"])[b"b.py"].together == 1
    assert set(past.message_scores({"zebra": 1.0})) == {b"moved.py", b"b.py"}
    [row] = archive.rows("SELECT n_files FROM history_commit WHERE files = x''")
    assert row == (301,)


def test_recency_counts_commits_that_changed_files(made: GitRepo, archive: Archive) -> None:
    touch(made, "old", "a.py", "b.py", "c.py", "d.py")
    made.branch("topic")
    made.commit("empty")
    touch(made, "new", "x.py")
    made.switch("topic")
    touch(made, "side", "y.py")
    made.switch("main")
    made.merge("topic")
    archive.update()
    past = archive.open()
    assert past.recent(b"a.py") == pytest.approx(math.log1p(0.5 ** (2 / 15) / 2), abs=1e-6)
    assert past.recent(b"never.py") == 0
    assert past.n_changes(b"a.py") == 1


def test_old_names_count_for_the_present_file(made: GitRepo, archive: Archive) -> None:
    touch(made, "zebra", "old.py", "friend.py")
    made.rename("old.py", "pkg/new.py")
    made.commit("move")
    made.rename("pkg/new.py", "pkg/newest.py")
    made.commit("move again")
    archive.update()
    past = archive.open()
    assert past.cochange([b"pkg/newest.py"])[b"friend.py"].together == 1
    assert past.cochange([b"friend.py"]).keys() == {b"pkg/newest.py"}
    assert past.message_scores({"zebra": 1.0}).keys() == {b"pkg/newest.py", b"friend.py"}
    # whoever asks by an old name, as a diff that moves the file does, means the present file
    assert past.cochange([b"old.py"]) == past.cochange([b"pkg/newest.py"])


def test_a_name_that_is_used_again_starts_anew(made: GitRepo, archive: Archive) -> None:
    touch(made, "first", "a.py", "friend.py")
    made.rename("a.py", "b.py")
    made.commit("move")
    touch(made, "second", "a.py", "other.py")
    archive.update()
    past = archive.open()
    assert past.cochange([b"a.py"]).keys() == {b"other.py"}
    assert past.cochange([b"b.py"]).keys() == {b"friend.py"}


def test_two_files_that_swap_names_keep_their_pasts(made: GitRepo, archive: Archive) -> None:
    touch(made, "one", "a.py", "friend_of_a.py")
    touch(made, "two", "b.py", "friend_of_b.py")
    for old, new in (("a.py", "t"), ("b.py", "a.py"), ("t", "b.py")):
        made.rename(old, new)
    made.commit("swap, which git shows as two edits")
    archive.update()
    assert_equals_oracle(archive)


def test_work_on_a_branch_that_had_not_seen_the_rename_finds_its_file(
    made: GitRepo, archive: Archive
) -> None:
    touch(made, "first", "a.py", "x.py")
    made.branch("topic")
    made.rename("a.py", "b.py")
    made.commit("move")
    made.switch("topic")
    touch(made, "meanwhile", "a.py", "friend.py")
    made.switch("main")
    made.merge("topic")
    archive.update()
    assert archive.open().cochange([b"friend.py"]).keys() == {b"b.py"}


def test_a_copy_has_no_past_of_its_own(made: GitRepo, archive: Archive) -> None:
    touch(made, "first", "a.py", "friend.py")
    made.write("copy.py", made.read("a.py"))
    made.commit("copy")
    archive.update()
    assert archive.open().cochange([b"copy.py"]) == {}


def test_deleted_files_can_be_asked_about_but_are_never_an_answer(
    made: GitRepo, archive: Archive
) -> None:
    touch(made, "together", "a.py", "gone.py")
    made.remove("gone.py")
    made.commit("remove")
    archive.update()
    past = archive.open()
    assert past.cochange([b"a.py"]) == {}
    assert past.cochange([b"gone.py"]).keys() == {b"a.py"}
    assert b"gone.py" not in past.recent_scores()


def test_later_commits_of_another_branch_do_not_leak(made: GitRepo, archive: Archive) -> None:
    touch(made, "base", "a.py", "b.py")
    touch(made, "alone", "c.py")
    made.branch("topic")
    touch(made, "after the fork", "d.py")
    old = made.head()
    made.switch("topic")
    touch(made, "zebra", "a.py", "c.py", "b.py")
    made.switch("main")
    made.merge("topic")
    archive.update()
    past = archive.open(old)
    assert past.cochange([b"a.py"])[b"b.py"].together == 1
    assert past.cochange([b"c.py"]) == {}
    assert past.message_scores({"zebra": 1.0}) == {}
    assert_equals_oracle(archive, old)


@pytest.mark.parametrize("how", ["amend", "rebase", "reset"])
def test_rewritten_commits_never_count(made: GitRepo, archive: Archive, how: str) -> None:
    touch(made, "base", "a.py", "b.py", "c.py")
    made.branch("topic")
    touch(made, "upstream", "d.py")
    made.switch("topic")
    lost = touch(made, "zebra", "a.py", "b.py")
    archive.update()
    if how == "amend":
        made.commit("giraffe", "--amend")
    elif how == "rebase":
        made.rebase("main")
    else:
        made.git("reset", "-q", "--hard", "HEAD~1")
    archive.update(wait=False)
    assert lost in archive.commits()
    past = archive.open()
    times = 1 if how == "reset" else 2
    assert past.cochange([b"a.py"])[b"b.py"].together == times
    assert bool(past.message_scores({"zebra": 1.0})) == (how == "rebase")
    assert_equals_oracle(archive)


def test_a_clock_in_the_far_future_does_not_stay_now(made: GitRepo, archive: Archive) -> None:
    future = {"GIT_AUTHOR_DATE": "4000000000 +0000", "GIT_COMMITTER_DATE": "4000000000 +0000"}
    made.write("x.py", "x")
    made.git("add", "-A")
    made.run("commit", "-q", "-m", "from 2096", env=future)
    for at in range(50):
        touch(made, f"change {at}", "a.py", "b.py")
    archive.update()
    assert archive.open().cochange([b"a.py"])[b"b.py"].last_age_days == 0
    assert_equals_oracle(archive)


def test_habits_that_ended_are_not_usual(made: GitRepo, archive: Archive) -> None:
    for at in range(20):
        touch(made, f"both {at}", "a.py", "b.py")
    archive.update()
    [companion] = archive.open().usual_companions([b"a.py"])
    assert (companion.path, companion.together, companion.of) == (b"b.py", 20, 20)
    assert archive.open().usual_companions([b"a.py", b"b.py"]) == []
    for at in range(8):
        touch(made, f"one {at}", "a.py")
    archive.update()
    assert archive.open().usual_companions([b"a.py"]) == []


def test_companions_count_from_when_both_exist(made: GitRepo, archive: Archive) -> None:
    for at in range(20):
        touch(made, f"alone {at}", "a.py")
    for at in range(6):
        touch(made, f"both {at}", "a.py", "a_test.py")
    archive.update()
    [companion] = archive.open().usual_companions([b"a.py"])
    assert (companion.together, companion.of, companion.confidence) == (6, 6, 1.0)


def test_the_best_come_first_and_ties_by_path(made: GitRepo, archive: Archive) -> None:
    touch(made, "one", "a.py", "z.py", "y.py", "x.py")
    touch(made, "two", "a.py", "z.py")
    archive.update()
    past = archive.open()
    assert list(past.cochange([b"a.py"])) == [b"z.py", b"x.py", b"y.py"]
    assert list(past.cochange([b"a.py"], limit=2)) == [b"z.py", b"x.py"]
    assert past.cochange([b"a.py"], limit=0) == past.cochange([b"unknown"]) == {}


def test_nothing_has_a_past_in_an_empty_history(made: GitRepo, archive: Archive) -> None:
    made.commit("empty")
    archive.update()
    past = archive.open()
    assert past.n_commits == 1
    assert past.cochange([b"a.py"]) == past.recent_scores() == past.message_scores({"a": 1.0}) == {}
    assert past.usual_companions([b"a.py"]) == []
