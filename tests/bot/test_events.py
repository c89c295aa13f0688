"""From GitHub's payloads to events: what counts, what is ignored, what is refused."""

from __future__ import annotations

import copy
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.githubdouble import payloads
from helpers.githubdouble.server import GitHubDouble
from helpers.githubdouble.state import BOT, Hub
from helpers.gitrepo import GitRepo
from sidelight_bot.events import (
    CommentMade,
    DefaultBranchPushed,
    Ignored,
    PullRequestChanged,
    RunCompleted,
    parse_event,
)
from sidelight_bot.model import Repo, Side
from sidelight_bot.payload import PayloadError


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    repo = GitRepo.init(tmp_path_factory.mktemp("hub") / "repo")
    repo.write("a.py", "def f():\n    return 1\n")
    repo.commit()
    repo.switch("topic", "-c")
    repo.write("a.py", "def f():\n    return 2\n")
    repo.commit()
    repo.switch("main")
    with GitHubDouble(repo) as double:
        yield double.hub


def pull(hub: Hub, **more: Any) -> Any:
    return hub.open_pull(hub.repo.git("rev-parse", "topic"), **more)


@pytest.mark.parametrize("action", ["opened", "synchronize", "reopened", "ready_for_review"])
def test_new_content_is_an_event(hub: Hub, action: str) -> None:
    made = pull(hub, title="A\ttitle", author="eve")
    event = parse_event("pull_request", payloads.pull_request(hub, made, action))
    assert isinstance(event, PullRequestChanged)
    assert (event.action, event.repo) == (action, Repo("octo", "demo"))
    assert event.pull.number == made.number
    assert event.pull.head_sha == hub.head_of(made)
    assert event.pull.base_sha == hub.base_of(made)
    assert (event.pull.title, event.pull.author) == ("A\ttitle", "eve")
    assert not event.pull.is_fork
    assert event.pull.is_open


@pytest.mark.parametrize("action", ["closed", "edited"])
def test_other_actions_are_ignored(hub: Hub, action: str) -> None:
    more = {"changes": {}} if action == "edited" else {}
    payload = payloads.pull_request(hub, pull(hub), action, **more)
    assert isinstance(parse_event("pull_request", payload), Ignored)


def test_a_fork_is_seen_and_a_deleted_one_too(hub: Hub) -> None:
    for more in ({"fork": "eve"}, {"fork": "eve", "fork_is_gone": True}):
        event = parse_event("pull_request", payloads.pull_request(hub, pull(hub, **more)))
        assert isinstance(event, PullRequestChanged)
        assert event.pull.is_fork
        assert event.pull.head_repo == (None if "fork_is_gone" in more else Repo("eve", "demo"))


def test_a_comment_in_the_conversation(hub: Hub) -> None:
    remark = hub.say(pull(hub).number, "eve", "/ask why?")
    event = parse_event("issue_comment", payloads.issue_comment(hub, remark))
    assert isinstance(event, CommentMade)
    assert event.pull is None
    assert event.thread is None
    assert (event.comment.author, event.comment.body) == ("eve", "/ask why?")
    assert event.comment.association == "NONE"
    assert event.is_open


def test_a_comment_on_an_issue_is_ignored(hub: Hub) -> None:
    remark = hub.say(pull(hub).number, "eve", "/ask why?")
    payload = payloads.issue_comment(hub, remark, on_issue=True)
    assert isinstance(parse_event("issue_comment", payload), Ignored)


@pytest.mark.parametrize("action", ["edited", "deleted"])
def test_only_new_comments_are_read(hub: Hub, action: str) -> None:
    remark = hub.say(pull(hub).number, "eve", "/ask why?")
    payload = payloads.issue_comment(hub, remark, action)
    assert isinstance(parse_event("issue_comment", payload), Ignored)


@pytest.mark.parametrize(
    ("login", "body"),
    [
        (BOT, "/ask why?"),
        ("dependabot[bot]", "/ask why?"),
        ("eve", "<!-- sidelight:reply -->\n/ask why?"),
        ("eve", "/ask why?\n<!-- sidelight:v1 head=0 run=1 -->"),
    ],
)
def test_bots_and_our_own_texts_are_ignored(hub: Hub, login: str, body: str) -> None:
    remark = hub.say(pull(hub).number, login, body)
    assert isinstance(parse_event("issue_comment", payloads.issue_comment(hub, remark)), Ignored)


def test_a_comment_on_a_closed_pull_request_is_an_event(hub: Hub) -> None:
    remark = hub.say(pull(hub, state="closed").number, "eve", "/ask why?")
    event = parse_event("issue_comment", payloads.issue_comment(hub, remark))
    assert isinstance(event, CommentMade)
    assert not event.is_open


def test_a_reply_in_a_thread_leads_to_its_first_comment(hub: Hub) -> None:
    made = pull(hub)
    top = hub.discuss(made, "ada", "Why 2?", "a.py", 2)
    place = {"path": top.path, "line": top.line, "hunk": top.hunk, "commit": top.commit}
    reply = hub.say(made.number, "eve", "/ask why?", in_reply_to=top.id, **place)
    for remark in (top, reply):
        event = parse_event("pull_request_review_comment", payloads.review_comment(hub, remark))
        assert isinstance(event, CommentMade)
        assert event.thread is not None
        assert event.thread.top_comment_id == top.id
        assert (event.thread.path, event.thread.line) == ("a.py", 2)
        assert event.thread.side is Side.RIGHT
        assert "+    return 2" in event.thread.hunk
        assert event.pull is not None
        assert event.pull.number == made.number


def test_a_push_counts_on_the_default_branch_only(hub: Hub) -> None:
    head = hub.repo.head()
    event = parse_event("push", payloads.push(hub, head))
    assert event == DefaultBranchPushed(Repo("octo", "demo"), head)
    other = payloads.push(hub, head, "refs/heads/topic")
    gone = payloads.push(hub, "0" * 40, deleted=True)
    tag = payloads.push(hub, head, "refs/tags/main")
    for payload in (other, gone, tag):
        assert isinstance(parse_event("push", payload), Ignored)


def test_a_completed_run_of_a_fork(hub: Hub) -> None:
    made = pull(hub, fork="eve")
    event = parse_event("workflow_run", payloads.workflow_run(hub, made))
    assert isinstance(event, RunCompleted)
    assert event.head_sha == hub.head_of(made)
    assert event.head_repo == Repo("eve", "demo")
    assert (event.run_id, event.run_number, event.run_attempt) == (501, 5, 1)
    assert event.pull_numbers == ()


def test_runs_of_other_events_are_ignored(hub: Hub) -> None:
    payload = payloads.workflow_run(hub, pull(hub), event="push")
    assert isinstance(parse_event("workflow_run", payload), Ignored)


def test_unknown_events_are_ignored(hub: Hub) -> None:
    assert isinstance(parse_event("star", {}), Ignored)
    assert isinstance(parse_event("", None), Ignored)


# Folder of npm's @octokit/webhooks-examples, unpacked; read before tests' variables are cleared.
EXAMPLES = os.environ.get("SIDELIGHT_WEBHOOK_EXAMPLES", "")


@pytest.mark.skipif(not EXAMPLES, reason="SIDELIGHT_WEBHOOK_EXAMPLES names no folder")
def test_payloads_that_github_has_sent_are_understood() -> None:
    files = sorted(Path(EXAMPLES).glob("*/index.json"))
    assert files
    seen = Counter(
        type(parse_event(event["name"], example)).__name__
        for file in files
        for event in json.loads(file.read_bytes())
        for example in event["examples"]
    )
    assert {"PullRequestChanged", "CommentMade", "DefaultBranchPushed", "Ignored"} <= set(seen)


EVENTS = (
    "pull_request",
    "issue_comment",
    "pull_request_review_comment",
    "push",
    "workflow_run",
    "schedule",
)


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize("payload", [None, [], "x", 1, {}, {"action": 3}])
def test_what_is_no_payload_is_refused_with_its_place(name: str, payload: object) -> None:
    with pytest.raises(PayloadError, match="payload"):
        parse_event(name, payload)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from _paths(item, (*path, key))


@pytest.fixture(scope="module")
def samples(hub: Hub) -> list[tuple[str, dict[str, Any]]]:
    made = pull(hub)
    top = hub.discuss(made, "ada", "why", "a.py", 2)
    said = hub.say(made.number, "eve", "/help")
    return [
        ("pull_request", payloads.pull_request(hub, made)),
        ("issue_comment", payloads.issue_comment(hub, said)),
        ("pull_request_review_comment", payloads.review_comment(hub, top)),
        ("workflow_run", payloads.workflow_run(hub, made)),
    ]


@given(data=st.data())
def test_a_payload_with_any_part_missing_or_odd_is_an_event_or_refused(
    samples: list[tuple[str, dict[str, Any]]], data: st.DataObject
) -> None:
    name, payload = data.draw(st.sampled_from(samples))
    payload = copy.deepcopy(payload)
    *way, last = data.draw(st.sampled_from(sorted(_paths(payload), key=repr)))
    place = payload
    for step in way:
        place = place[step]
    place[last] = data.draw(st.sampled_from([None, "", "../x", -1, True, [], {}, "a" * 300, 1.5]))
    with suppress(PayloadError):
        parse_event(name, payload)


@pytest.mark.parametrize("slug", ["", "octo", "octo/", "/demo", "a/b/c", "octo/..", "o o/x", "ö/x"])
def test_odd_repository_names_are_refused(hub: Hub, tmp_path: Path, slug: str) -> None:
    payload = payloads.push(hub, hub.repo.head())
    payload["repository"]["full_name"] = slug
    with pytest.raises(PayloadError, match="full_name"):
        parse_event("push", payload)


@pytest.mark.parametrize("sha", ["", "HEAD", "--upload-pack=x", "0" * 39, "G" * 40, "A" * 40])
def test_what_is_no_object_id_is_refused(hub: Hub, sha: str) -> None:
    payload = payloads.push(hub, hub.repo.head())
    payload["after"] = sha
    with pytest.raises(PayloadError, match="after"):
        parse_event("push", payload)
