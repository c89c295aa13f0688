"""The detached worker with the shipped model: one at a time, a log, and nothing left pending."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from sidelight.config import Config, HooksConfig
from sidelight.git.repository import open_repository
from sidelight.indexing.place import EmbedderSource, Place, index_directory
from sidelight.indexing.refresh import refresh
from sidelight.indexing.status import IndexState, index_status
from sidelight.indexing.vectors import worker_lock
from sidelight.indexing.worker import LOG_NAME, MAX_LOG_BYTES, run_worker, spawn_worker, write_log


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A repository of three functions, and a configuration that embeds nothing inline."""
    repo = GitRepo.init(tmp_path / "it's a repo")
    for name in ("one", "two", "three"):
        repo.write(f"{name}.py", f"def {name}():\n    return '{name}'\n")
    repo.commit()
    opened = open_repository(repo.path)
    config = Config(hooks=HooksConfig(inline_embeddings=0))
    return Place(opened, index_directory(opened), config, EmbedderSource(config))


def wait_until(place: Place, state: IndexState) -> None:
    while index_status(place).state is not state:
        time.sleep(0.05)  # the worker runs at the lowest priority; the test's limit ends a failure


def test_what_a_hook_leaves_becomes_current_by_itself(place: Place) -> None:
    report = refresh(place, wait=False, create=True)
    assert (report.state, report.detached, report.pending) == ("partial", True, 3)
    wait_until(place, IndexState.CURRENT)
    with worker_lock(place.directory, timeout_s=60):
        pass
    log = place.directory / LOG_NAME
    while "embedded 3 in" not in log.read_text():
        time.sleep(0.05)


def test_a_second_worker_leaves_at_once(place: Place) -> None:
    refresh(place, wait=False, create=True)
    wait_until(place, IndexState.CURRENT)
    start, directory = place.repo.worktree, place.directory
    assert start is not None
    with worker_lock(directory, timeout_s=60):
        assert run_worker(start, directory, None) == 0


def test_the_worker_holds_no_pipe_of_its_parent(place: Place, tmp_path: Path) -> None:
    """Or `git commit | cat` would wait for it: the reader sees the end while it still runs."""
    code = (
        "import sys; from pathlib import Path\n"
        "from sidelight.config import Config, HooksConfig\n"
        "from sidelight.git.repository import open_repository\n"
        "from sidelight.indexing.place import EmbedderSource, Place, index_directory\n"
        "from sidelight.indexing.refresh import refresh\n"
        "repo = open_repository(Path(sys.argv[1]))\n"
        "config = Config(hooks=HooksConfig(inline_embeddings=0))\n"
        "place = Place(repo, index_directory(repo), config, EmbedderSource(config))\n"
        "print(refresh(place, wait=False, create=True).detached)\n"
    )
    refresh(place, wait=True, create=True)
    assert place.repo.worktree is not None
    (place.repo.worktree / "four.py").write_text("def four():\n    return 4\n")
    GitRepo(place.repo.worktree).commit()
    with worker_lock(place.directory, timeout_s=60):  # so that the worker ends early
        done = subprocess.run(
            [sys.executable, "-c", code, str(place.repo.worktree)],
            check=True,
            capture_output=True,  # returns when every holder of the pipes has closed them
        )
        assert done.stdout == b"True\n"
        assert index_status(place).state is IndexState.PARTIAL
    spawn_worker(place)
    wait_until(place, IndexState.CURRENT)


def test_a_full_log_starts_anew(tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).write_bytes(b"x" * (MAX_LOG_BYTES + 1))
    write_log(tmp_path, "hello")
    assert (tmp_path / LOG_NAME).read_text().endswith(" hello\n")
    assert (tmp_path / LOG_NAME).stat().st_size < 100
    assert (tmp_path / f"{LOG_NAME}.1").stat().st_size == MAX_LOG_BYTES + 1


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).mkdir()
    write_log(tmp_path, "hello")
