"""The first look at an event: what is wanted, and which comment gets 👀, without a word of it."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.acting import ROOT
from helpers.githubdouble import payloads
from helpers.githubdouble.server import TOKEN, GitHubDouble
from helpers.gitrepo import GitRepo
from sidelight_bot.commands import parse_commands

FOLDER = ROOT / "bot" / "action"
FIRST_LOOK = runpy.run_path(str(FOLDER / "first_look.py"))
HOSTILE = "/ask $(touch pwned) `touch pwned`\n::set-output name=kind::publish\nkind=publish\n"
BODIES = [
    "/ask where is it?",
    "  /review",
    "/RELATED src/a.py",
    "text first\n/callers f",
    "/tests\n/help",
    "```\n/ask in a fence\n```",
    "> /ask in a quote",
    "    /ask indented",
    "/asking",
    "/ask-me",
    "/etc/passwd",
    "nothing",
    "```\n/ask\n```\n/callees g",
    "~~~\n/ask\n",
    HOSTILE,
]


@pytest.fixture
def double(tmp_path: Path) -> Any:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "def f(): ...\n")
    repo.commit("one")
    with GitHubDouble(repo) as running:
        running.hub.open_pull(repo.head())
        yield running


def look(tmp_path: Path, name: str, event: dict[str, Any], **env: str) -> dict[str, str]:
    """Return the outputs of the first step for an event."""
    (tmp_path / "event.json").write_text(json.dumps(event), "utf-8")
    output = tmp_path / "output"
    output.write_text("", "utf-8")
    job = {
        "PATH": os.environ["PATH"],
        "GITHUB_EVENT_NAME": name,
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_OUTPUT": str(output),
        "GITHUB_REPOSITORY": "octo/demo",
        "RUNNER_TEMP": str(tmp_path),
        **env,
    }
    words = ["sh", str(FOLDER / "acknowledge.sh")]
    done = subprocess.run(words, env=job, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = output.read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines)


@pytest.mark.parametrize("body", BODIES)
def test_whatever_the_bot_would_follow_is_not_skipped(
    tmp_path: Path, double: GitHubDouble, body: str
) -> None:
    double.hub.person("ada", "write", association="MEMBER")
    event = payloads.issue_comment(double.hub, double.hub.say(1, "ada", body))
    seen = look(tmp_path, "issue_comment", event)
    assert set(seen) == {"kind", "state"}
    if parse_commands(body):
        assert seen["kind"] == "pull"
    assert seen["kind"] in {"pull", "skip"}


PIECES = ("/ask x", "/sidelight help", "/caller f", "```", "~~~", "> ", "    ", "<!--", "-->", "`")


@given(st.lists(st.sampled_from([*PIECES, "\n", "\r\n", "text", " "]) | st.text(max_size=3)))
def test_no_comment_that_the_bot_would_answer_is_skipped(pieces: list[str]) -> None:
    body = "".join(pieces)
    event = {
        "action": "created",
        "issue": {"pull_request": {}},
        "comment": {"id": 7, "body": body, "user": {"type": "User"}},
    }
    kind, reaction = FIRST_LOOK["look"]("issue_comment", event, "")
    assert kind == "pull" or not parse_commands(body)
    assert reaction == ""


def test_a_members_command_gets_eyes_and_nothing_else(tmp_path: Path, double: GitHubDouble) -> None:
    double.hub.person("grace", "write", association="MEMBER")
    remark = double.hub.say(1, "grace", HOSTILE)
    event = payloads.issue_comment(double.hub, remark)
    seen = look(tmp_path, "issue_comment", event, GITHUB_TOKEN=TOKEN, GITHUB_API_URL=double.api_url)
    assert seen["kind"] == "pull"
    assert double.seen() == [f"POST /repos/octo/demo/issues/comments/{remark.id}/reactions"]
    assert not list(tmp_path.rglob("pwned"))


def test_a_command_in_a_thread_gets_its_eyes_there(tmp_path: Path, double: GitHubDouble) -> None:
    repo, hub = double.repo, double.hub
    repo.switch("topic", "-c")
    repo.write("a.py", "def f(): ...\ndef g(): ...\n")
    pull = hub.open_pull(repo.commit("two"))
    hub.person("grace", "write", association="MEMBER")
    remark = hub.discuss(pull, "grace", "/ask why", "a.py", 2)
    event = payloads.review_comment(hub, remark)
    env = {"GITHUB_TOKEN": TOKEN, "GITHUB_API_URL": double.api_url}
    look(tmp_path, "pull_request_review_comment", event, **env)
    assert double.seen() == [f"POST /repos/octo/demo/pulls/comments/{remark.id}/reactions"]


@pytest.mark.parametrize("role", ["NONE", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR"])
def test_a_stranger_gets_no_reaction(tmp_path: Path, double: GitHubDouble, role: str) -> None:
    double.hub.person("mallory", "read", association=role)
    event = payloads.issue_comment(double.hub, double.hub.say(1, "mallory", "/ask x"))
    env = {"GITHUB_TOKEN": TOKEN, "GITHUB_API_URL": double.api_url}
    assert look(tmp_path, "issue_comment", event, **env)["kind"] == "pull"
    assert double.seen() == []


def test_issues_edits_bots_and_chat_are_skipped(tmp_path: Path, double: GitHubDouble) -> None:
    hub = double.hub
    hub.person("ada", "write", association="MEMBER")
    remark, chat = hub.say(1, "ada", "/ask x"), hub.say(1, "ada", "looks good")
    bot = hub.say(1, "other[bot]", "/ask x")
    for event in (
        payloads.issue_comment(hub, remark, on_issue=True),
        payloads.issue_comment(hub, remark, "edited"),
        payloads.issue_comment(hub, chat),
        payloads.issue_comment(hub, bot),
    ):
        assert look(tmp_path, "issue_comment", event)["kind"] == "skip"


@pytest.mark.parametrize(
    ("name", "mode", "kind"),
    [
        ("push", "", "index"),
        ("workflow_run", "", "publish"),
        ("pull_request", "auto", "pull"),
        ("pull_request", "review", "pull"),
        ("push", "index", "index"),
        ("workflow_run", "publish", "publish"),
        ("release", "", "skip"),
        ("pull_request", "$(touch pwned)", "skip"),
    ],
)
def test_the_kind_follows_event_and_mode(tmp_path: Path, name: str, mode: str, kind: str) -> None:
    assert look(tmp_path, name, {}, SIDELIGHT_MODE=mode)["kind"] == kind


def test_an_event_that_is_no_object_is_skipped_or_left_to_the_bot(tmp_path: Path) -> None:
    for event in ([], "text", None, {"comment": 5, "action": "created"}):
        assert look(tmp_path, "issue_comment", event)["kind"] == "skip"  # type: ignore[arg-type]
