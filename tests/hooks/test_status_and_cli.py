"""`sidelight-hook status` and the words and codes of the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sidelight
from helpers.gitrepo import GitRepo
from hooks.lab import OURS, Lab, write_script
from sidelight_hooks.main import main
from sidelight_hooks.status import hooks_status


def status_of(lab: Lab, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    assert main(["status", "-C", str(lab.repo.path), "--format", "json"]) == 0
    value: dict[str, object] = json.loads(capsys.readouterr().out)
    return value


def test_status_before_and_after(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    before = status_of(lab, capsys)
    assert before["via"] is None
    assert before["last_run"] is None
    write_script(lab.repo.path / ".git/hooks/post-commit", "#!/bin/sh\n")
    lab.install()
    lab.repo.commit("x")
    after = status_of(lab, capsys)
    assert " ".join(after) == "folder origin via hooks last_run log said_lost"
    assert (after["origin"], after["via"]) == ("repository", "files")
    hooks = after["hooks"]
    assert isinstance(hooks, list)
    assert hooks[0] == {
        "hook": "post-commit",
        "state": "installed",
        "version": 1,
        "path": str(lab.repo.path / ".git/hooks/post-commit"),
        "python": str(lab.python),
        "python_works": True,
        "other": str(lab.repo.path / ".git/hooks.before-sidelight/post-commit"),
        "other_runs": True,
        "manager": None,
    }
    run = after["last_run"]
    assert isinstance(run, dict)
    assert (run["hook"], run["outcome"]) == ("post-commit", "refreshed")


def test_status_sees_each_condition(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    write_script(hooks / "post-merge", "#!/bin/sh\n", 0o644)
    lab.install(hooks=["post-commit", "post-merge", "post-checkout", "post-rewrite"])
    with (hooks / "post-commit").open("a") as file:
        file.write("# mine\n")
    write_script(hooks / "post-rewrite", "#!/bin/sh\n")
    lab.python.rename(lab.folder / "moved")
    status = hooks_status(lab.opened)
    conditions = [hook.condition.value for hook in status.hooks]
    assert conditions == ["edited", "installed", "installed", "missing", "missing"]
    assert not any(hook.python_works for hook in status.hooks)
    assert [hook.other_runs for hook in status.hooks] == [False, False, False, True, False]


def test_status_as_text(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    write_script(lab.repo.path / ".git/hooks/post-merge", "#!/bin/sh\n", 0o644)
    lab.install()
    lab.python.rename(lab.folder / "moved")
    (lab.index / "hook-lost").touch()
    assert main(["status", "-C", str(lab.repo.path)]) == 0
    out = capsys.readouterr().out
    assert f"hooks in {lab.repo.path}/.git/hooks (by files)\n" in out
    assert f"its Python does not work: {lab.python}" in out
    assert "(not executable: git ignores it)" in out
    assert "a hook found no working Python" in out
    assert "last run: none\n" in out


def test_install_and_uninstall_by_command(
    lab: Lab, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(lab.repo.path)
    write_script(lab.repo.path / ".git/hooks/post-commit", "#!/bin/sh\n# lefthook LEFTHOOK\n")
    assert main(["install", "--hook", "post-commit", "--hook", "post-merge"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(f"hooks in {lab.repo.path}/.git/hooks (by files)\n")
    assert "  post-commit     installed; the hook that was here before runs first" in captured.out
    assert captured.err.startswith("note: lefthook's post-commit runs before Sidelight")
    assert main(["uninstall", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [hook["action"] for hook in told["hooks"]] == [
        *("restored", "removed", "absent", "absent", "absent")
    ]


def test_edited_dispatcher_makes_install_fail_with_the_way_out(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["-C", str(lab.repo.path)]
    assert main(["install", *place]) == 0
    with (lab.repo.path / ".git/hooks/post-commit").open("a") as file:
        file.write("# mine\n")
    assert main(["install", *place]) == 1
    assert capsys.readouterr().err.endswith("hint: --force writes it anew and keeps a copy\n")
    assert main(["install", "--force", *place]) == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["install", "--hook", "pre-push"], 2),
        (["install", "--via", "smoke"], 2),
        (["fly"], 2),
        (["status", "extra"], 2),
        (["run"], 2),
        (["--help"], 0),
        (["run", "--help"], 0),
        (["--version"], 0),
    ],
)
def test_exit_codes(words: list[str], code: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(words) == code
    captured = capfd.readouterr()
    assert bool(captured.out) == (code == 0)


def test_errors_are_message_and_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "-C", str(tmp_path)]) == 1
    error = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in error] == ["error", "hint"]


def test_console_script_and_version(repo: GitRepo) -> None:
    script = Path(sys.executable).with_name("sidelight-hook")
    done = subprocess.run([script, "--version"], capture_output=True, check=True, cwd=repo.path)
    assert sidelight.__version__ in done.stdout.decode()
    done = subprocess.run([script, "install"], capture_output=True, check=True, cwd=repo.path)
    assert done.stdout.count(b" installed\n") == len(OURS)
    assert all(os.access(repo.path / ".git/hooks" / hook, os.X_OK) for hook in OURS)
