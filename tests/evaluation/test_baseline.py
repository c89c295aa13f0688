"""The whole-file baseline: its arithmetic by hand, and its answers on a real repository."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from sidelight.errors import GitError
from sidelight.evaluation.baseline import MODE, FileBm25, bm25_scores, file_terms
from sidelight.evaluation.ports import Change, Question


def _ignore(stage: str, done: int, total: int) -> None:
    del stage, done, total


def test_identifiers_their_parts_and_stems_are_terms() -> None:
    assert file_terms("parse_URLs retries x2 Command") == {
        "parse_urls": 1,
        "pars": 1,
        "ur": 1,
        "ls": 1,
        "retri": 1,
        "x2": 1,
        "x": 1,
        "2": 1,
        "command": 1,
    }


def test_scores_equal_the_formula_by_hand() -> None:
    documents = [{"a": 2, "b": 1}, {"b": 1}, {"c": 4}]
    scores = bm25_scores(["a", "b", "absent", "a"], documents)
    average = 8 / 3

    def part(df: int, tf: int, length: int) -> float:
        idf = math.log(1 + (3 - df + 0.5) / (df + 0.5))
        return idf * tf / (tf + 1.5 * (0.25 + 0.75 * length / average))

    assert scores == pytest.approx([part(1, 2, 3) + part(2, 1, 3), part(2, 1, 1), 0.0])


def test_no_documents_have_no_scores() -> None:
    assert bm25_scores(["a"], []) == []


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, str]:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("src/retry.py", "def backoff():\n    ...\n")
    repo.write("src/other.py", "backoff = backoff_of(retry)\n" + "x = 1\n" * 50)
    repo.write("lib/retry.py", "retry retry retry\n")
    repo.write("README.md", "retry backoff\n")
    repo.write("src/binary.py", "backoff \0 retry\n")
    commit = repo.commit("All")
    repo.write("src/later.py", "backoff retry\n")
    repo.commit("Later")
    return repo.path / ".git", commit


def test_source_files_of_that_tree_are_ranked_whole(repository: tuple[Path, str]) -> None:
    git_dir, commit = repository
    engine = FileBm25()
    with engine.open_tree(git_dir, commit, git_dir / "unused", _ignore) as tree:
        assert tree.info.n_files == 3
        hits = tree.ask(Question("retry backoff"), mode=MODE, k=10).hits
        assert [(hit.path, hit.start_line, hit.end_line) for hit in hits] == [
            (b"src/retry.py", 1, 2),
            (b"src/other.py", 1, 51),
            (b"lib/retry.py", 1, 1),
        ]
        assert len(tree.ask(Question("retry backoff"), mode=MODE, k=1).hits) == 1
    assert not (git_dir / "unused").exists()


def test_root_keeps_everything_else_out(repository: tuple[Path, str]) -> None:
    git_dir, commit = repository
    with FileBm25().open_tree(git_dir, commit, git_dir, _ignore) as tree:
        hits = tree.ask(Question("retry", b"lib"), mode=MODE, k=10).hits
    assert [hit.path for hit in hits] == [b"lib/retry.py"]


def test_files_without_any_term_are_no_hits(repository: tuple[Path, str]) -> None:
    git_dir, commit = repository
    with FileBm25().open_tree(git_dir, commit, git_dir, _ignore) as tree:
        assert tree.ask(Question("zebra ..."), mode=MODE, k=10).hits == ()


def test_absent_commit_is_an_expected_failure(repository: tuple[Path, str]) -> None:
    git_dir, _ = repository
    with pytest.raises(GitError), FileBm25().open_tree(git_dir, "d" * 40, git_dir, _ignore):
        pass


def test_a_change_is_asked_by_its_title_and_patch_without_its_own_files(
    repository: tuple[Path, str],
) -> None:
    git_dir, base = repository
    repo = GitRepo(git_dir.parent)
    repo.write("lib/retry.py", "zebra crossing\n")
    head = repo.commit("Change it")
    with FileBm25().open_tree(git_dir, base, git_dir, _ignore) as tree:
        by_patch = tree.ask(Change(base, head, "", (b"lib/retry.py",)), mode=MODE, k=10).hits
        by_title = tree.ask(Change(base, base, "backoff", (b"lib/retry.py",)), mode=MODE, k=10).hits
    assert {hit.path for hit in by_patch} == {b"src/retry.py", b"src/other.py"}
    assert {hit.path for hit in by_title} == {b"src/retry.py", b"src/other.py"}
