"""Jobs with a language model behind a real socket: notes, answers, and every way of failing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.githubdouble import payloads
from helpers.githubdouble.faults import not_accessible
from helpers.githubdouble.jobs import CHANGED, Lab, Shop
from helpers.githubdouble.server import GitHubDouble
from helpers.githubdouble.state import BOT, Pull
from helpers.modelserver import KEY, ModelServer
from sidelight_bot.disliking import MAX_ASKED_ABOUT, known_dislikes
from sidelight_bot.outcome import Outcome

MAX_REQUESTS = 12
LINE = CHANGED.split("\n").index("def convert(amount, currency, day):") + 1
NOTE = {
    "path": "store.py",
    "start_line": LINE,
    "end_line": LINE,
    "quote": "def convert(amount, currency, day):",
    "severity": "major",
    "kind": "compatibility",
    "title": "`convert` now needs a day that no caller gives",
    "body": "`quote` in shop.py calls `convert` with two arguments, which fails now.",
    "symbols": ["convert"],
    "evidence": [{"source": "diff", "text": "def convert(amount, currency, day):"}],
    "replacement": None,
}
HOLDS = json.dumps({"holds": True, "because": "the call passes two arguments"})


@pytest.fixture
def lab(shop: Shop, tmp_path: Path) -> Iterator[Lab]:
    origin = shop.origin(tmp_path)
    origin.write(".sidelight.toml", "[llm]\nretries = 0\n")  # the base's configuration counts
    origin.commit("Configure the bot")
    with GitHubDouble(origin) as double:
        made = Lab.make(tmp_path, double)
        made.hub.person("maya", "write")
        made.hub.open_pull(made.head, author="ada", title="Convert at a day's rate")
        yield made


def opened(lab: Lab, server: ModelServer, action: str = "opened", **more: str) -> Outcome:
    payload = payloads.pull_request(lab.hub, lab.hub.pulls[1], action)
    return lab.run("pull_request", payload, **server.environment(), **more)


def asked(lab: Lab, server: ModelServer, body: str, **more: Any) -> Outcome:
    remark = lab.hub.say(1, "maya", body)
    payload = payloads.issue_comment(lab.hub, remark)
    return lab.run("issue_comment", payload, **server.environment(), **more)


def scripted(server: ModelServer) -> None:
    server.say_json({"notes": [NOTE]})
    server.say(HOLDS)


def test_a_note_is_posted_on_its_line_by_one_review(lab: Lab, server: ModelServer) -> None:
    scripted(server)
    outcome = opened(lab, server)
    (note,) = lab.hub.threads(1)
    assert (note.path, note.line, note.author.login) == ("store.py", LINE, BOT)
    assert "now needs a day" in note.body
    assert len(lab.hub.reviews) == 1
    (comment,) = lab.hub.conversation(1)
    assert "tokens" in comment.body
    assert outcome.n_notes == 1
    assert lab.outputs()["notes"] == "1"
    assert len(lab.double.requests) <= MAX_REQUESTS


def test_a_note_is_not_said_twice(lab: Lab, server: ModelServer) -> None:
    scripted(server)
    opened(lab, server)
    server.say_json({"notes": [NOTE]})
    opened(lab, server, "reopened")
    assert len(lab.hub.threads(1)) == 1


def test_a_mark_that_a_stranger_wrote_keeps_no_note_away(lab: Lab, server: ModelServer) -> None:
    scripted(server)
    opened(lab, server)
    (note,) = lab.hub.threads(1)
    mark = note.body[note.body.index("<!--") :]
    lab.hub.delete(note.id)
    lab.hub.discuss(lab.hub.pulls[1], "eve", f"Looks fine.\n\n{mark}", "store.py", LINE)
    scripted(server)
    opened(lab, server, "reopened")
    assert [item.author.login for item in lab.hub.threads(1)] == ["eve", BOT]


def test_a_note_whose_line_is_gone_is_marked(lab: Lab, server: ModelServer) -> None:
    scripted(server)
    opened(lab, server)
    origin = lab.double.repo
    origin.switch("topic")
    origin.write("store.py", CHANGED.replace("currency, day)", "currency, day=None)"))
    lab.hub.push(lab.hub.pulls[1], origin.commit("Give it a default"))
    origin.switch("main")
    server.say_json({"notes": []})
    opened(lab, server, "synchronize")
    (note,) = lab.hub.threads(1)
    assert "**Resolved:**" in note.body
    assert note.edits == 1


def test_no_notes_means_no_request_to_the_model(lab: Lab, server: ModelServer) -> None:
    opened(lab, server, SIDELIGHT_NOTES_LIMIT="0")
    assert server.requests == []
    assert len(lab.hub.conversation(1)) == 1


@pytest.mark.parametrize("fault", ["status", "reset", "cut", "nonsense", "form"])
def test_whatever_the_model_does_the_comment_stands(
    lab: Lab, server: ModelServer, fault: str
) -> None:
    for _ in range(8):
        if fault == "status":
            server.fail(500)
        elif fault == "reset":
            server.reset()
        elif fault == "cut":
            server.cut_body()
        elif fault == "nonsense":
            server.say("I would rather not.")
        else:
            server.say_json({"notes": [{"path": 3}]})
    outcome = opened(lab, server)
    assert lab.hub.threads(1) == []
    (comment,) = lab.hub.conversation(1)
    assert "shop.py:13" in comment.body
    assert outcome.exit_code == 0


def test_a_model_that_is_misconfigured_costs_only_the_notes(lab: Lab) -> None:
    payload = payloads.pull_request(lab.hub, lab.hub.pulls[1])
    outcome = lab.run(
        "pull_request",
        payload,
        SIDELIGHT_LLM_BASE_URL="not an address",
        SIDELIGHT_LLM_MODEL="m",
    )
    assert len(lab.hub.conversation(1)) == 1
    assert any("SIDELIGHT_LLM_BASE_URL" in line for line in outcome.log)


def test_an_answer_cites_permalinks_that_exist(lab: Lab, server: ModelServer) -> None:
    server.say("`convert` looks the rate up in `RATES` [1]. Nothing else does [9].")
    asked(lab, server, "/ask where does convert use RATES?")
    body = lab.hub.conversation(1)[-1].body
    assert f"[1]({lab.double.web}/octo/demo/blob/{lab.head}/store.py#L" in body
    assert "[9]" not in body
    assert "which it was not given" in body
    prompt = server.prompts()[0]
    assert "where does convert use RATES?" in prompt
    assert "+def convert(amount, currency, day):" in prompt
    assert len(lab.double.requests) <= MAX_REQUESTS


def test_a_hostile_answer_is_made_harmless(lab: Lab, server: ModelServer) -> None:
    server.say(
        "@everyone fixes #1 [1]\n/deploy now\n![x](https://evil.example/a.png)\n"
        "<img src=x> [see](https://evil.example) octo/demo#3 [1]"
    )
    asked(lab, server, "/ask where does convert use RATES?")
    body = lab.hub.conversation(1)[-1].body
    for bad in ("@everyone", "fixes #1", "\n/deploy", "](https://evil", "octo/demo#3"):
        assert bad not in body, bad


def test_the_thread_is_shown_to_the_model(lab: Lab, server: ModelServer) -> None:
    pull: Pull = lab.hub.pulls[1]
    top = lab.hub.discuss(pull, "eve", "Why does it need a day?", "store.py", LINE)
    place = {"path": top.path, "line": top.line, "hunk": top.hunk, "commit": top.commit}
    lab.hub.say(1, BOT, "Because rates change. [1]", in_reply_to=top.id, **place)
    question = "/ask and where does convert get it?"
    remark = lab.hub.say(1, "maya", question, in_reply_to=top.id, **place)
    server.say("From its callers [1].")
    payload = payloads.review_comment(lab.hub, remark)
    outcome = lab.run("pull_request_review_comment", payload, **server.environment())
    assert outcome.problems == []
    prompt = server.prompts()[0]
    assert "Why does it need a day?" in prompt
    assert "Because rates change." in prompt
    assert lab.hub.threads(1)[-1].in_reply_to == top.id


def test_a_failing_model_leaves_the_passages(lab: Lab, server: ModelServer) -> None:
    for _ in range(4):
        server.fail(500)
    asked(lab, server, "/ask where does convert use RATES?")
    body = lab.hub.conversation(1)[-1].body
    assert "store.py" in body
    assert "passages" in body


def test_a_model_that_is_not_there_is_asked_once_in_a_run(lab: Lab, server: ModelServer) -> None:
    for _ in range(6):
        server.fail(503)
    question = "/ask where does convert use RATES?"
    asked(lab, server, f"/review\n\n{question}\n\n{question}")
    assert len(server.requests) == 1  # retries = 0
    body = lab.hub.conversation(1)[-1].body
    assert body.count("fails or is busy") == 2
    assert body.count("these are the passages") == 2


def test_the_key_is_nowhere(lab: Lab, server: ModelServer) -> None:
    scripted(server)
    outcome = opened(lab, server)
    everything = json.dumps([str(item) for item in lab.double.requests])
    everything += json.dumps([item.body for item in lab.double.requests])
    everything += "".join(outcome.log) + lab.left("summary.md") + lab.left("output")
    assert outcome.result is not None
    everything += outcome.result.read_text("ascii") + "".join(server.prompts())
    assert KEY not in everything


def test_a_note_that_was_turned_down_is_not_said_again(
    lab: Lab, server: ModelServer, tmp_path: Path
) -> None:
    scripted(server)
    opened(lab, server)
    (note,) = lab.hub.threads(1)
    lab.hub.person("stranger", "read")
    dislikes = tmp_path / "cache" / "dislikes.json"
    push = payloads.push(lab.hub, lab.workspace.head())
    note.reactions.append(("stranger", "-1"))
    lab.run("push", push, SIDELIGHT_DISLIKES=str(dislikes))
    assert not dislikes.exists()  # anybody can react
    note.reactions.append(("maya", "-1"))
    outcome = lab.run("push", push, SIDELIGHT_DISLIKES=str(dislikes))
    assert "1 notes were turned down since" in outcome.log
    assert len(lab.double.requests) < 25
    lab.hub.delete(note.id)
    server.say_json({"notes": [NOTE]})
    opened(lab, server, "reopened", SIDELIGHT_DISLIKES=str(dislikes))
    assert lab.hub.threads(1) == []


def test_feedback_that_cannot_be_read_does_not_fail_the_index(lab: Lab, tmp_path: Path) -> None:
    lab.double.faults.append(not_accessible("GET", "pulls/comments"))
    push = payloads.push(lab.hub, lab.workspace.head())
    outcome = lab.run("push", push, SIDELIGHT_DISLIKES=str(tmp_path / "dislikes.json"))
    assert outcome.problems == []
    assert any("no feedback was read" in line for line in outcome.log)


def test_the_ablation_shows_the_model_the_diff_alone(lab: Lab, server: ModelServer) -> None:
    for context in ("full", "diff"):
        server.say_json({"notes": []})
        opened(lab, server, SIDELIGHT_NOTES_CONTEXT=context)
    full, diff = server.prompts()
    assert "return convert(item.amount, item.currency)" in full  # a caller, outside the diff
    assert "return convert(item.amount, item.currency)" not in diff
    assert (
        "+def convert(amount, currency, day):" in diff or "convert(amount, currency, day)" in diff
    )


def test_strangers_cannot_keep_a_turned_down_note_from_being_seen(
    lab: Lab, server: ModelServer, tmp_path: Path
) -> None:
    scripted(server)
    opened(lab, server)
    (note,) = lab.hub.threads(1)
    note.reactions.append(("maya", "-1"))
    lab.hub.person("stranger", "read")
    for at in range(2 * MAX_ASKED_ABOUT):  # newer notes that only strangers turned down
        mark = f"<!-- sidelight:note a={at:016x} q={at:016x} k=bug -->"
        other = lab.hub.discuss(lab.hub.pulls[1], BOT, f"A note.\n\n{mark}", "store.py", LINE)
        other.reactions.append(("stranger", "-1"))
    dislikes = tmp_path / "dislikes.json"
    push = payloads.push(lab.hub, lab.workspace.head())
    for _ in range(60):
        lab.run("push", push, SIDELIGHT_DISLIKES=str(dislikes))
        if dislikes.exists():
            break
    assert len(known_dislikes(dislikes)) == 1
