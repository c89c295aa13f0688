"""Jobs for commands: who may, where the answer goes, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers.githubdouble import payloads
from helpers.githubdouble.faults import not_accessible
from helpers.githubdouble.jobs import Lab, Shop
from helpers.githubdouble.server import READ_ONLY, GitHubDouble
from helpers.githubdouble.state import BOT, Pull, Remark
from sidelight.errors import SidelightError
from sidelight_bot.outcome import Outcome
from sidelight_bot.report import ChangeReport
from sidelight_bot.sticky import REPLY_MARK

MAX_REQUESTS = 12


@pytest.fixture
def lab(shop: Shop, tmp_path: Path) -> Iterator[Lab]:
    with GitHubDouble(shop.origin(tmp_path)) as double:
        made = Lab.make(tmp_path, double)
        made.hub.person("maya", "write", association="MEMBER")
        yield made


def say(lab: Lab, body: str, login: str = "maya", **more: Any) -> tuple[Remark, Outcome]:
    remark = lab.hub.say(1, login, body)
    payload = payloads.issue_comment(lab.hub, remark)
    return remark, lab.run("issue_comment", payload, **more)


def pull_of(lab: Lab, **more: Any) -> Pull:
    return lab.hub.open_pull(lab.head, author="eve", **more)


def answer(lab: Lab) -> str:
    last = lab.hub.conversation(1)[-1]
    assert last.author.login == BOT
    assert last.body.startswith(REPLY_MARK)
    return last.body


def test_a_question_is_acknowledged_and_answered_in_the_conversation(lab: Lab) -> None:
    pull_of(lab)
    remark, outcome = say(lab, "/ask where does convert use RATES?")
    assert remark.reactions == [(BOT, "eyes")]
    body = answer(lab)
    assert "> **ask** where does convert use RATES?" in body
    assert f"/blob/{lab.head}/store.py#L" in body
    assert "no language model is configured" in body
    assert outcome.comment_url
    writes = lab.double.writes()
    assert writes[0].endswith("/reactions")
    assert len(lab.double.requests) <= MAX_REQUESTS


def test_links_lead_to_lines_that_exist(lab: Lab) -> None:
    pull_of(lab)
    say(lab, "/ask convert\n\n/related store.py\n/callers convert")
    lines = [line for line in answer(lab).splitlines() if line.startswith("[s")]
    assert lines
    for line in lines:
        path, _, span = line.partition(f"{lab.head}/")[2].partition("#L")
        source = lab.double.repo.git("show", f"{lab.head}:{path.removesuffix('?plain=1')}")
        last = int(span.rpartition("L")[2])
        assert last <= len(source.split("\n"))


def test_a_question_in_a_thread_is_answered_in_the_thread(lab: Lab) -> None:
    pull = pull_of(lab)
    top = lab.hub.discuss(pull, "eve", "Why a day?", "store.py", 6)
    place = {"path": top.path, "line": top.line, "hunk": top.hunk, "commit": top.commit}
    asked = lab.hub.say(1, "maya", "/ask who calls this?", in_reply_to=top.id, **place)
    outcome = lab.run("pull_request_review_comment", payloads.review_comment(lab.hub, asked))
    assert asked.reactions == [(BOT, "eyes")]
    reply = lab.hub.threads(1)[-1]
    assert reply.in_reply_to == top.id
    assert reply.body.startswith(REPLY_MARK)
    assert outcome.problems == []
    assert lab.hub.conversation(1) == []


@pytest.mark.parametrize("role", ["none", "read", "triage"])
def test_an_unauthorised_commenter_gets_nothing(lab: Lab, role: str) -> None:
    pull_of(lab)
    lab.hub.person("mallory", role, association="CONTRIBUTOR")
    remark, outcome = say(lab, "/ask where are the secrets?\n/review", "mallory")
    assert remark.reactions == []
    assert lab.double.writes() == []
    assert [item.body for item in lab.hub.remarks] == [remark.body]
    assert outcome.exit_code == 0
    assert "permission" in outcome.log[0]
    assert "secrets" not in lab.left("summary.md")


def test_the_permission_counts_not_the_association(lab: Lab) -> None:
    pull_of(lab)
    lab.hub.person("private-member", "maintain", association="NONE")
    say(lab, "/help", "private-member")
    assert "/callers SYMBOL" in answer(lab)


def test_the_least_permission_is_an_input(lab: Lab) -> None:
    pull_of(lab)
    lab.hub.person("reader", "read")
    say(lab, "/help", "reader", SIDELIGHT_MIN_PERMISSION="read")
    assert "/callers SYMBOL" in answer(lab)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("/callers convert", "shop.py:13"),
        ("/callees checkout", "store.py:11-13"),
        ("/callers nothing_like_it", "Nothing is called"),
        ("/tests convert", "tests/test_store.py:7"),
        ("/tests store.py", "tests/test_store.py"),
        ("/tests", "tests/test_store.py"),
        ("/related", "shop.py"),
        ("/related store.py", "Imported by"),
        ("/related convert", "Called by"),
        ("/related store.py::convert", "Called by"),
        ("/caller convert", "did you mean `/callers`?"),
        ("/ask", "it needs a question"),
        ("/help", "| command | answers |"),
    ],
)
def test_commands_are_answered(lab: Lab, command: str, expected: str) -> None:
    pull_of(lab)
    _, outcome = say(lab, command)
    assert expected in answer(lab)
    assert outcome.problems == []


def test_several_commands_get_one_reply(lab: Lab) -> None:
    pull_of(lab)
    say(lab, "/callers convert\n/callees checkout\n\n```\n/tests\n```\n\n/tests")
    body = answer(lab)
    assert body.count("> **") == 3
    assert sum(item.author.login == BOT for item in lab.hub.conversation(1)) == 1


def test_a_review_on_demand_updates_the_comment_and_says_so(lab: Lab) -> None:
    pull_of(lab, draft=True)
    say(lab, "/review")
    comments = [item for item in lab.hub.conversation(1) if item.author.login == BOT]
    assert len(comments) == 2
    assert comments[0].body.startswith("<!-- sidelight:v1 ")
    assert f"Reviewed at `{lab.head[:10]}`" in comments[1].body
    assert f"#issuecomment-{comments[0].id}" in comments[1].body
    assert len(lab.double.requests) <= MAX_REQUESTS


def test_a_review_that_fails_is_answered_all_the_same(lab: Lab) -> None:
    pull_of(lab)

    def fails(*_: object) -> ChangeReport:
        raise SidelightError("@everyone the parser is gone")

    lab.change_ports = lambda ports: replace(ports, analyse=fails)
    _, outcome = say(lab, "/review\n/callers convert")
    assert "could not be finished" in answer(lab)
    assert "shop.py:13" in answer(lab)
    assert "@everyone" not in answer(lab)
    assert outcome.problems


def test_a_closed_pull_request_is_answered_but_not_reviewed(lab: Lab) -> None:
    pull_of(lab, state="closed")
    say(lab, "/review\n/callers convert")
    body = answer(lab)
    assert "is closed" in body
    assert "shop.py:13" in body
    assert sum(item.author.login == BOT for item in lab.hub.conversation(1)) == 1


def test_a_fork_is_answered_at_its_head(lab: Lab) -> None:
    pull_of(lab, fork="eve")
    say(lab, "/callers convert")
    assert f"/blob/{lab.head}/shop.py#L13" in answer(lab)


def test_a_fork_thread_with_a_token_that_may_only_read(lab: Lab) -> None:
    pull = pull_of(lab, fork="eve")
    top = lab.hub.discuss(pull, "maya", "/callers convert", "store.py", 6)
    payload = payloads.review_comment(lab.hub, top)
    outcome = lab.run("pull_request_review_comment", payload, GITHUB_TOKEN=READ_ONLY)
    assert outcome.problems == []
    assert "shop.py:13" in lab.left("summary.md")
    assert lab.hub.threads(1) == [top]


def test_a_reaction_that_is_refused_delays_nothing(lab: Lab) -> None:
    pull_of(lab)
    lab.double.faults.append(not_accessible("POST", "reactions"))
    say(lab, "/help")
    assert "/callers SYMBOL" in answer(lab)


def test_comments_without_a_command_cost_nothing(lab: Lab) -> None:
    pull_of(lab)
    for body in ("Nice work", "> /ask quoted", "`/ask code`", "/lgtm", "```\n/ask x\n```"):
        say(lab, body)
    assert lab.double.requests == []


def test_help_needs_no_checkout(lab: Lab) -> None:
    pull_of(lab)
    say(lab, "/help", GITHUB_WORKSPACE=str(lab.folder / "nowhere"))
    assert "/callers SYMBOL" in answer(lab)


def test_a_checkout_that_is_none_is_told_in_the_answer(lab: Lab) -> None:
    pull_of(lab)
    _, outcome = say(lab, "/callers convert", GITHUB_WORKSPACE=str(lab.folder))
    assert "There is no index" in answer(lab)
    assert outcome.problems


HOSTILE = (
    "@everyone look, fixes #1, see octo/demo#2 and GH-3\n"
    "![x](https://evil.example/p.png) <img src=x> [link](https://evil.example)\n"
    "$(touch pwned) `id`"
)


def test_a_hostile_question_is_quoted_harmlessly(lab: Lab) -> None:
    pull_of(lab)
    say(lab, f"/ask {HOSTILE}")
    body = answer(lab)
    for bad in ("@everyone", "#1", "octo/demo#2", "GH-3", "](https://evil", "://evil"):
        assert bad not in body, bad
    assert re.search(r"(?<!\\)(<img|!\[x)", body) is None


def test_a_hostile_symbol_is_quoted_harmlessly(lab: Lab) -> None:
    pull_of(lab)
    say(lab, "/callers x`@everyone`<img src=x>")
    body = answer(lab).replace("`", "")
    assert "<img" not in answer(lab).split("`")[0]
    assert "Nothing is called" in body
