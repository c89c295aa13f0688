"""Diffs that have little or nothing to rank by: each gives a clear result."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli.run import Cli
from helpers.gitrepo import GitRepo
from sidelight.cli.main import main


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    made = GitRepo.init(tmp_path_factory.mktemp("odd") / "repo")
    made.write("lib/pump.py", "def start_pump(level):\n    return level\n")
    made.write("lib/valve.py", "from lib.pump import start_pump\n\nVALUE = start_pump(1)\n")
    made.write("lib/far.py", "def sing():\n    return 'la'\n")
    made.write("logo.png", b"\0\1")
    made.commit("Build the pump")
    assert main(["-C", str(made.path), "init", "--no-hook"]) == 0
    return made


@pytest.fixture
def repo(tmp_path: Path, shared: GitRepo) -> GitRepo:
    """A copy of the indexed repository, to be changed."""
    shutil.copytree(shared.path, tmp_path / "repo", symlinks=True)
    return GitRepo(tmp_path / "repo", shared.clock)


def test_binaries_alone_are_told_and_rank_by_the_title(cli: Cli, repo: GitRepo) -> None:
    repo.write("logo.png", b"\0\2")
    repo.commit("A new logo for the valve")
    found = cli.json(repo.path, "related")
    assert found["focal"]["skipped"] == [{"path": "logo.png", "reason": "binary"}]
    assert "1 changed file was not looked into" in found["notes"]
    assert found["hits"][0]["path"] == "lib/valve.py"


def test_renames_alone_rank_by_imports_and_history(cli: Cli, repo: GitRepo) -> None:
    repo.rename("lib/pump.py", "lib/motor.py")
    repo.commit("Call it a motor")
    found = cli.json(repo.path, "related")
    assert found["focal"]["files"][0]["kind"] == "renamed"
    assert found["focal"]["files"][0]["hunks"] == []
    assert not {"lib/pump.py", "lib/motor.py"} & {hit["path"] for hit in found["hits"]}
    assert found["hits"][0]["path"] == "lib/valve.py"  # it imports what is no longer there


def test_a_submodule_that_moves_is_skipped_and_told(cli: Cli, repo: GitRepo) -> None:
    repo.add_gitlink("vendor/dep", repo.head())
    repo.commit("Add dep", stage=False)
    found = cli.json(repo.path, "related")
    assert found["focal"]["skipped"] == [{"path": "vendor/dep", "reason": "submodule"}]
    assert found["focal"]["files"] == []


def test_fifty_thousand_changed_lines_are_ranked_by_the_rarest_words(
    cli: Cli, repo: GitRepo
) -> None:
    lines = [f"row_{n} = {n * 7}\n" for n in range(50_000)]
    repo.write("lib/table.py", "".join(lines) + "start_pump(3)\n")
    repo.commit("A table")
    found = cli.json(repo.path, "related", "--index-rev", "HEAD~1", "--no-findings")
    assert found["focal"]["files"][0]["path"] == "lib/table.py"
    assert "lib/pump.py" in [hit["path"] for hit in found["hits"]]


def test_unrelated_histories_and_absent_revisions_are_told(cli: Cli, repo: GitRepo) -> None:
    repo.git("checkout", "-q", "--orphan", "alone")
    repo.commit("Alone")
    answer = cli.fails(repo.path, "related", "--base", "main", code=2)
    assert "no common ancestor" in answer.error
    assert "unrelated" in answer.hint
    assert "absent" in cli.fails(repo.path, "related", "--base", "absent", code=1).error


def test_a_shallow_clone_without_the_merge_base_is_told_to_deepen(
    cli: Cli, repo: GitRepo, tmp_path: Path
) -> None:
    repo.branch("topic")
    for branch, path in (("main", "lib/far.py"), ("topic", "lib/pump.py")):
        repo.switch(branch)
        for n in range(2):
            repo.write(path, f"X = {n}\n")
            repo.commit(f"{branch} {n}")
    clone = repo.clone(tmp_path / "clone", "--depth=1", "--no-single-branch")
    base = "origin/main"
    answer = cli.fails(clone.path, "related", "--base", base, "--head", "origin/topic", code=2)
    assert "deepen" in answer.hint


def test_the_structural_baseline_is_bm25_and_imports(cli: Cli, repo: GitRepo) -> None:
    repo.write("lib/pump.py", "def start_pump(level, sing):\n    return level\n")
    repo.commit("Song")
    found = cli.json(repo.path, "related", "--ranking", "structural")
    kinds = {reason["kind"] for hit in found["hits"] for reason in hit["reasons"]}
    assert kinds <= {"mix", "structure"}
    assert found["hits"][0]["path"] == "lib/valve.py"


def test_a_use_of_changed_code_is_told_with_its_line(cli: Cli, repo: GitRepo) -> None:
    repo.write("lib/pump.py", "def start_pump(level, speed):\n    return level * speed\n")
    repo.commit("Speed")
    first = cli.json(repo.path, "related")["hits"][0]
    told = {reason["kind"]: reason["detail"] for reason in first["reasons"]}
    assert first["path"] == "lib/valve.py"
    assert told["uses"] == "uses `start_pump` (line 3), changed here"


def test_near_identical_copies_share_a_hit(cli: Cli, repo: GitRepo) -> None:
    body = "".join(f"def turn_{n}(handle):\n    return handle + {n}\n\n" for n in range(9))
    repo.write("src/handle.py", body)
    repo.write("dist/handle.py", body)
    repo.write("lib/pump.py", "def start_pump(level):\n    return turn_3(level)\n")
    repo.commit("Handles")
    found = cli.json(repo.path, "related", "--focal", "lib/pump.py")
    (shown,) = (hit for hit in found["hits"] if hit["path"].endswith("handle.py"))
    assert {shown["path"], *shown["alike"]} == {"src/handle.py", "dist/handle.py"}
