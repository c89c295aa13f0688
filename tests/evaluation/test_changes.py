"""Sidelight's ranking for a diff on a real repository, through the engine's port."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.fake_embedder import FakeEmbedder
from helpers.gitrepo import GitRepo
from sidelight.config import Config
from sidelight.errors import UsageError
from sidelight.evaluation.changes import RelatedEngine, recipes
from sidelight.evaluation.ports import DIFF, Change, Question
from sidelight.indexing.place import FixedEmbedder
from sidelight.related.weights import DiffWeights


@pytest.fixture
def repository(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repos" / "owner" / "name")
    repo.write("src/retry.py", "def backoff(attempts):\n    return 2 ** attempts\n")
    repo.write("src/client.py", "def send(request):\n    return backoff(3)\n")
    repo.write("src/zoo.py", "def zebra():\n    return 'stripes'\n")
    repo.write("src/yak.py", "def yak():\n    return 'wool'\n")
    return repo


def ignore(stage: str, done: int, total: int) -> None:
    del stage, done, total


def test_base_is_ranked_by_its_own_past_and_the_change_is_no_candidate(
    tmp_path: Path, repository: GitRepo
) -> None:
    base = repository.commit("Start")
    repository.write("src/retry.py", "def backoff(attempts, limit):\n    return limit\n")
    repository.write("src/later.py", "def later():\n    return backoff(1, 2)\n")
    head = repository.commit("Limit the backoff")
    embedder = FakeEmbedder()
    engine = RelatedEngine(Config(), FixedEmbedder(embedder))
    change = Change(base, head, "Limit the backoff", (b"src/retry.py",))
    with engine.open_tree(repository.path / ".git", base, tmp_path / "store", ignore) as tree:
        ranking = tree.ask(change, mode="related", k=10)
        assert tree.info.n_files == 4
        assert tree.info.n_chunks >= 4
    paths = [hit.path for hit in ranking.hits]
    assert paths[0] == b"src/client.py"
    assert not {b"src/retry.py", b"src/later.py"} & set(paths)
    assert embedder.n_embedded == 0


def test_without_title_and_without_history_each_says_nothing(
    tmp_path: Path, repository: GitRepo
) -> None:
    repository.commit("Start")
    for n in range(3):
        repository.write("src/retry.py", f"def backoff(attempts):\n    return {n}\n")
        repository.write("src/yak.py", f"def yak():\n    return {n}\n")
        repository.commit(f"Together {n}")
    base = repository.git("rev-parse", "HEAD").strip()
    repository.write("src/retry.py", "def backoff(attempts):\n    return -1\n")
    head = repository.commit("Paint the zoo")
    engine = RelatedEngine(Config(), FixedEmbedder(FakeEmbedder()))
    change = Change(base, head, "Paint the zoo", (b"src/retry.py",))
    with engine.open_tree(repository.path / ".git", base, tmp_path / "store", ignore) as tree:
        first = {mode: tree.ask(change, mode=mode, k=10).hits[0].path for mode in recipes()}
    assert first["related-no-history"] == b"src/zoo.py"
    assert first["related-no-title"] == b"src/yak.py"


def test_without_the_graph_its_signals_are_silent(tmp_path: Path, repository: GitRepo) -> None:
    repository.write("src/zoo.py", "import yak\n\ndef zebra():\n    return 'stripes'\n")
    base = repository.commit("Start")
    repository.write("src/yak.py", "def yak():\n    return 'fur'\n")
    head = repository.commit("Shear")
    engine = RelatedEngine(Config(), FixedEmbedder(FakeEmbedder()))
    change = Change(base, head, "Shear", (b"src/yak.py",))
    git_dir = repository.path / ".git"
    with engine.open_tree(git_dir, base, tmp_path / "store", ignore) as tree:
        first = {mode: tree.ask(change, mode=mode, k=10).hits for mode in recipes()}
    (matrix,) = engine.read_signals(git_dir, [change], tmp_path / "store", ignore)
    assert first["related"][0].path == b"src/zoo.py"
    assert first["related-structural"][0].path == b"src/zoo.py"
    column = matrix.names.index("import_walk")
    assert matrix.values[matrix.paths.index(b"src/zoo.py"), column] == 1.0


def test_questions_are_refused(tmp_path: Path, repository: GitRepo) -> None:
    base = repository.commit("Start")
    engine = RelatedEngine(Config(), FixedEmbedder(FakeEmbedder()))
    assert engine.tasks("related") == {DIFF}
    assert engine.tasks("hybrid") == frozenset()
    with (
        engine.open_tree(repository.path / ".git", base, tmp_path / "store", ignore) as tree,
        pytest.raises(UsageError),
    ):
        tree.ask(Question("backoff"), mode="related", k=10)


def test_fingerprint_follows_recipe_and_weights() -> None:
    model = FixedEmbedder(FakeEmbedder())
    plain = RelatedEngine(Config(), model)
    other = RelatedEngine(Config(), model, recipes(DiffWeights(mix=0.9)))
    prints = {plain.fingerprint(mode) for mode in recipes()} | {other.fingerprint("related")}
    assert len(prints) == 6
