"""`python -I -m sidelight_bot` as a process: a job's environment in, exit codes and files out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.githubdouble import payloads
from helpers.githubdouble.jobs import Lab, Shop
from helpers.githubdouble.server import READ_ONLY, GitHubDouble

KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "COVERAGE_PROCESS_START")


@pytest.fixture
def lab(shop: Shop, tmp_path: Path) -> Iterator[Lab]:
    with GitHubDouble(shop.origin(tmp_path)) as double:
        yield Lab.make(tmp_path, double)


def bot(
    *words: str, env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Return the finished bot, started as the action starts it."""
    base = {name: os.environ[name] for name in KEPT if name in os.environ}
    return subprocess.run(
        [sys.executable, "-I", "-m", "sidelight_bot", *words],
        env={**base, **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_job_comments_whatever_lies_in_the_checkout(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head, title="$(touch pwned)\n::error::x `id`")
    trap = lab.folder / "pwned"
    for name in ("click.py", "sitecustomize.py", "github.py", "sidelight_bot.py"):
        lab.workspace.write(name, f"open({str(trap)!r}, 'w')\nraise SystemExit(7)\n")
    env = lab.env("pull_request", payloads.pull_request(lab.hub, pull))
    done = bot("run", env=env, cwd=lab.workspace.path)
    assert done.returncode == 0, done.stderr
    (comment,) = lab.hub.conversation(1)
    assert "shop.py:13" in comment.body
    assert "the comment is created" in done.stdout
    assert not any(line.startswith("::error") for line in done.stdout.splitlines())
    assert not trap.exists()
    assert lab.outputs()["comment-url"].endswith(f"-{comment.id}")


def test_a_fork_job_annotates_and_leaves_a_result_that_publish_takes(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head, fork="eve", author="eve")
    payload = payloads.pull_request(lab.hub, pull)
    done = bot("run", env=lab.env("pull_request", payload, GITHUB_TOKEN=READ_ONLY))
    assert done.returncode == 0, done.stderr
    assert "::warning file=store.py,line=" in done.stdout
    result = lab.outputs()["result"]
    env = lab.env("workflow_run", payloads.workflow_run(lab.hub, pull))
    done = bot("publish", "--result", result, env=env)
    assert done.returncode == 0, done.stderr
    assert "shop.py:13" in lab.hub.conversation(1)[0].body


@pytest.mark.parametrize(
    ("env", "code", "words"),
    [
        ({"SIDELIGHT_MODE": "dance"}, 2, "SIDELIGHT_MODE"),
        ({}, 1, "there is no event"),
        ({"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": "/nowhere"}, 1, "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(env: dict[str, str], code: int, words: str) -> None:
    done = bot("run", env=env)
    assert done.returncode == code
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_commands_and_their_help_are_listed() -> None:
    done = bot("--help")
    assert done.returncode == 0
    for name in ("run", "publish", "index", "preview"):
        assert name in done.stdout


def test_an_unknown_command_is_a_usage_error() -> None:
    assert bot("dance").returncode == 2
