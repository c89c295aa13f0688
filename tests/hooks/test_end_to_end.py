"""The hooks with the core's own refresh: after any git command the index shows HEAD's tree."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from sidelight.config import Config
from sidelight.git.repository import open_repository
from sidelight.indexing.place import EmbedderSource, Place, index_directory, worktree_view
from sidelight.indexing.refresh import refresh
from sidelight.store.database import Database
from sidelight.store.views import pending_count, view_state
from sidelight_hooks.install import install_hooks


@pytest.fixture
def indexed(repo: GitRepo) -> GitRepo:
    """A repository with an index and our hooks, as `sidelight init` leaves it."""
    refresh(place_of(repo), wait=True, create=True)
    install_hooks(open_repository(repo.path))
    return repo


def place_of(repo: GitRepo) -> Place:
    opened = open_repository(repo.path)
    return Place(opened, index_directory(opened), Config(), EmbedderSource(Config()))


def indexed_tree(repo: GitRepo) -> str | None:
    place = place_of(repo)
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        state = view_state(connection, worktree_view(place.repo))
    return state.tree if state else None


def pending(repo: GitRepo) -> int:
    place = place_of(repo)
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        return pending_count(connection)


def log_of(repo: GitRepo) -> str:
    return (index_directory(open_repository(repo.path)) / "hook.log").read_text()


def test_index_follows_head(indexed: GitRepo, tmp_path: Path) -> None:
    indexed.write("a.py", "def a():\n    return 1\n")
    indexed.commit("a")
    assert indexed_tree(indexed) == indexed.tree()
    indexed.switch("topic", "-c")
    for number in range(2):
        indexed.write(f"{number}.py", f"def f{number}():\n    return {number}\n")
        indexed.commit(str(number))
    indexed.switch("main")
    assert indexed_tree(indexed) == indexed.tree()
    indexed.write("b.py", "def b():\n    return 2\n")
    indexed.commit("b")
    indexed.switch("topic")
    before = log_of(indexed).count(" refreshed ")
    indexed.rebase("main")
    assert log_of(indexed).count(" refreshed ") == before + 1
    assert indexed_tree(indexed) == indexed.tree()
    linked = indexed.worktree_add(tmp_path / "linked", "main")
    assert indexed_tree(linked) == linked.tree()
    assert " failed " not in log_of(indexed)
    assert " bug " not in log_of(indexed)


def test_orphan_branch_is_quiet(indexed: GitRepo) -> None:
    done = indexed.run("checkout", "-q", "--orphan", "fresh")
    assert (done.stdout, done.stderr) == (b"", b"")
    assert "post-checkout skipped there is no commit yet" in log_of(indexed)


def test_pipe_does_not_wait_for_the_worker(indexed: GitRepo) -> None:
    for number in range(60):
        text = "\n".join(f"def f{number}_{i}(x):\n    return x + {i}\n" for i in range(3))
        indexed.write(f"many/{number}.py", text)
    indexed.git("add", "-A")
    script = "git commit -q -m many 2>&1 | cat; echo over"
    done = subprocess.run(
        ["sh", "-c", script], cwd=indexed.path, capture_output=True, timeout=120, check=True
    )
    assert done.stdout == b"over\n"
    assert indexed_tree(indexed) == indexed.tree()
    while pending(indexed):
        time.sleep(0.05)


def test_named_git_directory(tmp_path: Path) -> None:
    """Repositories that need --git-dir, as dotfiles have them."""
    home = tmp_path / "home"
    home.mkdir()
    repo = GitRepo.init(tmp_path / "dotfiles.git", bare=True)
    place = [f"--git-dir={repo.path}", f"--work-tree={home}", "-c", "core.bare=false"]
    outside = GitRepo(home)
    (home / "rc").write_text("x\n")
    outside.git(*place, "add", "rc")
    outside.git(*place, "commit", "-q", "-m", "rc")
    refresh(place_of(repo), wait=True, create=True)
    install_hooks(open_repository(repo.path))
    (home / "rc").write_text("y\n")
    outside.git(*place, "commit", "-q", "-a", "-m", "more")
    assert indexed_tree(repo) == repo.tree()
