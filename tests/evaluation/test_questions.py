"""Questions are recorded once and ranked under any weights as the product ranks them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from helpers.gitrepo import GitRepo
from sidelight.cli.eval import eval_group
from sidelight.config import Config
from sidelight.embedding.catalogue import default_models_directory
from sidelight.errors import UsageError
from sidelight.evaluation.cases import load_cases
from sidelight.evaluation.questions import Recording, record_questions, start_of
from sidelight.evaluation.repositories import Repositories
from sidelight.indexing.place import EmbedderSource
from sidelight.search.weights import ISSUE, QUESTION

ANIMALS = {
    "yak": "shear the wool of a herd before winter comes",
    "bee": "collect nectar and report where flowers stand",
    "emu": "count eggs and guard the nest at night",
    "owl": "listen for mice under snow without a sound",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    repo = GitRepo.init(tmp_path_factory.mktemp("asked") / "zoo")
    for animal, words in ANIMALS.items():
        name = "_".join(words.split())
        repo.write(f"src/{animal}.py", f'def {name}():\n    """{words}"""\n    return {animal}()\n')
    repo.commit("Keep animals")
    return repo


def question(repo: GitRepo, query: str, animal: str) -> str:
    case = {
        "id": f"zoo-{animal}-{len(query)}",
        "repo": "o/zoo",
        "language": "python",
        "task": "question",
        "base": repo.head(),
        "query": query,
        "relevant": [{"path": f"src/{animal}.py", "lines": []}],
        "secondary": [],
    }
    return json.dumps(case) + "\n"


@pytest.fixture(scope="module")
def cases(repository: GitRepo, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cases") / "zoo.jsonl"
    lines = [question(repository, words, animal) for animal, words in ANIMALS.items()]
    lines.append(question(repository, "Nothing is heard\n\n" + "under snow " * 40, "owl"))
    path.write_text("".join(lines))
    return path


def run(*words: object) -> str:
    result = CliRunner().invoke(eval_group, [str(word) for word in words])
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_recorded_questions_have_the_figures_of_a_run(
    repository: GitRepo, cases: Path, tmp_path: Path
) -> None:
    where = ("--repo", repository.path, "--cache", tmp_path / "cache")
    (table,) = json.loads(run("run", cases, *where, "--format", "json"))["tables"]
    figures = {case["id"]: case["metrics"]["ndcg@10"] for case in table["cases"]}
    embedder = EmbedderSource(Config(), default_models_directory({}, Path()))
    settings = Recording(
        Config(), embedder, QUESTION, Repositories(only=repository.path / ".git"), tmp_path / "c"
    )
    recorded, failures = record_questions(load_cases([cases]).files, settings)
    assert failures == []
    for item in recorded:
        start = start_of([item], QUESTION)
        assert item.ndcg(start) == pytest.approx(figures[item.id])
    assert start_of(recorded, QUESTION)["message"] == QUESTION.message
    assert start_of(recorded[-1:], QUESTION)["recent"] == ISSUE.recent
    assert "code" not in start_of(recorded, replace(QUESTION, code=2.0))


def test_questions_can_be_tuned_and_not_together_with_diffs(
    repository: GitRepo, cases: Path, tmp_path: Path
) -> None:
    where = ("--repo", repository.path, "--cache", tmp_path / "cache")
    shown = run("tune", cases, *where, "--out", tmp_path / "w.toml")
    assert "the later commits with weights fitted on the earlier" in shown
    assert "nothing was written" in shown
    head = repository.head()
    diff = {"id": "d", "repo": "o/zoo", "language": "python", "task": "diff", "base": head}
    diff |= {"head": head, "title": "t", "focal": ["src/yak.py"]}
    diff |= {"relevant": [{"path": "src/bee.py", "kind": "source", "lines": []}]}
    (tmp_path / "diff.jsonl").write_text(json.dumps(diff) + "\n")
    with pytest.raises(UsageError, match="weights of their own"):
        run("tune", cases, tmp_path / "diff.jsonl", *where)
