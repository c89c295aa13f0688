"""What each git command causes: real git, real entry point, a refresh that only counts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from hooks.lab import Lab


@pytest.fixture
def busy(lab: Lab) -> Lab:
    """A lab with hooks, a topic branch of six commits and a main branch that went on."""
    repo = lab.repo
    repo.switch("topic", "-c")
    commit_many(repo, "topic", 6)
    repo.switch("main")
    commit_many(repo, "main", 2)
    repo.switch("topic")
    lab.install()
    return lab


def commit_many(repo: GitRepo, name: str, count: int) -> None:
    for number in range(count):
        repo.write(f"{name}-{number}.txt", f"{name} {number}\n")
        repo.commit(f"{name} {number}")


def make_conflict(repo: GitRepo) -> None:
    """Make main differ from topic in a file that topic's fourth commit adds."""
    repo.switch("main")
    repo.write("topic-3.txt", "not what topic says\n")
    repo.commit("conflict")
    repo.switch("topic")


def resolve(repo: GitRepo) -> None:
    repo.write("topic-3.txt", "both\n")
    repo.git("add", "-A")


def assert_one_refresh(lab: Lab) -> None:
    """One refresh happened, of what HEAD is now."""
    assert [call.tree for call in lab.calls()] == [lab.repo.tree()]


def test_commit_refreshes_once(busy: Lab) -> None:
    busy.repo.write("new.txt", "new\n")
    busy.repo.commit("new")
    assert_one_refresh(busy)


def test_amend_does_the_work_once(busy: Lab) -> None:
    busy.repo.write("new.txt", "new\n")
    busy.repo.commit("amended", "--amend")
    calls = busy.calls()  # post-commit, then post-rewrite, which finds the tree indexed
    assert [call.is_new for call in calls] == [True, False]


def test_thirty_commit_rebase_makes_one_refresh(lab: Lab) -> None:
    repo = lab.repo
    repo.switch("topic", "-c")
    commit_many(repo, "topic", 30)
    repo.switch("main")
    commit_many(repo, "main", 1)
    repo.switch("topic")
    lab.install()
    repo.rebase("main")
    assert_one_refresh(lab)
    assert lab.log().count(" skipped a rebase is under way") == 31


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_either_backend_of_rebase_makes_one_refresh(busy: Lab, backend: str) -> None:
    busy.repo.git("rebase", "-q", backend, "main")
    assert_one_refresh(busy)


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_rebase_that_fast_forwards_makes_one_refresh(busy: Lab, backend: str) -> None:
    busy.repo.switch("main")
    busy.repo.git("branch", "behind", "HEAD~2")
    busy.repo.switch("behind")
    busy.calls()
    busy.repo.git("rebase", "-q", backend, "main")
    assert_one_refresh(busy)


@pytest.mark.parametrize(
    "edit",
    ["s/^pick/reword/", "2,$s/^pick/fixup/", "1d", "$s/^pick/drop/", "s/$/\\nexec true/"],
)
def test_interactive_rebase_makes_one_refresh(busy: Lab, edit: str) -> None:
    editor = {"GIT_SEQUENCE_EDITOR": f"sed -i '{edit}'"}
    busy.repo.git("rebase", "-q", "-i", "main", env=editor)
    assert_one_refresh(busy)


def test_interactive_rebase_that_only_drops_the_end_is_seen(busy: Lab) -> None:
    busy.repo.git("rebase", "-q", "main")
    busy.calls()
    busy.repo.git("rebase", "-q", "-i", "main", env={"GIT_SEQUENCE_EDITOR": "sed -i '5,$d'"})
    assert_one_refresh(busy)  # no commit is rewritten, so post-rewrite does not come


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_rebase_with_a_conflict_makes_one_refresh(busy: Lab, backend: str) -> None:
    make_conflict(busy.repo)
    busy.calls()
    assert busy.repo.run("rebase", "-q", backend, "main", check=False).returncode == 1
    assert busy.calls() == []
    resolve(busy.repo)
    busy.repo.git("rebase", "--continue")
    assert_one_refresh(busy)


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_rebase_whose_commits_are_upstream_already_makes_one_refresh(
    lab: Lab, backend: str
) -> None:
    repo = lab.repo
    repo.switch("topic", "-c")
    for text in ("one\n", "one\ntwo\n"):
        repo.write("base.txt", text)
        repo.commit(text)
    repo.switch("main")
    repo.git("merge", "-q", "--squash", "topic")
    repo.commit("squashed")
    repo.switch("topic")
    lab.install()
    repo.run("rebase", "-q", backend, "main", check=False)  # stops at the first
    repo.git("rebase", "--skip")
    assert_one_refresh(lab)


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_aborted_rebase_leaves_the_index_at_head(busy: Lab, backend: str) -> None:
    make_conflict(busy.repo)
    last = busy.calls()[-1]
    busy.repo.run("rebase", "-q", backend, "main", check=False)
    busy.repo.git("rebase", "--abort")
    assert busy.calls() == []
    assert last.tree == busy.repo.tree()


def test_commit_while_a_rebase_waits_for_a_person_is_indexed(busy: Lab) -> None:
    busy.repo.git("rebase", "-q", "-i", "main", env={"GIT_SEQUENCE_EDITOR": "sed -i '1s/^pick/e/'"})
    busy.calls()
    state = busy.repo.path / ".git/rebase-merge"
    for name in ("git-rebase-todo", "msgnum"):
        os.utime(state / name, (1e9, 1e9))  # the person was away
    busy.repo.write("more.txt", "more\n")
    busy.repo.commit("more")
    assert_one_refresh(busy)
    busy.repo.git("rebase", "--continue")
    assert_one_refresh(busy)


def test_cherry_picks_make_one_refresh(busy: Lab) -> None:
    busy.repo.switch("main")
    busy.calls()
    busy.repo.git("cherry-pick", "main..topic")
    assert_one_refresh(busy)


def test_cherry_picks_with_a_conflict_make_one_refresh(busy: Lab) -> None:
    make_conflict(busy.repo)
    busy.repo.switch("main")
    busy.calls()
    assert busy.repo.run("cherry-pick", "main..topic", check=False).returncode == 1
    assert busy.calls() == []
    resolve(busy.repo)
    busy.repo.git("cherry-pick", "--continue")
    assert_one_refresh(busy)


def test_cherry_pick_of_one_commit_refreshes(busy: Lab) -> None:
    busy.repo.switch("main")
    busy.calls()
    busy.repo.git("cherry-pick", "topic~1")
    assert_one_refresh(busy)


def test_reverts_make_one_refresh(busy: Lab) -> None:
    busy.repo.git("revert", "--no-edit", "HEAD~5..HEAD")
    assert_one_refresh(busy)


def test_abandoned_cherry_pick_does_not_stop_later_refreshes(busy: Lab) -> None:
    make_conflict(busy.repo)
    busy.repo.switch("main")
    busy.repo.run("cherry-pick", "main..topic", check=False)
    busy.repo.git("reset", "-q", "--hard")
    todo = busy.repo.path / ".git/sequencer/todo"
    assert todo.exists()
    os.utime(todo, (1e9, 1e9))
    busy.calls()
    busy.repo.write("new.txt", "new\n")
    busy.repo.commit("new")
    assert_one_refresh(busy)


def test_mailed_patches_make_one_refresh(busy: Lab, tmp_path: Path) -> None:
    repo = busy.repo
    repo.git("format-patch", "-q", "-o", str(tmp_path / "mail"), "main..topic")
    repo.switch("main")
    busy.calls()
    repo.git("am", "-q", *sorted(map(str, (tmp_path / "mail").iterdir())))
    assert_one_refresh(busy)


def test_fast_forward_merge_refreshes(busy: Lab) -> None:
    busy.repo.switch("main~1", "--detach")
    busy.calls()
    busy.repo.git("merge", "-q", "--ff-only", "main")
    assert_one_refresh(busy)


def test_merge_refreshes(busy: Lab) -> None:
    busy.repo.merge("main")
    assert_one_refresh(busy)


def test_merge_with_a_conflict_refreshes_when_it_is_committed(busy: Lab) -> None:
    make_conflict(busy.repo)
    busy.calls()
    assert busy.repo.run("merge", "-q", "main", check=False).returncode == 1
    assert busy.calls() == []
    resolve(busy.repo)
    busy.repo.git("commit", "-q", "--no-edit")
    assert_one_refresh(busy)


def test_pull_with_rebase_makes_one_refresh(busy: Lab) -> None:
    busy.repo.git("pull", "-q", "--rebase", ".", "main")
    assert_one_refresh(busy)


def test_switching_branches_refreshes(busy: Lab) -> None:
    busy.repo.switch("main")
    assert_one_refresh(busy)


def test_new_branch_finds_the_tree_indexed(busy: Lab) -> None:
    busy.repo.switch("main")
    busy.calls()
    busy.repo.switch("twin", "-c")
    assert [call.is_new for call in busy.calls()] == [False]


def test_checking_out_a_file_is_ignored(busy: Lab) -> None:
    busy.repo.write("base.txt", "changed\n")
    busy.repo.git("checkout", "-q", "--", "base.txt")
    assert busy.calls() == []


@pytest.mark.parametrize("command", [["stash"], ["reset", "-q", "--hard", "HEAD~1"]])
def test_commands_without_hooks_refresh_nothing(busy: Lab, command: list[str]) -> None:
    busy.repo.write("base.txt", "changed\n")
    busy.repo.git(*command)
    assert busy.calls() == []


def test_orphan_branch_has_nothing_to_index(busy: Lab) -> None:
    done = busy.repo.run("checkout", "-q", "--orphan", "fresh")
    assert done.stderr == b""


def test_linked_worktree_refreshes_its_own_view(busy: Lab, tmp_path: Path) -> None:
    linked = busy.repo.worktree_add(tmp_path / "linked tree", "main")
    assert [(call.tree, call.view) for call in busy.calls()] == [(linked.tree(), "linked-tree")]
    linked.write("there.txt", "there\n")
    linked.commit("there")
    assert [(call.tree, call.view) for call in busy.calls()] == [(linked.tree(), "linked-tree")]


def test_rebase_in_a_linked_worktree_makes_one_refresh(busy: Lab, tmp_path: Path) -> None:
    busy.repo.switch("main")
    linked = busy.repo.worktree_add(tmp_path / "linked", "topic")
    busy.calls()
    linked.rebase("main")
    assert [call.tree for call in busy.calls()] == [linked.tree()]


def test_named_git_directory_is_the_one_that_is_refreshed(lab: Lab, tmp_path: Path) -> None:
    home = tmp_path / "home of dotfiles"
    home.mkdir()
    dotfiles = GitRepo.init(tmp_path / "dotfiles.git", bare=True)
    Lab(dotfiles, lab.folder, lab.python).install()
    place = [f"--git-dir={dotfiles.path}", f"--work-tree={home}", "-c", "core.bare=false"]
    (home / "rc").write_text("x\n")
    lab.repo.git(*place, "add", str(home / "rc"))
    lab.repo.git(*place, "commit", "-q", "-m", "rc")
    assert [call.tree for call in lab.calls()] == [dotfiles.tree()]


def test_clone_with_hooks_from_a_template_is_not_disturbed(busy: Lab, tmp_path: Path) -> None:
    done = busy.repo.run(
        "clone", "-q", f"--template={busy.repo.path / '.git'}", ".", str(tmp_path / "copy")
    )
    assert done.returncode == 0
    assert (tmp_path / "copy/.git/hooks/post-checkout").exists()
