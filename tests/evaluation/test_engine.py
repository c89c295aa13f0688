"""Sidelight's own engine on a real repository, with an embedder that counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.fakes import line, record
from helpers.fake_embedder import FakeEmbedder
from helpers.gitrepo import GitRepo
from sidelight.config import Config, SearchConfig
from sidelight.errors import UnknownRevisionError
from sidelight.evaluation.cases import CaseFile, parse_case
from sidelight.evaluation.engine import SearchEngine, escape_glob
from sidelight.evaluation.ports import Question
from sidelight.evaluation.repositories import Repositories
from sidelight.evaluation.runner import Settings, run_cases
from sidelight.globs import match_any
from sidelight.indexing.place import FixedEmbedder


@pytest.fixture
def repository(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repos" / "owner" / "name")
    repo.write("src/retry.py", "def backoff(attempts):\n    return 2 ** attempts\n")
    repo.write("src/parse.py", "def parse_header(line):\n    return line.split(':')\n")
    repo.write("old/retry.py", "def backoff_before(attempts):\n    return attempts + 1\n")
    return repo


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path): path.read_bytes() for path in files}


def ignore(stage: str, done: int, total: int) -> None:
    del stage, done, total


def test_trees_of_a_repository_share_vectors_and_nothing_is_written_into_it(
    tmp_path: Path, repository: GitRepo
) -> None:
    first = repository.commit("One")
    repository.write("src/more.py", "def more():\n    return 1\n")
    second = repository.commit("Two")
    before = snapshot(repository.path)
    embedder = FakeEmbedder()
    engine = SearchEngine(Config(), FixedEmbedder(embedder))
    cases = tuple(
        parse_case(line(record(name, base=base, query=query, relevant=[{"path": path}])))
        for name, base, query, path in [
            ("a", first, "parse header", "src/parse.py"),
            ("b", second, "more", "src/more.py"),
        ]
    )
    settings = Settings(
        dict.fromkeys(("hybrid", "bm25"), engine),
        Repositories(tmp_path / "repos"),
        tmp_path / "cache",
    )
    outcome = run_cases([CaseFile("own_name", cases)], settings)
    assert outcome.failures == []
    for (case, _), result in outcome.results.items():
        expected = b"src/parse.py" if case == "a" else b"src/more.py"
        assert result.ranking.hits[0].path == expected
    assert outcome.results["a", "bm25"].tree.n_files == 3
    assert outcome.results["b", "bm25"].tree.n_files == 4
    assert embedder.n_embedded == outcome.results["b", "bm25"].tree.n_chunks
    assert snapshot(repository.path) == before


def test_root_keeps_other_folders_out(tmp_path: Path, repository: GitRepo) -> None:
    commit = repository.commit("One")
    engine = SearchEngine(Config(), FixedEmbedder(FakeEmbedder()))
    git_dir = repository.path / ".git"
    with engine.open_tree(git_dir, commit, tmp_path / "store", ignore) as tree:
        everywhere = tree.ask(Question("backoff attempts"), mode="bm25", k=10)
        below = tree.ask(Question("backoff attempts", b"old"), mode="bm25", k=10)
    assert {hit.path for hit in everywhere.hits} == {b"src/retry.py", b"old/retry.py"}
    assert [hit.path for hit in below.hits] == [b"old/retry.py"]
    assert everywhere.query_ms > 0


def test_absent_commit_is_an_expected_failure(tmp_path: Path, repository: GitRepo) -> None:
    repository.commit("One")
    engine = SearchEngine(Config(), FixedEmbedder(FakeEmbedder()))
    with (
        pytest.raises(UnknownRevisionError),
        engine.open_tree(repository.path / ".git", "d" * 40, tmp_path / "store", ignore),
    ):
        pass


def test_fingerprint_follows_mode_settings_and_model() -> None:
    model = FixedEmbedder(FakeEmbedder())
    base = SearchEngine(Config(), model)
    other_settings = replace(Config(), search=replace(SearchConfig(), rrf_k=10))
    prints = {
        base.fingerprint("hybrid"),
        base.fingerprint("bm25"),
        SearchEngine(other_settings, model).fingerprint("hybrid"),
        SearchEngine(Config(), FixedEmbedder(FakeEmbedder("other"))).fingerprint("hybrid"),
    }
    assert len(prints) == 4
    assert base.fingerprint("hybrid") == SearchEngine(Config(), model).fingerprint("hybrid")


@pytest.mark.parametrize("path", [b"src", b"a*b/[x]", b"q?\\", b"caf\xe9"])
def test_escaped_path_matches_itself_alone(path: bytes) -> None:
    matches = match_any((f"{escape_glob(path)}/**",))
    assert matches(path + b"/x/y.py")
    assert not matches(b"aXb/x/y.py")
    assert not matches(b"other/y.py")
