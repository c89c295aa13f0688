"""`sidelight eval mine`, `run`, `compare`, `ablate`, `tune` and `report`, one after the other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from helpers.gitrepo import GitRepo
from sidelight.cli.eval import eval_group
from sidelight.config import Config
from sidelight.embedding.catalogue import default_models_directory
from sidelight.errors import UsageError
from sidelight.evaluation.cases import DiffCase, load_cases
from sidelight.evaluation.changes import RelatedEngine
from sidelight.evaluation.ports import query_of
from sidelight.evaluation.weightfile import as_mapping
from sidelight.indexing.place import EmbedderSource
from sidelight.related.weights import DIFF

N_COMMITS = 12


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    repo = GitRepo.init(tmp_path_factory.mktemp("mined") / "zoo")
    for animal in ("yak", "bee", "emu"):
        repo.write(f"src/{animal}.py", f"def {animal}():\n    return 0\n")
        repo.write(f"src/{animal}_food.py", f"from src.{animal} import {animal}\n")
    repo.commit("Start")
    for n in range(N_COMMITS):
        animal = ("yak", "bee", "emu")[n % 3]
        repo.write(f"src/{animal}.py", f"def {animal}(hunger):\n    return hunger + {n}\n")
        repo.write(f"src/{animal}_food.py", f"from src.{animal} import {animal}\n{animal}({n})\n")
        repo.commit(f"Feed the {animal}, {n}")
    return repo


@pytest.fixture(scope="module")
def mined(repository: GitRepo, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cases")
    result = run("mine", "--repo", repository.path, "--out", out)
    assert result.exit_code == 0
    assert f"{N_COMMITS} of {N_COMMITS + 1} commits fit" in result.stdout
    return out


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def run(*words: object) -> Result:
    return CliRunner().invoke(eval_group, [str(word) for word in words])


def test_mined_cases_can_be_run_and_reported(
    repository: GitRepo, mined: Path, cache: Path, tmp_path: Path
) -> None:
    where = ("--repo", repository.path, "--cache", cache)
    answers = run(
        "run", mined, *where, "--mode", "related", "--mode", "file-bm25", "--format", "json"
    )
    assert answers.exit_code == 0
    path = tmp_path / "r.json"
    path.write_text(answers.stdout)
    compared = run("compare", f"{path}:file-bm25", f"{path}:related")
    assert compared.exit_code == 0
    assert "ndcg@10: r.json:file-bm25 → r.json:related" in compared.stdout
    ablated = run("ablate", mined, *where, "--format", "json")
    assert ablated.exit_code == 0
    (tmp_path / "a.json").write_text(ablated.stdout)
    page = tmp_path / "out" / "page.html"
    report = run("report", path, "--ablation", tmp_path / "a.json", "--out", page)
    assert report.exit_code == 0
    assert "mined-tune" in page.read_text()


def test_signals_ranked_apart_are_the_ranking(
    repository: GitRepo, mined: Path, cache: Path
) -> None:
    engine = RelatedEngine(Config(), EmbedderSource(Config(), default_models_directory({}, Path())))
    (file, _) = load_cases(sorted(mined.glob("*.jsonl"))).files
    git_dir = repository.path / ".git"
    for case in file.cases[::3]:
        assert isinstance(case, DiffCase)
        query = query_of(case)
        with engine.open_tree(git_dir, case.base, cache / "s", lambda *_: None) as tree:
            ranked = [hit.path for hit in tree.ask(query, mode="related", k=100).hits]
            (matrix,) = engine.read_signals(git_dir, [query], cache / "s", lambda *_: None)  # type: ignore[list-item]
        assert matrix.order(matrix.vector(as_mapping(DIFF))) == ranked


def test_tuning_reads_the_signals_that_are_kept(
    repository: GitRepo, mined: Path, cache: Path, tmp_path: Path
) -> None:
    words = (
        "tune",
        mined,
        "--repo",
        repository.path,
        "--cache",
        cache,
        "--out",
        tmp_path / "w.toml",
    )
    first = run(*words)
    assert first.exit_code == 0
    assert "the later commits with weights fitted on the earlier" in first.stdout
    again = run(*words)
    assert again.stdout == first.stdout
    assert again.stderr == ""
    written = (tmp_path / "w.toml").exists()
    assert ("nothing was written" in first.stdout) is not written


def test_weights_of_a_file_change_the_ranking(
    repository: GitRepo, mined: Path, cache: Path, tmp_path: Path
) -> None:
    weights = tmp_path / "w.toml"
    names = as_mapping(DIFF)
    weights.write_text(
        "[weights.diff]\n" + "".join(f"{n} = {float(n == 'scope')}\n" for n in names)
    )
    result = run(
        *("run", mined, "--repo", repository.path, "--cache", cache, "--weights", weights),
        *("--format", "json"),
    )
    assert result.exit_code == 0
    table = json.loads(result.stdout)["tables"][0]
    assert table["total"]["metrics"]["ndcg@10"]["mean"] < 0.5


def test_missing_cases_make_an_ablation_partial(mined: Path, tmp_path: Path) -> None:
    empty = GitRepo.init(tmp_path / "empty")
    empty.write("a.py", "a = 1\n")
    empty.commit("Other")
    result = run("ablate", mined, "--repo", empty.path, "--cache", tmp_path / "cache")
    assert result.exit_code == 1
    assert "PARTIAL RESULTS: 12 cases are missing" in result.stderr


def test_a_cache_inside_the_repository_is_refused(repository: GitRepo, mined: Path) -> None:
    words = ("--repo", repository.path, "--cache", repository.path / "cache")
    for command in ("run", "tune", "ablate"):
        error = run(command, mined, *words).exception
        assert isinstance(error, UsageError)
        assert "lies inside the evaluated" in str(error)
    assert not (repository.path / "cache").exists()


@pytest.mark.parametrize("words", [(), ("--repo", ".", "--repos", ".")])
def test_exactly_one_place_of_repositories(mined: Path, words: tuple[str, ...]) -> None:
    error = run("run", mined, *words).exception
    assert isinstance(error, UsageError)


def test_comparing_what_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    error = run("compare", tmp_path / "no.json", "x").exception
    assert isinstance(error, UsageError)
