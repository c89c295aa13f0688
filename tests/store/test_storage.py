"""Full disks, read-only places, refused writes: an error with a hint, and the old index whole."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from indexing.walk import QUERIES, Walk, random_steps
from sidelight.errors import SidelightError, StorageError
from sidelight.indexing.cachefile import export_cache
from sidelight.indexing.maintenance import collect, examine, start_over
from sidelight.indexing.status import IndexState, index_status
from sidelight.search import Searcher, SearchRequest

TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture
def walk(tmp_path: Path) -> Walk:
    walk = Walk(tmp_path / "repo")
    for step, pick in random_steps(51, 10):
        step(walk, pick)
    return walk


def mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"cannot mount here: {done.stderr.decode().strip()}")


def unmount(folder: Path) -> None:
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 900 kB; skips where mounting is not allowed."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount("-t", "tmpfs", "-o", "size=900k", "tmpfs", str(folder))
    yield folder
    unmount(folder)


def fill(folder: Path) -> Path:
    """Take all space that is left."""
    path = folder / "ballast"
    with path.open("wb", buffering=0) as file:
        for size in (65_536, 4096, 512, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return path


def much(repo: GitRepo, n_files: int) -> None:
    """Commit many functions."""
    for number in range(n_files):
        lines = "".join(f"def f{number}_{i}(x):\n    return x + {i}\n\n\n" for i in range(120))
        repo.write(f"big{number}.py", lines)
    repo.commit()


def test_a_full_disk_stops_a_refresh_and_the_last_generation_answers(
    walk: Walk, small_disk: Path, tmp_path: Path
) -> None:
    work = Workspace.at(walk.repo, small_disk / "index")
    work.refresh()
    expected = work.answers(QUERIES)
    tree = walk.repo.tree()
    much(walk.repo, 90)  # more than the disk can hold
    with pytest.raises(StorageError) as caught:
        work.refresh()
    assert "full" in caught.value.message
    assert caught.value.hint
    status = index_status(work.place)
    assert (status.state, status.tree) == (IndexState.STALE, tree)
    assert work.answers(QUERIES) == expected
    walk.repo.git("reset", "-q", "--hard", "HEAD~1")
    collect(work.place)
    work.refresh()
    assert [finding for finding in examine(work.place) if not finding.ok] == []
    assert work.answers(QUERIES) == expected


def test_a_disk_without_one_free_byte_still_answers(
    walk: Walk, small_disk: Path, tmp_path: Path
) -> None:
    work = Workspace.at(walk.repo, small_disk / "index")
    work.refresh()
    expected = work.answers(QUERIES)
    ballast = fill(small_disk)
    assert work.answers(QUERIES) == expected
    assert index_status(work.place).state is IndexState.CURRENT
    walk.repo.write("new.py", "def new():\n    return 1\n")
    walk.repo.commit()
    for use in (work.refresh, work.publish, lambda: start_over(work.place)):
        with pytest.raises(StorageError) as caught:
            use()
        assert caught.value.hint
    with pytest.raises(StorageError):
        export_cache(work.place, small_disk / "cache")
    assert work.answers(QUERIES) == expected
    ballast.unlink()
    work.refresh()
    assert [hit.path for hit in work.search("new", mode="symbol")] == [b"new.py"]
    assert [finding for finding in examine(work.place) if not finding.ok] == []


def test_an_index_of_a_process_that_was_killed_answers_on_a_full_disk(
    walk: Walk, small_disk: Path, tmp_path: Path
) -> None:
    """Its log stays, with the newest commits in it; there is no room to fold it in."""
    work = Workspace.at(walk.repo, small_disk / "index")
    work.refresh()
    expected = work.answers(QUERIES)
    code = (
        "import os, sys; from pathlib import Path; from helpers.workspace import Workspace\n"
        "work = Workspace.at(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "with work.open() as database:\n"
        "    database.set_meta('note', 'in the log'); os._exit(0)\n"
    )
    words = [sys.executable, "-c", code, str(walk.repo.path), str(work.directory)]
    subprocess.run(words, env={**os.environ, "PYTHONPATH": str(TESTS)}, check=True)
    assert (work.directory / "index.db-wal").stat().st_size > 0
    fill(small_disk)
    assert work.answers(QUERIES) == expected


@pytest.fixture
def read_only(walk: Walk, tmp_path: Path) -> Iterator[Workspace]:
    """An index on a read-only file system; skips where mounting is not allowed."""
    work = Workspace.at(walk.repo, tmp_path / "ro" / "index")
    work.refresh()
    work.publish()
    folder = tmp_path / "ro"
    mount("--bind", str(folder), str(folder))
    mount("-o", "remount,ro,bind", str(folder))
    yield work
    unmount(folder)


def test_a_read_only_file_system_is_searched_and_not_written(
    walk: Walk, read_only: Workspace
) -> None:
    with pytest.raises(OSError, match="Read-only"):
        (read_only.directory / "x").write_text("x")
    answers = read_only.answers(QUERIES)
    assert any(answers.values())
    assert index_status(read_only.place).state is IndexState.CURRENT
    assert [finding for finding in examine(read_only.place) if not finding.ok] == []
    assert read_only.refresh().changed_files == 0
    walk.repo.write("new.py", "def new():\n    return 1\n")
    walk.repo.commit()
    for use in (
        read_only.refresh,
        read_only.publish,
        lambda: collect(read_only.place),
        lambda: start_over(read_only.place),
    ):
        with pytest.raises(StorageError) as caught:
            use()
        assert caught.value.hint
    assert index_status(read_only.place).state is IndexState.STALE
    assert read_only.answers(QUERIES) == answers


def test_a_log_on_a_read_only_file_system_is_read_or_named(walk: Walk, tmp_path: Path) -> None:
    """A copy of a live index, with its log, on a file system that became read-only."""
    work = Workspace.at(walk.repo)
    work.refresh()
    folder = tmp_path / "ro"
    with work.open() as database:
        walk.repo.write("new.py", "def new():\n    return 1\n")
        walk.repo.commit()
        work.refresh()
        expected = work.answers(QUERIES)
        assert (work.directory / "index.db-wal").stat().st_size > 0
        shutil.copytree(work.directory, folder / "index")
        del database
    mount("--bind", str(folder), str(folder))
    mount("-o", "remount,ro,bind", str(folder))
    try:
        copy = work.beside(folder / "index")
        try:
            assert copy.answers(QUERIES) == expected
        except SidelightError as error:
            pytest.fail(f"refused: {error}")
    finally:
        unmount(folder)


LIMITED = """
import resource, signal, sys
from pathlib import Path
from helpers.workspace import Workspace
from sidelight.errors import StorageError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
work = Workspace.at(Path(sys.argv[1]))
size = work.database.stat().st_size if work.database.exists() else 0
resource.setrlimit(resource.RLIMIT_FSIZE, (size + int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    work.refresh()
except StorageError as error:
    print("refused:", error.hint)
else:
    print("done")
"""


@pytest.mark.parametrize("room", [0, 100_000])
def test_a_write_that_the_system_refuses_leaves_the_last_generation(
    walk: Walk, tmp_path: Path, room: int
) -> None:
    """As a full disk, for places where no small one can be mounted."""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    work = Workspace.at(walk.repo)
    work.refresh()
    expected = work.answers(QUERIES)
    much(walk.repo, 15)
    words = [sys.executable, "-c", LIMITED, str(walk.repo.path), str(room)]
    env = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(words, env=env, check=True, capture_output=True, text=True)
    assert done.stdout.startswith("refused: "), done.stdout + done.stderr
    assert [finding for finding in examine(work.place) if not finding.ok] == []
    assert index_status(work.place).state is IndexState.STALE
    assert work.answers(QUERIES) == expected
    work.refresh()
    fresh = work.beside(tmp_path / "fresh")
    fresh.refresh()
    assert work.answers(QUERIES) == fresh.answers(QUERIES)


def test_an_index_folder_that_is_a_file_is_named(walk: Walk) -> None:
    work = Workspace.at(walk.repo)
    work.directory.write_text("in the way")
    with pytest.raises(SidelightError) as caught:
        work.refresh()
    assert caught.value.hint
    assert index_status(work.place).state is IndexState.MISSING


def test_a_searcher_that_is_open_when_the_disk_fills_up_goes_on(
    walk: Walk, small_disk: Path
) -> None:
    work = Workspace.at(walk.repo, small_disk / "index")
    work.refresh()
    with Searcher.open(work.place, work.view) as searcher:
        expected = searcher.search(SearchRequest("retry token", 5)).hits
        fill(small_disk)
        assert searcher.search(SearchRequest("retry token", 5)).hits == expected
