"""Pinning: the event's commits, fetched where they are not, and keys that hold no foreign text."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.githubdouble import payloads
from helpers.githubdouble.server import TOKEN, GitHubDouble
from helpers.gitrepo import GitRepo
from sidelight.git.repository import open_repository
from sidelight_bot.pinstep import Pin, cache_keys, read_pin, with_token

KEY = re.compile(r"sidelight-index-\d+-[\d.]+-[0-9a-f]{16}-[0-9a-f]{40}")


@pytest.fixture
def double(tmp_path: Path) -> Iterator[GitHubDouble]:
    repo = GitRepo.init(tmp_path / "server")
    for number in range(4):
        repo.write("a.py", f"def f(): return {number}\n")
        repo.commit(f"commit {number}")
    repo.switch("topic", "-c")
    repo.write("b.py", "def g(): ...\n")
    head = repo.commit("add g")
    repo.switch("main")
    repo.write("a.py", "def f(): return 99\n")
    repo.commit("main goes on")
    with GitHubDouble(repo) as running:
        running.hub.open_pull(head, author="ada", fork="ada")
        yield running


def pin(
    tmp_path: Path, double: GitHubDouble, checkout: GitRepo, name: str, event: Any
) -> subprocess.CompletedProcess[str]:
    """Run the step as the action does; its file is `pin.json`."""
    (tmp_path / "event.json").write_text(json.dumps(event), "utf-8")
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "GITHUB_EVENT_NAME": name,
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_WORKSPACE": str(checkout.path),
        "GITHUB_API_URL": double.api_url,
        "GITHUB_SERVER_URL": double.web,
        "GITHUB_TOKEN": TOKEN,
    }
    words = [
        sys.executable,
        "-I",
        "-m",
        "sidelight_bot",
        "pin",
        "--out",
        str(tmp_path / "pin.json"),
    ]
    return subprocess.run(words, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("depth", [(), ("--depth=1",)], ids=["whole", "shallow"])
def test_a_forks_head_is_fetched_and_its_merge_base_found(
    tmp_path: Path, double: GitHubDouble, depth: tuple[str, ...]
) -> None:
    checkout = double.repo.clone(tmp_path / "checkout", "--single-branch", *depth)
    pull = double.hub.pulls[1]
    event = payloads.pull_request(double.hub, pull, "opened")
    done = pin(tmp_path, double, checkout, "pull_request", event)
    assert done.returncode == 0, done.stderr
    found = read_pin(tmp_path / "pin.json")
    assert found is not None
    base, head = double.hub.base_of(pull), double.hub.head_of(pull)
    assert found == Pin(1, base, double.repo.git("merge-base", base, head), head)
    assert double.seen() == []  # the event says it all
    assert checkout.git("status", "--porcelain") == ""


def test_a_comments_pull_request_is_asked_for_once(tmp_path: Path, double: GitHubDouble) -> None:
    checkout = double.repo.clone(tmp_path / "checkout", "--single-branch")
    double.hub.person("ada", "write", association="MEMBER")
    event = payloads.issue_comment(double.hub, double.hub.say(1, "ada", "/ask what is g?"))
    done = pin(tmp_path, double, checkout, "issue_comment", event)
    assert done.returncode == 0, done.stderr
    assert double.seen() == ["GET /repos/octo/demo/pulls/1"]
    found = read_pin(tmp_path / "pin.json")
    assert found is not None
    assert found.head == double.hub.head_of(double.hub.pulls[1])


def test_without_a_remote_what_is_here_is_enough(tmp_path: Path, double: GitHubDouble) -> None:
    event = payloads.pull_request(double.hub, double.hub.pulls[1], "synchronize")
    done = pin(tmp_path, double, double.repo, "pull_request", event)
    assert done.returncode == 0, done.stderr
    assert read_pin(tmp_path / "pin.json") is not None


def test_a_draft_and_an_unknown_event_need_no_index(tmp_path: Path, double: GitHubDouble) -> None:
    double.hub.pulls[1].draft = True
    draft = payloads.pull_request(double.hub, double.hub.pulls[1], "opened")
    for name, event in (("pull_request", draft), ("release", {})):
        done = pin(tmp_path, double, double.repo, name, event)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert not (tmp_path / "pin.json").exists()


def test_hostile_names_do_not_reach_the_output(tmp_path: Path, double: GitHubDouble) -> None:
    pull = double.hub.pulls[1]
    pull.title = "$(touch pwned) `touch pwned`\nkey=evil"
    pull.head_ref = "x$(touch${IFS}pwned)"
    event = payloads.pull_request(double.hub, pull, "opened")
    done = pin(tmp_path, double, double.repo, "pull_request", event)
    lines = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert set(lines) == {"key", "prefix"}
    assert KEY.fullmatch(lines["key"])
    assert lines["key"].startswith(lines["prefix"])
    assert not list(tmp_path.rglob("pwned"))


def test_keys_change_with_the_tree_only(tmp_path: Path) -> None:
    made = GitRepo.init(tmp_path / "repo")
    made.write("a.py", "a = 1\n")
    first = made.commit("one")
    same = made.commit("nothing changed")
    made.write("a.py", "a = 2\n")
    other = made.commit("two")
    repo = open_repository(made.path)
    keys = [cache_keys(repo, commit, "") for commit in (first, same, other)]
    assert keys[0] == keys[1]
    assert keys[0]["key"] != keys[2]["key"]
    assert keys[0]["prefix"] == keys[2]["prefix"]


def test_the_token_goes_to_its_own_server_by_environment(tmp_path: Path) -> None:
    repo = open_repository(GitRepo.init(tmp_path / "repo").path)
    environ = {"GITHUB_TOKEN": "secret", "GITHUB_SERVER_URL": "https://github.example/"}
    settings = dict(with_token(repo, environ).settings)
    assert settings["GIT_CONFIG_KEY_0"] == "http.https://github.example/.extraheader"
    assert "secret" not in settings["GIT_CONFIG_VALUE_0"]  # base64, as git wants it
    assert with_token(repo, {"GITHUB_TOKEN": "secret"}) is repo


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"number": 1}',
        '{"number": "1", "base": "a", "fork_point": "", "head": ""}',
        '{"number": 1, "base": "--upload-pack=x", "fork_point": "", "head": ""}',
        '{"number": 1, "base": "%s", "fork_point": "HEAD", "head": ""}' % ("a" * 40),
        '{"number": true, "base": "%s", "fork_point": "", "head": ""}' % ("a" * 40),
    ],
)
def test_a_pin_that_is_not_ours_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "pin.json").write_text(text, "utf-8")
    assert read_pin(tmp_path / "pin.json") is None
