"""A hook that finds HEAD's commit indexed ends at once, and only then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.git.repository import open_repository
from sidelight.indexing.place import worktree_view
from sidelight.store.glance import shows_commit
from sidelight_hooks.gitdir import find_git_dirs, head_commit, view_name
from sidelight_hooks.run import run_hook


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "def first():\n    return 1\n")
    repo.commit("Add a")
    Workspace.at(repo).refresh()
    return repo


def refreshes(repo: GitRepo, change: Callable[[], object] = lambda: None) -> bool:
    """Return whether a hook that runs after `change` calls the core."""
    change()
    called: list[object] = []

    def refresh(*_args: object, **_options: object) -> object:
        called.append(1)
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        run_hook("post-commit", (), cwd=str(repo.path), env={}, refresh=refresh)  # type: ignore[arg-type]
    return bool(called)


def test_the_indexed_commit_needs_nothing(repo: GitRepo) -> None:
    assert not refreshes(repo)
    log = (repo.path / ".git" / "sidelight" / "hook.log").read_text("utf-8")
    assert "skipped this commit is indexed" in log


def test_another_commit_of_the_same_tree_is_recorded(repo: GitRepo) -> None:
    assert refreshes(repo, lambda: repo.commit("Nothing"))


def test_another_tree_is_refreshed(repo: GitRepo) -> None:
    assert refreshes(repo, lambda: (repo.write("b.py", "x = 1\n"), repo.commit("Add b")))


def test_pending_vectors_take_the_long_way(repo: GitRepo) -> None:
    with Workspace.at(repo).open() as database, database.write() as connection:
        connection.execute("INSERT INTO pending SELECT x'00', id FROM doc LIMIT 1")
    assert refreshes(repo)


@pytest.mark.parametrize(
    ("name", "text"),
    [(".sidelight.toml", "[index]\n"), ("pyproject.toml", "[tool.sidelight.index]\n")],
)
def test_settings_take_the_long_way(repo: GitRepo, name: str, text: str) -> None:
    (repo.path / name).write_text(text, "utf-8")
    assert refreshes(repo)


def test_a_damaged_index_takes_the_long_way(repo: GitRepo) -> None:
    Workspace.at(repo).database.write_bytes(b"not a database" * 100)
    assert refreshes(repo)
    assert not shows_commit(str(repo.path / "absent.db"), "worktree/", repo.head())
    assert not (repo.path / "absent.db").exists()


@pytest.mark.parametrize("state", ["branch", "detached", "linked", "packed", "sha256"])
def test_head_and_view_are_those_that_git_tells(tmp_path: Path, state: str) -> None:
    repo = GitRepo.init(tmp_path / "repo", object_format="sha256" if state == "sha256" else "sha1")
    repo.write("a.py", "x = 1\n")
    repo.commit("Add a")
    if state == "detached":
        repo.git("checkout", "-q", "--detach")
    if state == "packed":
        repo.git("pack-refs", "--all")
    if state == "linked":
        repo = repo.worktree_add(tmp_path / "linked")
    dirs = find_git_dirs(str(repo.path), {})
    assert dirs is not None
    assert view_name(*dirs) == worktree_view(open_repository(repo.path))
    assert head_commit(*dirs) == (None if state == "packed" else repo.head())
