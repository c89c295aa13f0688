"""`model pin-reranker` and `search --rerank`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.run import Cli
from helpers.gitrepo import GitRepo
from helpers.tiny_reranker import write_reranker
from sidelight.cli.main import main

QUERY = "where are sessions kept"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repo = GitRepo.init(tmp_path_factory.mktemp("rerank") / "repo")
    repo.write("app/store.py", "def keep_session(session):\n    return [session]\n")
    repo.write("app/views.py", "def show(token):\n    return token\n")
    repo.commit("Keep sessions")
    assert main(["-C", str(repo.path), "init", "--no-hook"]) == 0
    return repo.path


def test_a_pinned_reranker_reads_hits_until_its_files_change(
    cli: Cli, folder: Path, tmp_path: Path
) -> None:
    model = write_reranker(tmp_path / "tiny")
    (model / "reranker.json").unlink()
    refused = cli(folder, "search", QUERY, "--rerank", str(model))
    assert refused.code == 1
    assert "pin-reranker" in refused.hint
    pinned = cli.json(folder, "model", "pin-reranker", str(model), "--max-tokens", "64")
    assert pinned["reranker"] == "tiny"
    assert pinned["max_tokens"] == 64
    hits = cli.json(folder, "search", QUERY, "--rerank", str(model))["hits"]
    assert [r["detail"] for r in hits[0]["reasons"] if r["kind"] == "rerank"]
    (model / "model.onnx").write_bytes(b"another")
    assert "is not the file" in cli(folder, "search", QUERY, "--rerank", str(model)).error


def test_off_is_off_whatever_the_configuration_says(cli: Cli, folder: Path) -> None:
    (folder / ".sidelight.toml").write_text("[search]\nrerank = '/nowhere/at/all'\n")
    try:
        assert cli(folder, "search", QUERY).code == 1
        hits = cli.json(folder, "search", QUERY, "--rerank", "off")["hits"]
    finally:
        (folder / ".sidelight.toml").unlink()
    assert all(r["kind"] != "rerank" for hit in hits for r in hit["reasons"])
