"""What GitPython does for us, and that it agrees with the plumbing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import git
from helpers.gitrepo import GitRepo, git_version
from sidelight.errors import GitError, NotARepositoryError, UnknownRevisionError
from sidelight.git.discovery import (
    deepen,
    deepen_to_merge_base,
    discover,
    list_worktrees,
    merge_base,
    read_config,
)
from sidelight.git.history import iter_commits
from sidelight.git.repository import open_repository
from sidelight.git.trees import GITLINK, diff_trees, list_tree
from sidelight.model import ChangeKind


@pytest.fixture
def made(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("src/a.py", "x = 1\n")
    repo.write("b c.txt", "text\n")
    repo.symlink("link", "src/a.py")
    repo.commit("One")
    return repo


# -- agreement --------------------------------------------------------------------------------


def test_both_find_the_same_places(made: GitRepo, tmp_path: Path) -> None:
    linked = made.worktree_add(tmp_path / "linked")
    bare = made.clone(tmp_path / "bare", "--bare")
    outer = GitRepo.init(tmp_path / "outer")
    outer.git("submodule", "add", "-q", str(made.path), "inner")
    for place in (made.path, made.path / "src", linked.path, bare.path, outer.path / "inner"):
        ours, theirs = open_repository(place), discover(place)
        assert (ours.git_dir, ours.common_dir, ours.worktree) == (
            theirs.git_dir,
            theirs.common_dir,
            theirs.worktree,
        )


def test_both_refuse_the_same_places(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(NotARepositoryError) as ours:
            open_repository(place)
        with pytest.raises(NotARepositoryError) as theirs:
            discover(place)
        assert str(ours.value) == str(theirs.value)


def test_both_read_the_same_head_trees_changes_and_history(made: GitRepo) -> None:
    made.rename("src/a.py", "src/moved.py")
    made.write("b c.txt", "other\n")
    made.write("new/d.py", "")
    made.commit("Two")
    made.branch("topic")
    made.commit("Three")
    made.switch("topic")
    made.write("e", "e")
    made.commit("Four")
    made.merge("main")
    ours = open_repository(made.path)
    with git.Repo(made.path) as theirs:
        head = theirs.head.commit
        assert ours.head() == (head.hexsha, head.tree.hexsha)
        assert [
            (file.path, file.blob, file.mode, file.size)
            for file in list_tree(ours, head.tree.hexsha)
        ] == sorted(
            (str(entry.path).encode(), entry.hexsha, entry.mode, entry.size)
            for entry in head.tree.traverse()
            if isinstance(entry, git.Blob)
        )
        for commit in theirs.iter_commits():
            assert ours.tree_of(commit.hexsha) == commit.tree.hexsha
            if len(commit.parents) == 1:
                (parent,) = commit.parents
                diff = parent.diff(commit, no_renames=True)
                expected = {(entry.change_type, (entry.b_path or entry.a_path)) for entry in diff}
                changes = diff_trees(ours, parent.tree.hexsha, commit.tree.hexsha)
                letters = {ChangeKind.ADDED: "A", ChangeKind.DELETED: "D"}
                assert expected == {
                    (letters.get(change.kind, "M"), change.path.decode()) for change in changes
                }
        assert [
            (commit.oid, commit.parents, commit.author_time, commit.subject)
            for commit in iter_commits(ours, "HEAD")
        ] == [
            (c.hexsha, tuple(p.hexsha for p in c.parents), c.authored_date, c.summary)
            for c in theirs.iter_commits()
        ]


# -- configuration ----------------------------------------------------------------------------


def test_settings_are_read_as_this_worktree_sees_them(made: GitRepo, tmp_path: Path) -> None:
    repo = open_repository(made.path)
    assert read_config(repo, "sidelight.nothing") is None
    made.git("config", "sidelight.text", "two\nlines")
    made.git("config", "sidelight.on", "yes")
    made.git("config", "branch.a.b c.remote", "origin")
    made.git("config", "core.hooksPath", "~/hooks")
    assert read_config(repo, "sidelight.text") == "two\nlines"
    assert read_config(repo, "sidelight.on", kind="bool") == "true"
    assert read_config(repo, "branch.a.b c.remote") == "origin"
    assert read_config(repo, "core.hooksPath", kind="path") == str(Path.home() / "hooks")
    with pytest.raises(GitError, match=r"bad (boolean|numeric) config value"):
        read_config(repo, "sidelight.text", kind="int")
    made.git("config", "extensions.worktreeConfig", "true")
    linked = made.worktree_add(tmp_path / "linked")
    linked.git("config", "--worktree", "sidelight.text", "linked")
    assert read_config(open_repository(linked.path), "sidelight.text") == "linked"


@pytest.mark.parametrize("name", ["", "--list", "plain", "a.b\nc.d", "-f.x", "a..", "a.1b"])
def test_what_is_no_setting_s_name_is_refused(made: GitRepo, name: str) -> None:
    with pytest.raises(GitError, match="name of a git setting"):
        read_config(open_repository(made.path), name)


# -- worktrees --------------------------------------------------------------------------------


def test_worktrees_are_listed_with_their_state(made: GitRepo, tmp_path: Path) -> None:
    made.branch("topic")
    made.worktree_add(tmp_path / "on topic", "topic")
    made.worktree_add(tmp_path / "detached")
    made.worktree_add(tmp_path / "away")
    made.git("worktree", "lock", "--reason", "on a stick", str(tmp_path / "detached"))
    shutil.rmtree(tmp_path / "away")
    head = made.head()
    for place in (made.path, tmp_path / "on topic"):
        repo = open_repository(place)
        found = {
            tree.path: (tree.name, tree.head, tree.branch, tree.is_locked, tree.is_prunable)
            for tree in list_worktrees(repo)
        }
        assert found == {
            made.path: ("", head, "refs/heads/main", False, False),
            tmp_path / "on topic": ("on-topic", head, "refs/heads/topic", False, False),
            tmp_path / "detached": ("detached", head, None, True, False),
            tmp_path / "away": ("away", head, None, False, True),
        }
        assert repo.worktree_name == found[place][0]


def test_worktrees_of_bare_and_unborn_repositories(made: GitRepo, tmp_path: Path) -> None:
    bare = made.clone(tmp_path / "bare", "--bare")
    (only,) = list_worktrees(open_repository(bare.path))
    assert (only.is_bare, only.path, only.head) == (True, bare.path, None)
    unborn = GitRepo.init(tmp_path / "unborn")
    (only,) = list_worktrees(open_repository(unborn.path))
    assert (only.head, only.branch) == (None, "refs/heads/main")


@pytest.mark.skipif(git_version() < (2, 36), reason="`worktree list` has no -z")
def test_worktrees_with_odd_names(made: GitRepo, tmp_path: Path) -> None:
    made.worktree_add(tmp_path / "new\nline é")
    _, linked = list_worktrees(open_repository(made.path))
    assert linked.path == tmp_path / "new\nline é"
    assert linked.name == open_repository(linked.path).worktree_name


# -- merge bases and deepening ----------------------------------------------------------------


def fork(made: GitRepo, n: int = 1) -> tuple[str, str, str]:
    """Make `n` commits on main and on topic; return their base and tips."""
    base = made.head()
    made.branch("topic")
    for number in range(n):
        made.write("on main", str(number))
        left = made.commit()
    made.switch("topic")
    for number in range(n):
        made.write("on topic", str(number))
        right = made.commit()
    made.switch("main")
    return base, left, right


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_merge_base(tmp_path: Path, object_format: str) -> None:
    made = GitRepo.init(tmp_path / "repo", object_format=object_format)
    made.commit()
    base, left, right = fork(made)
    repo = open_repository(made.path)
    assert merge_base(repo, left, right) == base == made.git("merge-base", left, right)
    assert merge_base(repo, left, base) == base
    made.git("switch", "-q", "--orphan", "other")
    assert merge_base(repo, left, made.commit("Root")) is None
    with pytest.raises(UnknownRevisionError):
        merge_base(repo, left, "1" * len(base))
    with pytest.raises(GitError, match="object id"):
        merge_base(repo, "--all", left)


def test_variables_of_a_running_git_do_not_reach_gitpython_s_git(
    made: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, left, right = fork(made)
    linked = open_repository(made.worktree_add(tmp_path / "linked").path)
    repo = open_repository(made.path)
    expected = list_worktrees(repo)
    other = GitRepo.init(tmp_path / "other")
    for name, value in {
        "GIT_DIR": str(other.path / ".git"),
        "GIT_COMMON_DIR": str(other.path / ".git"),
        "GIT_WORK_TREE": str(other.path),
        "GIT_INDEX_FILE": "/nowhere",
        "GIT_OBJECT_DIRECTORY": str(other.path / ".git" / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nowhere",
        "GIT_SHALLOW_FILE": "/nowhere",
        "GIT_CONFIG_PARAMETERS": "'core.bare'='true'",
        "GIT_NAMESPACE": "space",
        "GIT_PREFIX": "src/",
        "GIT_TRACE": "1",
    }.items():
        monkeypatch.setenv(name, value)
    for here in (repo, linked):
        assert merge_base(here, left, right) == base
        assert list_worktrees(here) == expected
        assert read_config(here, "core.bare") == "false"


def test_deepening_finds_the_merge_base_of_a_shallow_clone(made: GitRepo, tmp_path: Path) -> None:
    base, left, right = fork(made, 6)
    options = ("--depth=1", "--no-single-branch")
    copy = made.clone(tmp_path / "copy", *options)
    repo = open_repository(copy.path)
    assert repo.is_shallow
    assert merge_base(repo, left, right) is None
    found, repo = deepen_to_merge_base(repo, left, right, step=2)
    assert found == base
    assert open_repository(copy.path).is_shallow == repo.is_shallow
    assert not (copy.path / ".git" / "FETCH_HEAD").exists()


def test_deepening_fetches_a_commit_that_is_not_here(made: GitRepo, tmp_path: Path) -> None:
    base, left, right = fork(made, 3)
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    copy = made.clone(tmp_path / "copy", "--depth=1", "--single-branch")
    repo = open_repository(copy.path)
    with pytest.raises(UnknownRevisionError):
        merge_base(repo, left, right)
    found, _ = deepen_to_merge_base(repo, left, right, refs=[left, right])
    assert found == base


def test_deepening_stops_where_histories_do_not_meet(made: GitRepo, tmp_path: Path) -> None:
    left = made.head()
    made.git("switch", "-q", "--orphan", "other")
    right = made.commit("Root")
    copy = made.clone(tmp_path / "copy", "--depth=1", "--no-single-branch")
    found, repo = deepen_to_merge_base(open_repository(copy.path), left, right)
    assert found is None
    assert not repo.is_shallow


def test_unshallowing(made: GitRepo, tmp_path: Path) -> None:
    made.commit("Two")
    made.commit("Three")
    copy = made.clone(tmp_path / "copy", "--depth=1")
    repo = deepen(open_repository(copy.path), by=1)
    assert repo.is_shallow
    assert len(list(iter_commits(repo, "HEAD"))) == 2
    repo = deepen(repo)
    assert not repo.is_shallow
    assert len(list(iter_commits(repo, "HEAD"))) == 3
    assert deepen(repo) == repo == open_repository(copy.path)


def test_deepening_refuses_what_is_no_remote_or_ref(made: GitRepo, tmp_path: Path) -> None:
    made.commit("Two")
    repo = open_repository(made.clone(tmp_path / "copy", "--depth=1").path)
    with pytest.raises(GitError, match="there is no remote"):
        deepen(repo, remote="--upload-pack=touch owned")
    with pytest.raises(GitError, match="there is no remote"):
        deepen(repo, remote=str(made.path))
    for ref in ("--all", "+main:main", "a:b", "", "main^"):
        with pytest.raises(GitError, match="not a ref"):
            deepen(repo, refs=[ref])
    with pytest.raises(GitError, match="cannot be deepened by 0"):
        deepen(repo, by=0)


def test_a_remote_that_is_gone_is_named(made: GitRepo, tmp_path: Path) -> None:
    made.commit("Two")
    repo = open_repository(made.clone(tmp_path / "copy", "--depth=1").path)
    made.path.rename(tmp_path / "away")
    with pytest.raises(GitError, match="deepening from origin failed") as caught:
        deepen(repo)
    assert "fetch-depth: 0" in caught.value.hint


# -- weight -----------------------------------------------------------------------------------


def test_the_refresh_path_imports_neither_gitpython_nor_numpy() -> None:
    modules = ["repository", "trees", "blobs", "attributes", "history", "discovery"]
    script = "import sys\n" + "".join(f"import sidelight.git.{name}\n" for name in modules)
    script += "print([m for m in ('git', 'numpy', 'tempfile', 'shutil') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_git_missing_is_named_by_gitpython_too(tmp_path: Path) -> None:
    script = (
        "import os; from pathlib import Path\n"
        "from sidelight.errors import GitError\n"
        "from sidelight.git.discovery import discover\n"
        f"os.environ['PATH'] = {str(tmp_path)!r}\n"
        "try: discover(Path('.'))\n"
        "except GitError as problem: print(problem.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "GitPython cannot start git"


def test_submodules_are_seen_by_both_as_entries(made: GitRepo) -> None:
    made.add_gitlink("sub", made.head())
    made.commit(stage=False)
    entries = list_tree(open_repository(made.path), made.tree())
    with git.Repo(made.path) as theirs:
        expected = [
            entry.path
            for entry in theirs.head.commit.tree.traverse()
            if isinstance(entry, git.Submodule)
        ]
    assert [entry.path.decode() for entry in entries if entry.mode == GITLINK] == expected
