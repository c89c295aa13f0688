"""The index is a function of tree and configuration: however it was reached, it answers alike."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from indexing.walk import QUERIES, Walk, random_steps
from sidelight.config import RetrieverConfig, SearchConfig
from sidelight.indexing.maintenance import collect, examine
from sidelight.indexing.place import revision_view
from sidelight.indexing.refresh import index_revision

NUMBERS = st.integers(0, (1 << 16) - 1)
TESTS = Path(__file__).resolve().parents[1]


def assert_equal_to_fresh(work: Workspace, folder: Path) -> None:
    """Compare with an index of HEAD that was built from nothing, then remove that one."""
    fresh = work.beside(folder)
    fresh.refresh()
    try:
        assert work.files() == fresh.files()
        assert work.answers(QUERIES) == fresh.answers(QUERIES)
        assert narrow(work).answers(QUERIES, k=1) == narrow(fresh).answers(QUERIES, k=1)
        assert [f for f in examine(work.place) if not f.ok] == []
    finally:
        shutil.rmtree(folder)


def narrow(work: Workspace) -> Workspace:
    """Return the same index with pools so small that every list is cut among near-equal rows."""
    few = {name: RetrieverConfig(pool=2, weight=1.0) for name in ("bm25", "dense", "symbol")}
    config = replace(work.place.config, search=SearchConfig(**few))  # type: ignore[arg-type]
    return replace(work, place=replace(work.place, config=config))


class IncrementalIndex(RuleBasedStateMachine):
    """Random history; now and then refreshed, published, collected; always equal to fresh."""

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="sidelight-walk-"))
        self.walk = Walk(self.folder / "repo")
        self.work = Workspace.at(self.walk.repo)
        self.work.refresh()
        self.revisions: list[str] = []
        self.unchecked = 0

    def _step(self, kind: int, pick: int) -> None:
        random_steps(kind, 1)[0][0](self.walk, pick)
        self.unchecked += 1
        if self.unchecked % 2:
            self.work.refresh()

    @rule(pick=NUMBERS)
    def add(self, pick: int) -> None:
        self.walk.add(pick)
        self.work.refresh()

    @rule(kind=NUMBERS, pick=NUMBERS)
    def change(self, kind: int, pick: int) -> None:
        self._step(kind, pick)

    @rule(kinds=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=5))
    def change_much(self, kinds: list[tuple[int, int]]) -> None:
        for kind, pick in kinds:
            self._step(kind, pick)
        self.work.refresh()

    @rule()
    def publish(self) -> None:
        self.work.publish()

    @rule()
    def collect(self) -> None:
        collect(self.work.place)

    @rule()
    def index_a_revision(self) -> None:
        commit = self.walk.repo.head()
        view = revision_view(f"r{len(self.revisions)}")
        index_revision(self.work.place, commit, view)
        self.revisions.append(view)

    @rule()
    @precondition(lambda self: self.unchecked >= 3)
    def compare(self) -> None:
        self.unchecked = 0
        self.work.refresh()
        assert_equal_to_fresh(self.work, self.folder / "fresh")

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.work.refresh()
            assert_equal_to_fresh(self.work, self.folder / "fresh")
            shutil.rmtree(self.folder)


IncrementalIndex.TestCase.settings = settings(
    max_examples=5,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


class TestIncrementalIndex(IncrementalIndex.TestCase):  # type: ignore[misc, valid-type]
    """The machine above, as pytest runs it."""


def walk_and_compare(folder: Path, seed: int, commits: int) -> Workspace:
    """Refresh along a seeded walk; compare every few commits, with snapshots in between."""
    walk = Walk(folder / "repo")
    work = Workspace.at(walk.repo)
    work.refresh()
    for at, (step, pick) in enumerate(random_steps(seed, commits), start=1):
        step(walk, pick)
        if at % 3:
            work.refresh()
        if at % 10 == 4:
            work.publish()
        if at % 25 == 20:
            collect(work.place)
        if at % 12 == 0 or at == commits:
            work.refresh()
            assert_equal_to_fresh(work, folder / f"fresh-{at}")
    return work


def test_fifty_commits_in_steps_equal_a_fresh_index(tmp_path: Path) -> None:
    walk_and_compare(tmp_path, seed=1, commits=50)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_histories_in_steps_equal_a_fresh_index(tmp_path: Path, seed: int) -> None:
    walk_and_compare(tmp_path, seed, commits=120)


HASHED = """
import json, sys
from pathlib import Path
from helpers.workspace import Workspace
from indexing.walk import QUERIES
work = Workspace.at(Path(sys.argv[1]), Path(sys.argv[2]))
work.refresh()
print(json.dumps([[*key, repr(hits)] for key, hits in sorted(work.answers(QUERIES).items())]))
"""


def answers_under_hash_seed(repo: Path, index: Path, seed: str) -> object:
    done = subprocess.run(
        [sys.executable, "-c", HASHED, str(repo), str(index)],
        env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(TESTS), "PATH": "/usr/bin:/bin"},
        check=True,
        capture_output=True,
    )
    return json.loads(done.stdout)


def test_answers_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    walk = Walk(tmp_path / "repo")
    for step, pick in random_steps(7, 20):
        step(walk, pick)
    first = answers_under_hash_seed(walk.repo.path, tmp_path / "one", "1")
    second = answers_under_hash_seed(walk.repo.path, tmp_path / "two", "2")
    assert first == second


def test_a_view_of_a_revision_equals_a_fresh_index_of_that_commit(tmp_path: Path) -> None:
    walk = Walk(tmp_path / "repo")
    work = Workspace.at(walk.repo)
    for step, pick in random_steps(3, 12):
        step(walk, pick)
        work.refresh()
    old = walk.repo.head()
    index_revision(work.place, old, revision_view("old"))
    for step, pick in random_steps(4, 8):
        step(walk, pick)
        work.refresh()
    work.publish()
    copy = GitRepo(tmp_path / "copy", walk.repo.clock)
    walk.repo.clone(copy.path)
    copy.run("fetch", "-q", "origin", old)
    copy.switch(old, "--detach")
    fresh = Workspace.at(copy)
    fresh.refresh()
    assert work.answers(QUERIES, view=revision_view("old")) == fresh.answers(QUERIES)
