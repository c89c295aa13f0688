"""`sidelight eval run` from the outside, on a real repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluation.fakes import diff_record, line, record
from helpers.gitrepo import GitRepo
from sidelight.cli.eval import eval_group
from sidelight.errors import ConfigError, UsageError
from sidelight.evaluation import baseline


@pytest.fixture
def repository(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repos" / "owner" / "name")
    repo.write("src/retry.py", "def backoff(attempts):\n    '''Wait longer every time.'''\n")
    repo.write("src/parse.py", "def parse_header(line):\n    return line.split(':')\n")
    repo.write("README.md", "A client.\n")
    repo.commit("Start")
    return repo


@pytest.fixture
def cases(tmp_path: Path, repository: GitRepo) -> Path:
    base = repository.git("rev-parse", "HEAD").strip()
    repository.write("src/retry.py", "def backoff(header):\n    return parse_header(header)\n")
    repository.write("src/parse.py", "def parse_header(header):\n    return header.split(':')\n")
    head = repository.commit("Parse the header of retries")
    path = tmp_path / "cases" / "own_name.jsonl"
    path.parent.mkdir()
    change = {
        "head": head,
        "title": "Parse the header of retries",
        "focal": ["src/retry.py"],
        "relevant": [{"path": "src/parse.py", "kind": "source"}],
    }
    lines = [
        record("a", base=base, query="parse a header", relevant=[{"path": "src/parse.py"}]),
        record("b", base=base, query="backoff", relevant=[{"path": "src/retry.py"}], root="src"),
        diff_record("d", base=base, **change),
    ]
    path.write_bytes(b"\n".join(map(line, lines)))
    return path


def run(tmp_path: Path, *arguments: str | Path) -> Result:
    command = ["run", "--repos", tmp_path / "repos", "--cache", tmp_path / "cache", *arguments]
    return CliRunner().invoke(eval_group, [str(word) for word in command])


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_baseline_prints_a_table_and_leaves_the_repository_alone(
    tmp_path: Path, repository: GitRepo, cases: Path
) -> None:
    before = snapshot(repository.path)
    result = run(tmp_path, cases.parent, "--mode", "file-bm25")
    assert result.exit_code == 0
    for about, n in [("questions", 2), ("diffs, source targets", 1), ("diffs, all targets", 1)]:
        assert f"mode file-bm25, {about}" in result.stdout
        assert f"own_name      {n}     1.00" in result.stdout
    assert snapshot(repository.path) == before


def test_stdout_is_json_alone(tmp_path: Path, cases: Path) -> None:
    result = run(tmp_path, cases, "--mode", "file-bm25", "--format", "json")
    value = json.loads(result.stdout)
    assert value["tables"][0]["total"]["metrics"]["mrr"]["mean"] == 1.0
    assert value["state"] == "complete"


def test_second_run_reads_the_results_file(tmp_path: Path, cases: Path) -> None:
    run(tmp_path, cases, "--mode", "file-bm25")
    result = run(tmp_path, cases, "--mode", "file-bm25", "--format", "json")
    assert json.loads(result.stdout)["resumed"] == 3


def test_cases_that_no_mode_answers_are_counted(tmp_path: Path, cases: Path) -> None:
    result = run(tmp_path, cases, "--mode", "related", "--format", "json")
    value = json.loads(result.stdout)
    assert value["not_run"] == {"question": 2, "diff": 0}
    assert [(t["mode"], t["targets"]) for t in value["tables"]] == [
        ("related", "source"),
        ("related", "all"),
    ]
    (case,) = value["tables"][0]["cases"]
    assert case["ranks"] == {"src/parse.py": 1}
    assert case["metrics"]["span_hit@10"] == 1.0


def test_partial_run_says_so_and_fails(tmp_path: Path, cases: Path) -> None:
    cases.write_bytes(cases.read_bytes() + b"\n{}\n")
    result = run(tmp_path, cases, "--mode", "file-bm25")
    assert result.exit_code == 1
    assert result.stdout.startswith("PARTIAL RESULTS")
    assert f"{cases}:4: `task` must be question or diff, not None" in result.stdout


def test_limit_keeps_a_sample(tmp_path: Path, cases: Path) -> None:
    result = run(tmp_path, cases, "--mode", "file-bm25", "--limit", "1", "--format", "json")
    assert json.loads(result.stdout)["tables"][0]["total"]["asked"] == 1


def test_interrupt_prints_what_is_done(
    tmp_path: Path, cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(baseline.FileTree, "ask", interrupted)
    result = run(tmp_path, cases, "--mode", "file-bm25")
    assert result.exit_code == 130
    assert "interrupted: the same command goes on" in result.stdout


def test_no_case_at_all_is_a_usage_error(tmp_path: Path, cases: Path) -> None:
    cases.write_bytes(b"")
    error = run(tmp_path, cases, "--mode", "file-bm25").exception
    assert isinstance(error, UsageError)


def test_bad_configuration_is_refused(tmp_path: Path, cases: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[search]\nfusion = 'magic'\n")
    error = run(tmp_path, cases, "--mode", "file-bm25", "--config", config).exception
    assert isinstance(error, ConfigError)
