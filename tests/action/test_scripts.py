"""The action's scripts: the report's way into outputs, and the environment's place and key."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from helpers.acting import ROOT
from sidelight_bot.indexreport import IndexReport

FOLDER = ROOT / "bot" / "action"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"action_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def reported(tmp_path: Path, text: str | None) -> tuple[dict[str, str], str]:
    """Return outputs and summary for a report."""
    if text is not None:
        (tmp_path / "index.json").write_text(text, "utf-8")
    env = {"GITHUB_OUTPUT": str(tmp_path / "out"), "GITHUB_STEP_SUMMARY": str(tmp_path / "sum")}
    words = [sys.executable, "-I", str(FOLDER / "report.py"), str(tmp_path / "index.json")]
    subprocess.run(words, env=env, check=True, cwd=tmp_path)
    lines = (tmp_path / "out").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines), (tmp_path / "sum").read_text("utf-8")


def test_outputs_and_summary_tell_hit_files_and_seconds(tmp_path: Path) -> None:
    seconds = {"restore": 1.5, "head": 0.25}
    report = IndexReport("partial", "older", "", "", 12, 90, 3, 2, 5, 7, seconds)
    outputs, summary = reported(tmp_path, report.to_json())
    assert outputs == {
        "index-state": "partial",
        "cache-hit": "true",
        "files-reindexed": "2",
        "fresh": "true",
    }
    for words in ("of another tree", "2 of them parsed", "5 embedded", "head 0.2 s", "7 chunks"):
        assert words in summary


@pytest.mark.parametrize("text", [None, "", '{"state": "current\\nresult=/etc/passwd"}'])
def test_no_report_is_a_missing_index(tmp_path: Path, text: str | None) -> None:
    outputs, summary = reported(tmp_path, text)
    assert outputs["index-state"] == "missing"
    assert outputs["fresh"] == "false"
    assert "no index" in summary


def index_step(tmp_path: Path, python: str) -> str:
    """Return the log of index.sh with a stand-in for the bot's Python."""
    stand_in = tmp_path / "python"
    stand_in.write_text(f"#!/bin/sh\n{python}\n", "utf-8")
    stand_in.chmod(0o755)
    (tmp_path / "work").mkdir(exist_ok=True)
    env = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "SIDELIGHT_PYTHON": str(stand_in),
        "GITHUB_TOKEN": "secret",
        "GITHUB_OUTPUT": str(tmp_path / "out"),
        "SIDELIGHT_LLM_API_KEY": "secret",
    }
    words = ["sh", str(FOLDER / "index.sh"), str(tmp_path / "state"), str(tmp_path / "work")]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_indexing_step_sees_none_of_the_jobs_environment(tmp_path: Path) -> None:
    log = index_step(tmp_path, "env | sort; pwd")
    names = {line.partition("=")[0] for line in log.splitlines() if "=" in line}
    wanted = {"PATH", "LANG", "HOME", "TMPDIR"}
    wanted |= {"GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"}
    assert names - {"PWD", "OLDPWD", "SHLVL", "_"} == wanted
    assert "secret" not in log
    assert log.splitlines()[-1] == str(tmp_path / "state" / "tmp")


def test_no_line_of_the_indexing_steps_log_is_a_command(tmp_path: Path) -> None:
    log = index_step(tmp_path, "printf '::set-output name=a::b\\n##[add-path]/tmp\\n'; exit 3")
    lines = log.splitlines()
    assert [line for line in lines[:-1] if "::" in line or "##[" in line] == []
    assert lines[-1].startswith("::warning::the indexing step failed")


def test_the_environments_key_is_plain_and_follows_the_source(tmp_path: Path) -> None:
    environment = load("environment")
    key = environment.environment_key([])
    assert set(key) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    assert environment.environment_key(["anthropic"]) != key
    for name in ("src", "hooks", "bot"):
        (tmp_path / name).mkdir()
    (tmp_path / "pyproject.toml").write_text("a", "utf-8")
    environment.SOURCE = tmp_path
    before = environment.environment_key([])
    (tmp_path / "src" / "new.py").write_text("x = 1\n", "utf-8")
    assert environment.environment_key([]) != before


def test_the_checkout_of_a_pull_request_is_not_installed(tmp_path: Path) -> None:
    environment = load("environment")
    environment.SOURCE = tmp_path / "work" / "sub"
    environment.SOURCE.mkdir(parents=True)
    for event in ("pull_request", "issue_comment", "workflow_run"):
        with pytest.raises(SystemExit, match="lies in the checkout"):
            environment.inside(str(tmp_path / "work"), event)
    environment.inside(str(tmp_path / "work"), "push")
    environment.inside(str(tmp_path / "elsewhere"), "pull_request")


def test_an_interpreter_in_the_workspace_is_not_taken(tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    (workspace / "bin").mkdir(parents=True)
    fake = workspace / "bin" / "python3.12"
    fake.write_text(f"#!/bin/sh\ntouch {tmp_path}/pwned\n", "utf-8")
    fake.chmod(0o755)
    output = tmp_path / "out"
    env = {
        "PATH": f"{workspace / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_OUTPUT": str(output),
        "GITHUB_EVENT_NAME": "pull_request",
    }
    words = ["sh", str(FOLDER / "environment.sh"), "key"]
    subprocess.run(words, env=env, check=True, cwd=tmp_path)
    assert output.read_text("utf-8").startswith("key=sidelight-env-")
    assert not (tmp_path / "pwned").exists()


def test_every_package_that_is_installed_has_its_exact_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    waiting = [*project["dependencies"], *extras["bot"], *extras["anthropic"]]
    lines = (FOLDER / "constraints.txt").read_text("utf-8").split()
    assert [line for line in lines if "==" not in line] == []
    pinned = {canonicalize_name(line.partition("==")[0]) for line in lines}
    seen: set[str] = set()
    while waiting:
        wanted = Requirement(waiting.pop())
        name = canonicalize_name(wanted.name)
        chosen = [{"extra": extra} for extra in (wanted.extras or {""})]
        if name in seen:
            continue
        seen.add(name)
        for text in importlib.metadata.requires(name) or []:
            inner = Requirement(text)
            if inner.marker is None or any(inner.marker.evaluate(extra) for extra in chosen):
                waiting.append(text)
    assert seen - pinned == set()


@pytest.mark.slow  # installs from the package index
def test_the_environment_is_small_and_runs(tmp_path: Path) -> None:
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = http://127.0.0.1:9/\n", "utf-8")
    folder = tmp_path / "env"
    words = [sys.executable, "-I", str(FOLDER / "environment.py"), "make", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    size = sum(p.lstat().st_size for p in folder.rglob("*") if not p.is_symlink())
    assert size <= 400 << 20, done.stdout
    python = folder / "bin" / "python"
    words = [str(python), "-I", "-m", "sidelight_bot", "--version"]
    assert "sidelight" in subprocess.run(words, capture_output=True, text=True, check=True).stdout
