"""Cases from a repository's own history."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from sidelight.errors import UsageError
from sidelight.evaluation.cases import DiffCase, parse_case
from sidelight.evaluation.mining import (
    Mining,
    case_lines,
    commit_times,
    mine_cases,
    repository_name,
)
from sidelight.git.repository import open_repository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repo")
    for name in ("src/a.py", "src/b.py", "src/c.py", "tests/test_a.py", "README.md", "data.json"):
        repo.write(name, "one = 1\n")
    repo.commit("Start")
    return repo


def change(repo: GitRepo, message: str, *paths: str) -> str:
    for path in paths:
        repo.write(path, f"# {message}\n")
    return repo.commit(message)


def mine(repo: GitRepo, mining: Mining | None = None) -> list[DiffCase]:
    mined = mine_cases(open_repository(repo.path), "HEAD", "o/repo", mining or Mining())
    cases = [parse_case(line) for line in case_lines(mined.tune + mined.test).splitlines()]
    assert all(isinstance(case, DiffCase) for case in cases)
    return [case for case in cases if isinstance(case, DiffCase)]


def test_a_fitting_commit_shows_a_part_and_hides_the_rest(repository: GitRepo) -> None:
    base = repository.git("rev-parse", "HEAD").strip()
    head = change(repository, "Change all", "src/a.py", "src/b.py", "tests/test_a.py", "README.md")
    (case,) = mine(repository)
    assert (case.base, case.head, case.title, case.language) == (base, head, "Change all", "python")
    assert len(case.focal) == 1
    assert case.focal[0].startswith(b"src/")
    paths = {*case.focal, *(target.path for target in case.relevant)}
    assert paths == {b"src/a.py", b"src/b.py", b"tests/test_a.py"}
    assert {target.kind for target in case.relevant} == {"source", "test"}


def test_commits_that_do_not_fit_are_left_out(repository: GitRepo) -> None:
    change(repository, "Only one", "src/a.py", "README.md", "data.json")
    change(repository, "New files have no past", "src/a.py", "src/new.py", "src/newer.py")
    change(repository, 'Revert "Change all"', "src/a.py", "src/b.py")
    repository.branch("topic")
    repository.switch("topic")
    wanted = change(repository, "On a branch", "src/a.py", "src/b.py")
    repository.switch("main")
    change(repository, "Elsewhere", "README.md")
    repository.merge("topic")
    assert [case.head for case in mine(repository)] == [wanted]
    with pytest.raises(UsageError, match="none of the"):
        mine(repository, Mining(min_files=3))


def test_earlier_ones_are_for_tuning_and_the_same_history_gives_the_same(
    repository: GitRepo,
) -> None:
    heads = [change(repository, f"Number {n}", "src/a.py", "src/b.py") for n in range(20)]
    opened = open_repository(repository.path)
    mined = mine_cases(opened, "HEAD", "o/repo", Mining(n=10))
    assert mined == mine_cases(opened, "HEAD", "o/repo", Mining(n=10))
    assert (len(mined.tune), len(mined.test), mined.n_fit) == (6, 4, 20)
    order = [heads.index(record["head"]) for record in mined.tune + mined.test]
    assert order == sorted(order)
    assert max(b - a for a, b in itertools.pairwise(order)) == 2


def test_a_repository_is_named_by_its_remote(repository: GitRepo) -> None:
    assert repository_name(open_repository(repository.path)) == "local/repo"
    for url in ("https://host.example/owner/name.git", "git@host.example:owner/name"):
        repository.git("config", "remote.origin.url", url)
        assert repository_name(open_repository(repository.path)) == "owner/name"


def test_times_of_commits_that_are_there(repository: GitRepo) -> None:
    head = repository.git("rev-parse", "HEAD").strip()
    times = commit_times(open_repository(repository.path), [head, "d" * 40])
    assert times == {head: int(repository.git("show", "-s", "--format=%ct", head))}
