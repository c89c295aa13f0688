"""Refreshes, readers, publishing and garbage collection at the same time, in many processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from indexing.walk import QUERIES, Walk, random_steps
from sidelight.config import Config, HooksConfig
from sidelight.errors import IndexMissingError
from sidelight.indexing.maintenance import collect, examine, start_over
from sidelight.indexing.refresh import head_of, index_target, refresh
from sidelight.indexing.report import Progress, Target
from sidelight.indexing.spool import TextSpool
from sidelight.indexing.status import IndexState, index_status
from sidelight.indexing.vectors import LOCK_NAME, finish_vectors, worker_lock
from sidelight.search import Searcher, SearchMode, SearchRequest
from sidelight.store.database import Database
from sidelight.store.publishing import prune, publish
from sidelight.store.views import pending_count

TESTS = Path(__file__).resolve().parents[1]
CHILD = """
import random, sys
from pathlib import Path
from helpers.workspace import Workspace
from sidelight.indexing.maintenance import collect, start_over
work = Workspace.at(Path(sys.argv[1]))
dice = random.Random(int(sys.argv[2]))
print("ready", flush=True)
sys.stdin.readline()
for word in sys.argv[3:]:
    if word == "any":
        word = dice.choice(["refresh", "refresh", "publish", "gc", "rebuild"])
    if word == "refresh":
        work.refresh()
    elif word == "publish":
        work.publish()
    elif word == "gc":
        collect(work.place)
    elif word == "rebuild":
        start_over(work.place)
        work.refresh()
    print(word, flush=True)
"""


def start_child(work: Workspace, seed: int, words: Sequence[str]) -> subprocess.Popen[bytes]:
    root = work.place.repo.worktree
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(root), str(seed), *words],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    return child


def go(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None
    child.stdin.write(b"\n")
    child.stdin.flush()


def finish(child: subprocess.Popen[bytes]) -> None:
    _, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors.decode()


def assert_whole_and_current(work: Workspace, folder: Path) -> None:
    """The index is consistent, and answers like one that was built from nothing."""
    assert [finding for finding in examine(work.place) if not finding.ok] == []
    work.refresh()
    fresh = work.beside(folder)
    fresh.refresh()
    assert work.files() == fresh.files()
    assert work.answers(QUERIES) == fresh.answers(QUERIES)
    assert [finding for finding in examine(work.place) if not finding.ok] == []


@pytest.fixture
def walk(tmp_path: Path) -> Walk:
    walk = Walk(tmp_path / "repo")
    for step, pick in random_steps(21, 12):
        step(walk, pick)
    return walk


def test_five_refreshes_at_once_build_one_index(walk: Walk, tmp_path: Path) -> None:
    work = Workspace.at(walk.repo)
    children = [start_child(work, at, ["refresh"]) for at in range(5)]
    for child in children:
        go(child)
    for child in children:
        finish(child)
    assert work.refresh().parsed_files == 0
    assert_whole_and_current(work, tmp_path / "fresh")


def test_refreshes_publishing_collecting_and_rebuilding_at_once(walk: Walk, tmp_path: Path) -> None:
    work = Workspace.at(walk.repo)
    work.refresh()
    for step, pick in random_steps(22, 4):
        step(walk, pick)
    words = (["refresh"] * 4, ["publish", "refresh"] * 2, ["gc", "refresh"] * 2, ["rebuild"] * 2)
    children = [start_child(work, at, own) for at, own in enumerate(words)]
    for child in children:
        go(child)
    for child in children:
        finish(child)
    assert_whole_and_current(work, tmp_path / "fresh")


def test_a_reader_sees_one_tree_at_a_time(walk: Walk, tmp_path: Path) -> None:
    """While another process refreshes, publishes and collects: every answer is one tree's own."""
    work = Workspace.at(walk.repo)
    work.refresh()
    requests = [SearchRequest(query, 5, mode) for query in QUERIES[:3] for mode in SearchMode]
    expected: dict[str, dict[SearchRequest, object]] = {}

    def learn(number: int) -> None:
        fresh = work.beside(tmp_path / f"fresh-{number}")
        fresh.refresh()
        with Searcher.open(fresh.place, fresh.view) as searcher:
            tree = searcher.corpus.view.tree
            expected[tree] = {asked: searcher.search(asked).hits for asked in requests}

    learn(0)
    wrong: list[str] = []
    stop = threading.Event()
    seen: set[str] = set()

    def read() -> None:
        with Searcher.open(work.place, work.view) as searcher:
            while not stop.is_set():
                for asked in requests:
                    result = searcher.search(asked)
                    seen.add(result.index.tree)
                    if result.index.state == "current" and (
                        result.hits != expected[result.index.tree][asked]
                    ):
                        wrong.append(f"{asked} at {result.index.tree}")

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number, (step, pick) in enumerate(random_steps(23, 6), start=1):
            step(walk, pick)
            learn(number)
            child = start_child(work, number, ["refresh", "publish", "gc"])
            go(child)
            finish(child)
    finally:
        stop.set()
        reader.join()
    assert wrong == []
    assert len(seen) > 1


def test_garbage_collected_during_a_refresh_is_made_anew(walk: Walk, tmp_path: Path) -> None:
    """The refresh has found a stored document; then it goes, since no view shows it."""
    repo = walk.repo
    work = Workspace.at(repo)
    work.refresh()
    repo.write("lost.py", "def lost():\n    return 'retry token'\n")
    repo.commit()
    work.refresh()
    repo.git("rm", "-q", "lost.py")
    repo.commit(stage=False)
    work.refresh()
    repo.git("revert", "--no-edit", "HEAD")
    collected = []

    def tick(stage: str, done: int, total: int) -> None:
        if stage == "read" and not collected:
            collected.append(collect(work.place).documents)

    refresh(work.place, wait=True, progress=Progress(tick))
    assert collected
    assert collected[0] > 0
    assert [hit.path for hit in work.search("lost", mode="symbol")] == [b"lost.py"]
    assert_whole_and_current(work, tmp_path / "fresh")


def test_head_that_moves_during_a_refresh_is_followed(walk: Walk, tmp_path: Path) -> None:
    work = Workspace.at(walk.repo)
    moves = iter(random_steps(24, 3))

    def tick(stage: str, done: int, total: int) -> None:
        if stage == "read" and done == total:
            for step, pick in moves:
                step(walk, pick)
                break

    report = refresh(work.place, wait=True, create=True, progress=Progress(tick))
    assert (report.commit, report.tree) == head_of(work.place.repo)
    assert_whole_and_current(work, tmp_path / "fresh")


def test_vectors_left_while_another_process_finishes_are_made_by_it(tmp_path: Path) -> None:
    """They come between its last look and the lock's release: nobody else will be started."""
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "def first():\n    return 1\n")
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    publishing = []

    class Late(Database):
        """Another process's refresh, just when this one has published."""

        def read(self):  # type: ignore[no-untyped-def]
            if lock_is_held(self.directory) and not publishing:
                publishing.append(True)
                repo.write("b.py", "def second():\n    return 2\n")
                repo.commit()
                commit, tree = head_of(work.place.repo)
                target = Target(work.view, commit, tree)
                index_target(work.place, target, wait=True, vectors=False)
            return super().read()

    with Late.open(work.directory, work.place.identity) as database, TextSpool() as spool:
        publishing.append(True)
        publishing.clear()
        finish_vectors(work.place, database, spool, Progress())
        with database.read() as connection:
            assert pending_count(connection) == 0


def lock_is_held(directory: Path) -> bool:
    try:
        with FileLock(directory / LOCK_NAME).acquire(blocking=False):
            return False
    except Timeout:
        return True


def test_a_kill_releases_the_worker_lock(tmp_path: Path) -> None:
    code = "import sys, time; from filelock import FileLock; lock = FileLock(sys.argv[1]);"
    code += "lock.acquire(); print('held', flush=True); time.sleep(600)"
    path = tmp_path / LOCK_NAME
    child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    assert lock_is_held(tmp_path)
    child.kill()
    child.communicate()
    with worker_lock(tmp_path, timeout_s=10):
        pass


def kill_at_random_moments(folder: Path, walk: Walk, n_kills: int) -> None:
    """Kill a process that refreshes, publishes, collects and rebuilds; look at what it left."""
    work = Workspace.at(walk.repo)
    work.refresh()
    steps = iter(random_steps(31, n_kills))
    for number in range(n_kills):
        step, pick = next(steps)
        step(walk, pick)
        child = start_child(work, number, ["any"] * 40)
        go(child)
        time.sleep((number * 37 % 100) / 100 * 0.5)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        bad = [finding for finding in examine(work.place) if not finding.ok]
        assert bad == [], f"after kill {number}"
        state = index_status(work.place).state
        assert state in (
            IndexState.CURRENT,
            IndexState.PARTIAL,
            IndexState.STALE,
            IndexState.MISSING,
        )
        if state is not IndexState.MISSING:  # so it is after a rebuild was cut short
            work.answers(QUERIES[:1])
        if number % 10 == 9:
            assert_whole_and_current(work, folder / f"fresh-{number}")
            start_over(work.place)
            work.refresh()


def test_ten_kills_leave_a_consistent_index(walk: Walk, tmp_path: Path) -> None:
    kill_at_random_moments(tmp_path, walk, 10)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_hundred_kills_leave_a_consistent_index(walk: Walk, tmp_path: Path) -> None:
    kill_at_random_moments(tmp_path, walk, 100)


def test_an_open_searcher_survives_the_removal_of_its_snapshot(walk: Walk) -> None:
    work = Workspace.at(walk.repo)
    work.refresh()
    work.publish()
    request = SearchRequest(QUERIES[0], 5, SearchMode.DENSE)
    expected = work.search(QUERIES[0], mode="dense", k=5)
    with Searcher.open(work.place, work.view) as searcher, work.open() as database:
        searcher.search(SearchRequest(QUERIES[0], 5, SearchMode.BM25))
        publish(database)
        prune(database, keep=0)
        assert searcher.search(request).hits == expected


def test_an_open_searcher_takes_up_an_index_that_replaced_its_own(walk: Walk) -> None:
    work = Workspace.at(walk.repo)
    work.refresh()
    request = SearchRequest(QUERIES[0], 5, SearchMode.BM25)
    with Searcher.open(work.place, work.view) as searcher:
        before = searcher.search(request)
        start_over(work.place)
        with pytest.raises(IndexMissingError):
            searcher.search(request)
        walk.repo.write("newer.py", "def retry():\n    return retry\n")
        walk.repo.commit()
        work.refresh()
        after = searcher.search(request)
        assert after.index.tree != before.index.tree
        assert after.hits == work.search(QUERIES[0], mode="bm25", k=5)


def test_the_old_database_may_stay_open_while_it_is_replaced(walk: Walk, tmp_path: Path) -> None:
    """Its last connection must not take the new database's log away with its own."""
    work = Workspace.at(walk.repo)
    work.refresh()
    with work.open() as old:
        old.set_meta("seen", "1")
        start_over(work.place)
        new = work.open()
        new.set_meta("kept", "1")
        old.set_meta("lost", "1")
    with work.open() as third:
        assert (third.meta("kept"), third.meta("lost"), third.meta("seen")) == ("1", None, None)
    new.close()
    assert_whole_and_current(work, tmp_path / "fresh")


def test_a_hook_leaves_vectors_to_a_worker(tmp_path: Path) -> None:
    """The fake model is not the worker's: it must say so in its log, and harm nothing."""
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "def first():\n    return 1\n")
    repo.commit()
    work = Workspace.at(repo, config=Config(hooks=HooksConfig(inline_embeddings=0)))
    report = refresh(work.place, wait=False, create=True)
    assert report.detached
    assert report.state == "partial"
    assert [hit.path for hit in work.search("first", mode="bm25")] == [b"a.py"]
    log = work.directory / "worker.log"
    while "error:" not in (log.read_text() if log.exists() else ""):
        time.sleep(0.05)  # it runs at the lowest priority; the test's own limit ends a failure
    assert "vectors of model" in log.read_text()
    assert work.refresh().state == "current"
