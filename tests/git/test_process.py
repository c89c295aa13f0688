"""What git's children see of our environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from sidelight.errors import GitError
from sidelight.git.process import child_environment, run_git
from sidelight.git.repository import open_repository


def test_variables_of_a_running_git_are_dropped_and_places_of_configuration_kept() -> None:
    parent = {
        "PATH": "/bin",
        "GIT_DIR": "x",
        "GIT_INDEX_FILE": "x",
        "GIT_TRACE": "1",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
        "GIT_EXEC_PATH": "/lib/git",
    }
    env = child_environment(parent=parent)
    dropped = {"GIT_DIR", "GIT_INDEX_FILE", "GIT_TRACE", "GIT_CONFIG_PARAMETERS"}
    assert not dropped & env.keys()
    assert {name: env[name] for name in parent.keys() - dropped} == {
        name: parent[name] for name in parent.keys() - dropped
    }
    assert env["LC_ALL"] == "C"
    assert env["GIT_OPTIONAL_LOCKS"] == env["GIT_TERMINAL_PROMPT"] == "0"


def test_what_the_caller_sets_wins() -> None:
    assert child_environment({"GIT_INDEX_FILE": "mine"}, parent={})["GIT_INDEX_FILE"] == "mine"


def test_git_variables_of_a_hook_do_not_bend_our_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, other = GitRepo.init(tmp_path / "here"), GitRepo.init(tmp_path / "other")
    here.write("a.py", "here\n")
    other.write("b.py", "other\n")
    commit = here.commit()
    other.commit()
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.path / ".git" / "objects"))
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere")
    monkeypatch.setenv("GIT_PREFIX", "sub/")
    repo = open_repository(here.path)
    assert repo.worktree == here.path
    assert repo.head_commit() == commit


def test_a_missing_git_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not installed") as caught:
        open_repository(tmp_path)
    assert "install git" in caught.value.hint


def test_a_git_that_may_not_be_run_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git").write_text("not a program")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="cannot be started"):
        open_repository(tmp_path)


def test_a_git_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "git"  # what git before 2.31 does with an option that it does not know
    script.write_text("#!/bin/sh\necho --path-format=absolute; echo .git; echo sha1\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(GitError, match="too old"):
        open_repository(tmp_path)


def test_a_nul_in_an_argument_is_refused() -> None:
    with pytest.raises(GitError, match="cannot be started"):
        run_git(["rev-parse", "a\0b"])
