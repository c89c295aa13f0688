"""What a model may cost a pull request: over all runs, whatever anybody writes into comments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.githubdouble import payloads
from helpers.githubdouble.jobs import Lab, Shop
from helpers.githubdouble.server import GitHubDouble
from helpers.githubdouble.state import BOT, Remark
from helpers.modelserver import ModelServer
from sidelight_bot.comment import CommentMarker, charged, read_marker, write_marker
from sidelight_bot.outcome import Outcome
from sidelight_bot.spent import Spent
from sidelight_bot.sticky import reply_mark

BUDGET = 30_000
NOTHING = json.dumps({"notes": []})
ANSWER = "`convert` looks the rate up in `RATES` [1]."
USAGE = (4_000, 100)


@pytest.fixture
def lab(shop: Shop, tmp_path: Path) -> Iterator[Lab]:
    origin = shop.origin(tmp_path)
    prices = "price_prompt = 1.0\nprice_completion = 10.0\nbudget_usd = 5.0\n"
    origin.write(".sidelight.toml", f"[llm]\nretries = 0\nbudget_tokens = {BUDGET}\n{prices}")
    origin.commit("Configure the bot")
    with GitHubDouble(origin) as double:
        made = Lab.make(tmp_path, double)
        made.hub.person("maya", "write")
        made.hub.open_pull(made.head, author="ada", title="Convert at a day's rate")
        yield made


def reviewed(lab: Lab, server: ModelServer, usage: tuple[int, int] = USAGE) -> Outcome:
    server.say(NOTHING, usage=usage)
    payload = payloads.pull_request(lab.hub, lab.hub.pulls[1], "synchronize")
    return lab.run("pull_request", payload, **server.environment())


def asked(lab: Lab, server: ModelServer, body: str = "/ask how is it converted?") -> str:
    remark = lab.hub.say(1, "maya", body)
    lab.run("issue_comment", payloads.issue_comment(lab.hub, remark), **server.environment())
    return lab.hub.conversation(1)[-1].body


def sticky(lab: Lab) -> Remark:
    return next(r for r in lab.hub.conversation(1) if r.author.login == BOT)


def total(text: str) -> int:
    found = re.search(r"this pull request: ([\d,]+) of 30,000 tokens", text)
    assert found, text
    return int(found[1].replace(",", ""))


def test_what_earlier_runs_spent_counts(lab: Lab, server: ModelServer) -> None:
    reviewed(lab, server)
    assert total(sticky(lab).body) == 4_100
    reviewed(lab, server)
    body = sticky(lab).body
    assert total(body) == 8_200
    assert "$0.0100 of $5.00" in body  # 2 × (4,000 × 1 + 100 × 10) millionths
    marker = read_marker(body)
    assert marker is not None
    assert marker.spent == Spent(8_000, 200, 10_000)


def test_answers_count_and_see_what_reviews_spent(lab: Lab, server: ModelServer) -> None:
    reviewed(lab, server)
    server.say(ANSWER, usage=(1_000, 50))
    assert total(asked(lab, server)) == 5_150
    server.say(ANSWER, usage=(1_000, 50))
    assert total(asked(lab, server)) == 6_200
    reviewed(lab, server)
    assert total(sticky(lab).body) == 10_300


def test_one_comment_with_several_questions_spends_one_budget(
    lab: Lab, server: ModelServer
) -> None:
    server.say(ANSWER, usage=(1_000, 50)).say(ANSWER, usage=(1_000, 50))
    reply = asked(lab, server, "/ask how is it converted?\n\n/ask how is it converted?")
    assert "1,050 of 30,000" in reply
    assert "2,100 of 30,000" in reply
    assert reply.startswith(reply_mark(Spent(2_000, 100, 3_000)))


def test_a_review_that_was_asked_for_is_written_down_once(lab: Lab, server: ModelServer) -> None:
    server.say(NOTHING, usage=USAGE).say(ANSWER, usage=(1_000, 50))
    reply = asked(lab, server, "/review\n\n/ask how is it converted?")
    assert total(sticky(lab).body) == 4_100
    assert reply.startswith(reply_mark(Spent(1_000, 50, 1_500)))
    server.say(ANSWER, usage=(1_000, 50))
    assert total(asked(lab, server)) == 6_200


def test_a_thread_counts(lab: Lab, server: ModelServer) -> None:
    pull = lab.hub.pulls[1]
    lab.hub.discuss(pull, BOT, f"{reply_mark(Spent(9_000, 900, 0))}\nSo.", "store.py", 6)
    server.say(ANSWER, usage=(1_000, 50))
    assert total(asked(lab, server)) == 10_950


def test_when_it_is_spent_nobody_is_asked_and_the_comment_says_so(
    lab: Lab, server: ModelServer
) -> None:
    reviewed(lab, server, (BUDGET - 500, 100))
    n_asked = len(server.requests)
    outcome = reviewed(lab, server)
    assert len(server.requests) == n_asked
    body = sticky(lab).body
    assert "may cost this pull request is spent" in body
    assert total(body) == BUDGET - 400
    assert outcome.exit_code == 0
    reply = asked(lab, server)
    assert len(server.requests) == n_asked
    assert "the budget of 30,000 tokens does not hold another request" in reply
    assert "store.py" in reply  # the passages


@pytest.mark.parametrize(
    "word",
    ["", "-9+-9+-9", "9e9+0+0", "1+2", "99999999999999999999+0+0", "0x10+0+0", "١+٢+٣", "a" * 60],
)
def test_a_mark_that_is_none_of_ours_is_a_fresh_budget(
    lab: Lab, server: ModelServer, word: str
) -> None:
    mark = f"<!-- sidelight:v1 head={lab.head} run=0 spent={word} -->"
    lab.hub.say(1, BOT, f"{mark}\nSomething.")
    reviewed(lab, server)
    assert total(sticky(lab).body) == 4_100
    assert len([r for r in lab.hub.conversation(1) if r.author.login == BOT]) == 1


def test_marks_of_other_people_say_nothing(lab: Lab, server: ModelServer) -> None:
    spent = Spent(BUDGET, BUDGET, 0)
    lab.hub.say(1, "eve", f"{write_marker(CommentMarker(lab.head, 0, spent))}\nSpent.")
    lab.hub.say(1, "eve", f"{reply_mark(spent)}\nSpent.")
    lab.hub.say(1, BOT, f"Somebody said {reply_mark(spent)}")  # not its first line
    reviewed(lab, server)
    mine = [r for r in lab.hub.conversation(1) if r.author.login == BOT]
    assert total(mine[-1].body) == 4_100


def test_a_huge_number_spends_the_budget_and_breaks_nothing(lab: Lab, server: ModelServer) -> None:
    spent = Spent(10**12 - 1, 10**12 - 1, 10**12 - 1)
    for _ in range(2):
        lab.hub.say(1, BOT, f"{reply_mark(spent)}\nSpent.")
    lab.hub.say(1, BOT, f"{write_marker(CommentMarker(lab.head, 0, spent))}\nSpent.")
    outcome = reviewed(lab, server)
    assert server.requests == []
    assert outcome.exit_code == 0


def test_without_a_model_nobody_looks_for_what_was_spent(lab: Lab) -> None:
    payload = payloads.pull_request(lab.hub, lab.hub.pulls[1])
    lab.run("pull_request", payload)
    assert not [r for r in lab.double.requests if "/pulls/1/comments" in str(r)]
    assert "spent=" not in sticky(lab).body


def test_a_run_without_a_model_keeps_what_was_spent(lab: Lab, server: ModelServer) -> None:
    reviewed(lab, server)
    lab.run("pull_request", payloads.pull_request(lab.hub, lab.hub.pulls[1], "reopened"))
    marker = read_marker(sticky(lab).body)
    assert marker is not None
    assert marker.spent == Spent(4_000, 100, 5_000)


def test_a_comment_is_charged_in_its_first_line_only() -> None:
    marker = CommentMarker("a" * 40, 7)
    body = f"{write_marker(marker)}\n{write_marker(marker)}\n"
    first, second, _ = charged(body, Spent(1, 2, 3)).split("\n")
    assert read_marker(first) == CommentMarker("a" * 40, 7, Spent(1, 2, 3))
    assert second == write_marker(marker)
    assert charged("no mark", Spent(1, 2, 3)) == "no mark"
