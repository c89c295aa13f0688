"""What a model is shown is gathered where no token is, and believed nowhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers.githubdouble import payloads
from helpers.githubdouble.jobs import Lab, Shop
from helpers.githubdouble.server import GitHubDouble
from helpers.modelserver import ModelServer
from sidelight.errors import SidelightError
from sidelight.focal import build_focal
from sidelight.git.diffs import diff_revisions
from sidelight.indexing.place import EmbedderSource
from sidelight_bot import apart
from sidelight_bot.apart import contexts_apart, contexts_here
from sidelight_bot.checked import ReportError
from sidelight_bot.gathering import contexts_from_json, contexts_to_json
from sidelight_bot.ground import Ground, open_ground
from sidelight_bot.notes.grouping import group_hunks
from sidelight_bot.notes.review import GroupContext
from sidelight_bot.settings import read_settings
from sidelight_bot.wiring import open_github

CONTEXT = GroupContext(
    "1 a.py:3-4\nconvert(1)\r\n\x0c é \udcff",
    {"1": "convert(1)\r\n\x0c é", "2": "x"},
    {"1": ("a.py", 3, 4), "2": ("b/é.py", 1, 1)},
)


@pytest.fixture
def lab(shop: Shop, tmp_path: Path) -> Iterator[Lab]:
    with GitHubDouble(shop.origin(tmp_path)) as double:
        made = Lab.make(tmp_path, double)
        made.hub.open_pull(made.head, title="Convert at a day's rate")
        yield made


@pytest.fixture
def ground(lab: Lab) -> Ground:
    env = lab.env("pull_request", payloads.pull_request(lab.hub, lab.hub.pulls[1]))
    settings = replace(read_settings(env), vectors_budget_s=0.0)
    port = open_github(settings)
    return open_ground(settings, port.pull(1), port, EmbedderSource)


def test_it_is_the_same_there_as_here(ground: Ground) -> None:
    there = contexts_apart(ground, "Convert at a day's rate")
    assert there == contexts_here(ground, "Convert at a day's rate")
    (context,) = there
    assert "return convert(item.amount, item.currency)" in context.text
    assert ("shop.py", 1) in {(path, 1) for path, _, _ in context.places.values()}


def test_nothing_is_parsed_where_the_token_is(ground: Ground) -> None:
    repo = ground.place.repo
    diffs = diff_revisions(repo, ground.pin.fork_point, ground.pin.head)
    bare = build_focal(repo, diffs, "", syntax=False)
    full = build_focal(repo, diffs, "")
    assert (bare.symbols, bare.added, bare.skipped) == ((), full.added, full.skipped)
    assert [g.tokens for g in group_hunks(bare).groups] == [
        g.tokens for g in group_hunks(full).groups
    ]
    assert not any(file.new.symbols or file.new.references for file in bare.files)


# Runs the bot in a process in which the grammars cannot be loaded without leaving a trace.
WATCHED = """
import sys
class Watch:
    def find_spec(self, name, *_):
        if name.startswith("tree_sitter_language_pack"):
            open(sys.argv[1], "w").write("parsed")
sys.meta_path.insert(0, Watch())
from sidelight_bot.cli import main
main(["run"])
"""


def _words(*words: str, env: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-I", *words], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_after_the_indexing_step_nothing_is_parsed_where_the_token_is(lab: Lab) -> None:
    pin, report, trace = (lab.folder / name for name in ("pin.json", "index.json", "trace"))
    lab.hub.person("maya", "write")
    bot = ("-m", "sidelight_bot")
    with ModelServer() as server:
        server.say_when("Report the defects", json.dumps({"notes": []}))
        server.say_when("how is it converted", "By `convert` [1].")
        steps = {"SIDELIGHT_PIN": str(pin), "SIDELIGHT_INDEX_REPORT": str(report)}
        payload = payloads.pull_request(lab.hub, lab.hub.pulls[1])
        env = os.environ | lab.env("pull_request", payload, **server.environment())
        _words(*bot, "pin", "--out", str(pin), env=env)
        place = ("--repository", str(lab.workspace.path), "--pin", str(pin), "--vectors-s", "0")
        _words(*bot, "index", *place, "--report", str(report), env=dict(os.environ))
        _words("-c", WATCHED, str(trace), env=env | steps)
        question = "/ask how is it converted?\n\n/callers convert\n\n/tests\n\n/related store.py"
        remark = lab.hub.say(1, "maya", question)
        event = payloads.issue_comment(lab.hub, remark)
        asked = os.environ | lab.env("issue_comment", event, **server.environment())
        _words("-c", WATCHED, str(trace), env=asked | steps)
        prompts = server.prompts()
    assert not trace.exists()
    assert "return convert(item.amount, item.currency)" in prompts[0]
    reply = lab.hub.conversation(1)[-1].body
    assert all(words in reply for words in ("By `convert`", "shop.py:13", "test_store.py"))


def test_contexts_survive_the_journey() -> None:
    (back,) = contexts_from_json(contexts_to_json([CONTEXT]).encode())
    assert back.text == "1 a.py:3-4\nconvert(1)\r\n\x0c é ?"
    assert (back.sources, back.places) == (CONTEXT.sources, CONTEXT.places)


def _groups(**source: Any) -> dict[str, Any]:
    fine = {"number": 1, "path": "a.py", "first": 1, "last": 2, "text": "x"}
    return {"groups": [{"text": "x", "sources": [fine | source]}]}


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"groups": "x"},
        {"groups": [{"text": "x", "sources": []}] * 7},
        {"groups": [{"text": "x" * 100_001, "sources": []}]},
        {"groups": [{"text": "x", "sources": [], "link": "https://evil.example"}]},
        _groups(number=0),
        _groups(number=True),
        _groups(first=0),
        _groups(first="1"),
        _groups(last=1 << 40),
        _groups(text=3),
        _groups(path=None),
        _groups(more=1),
    ],
)
def test_what_is_not_of_the_form_is_refused(data: object) -> None:
    with pytest.raises(ReportError):
        contexts_from_json(json.dumps(data).encode())


@pytest.mark.parametrize("data", [b"", b"[" * 100_000, b"\xff", b"x" * 4_000_001])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(ReportError):
        contexts_from_json(data)


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a\nb", "a//b", ""])
def test_a_place_that_is_no_path_becomes_no_link(path: str) -> None:
    (back,) = contexts_from_json(json.dumps(_groups(path=path)).encode())
    assert back.places == {}
    assert back.sources == {"1": "x"}


def test_a_process_that_fails_costs_the_notes_only(
    lab: Lab, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = subprocess.run

    def killed(words: list[str], **options: object) -> object:
        mine = [sys.executable, "-c", "import os; os.abort()"]
        return run(mine if "sidelight_bot" in words else words, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(apart.subprocess, "run", killed)
    with pytest.raises(SidelightError, match="could not be looked at"):
        contexts_apart(ground, "title")
