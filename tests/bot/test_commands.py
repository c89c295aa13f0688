"""Which lines of a comment are commands, and what they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight_bot.commands import (
    MAX_COMMANDS,
    AskOptions,
    BadCommand,
    Command,
    CommandName,
    parse_commands,
)


def names(body: str) -> list[str]:
    return [item.name.value for item in parse_commands(body) if isinstance(item, Command)]


def only(body: str) -> Command:
    (item,) = parse_commands(body)
    assert isinstance(item, Command), item
    return item


def bad(body: str) -> BadCommand:
    (item,) = parse_commands(body)
    assert isinstance(item, BadCommand), item
    return item


def test_a_question_is_read() -> None:
    assert only("/ask Where are retries counted?").argument == "Where are retries counted?"


def test_a_question_goes_on_to_the_end_of_its_paragraph() -> None:
    command = only("/ask Where are\nretries\ncounted?\n\nThanks!")
    assert command.argument == "Where are\nretries\ncounted?"


def test_several_commands_of_one_comment() -> None:
    body = "Hello\n\n/callers Server.run\n/callees `run()`\n/ask why?\n/tests\n\n/review"
    assert names(body) == ["callers", "callees", "ask", "tests", "review"]
    callers, callees, *_ = parse_commands(body)
    assert isinstance(callers, Command)
    assert isinstance(callees, Command)
    assert (callers.argument, callees.argument) == ("Server.run", "run")
    assert (callers.line, callees.line) == (3, 4)


@pytest.mark.parametrize(
    "body",
    [
        "```\n/ask hidden\n```",
        "~~~text\n/ask hidden\n~~~",
        "````\n```\n/ask hidden\n```\n````",
        "```\n/ask never closed",
        "    /ask indented",
        "\t/ask indented",
        "> /ask quoted",
        ">/ask quoted",
        "`/ask code`",
        "see `this\n/ask is inside\nof it` all",
        "please run /ask later",
        "- /ask in a list",
        "<!-- /ask hidden -->",
        "<!--\n/ask hidden\n-->",
        "text <!-- begins\n/ask hidden\nends -->",
        "<pre>\n/ask code\n</pre>",
        "/usr/bin/ask",
        "//ask",
        "/ ask",
        "",
    ],
)
def test_what_is_not_shown_as_plain_text_is_no_command(body: str) -> None:
    assert parse_commands(body) == ()


@pytest.mark.parametrize(
    "body",
    [
        "```\ncode\n```\n/help",
        "> quoted\n\n/help",
        "`one` and ` two\n\n/help",
        "an odd ` tick\n/help",
        "``` inline ``` code\n/help",
        "<!-- hidden -->\n/help",
        "text with <!-- never closed\n/help",
        "```\n<!-- in code\n```\n/help",
        "   /help",
        "/HELP",
        "/help\r\n",
        "/sidelight",
        "/sidelight help",
    ],
)
def test_plain_lines_are_read(body: str) -> None:
    assert names(body) == ["help"]


@pytest.mark.parametrize(
    ("body", "question", "options"),
    [
        ("/ask -k 5 why?", "why?", AskOptions(k=5)),
        ("/ask -k=5 why?", "why?", AskOptions(k=5)),
        ("/ask why? -k 5", "why?", AskOptions(k=5)),
        ("/ask --min-score 0.5 --show-context why", "why", AskOptions(None, 0.5, True)),
        ("/ask why --min-score=.5 --show-context", "why", AskOptions(None, 0.5, True)),
        ("/ask -- -k 5 means what", "-k 5 means what", AskOptions()),
        ("/ask what does -k do in pytest", "what does -k do in pytest", AskOptions()),
    ],
)
def test_options_of_ask(body: str, question: str, options: AskOptions) -> None:
    command = only(body)
    assert (command.argument, command.options) == (question, options)


@pytest.mark.parametrize(
    "body",
    [
        "/ask",
        "/ask -k 0 why",
        "/ask -k many why",
        "/ask -k 99999999999999999999 why",
        "/ask --min-score high why",
        "/callers",
        "/callees  ",
    ],
)
def test_what_cannot_be_followed_is_told(body: str) -> None:
    assert bad(body).problem


@pytest.mark.parametrize("body", ["/caller x", "/reveiw", "/sidelight dance", "/relatd"])
def test_a_near_miss_is_answered_with_help(body: str) -> None:
    assert bad(body).problem


@pytest.mark.parametrize(
    "body", ["/lgtm", "/retest", "/test all", "/assign @x", "/hold", "/task", "/rebase", "/deploy"]
)
def test_other_bots_commands_are_left_alone(body: str) -> None:
    assert parse_commands(body) == ()


def test_a_flood_of_commands_is_cut() -> None:
    found = parse_commands("/tests\n" * 50)
    assert len(found) == MAX_COMMANDS + 1
    assert isinstance(found[-1], BadCommand)


def test_namespaced_commands_are_the_same() -> None:
    assert only("/sidelight ask why?") == Command(CommandName.ASK, "why?")


@given(st.text(alphabet="/ask -k5`~>\n\r\t<!-pre", max_size=80))
def test_any_text_is_read_without_error(body: str) -> None:
    for item in parse_commands(body):
        assert item.line >= 1
