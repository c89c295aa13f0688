"""`sidelight model`: what the commands print and write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from helpers.gitrepo import GitRepo
from helpers.tiny_model import write_model
from sidelight.cli.model import model_group
from sidelight.config import load_config
from sidelight.embedding import SHIPPED_ID
from sidelight.errors import ModelError, NotARepositoryError, SidelightError


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repo")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(repo.path)
    return repo


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return write_model(tmp_path / "data/sidelight/models/mine")


def run(*words: str) -> str:
    result = CliRunner().invoke(model_group, words, standalone_mode=False)
    if isinstance(result.exception, SidelightError):
        raise result.exception
    assert result.exception is None, result.exception
    return result.stdout


def run_json(*words: str) -> Any:
    return json.loads(run(*words, "--format", "json"))


def test_list_marks_the_model_in_use(repo: GitRepo, mine: Path) -> None:
    assert run("list").startswith(f"* {SHIPPED_ID} ")
    run("use", "mine")
    table = run_json("list")
    assert table["in_use"] == "mine"
    assert {row["name"]: row["in_use"] for row in table["models"]} == {
        SHIPPED_ID: False,
        "mine": True,
    }


def test_list_works_outside_of_repositories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert [row["in_use"] for row in run_json("list")["models"]] == [True]


def test_use_writes_names_for_installed_models_and_paths_for_others(
    repo: GitRepo, mine: Path, tmp_path: Path
) -> None:
    other = write_model(tmp_path / "other")
    for given, written in (
        ("mine", "mine"),
        (str(mine), "mine"),
        ("../other", str(other)),
        ("default", "default"),
        (SHIPPED_ID, "default"),
    ):
        assert run_json("use", given)["model"] == written
        assert load_config(repo.path).embedding.model == written


def test_a_model_used_by_path_is_listed(repo: GitRepo, tmp_path: Path) -> None:
    other = write_model(tmp_path / "other")
    run("use", str(other))
    assert [row["name"] for row in run_json("list")["models"] if row["in_use"]] == [str(other)]


def test_use_refuses_what_cannot_be_opened(repo: GitRepo) -> None:
    for given in ("nothing", "./nothing"):
        with pytest.raises(ModelError):
            run("use", given)
    assert not (repo.path / ".sidelight.toml").exists()


def test_use_outside_of_repositories_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotARepositoryError):
        run("use", "default")


def test_info_shows_the_model_in_use(repo: GitRepo, mine: Path) -> None:
    assert run_json("info")["id"] == SHIPPED_ID
    run("use", "mine")
    table = run_json("info")
    assert (table["id"], table["dimensions"], table["directory"]) == ("mine", 4, str(mine))
    assert "dimensions: 4\n" in run("info", "mine")


def test_verify_compares_with_the_vectors_of_build_time(repo: GitRepo) -> None:
    table = run_json("verify")
    assert table["passed"] is True
    assert min(table["cosines"]) >= table["least"]
    assert set(table["runtime"]) == {"onnxruntime", "tokenizers", "numpy", "cpu"}
    assert run("verify", "default").startswith(f"{SHIPPED_ID}: verified")


def test_verify_fails_for_vectors_that_moved(repo: GitRepo, mine: Path) -> None:
    manifest = json.loads((mine / "model.json").read_text())
    manifest["references"] = [{"text": "a", "vector": "AAAAfw=="}]  # (0, 0, 0, 127), not row a
    (mine / "model.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="other vectors here"):
        run("verify", "mine")


def test_verify_refuses_damaged_files(repo: GitRepo, mine: Path) -> None:
    (mine / "model.onnx").write_bytes(b"x")
    with pytest.raises(ModelError, match="bytes instead of"):
        run("verify", "mine")


def test_export_without_the_extra_says_what_to_install(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    monkeypatch.delitem(__import__("sys").modules, "sidelight.embedding.export_graph", False)
    with pytest.raises(ModelError, match="extra `models`") as caught:
        run("export", "some/model")
    assert caught.value.hint == "pip install 'sidelight[models]'"
