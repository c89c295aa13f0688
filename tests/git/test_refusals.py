"""What cannot be indexed is refused, saying what it is and what to do."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo, git_env, git_version
from sidelight.errors import GitError, MissingObjectError, NotARepositoryError
from sidelight.git.diagnosis import last_words, refusal
from sidelight.git.repository import open_repository


@pytest.fixture
def made(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "x = 1\n")
    repo.commit("One")
    return repo


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(NotARepositoryError, match="is not inside a git repository") as caught:
        open_repository(tmp_path)
    assert "-C DIR" in caught.value.hint


def test_no_folder_and_a_file(made: GitRepo, tmp_path: Path) -> None:
    with pytest.raises(NotARepositoryError, match="there is no folder"):
        open_repository(tmp_path / "nowhere")
    with pytest.raises(NotARepositoryError, match="is not a folder"):
        open_repository(made.path / "a.py")


@pytest.mark.parametrize("content", ["", "garbage\n", "ref: nothing\n"])
def test_a_head_that_git_cannot_read(made: GitRepo, content: str) -> None:
    (made.path / ".git" / "HEAD").write_text(content)
    with pytest.raises(GitError, match="damaged: git cannot read its HEAD") as caught:
        open_repository(made.path)
    assert not isinstance(caught.value, NotARepositoryError)
    assert "refs/heads/main" in caught.value.hint


def test_a_bare_repository_with_a_broken_head(tmp_path: Path) -> None:
    made = GitRepo.init(tmp_path / "bare", bare=True)
    (made.path / "HEAD").unlink()
    with pytest.raises(GitError, match="damaged"):
        open_repository(made.path)


@pytest.mark.parametrize("content", ["1" * 40, "garbage", ""])
def test_a_branch_that_leads_nowhere_is_not_an_unborn_one(made: GitRepo, content: str) -> None:
    (made.path / ".git" / "refs" / "heads" / "main").write_text(content + "\n")
    with pytest.raises(GitError, match="refs/heads/main' does not lead to a commit"):
        open_repository(made.path).head()


def test_a_detached_head_whose_commit_is_gone(made: GitRepo) -> None:
    (made.path / ".git" / "HEAD").write_text("1" * 40 + "\n")
    with pytest.raises(GitError, match=r"HEAD .* is broken: '1111.*does not lead"):
        open_repository(made.path).head()


def test_a_head_whose_tree_is_gone(made: GitRepo) -> None:
    tree = made.tree()
    (made.path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    repo = open_repository(made.path)
    with pytest.raises(MissingObjectError, match="the tree of HEAD's commit") as caught:
        repo.head()
    assert "git fsck" in caught.value.hint
    with pytest.raises(MissingObjectError):
        repo.run(["ls-tree", tree])


def test_a_file_that_leads_to_no_git_directory(made: GitRepo, tmp_path: Path) -> None:
    linked = made.worktree_add(tmp_path / "linked")
    (made.path / ".git").rename(made.path / "moved")
    with pytest.raises(GitError, match=r"leads to .*which is not a git directory") as caught:
        open_repository(linked.path)
    assert "git worktree repair" in caught.value.hint
    (linked.path / ".git").write_text("nonsense")
    with pytest.raises(GitError, match="does not name a git directory"):
        open_repository(linked.path)


def test_an_unknown_extension(made: GitRepo) -> None:
    made.git("config", "core.repositoryFormatVersion", "1")
    made.git("config", "extensions.fromTheFuture", "true")
    with pytest.raises(GitError, match="format that this git does not know") as caught:
        open_repository(made.path)
    assert "newer git" in caught.value.hint


@pytest.mark.skipif(git_version() < (2, 36), reason="this git does not look at owners")
def test_another_owner(made: GitRepo) -> None:
    said = subprocess.run(
        ["git", "-C", made.path, "rev-parse", "--git-dir"],
        env=git_env(extra={"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}),
        capture_output=True,
        check=False,
    )
    error = refusal("rev-parse", said.returncode, said.stderr)
    assert str(made.path) in error.message
    assert error.hint.endswith(f"git config --global --add safe.directory {made.path}")


@pytest.mark.skipif(git_version() < (2, 36), reason="this git does not look at owners")
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may give away")
def test_another_owner_of_the_folder(made: GitRepo) -> None:
    for place in (made.path, made.path / ".git"):
        os.chown(place, 12345, 12345)
    with pytest.raises(GitError, match="belongs to another user") as caught:
        open_repository(made.path)
    assert "safe.directory" in caught.value.hint


@pytest.mark.skipif(git_version() < (2, 38), reason="this git takes any bare repository")
def test_bare_repositories_that_must_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = GitRepo.init(tmp_path / "bare", bare=True)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.bareRepository")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "explicit")
    with pytest.raises(GitError, match="cannot use bare repository") as caught:
        open_repository(made.path)
    assert "GIT_DIR" in caught.value.hint
    assert open_repository(made.path, git_dir=made.path).is_bare


def test_a_configuration_that_cannot_be_read(made: GitRepo) -> None:
    (made.path / ".git" / "config").write_text("[core\n")
    with pytest.raises(GitError, match="bad config line 1"):
        open_repository(made.path)


def test_a_killed_git_is_told_apart() -> None:
    assert refusal("log", -9, b"").message == "git log was ended by signal 9"


def test_last_words_skip_prefixes_and_hints() -> None:
    said = b"warning: x\nerror: a\nfatal: the reason \xff\nhint: do\n"
    assert last_words(said) == r"the reason \xff"
    assert last_words(b"plain\n") == "plain"
    assert last_words(b"") == ""
