"""`run`: light, isolated, bounded in time, and never the reason why a git command fails."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hooks.lab import Lab, write_script
from sidelight_hooks import journal
from sidelight_hooks.interpreter import command
from sidelight_hooks.main import main
from sidelight_hooks.place import Via

SILENT = (0, b"", b"")
HEAVY = ("click", "numpy", "rich", "git", "onnxruntime", "tree_sitter", "bm25s", "usearch")


def commit(lab: Lab, env: dict[str, str] | None = None) -> tuple[int, bytes, bytes]:
    """Return what a commit returned and printed."""
    done = lab.repo.run("commit", "-q", "--allow-empty", "-m", "x", env=env, check=False)
    return done.returncode, done.stdout, done.stderr


def eventually(condition: Callable[[], bool]) -> None:
    """Wait for what a detached process does; the test's own time limit bounds it."""
    while not condition():
        time.sleep(0.02)


# -- what it says and returns -------------------------------------------------------------------


def test_successful_refresh_says_nothing_and_is_logged(lab: Lab) -> None:
    lab.install()
    assert commit(lab) == SILENT
    line = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ post-commit refreshed state=current files=1 .*\n"
    assert re.fullmatch(line, lab.log())


def test_failed_refresh_is_one_line_and_a_good_commit(lab: Lab) -> None:
    lab.install()
    lab.misbehave("fail")
    code, out, err = commit(lab)
    log = lab.index / "hook.log"
    told = f"sidelight: the index was not refreshed: the disk is full; make room (log: {log})\n"
    assert (code, out, err.decode()) == (0, b"", told)
    assert "post-commit failed the disk is full\n    hint: make room\n" in lab.log()


def test_mistake_of_ours_is_one_line_and_its_traceback_is_logged(lab: Lab) -> None:
    lab.install()
    lab.misbehave("crash")
    code, out, err = commit(lab)
    assert (code, out, err.count(b"\n")) == (0, b"", 1)
    assert b"which is our mistake: ZeroDivisionError: a mistake of ours" in err
    assert "post-commit bug ZeroDivisionError" in lab.log()
    assert "    Traceback (most recent call last):" in lab.log()


def test_refresh_that_is_already_under_way_is_left_alone(lab: Lab) -> None:
    lab.install()
    lab.misbehave("busy")
    assert commit(lab) == SILENT
    assert "post-commit busy another refresh is at work" in lab.log()


@pytest.mark.parametrize("value", ["1", "true", "yes"])
def test_disable_switch_skips_ours_but_not_the_earlier_hook(lab: Lab, value: str) -> None:
    write_script(lab.repo.path / ".git/hooks/post-commit", "#!/bin/sh\necho earlier >&2\n")
    lab.install()
    assert commit(lab, {"SIDELIGHT_DISABLE": value}) == (0, b"", b"earlier\n")
    assert lab.calls() == []
    assert commit(lab, {"SIDELIGHT_DISABLE": "0"}) == (0, b"", b"earlier\n")
    assert len(lab.calls()) == 1


def test_repository_without_an_index_is_left_alone(lab: Lab) -> None:
    lab.install()
    lab.index.rmdir()
    assert commit(lab) == SILENT
    assert lab.calls() == []
    assert not lab.index.exists()


def test_unreadable_configuration_is_told(lab: Lab) -> None:
    lab.install()
    lab.repo.write(".sidelight.toml", "[hooks]\nbudgets = 1\n")
    code, _, err = commit(lab)
    assert code == 0
    assert b"unknown key hooks.budgets" in err


def test_log_that_cannot_be_written_stops_nothing(lab: Lab) -> None:
    lab.install()
    (lab.index / "hook.log").mkdir()
    assert commit(lab) == SILENT
    assert len(lab.calls()) == 1


def test_log_is_capped(tmp_path: Path) -> None:
    folder = str(tmp_path)
    for number in range(9_000):
        journal.write_entry(folder, "post-commit", "refreshed", f"{number} " + "x" * 60, now=0.0)
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) < journal.MAX_BYTES + 200
    entries = journal.read_entries(folder)
    assert entries[-1][:3] == ("1970-01-01T00:00:00Z", "post-commit", "refreshed")
    assert [int(entry[3].split()[0]) for entry in entries][-3:] == [8997, 8998, 8999]


# -- time --------------------------------------------------------------------------------------


def test_refresh_that_does_not_come_back_is_handed_over(lab: Lab) -> None:
    lab.repo.write(".sidelight.toml", "[hooks]\nbudget_s = 0.1\n")
    lab.repo.commit("budget")
    lab.install()
    lab.misbehave("hang")
    assert commit(lab) == SILENT
    eventually(lambda: "refreshed" in lab.log())
    assert "handed-over not done after" in lab.log()
    assert [call.is_bounded for call in lab.calls()] == [True, False]


def test_pipe_behind_git_ends_with_the_commit(lab: Lab) -> None:
    """The continuation outlives the commit, and must not hold the pipe to `cat` open."""
    lab.repo.write(".sidelight.toml", "[hooks]\nbudget_s = 0.1\n")
    lab.repo.commit("budget")
    lab.install()
    slow = lab.folder / "python"
    wait = '[ "$2" = --background ] && { echo $$ >"$0.pid"; exec sleep 600; }\nexec '
    write_script(slow, slow.read_text().replace("exec ", wait, 1))
    lab.misbehave("hang")
    script = "git commit -q --allow-empty -m x 2>&1 | cat; echo over"
    done = subprocess.run(
        ["sh", "-c", script], cwd=lab.repo.path, capture_output=True, timeout=60, check=True
    )
    assert done.stdout == b"over\n"
    started = lab.folder / "python.pid"
    eventually(lambda: started.exists() and started.read_text().endswith("\n"))
    os.kill(int(started.read_text()), signal.SIGKILL)


# -- lightness and isolation -------------------------------------------------------------------


def imported_by(lab: Lab, hook: str, *args: str) -> set[str]:
    """Return the modules that a run of the hook imports, up to the core's own."""
    code = (
        "import sys; from sidelight_hooks.main import main\n"
        "from hooks.counting import CountingRefresh\n"
        f"main({['run', hook, *args]!r}, refresh=CountingRefresh({str(lab.folder)!r}))\n"
        "print(' '.join(sys.modules))"
    )
    tests = str(Path(__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=lab.repo.path,
        env={**os.environ, "PYTHONPATH": tests},
        capture_output=True,
        check=True,
    )
    return set(done.stdout.decode().split())


def test_run_imports_nothing_heavy(lab: Lab) -> None:
    lab.index.mkdir()
    modules = imported_by(lab, "post-commit")
    assert modules.isdisjoint(HEAVY)
    assert len(lab.calls()) == 1


def test_skipped_run_imports_next_to_nothing(lab: Lab) -> None:
    lab.index.mkdir()
    modules = imported_by(lab, "post-checkout", "a", "b", "0")
    assert lab.calls() == []
    assert modules.isdisjoint(
        {*HEAVY, "subprocess", "pathlib", "typing", "dataclasses", "sidelight"}
    )


def test_files_of_the_worktree_are_never_imported(lab: Lab) -> None:
    for name in ("click", "sqlite3", "sidelight", "sidelight_hooks", "os", "subprocess", "site"):
        lab.repo.write(f"{name}.py", "raise SystemExit('imported from the worktree')\n")
    lab.repo.write("sitecustomize.py", "print('imported from the worktree')\n")
    lab.install()
    hostile = {
        "PYTHONPATH": str(lab.repo.path),
        "PYTHONHOME": str(lab.repo.path),
        "PYTHONSTARTUP": str(lab.repo.path / "click.py"),
        "PYTHONINSPECT": "1",
        "PYTHONWARNINGS": "error",
    }
    assert commit(lab, hostile) == SILENT
    assert len(lab.calls()) == 1


# -- finding the interpreter again ----------------------------------------------------------------


def lose_python(lab: Lab) -> Path:
    """Move the recorded interpreter away, and return where it is."""
    return lab.python.rename(lab.folder / "moved python")


def path_with(*folders: Path) -> dict[str, str]:
    return {"PATH": os.pathsep.join([*map(str, folders), *plain_path()])}


def plain_path() -> list[str]:
    """The PATH without folders that hold a `sidelight-hook`."""
    folders = os.environ["PATH"].split(os.pathsep)
    return [folder for folder in folders if not Path(folder, "sidelight-hook").exists()]


def hook_on_path(lab: Lab, folder: Path, python: Path) -> Path:
    words = " ".join("-" for _ in range(6))
    write_script(folder / "sidelight-hook", f'#!/bin/sh\nexec "{python}" {words} "$@"\n')
    return folder


@pytest.mark.parametrize("fault", ["gone", "without Sidelight", "fails", "not executable"])
def test_lost_interpreter_is_told_once_and_breaks_nothing(lab: Lab, fault: str) -> None:
    lab.install()
    lose_python(lab)
    if fault == "without Sidelight":
        write_script(lab.python, f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    elif fault == "fails":
        write_script(lab.python, "#!/bin/sh\necho 'error while loading libpython' >&2\nexit 127\n")
    elif fault == "not executable":
        write_script(lab.python, "#!/bin/sh\n", 0o644)
    env = path_with()
    code, out, err = commit(lab, env)
    assert (code, out, err.count(b"\n")) == (0, b"", 1)
    assert b"the index is no longer refreshed" in err
    assert str(lab.python).encode() in err
    assert commit(lab, env) == SILENT
    assert lab.calls() == []


def test_command_on_the_path_takes_over_and_a_later_loss_is_news(lab: Lab, tmp_path: Path) -> None:
    lab.install()
    moved = lose_python(lab)
    assert b"no longer refreshed" in commit(lab, path_with())[2]
    folder = hook_on_path(lab, tmp_path / "my bin", moved)
    assert commit(lab, path_with(folder)) == SILENT
    assert len(lab.calls()) == 1
    assert not (lab.index / "hook-lost").exists()
    assert b"no longer refreshed" in commit(lab, path_with())[2]


def test_command_on_the_path_is_shielded_from_the_worktree(lab: Lab, tmp_path: Path) -> None:
    lab.install()
    lose_python(lab)
    write_script(tmp_path / "bin/sidelight-hook", '#!/bin/sh\nenv >"$ENV_TO"\n')
    env = path_with(tmp_path / "bin") | {"ENV_TO": str(tmp_path / "env"), "PYTHONPATH": "."}
    assert commit(lab, env) == SILENT
    seen = (tmp_path / "env").read_text().splitlines()
    assert "PYTHONSAFEPATH=1" in seen
    assert not any(line.startswith("PYTHONPATH=") for line in seen)


@pytest.mark.parametrize("entry", [".", "bin", ""])
def test_command_from_the_worktree_is_never_run(lab: Lab, entry: str) -> None:
    text = "#!/bin/sh\necho hostile >&2\n"
    for place in ("sidelight-hook", "bin/sidelight-hook", ".venv/bin/python"):
        write_script(lab.repo.path / place, text)
    lab.install()
    lose_python(lab)
    env = {"PATH": os.pathsep.join([entry, *plain_path()])}
    assert b"hostile" not in commit(lab, env)[2]


def test_index_that_cannot_be_written_keeps_the_loss_quiet(lab: Lab) -> None:
    lab.install()
    lose_python(lab)
    (lab.index / "hook-lost").symlink_to("/nowhere/at/all")
    assert commit(lab, path_with()) == SILENT


# -- the shell -------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", ["dash", "bash --posix", "busybox sh"])
def test_dispatcher_runs_in_any_posix_shell(lab: Lab, tmp_path: Path, shell: str) -> None:
    words = shell.split()
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    hook = lab.repo.path / ".git/hooks/post-checkout"
    write_script(hook, '#!/bin/sh\nprintf "[%s]" "$@"; cat; exit 7\n')
    lab.install()
    done = subprocess.run(
        [*words, ".git/hooks/post-checkout", "a b", "", "1"],
        cwd=lab.repo.path,
        input=b"input",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, b"[a b][][1]input", b"")
    assert len(lab.calls()) == 1
    lose_python(lab)
    done = subprocess.run(
        [*words, "post-checkout", "a", "b", "1"],
        cwd=hook.parent,
        env=os.environ | path_with(),
        input=b"",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 7
    assert b"no longer refreshed" in done.stderr


# -- by hand ---------------------------------------------------------------------------------------


def test_unknown_hook_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "pre-push"]) == 2
    assert "the hook is one of post-commit" in capsys.readouterr().err


def test_run_outside_a_repository_is_told_and_returns_zero(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", "post-commit"]) == 0
    told = capsys.readouterr().err
    assert told.startswith("sidelight: the index was not refreshed: ")
    assert "mistake" not in told


def test_run_by_hand_in_a_folder_below_the_root(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.index.mkdir()
    lab.repo.write("deep/er/file", "x")
    done = subprocess.run(
        [str(lab.python), *command("")[1:], "run", "post-commit"],
        cwd=lab.repo.path / "deep/er",
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert [call.tree for call in lab.calls()] == [lab.repo.tree()]


def test_line_in_a_users_own_hook_is_enough(lab: Lab, tmp_path: Path) -> None:
    lab.index.mkdir()
    folder = hook_on_path(lab, tmp_path / "bin", lab.python)
    write_script(
        lab.repo.path / ".git/hooks/post-commit", '#!/bin/sh\nsidelight-hook run post-commit "$@"\n'
    )
    assert commit(lab, path_with(folder)) == SILENT
    assert len(lab.calls()) == 1


def test_via_names_are_stable() -> None:
    assert [way.value for way in Via] == ["files", "config"]
