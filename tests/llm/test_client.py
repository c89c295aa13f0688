"""Whatever an endpoint does, a caller gets a whole answer or one plain error. Over real HTTP."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from typing import Any

import pytest

from helpers.modelserver import KEY, ModelServer, Step
from sidelight.llm.budget import Budget, Prices
from sidelight.llm.client import Client
from sidelight.llm.errors import (
    BudgetSpentError,
    ContextOverflowError,
    LanguageModelError,
    ModelFilteredError,
    ModelOutputCutError,
    ModelOutputInvalidError,
    ModelRefusedError,
    ModelUnavailableError,
)
from sidelight.llm.opening import open_chat_model
from sidelight.llm.protocol import ChatModel, Completion, JsonSchema, Message

ASKED = (Message("system", "Answer briefly."), Message("user", "What is it?"))
VERDICT = JsonSchema(
    "verdict",
    {
        "type": "object",
        "properties": {"holds": {"type": "boolean"}, "because": {"type": "string"}},
        "required": ["holds", "because"],
        "additionalProperties": False,
    },
)
GOOD = {"holds": True, "because": "line 3 says so"}


@pytest.fixture(params=["openai", "anthropic"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def ask(model: ChatModel, schema: JsonSchema | None = None, **more: Any) -> Completion:
    return model.complete(ASKED, max_tokens=50, schema=schema, **more)


def warm(server: ModelServer, provider: str, **changes: Any) -> ChatModel:
    """Return a model with a short deadline, its library's late imports done."""
    model = server.model(provider=provider, timeout_s=1.0, **changes)
    ask(server.say("It is.").model(provider=provider))
    return model


def test_an_answer_comes_with_what_it_cost(server: ModelServer, provider: str) -> None:
    server.say("It is a hook.", usage=(120, 7))
    answer = ask(server.model(provider=provider, prices=Prices(2.0, 10.0)))
    assert (answer.text, answer.data, answer.finish) == ("It is a hook.", None, "stop")
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (120, 7)
    assert answer.usage.cost_usd == pytest.approx((120 * 2 + 7 * 10) / 1e6)
    sent = server.requests[0].body
    assert sent["temperature"] == 0.1
    assert sent["max_tokens"] == 50
    assert "tools" not in sent
    assert "What is it?" in server.requests[0].prompt


def test_without_prices_no_cost_is_made_up(server: ModelServer) -> None:
    server.say("It is.")
    assert ask(server.model()).usage.cost_usd is None


def test_an_endpoint_that_does_not_count_is_estimated(server: ModelServer) -> None:
    server.say("It is.", usage=None)
    usage = ask(server.model()).usage
    assert usage.estimated
    assert usage.prompt_tokens > 0
    assert usage.completion_tokens > 0


# Structured output


def test_data_is_asked_for_by_schema_first(server: ModelServer, provider: str) -> None:
    server.say_json(GOOD)
    assert ask(server.model(provider=provider), VERDICT).data == GOOD
    assert server.requests[0].form == "json_schema"


def test_forms_that_an_endpoint_lacks_are_left_one_by_one_and_for_good(server: ModelServer) -> None:
    server.refuse_form().refuse_form().say_json(GOOD).say_json(GOOD)
    model = server.model()
    assert ask(model, VERDICT).data == GOOD
    assert ask(model, VERDICT).data == GOOD
    assert [r.form for r in server.requests] == ["json_schema", "json_object", "", ""]
    for request in server.requests[1:]:
        assert '"additionalProperties":false' in request.prompt


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        f"```json\n{json.dumps(GOOD)}\n```",
        f"Here you are:\n{json.dumps(GOOD)}\nAnything else?",
        f'<think>{{"holds": false}} hm</think>\n{json.dumps(GOOD)}',
    ],
)
def test_the_object_is_found_in_what_models_write_around_it(server: ModelServer, text: str) -> None:
    server.say(text)
    assert ask(server.model(), VERDICT).data == GOOD


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("I think it holds.", "holds no JSON object"),
        ('{"holds": true, "because": "cut', "holds no JSON object"),
        ('{"holds": "yes", "because": "x"}', "answer.holds must be of type boolean"),
        ('{"holds": true}', "answer.because is missing"),
        ('{"holds": true, "because": "x", "extra": 1}', "unknown field"),
        ('{"holds": NaN, "because": "x"}', "holds no JSON object"),
        ("[" * 5000, "holds no JSON object"),
    ],
)
def test_a_bad_answer_is_repaired_once(server: ModelServer, bad: str, told: str) -> None:
    server.say(bad, usage=(100, 20)).say_json(GOOD, usage=(150, 20))
    answer = ask(server.model(), VERDICT)
    assert answer.data == GOOD
    assert answer.usage.tokens == 290
    assert answer.usage.calls == 2
    assert told in server.requests[1].prompt
    assert bad[:100] in server.requests[1].prompt


def test_a_second_bad_answer_is_an_error(server: ModelServer) -> None:
    server.say("no").say("no again")
    with pytest.raises(ModelOutputInvalidError, match="not what was asked for"):
        ask(server.model(), VERDICT)
    assert len(server.requests) == 2


def test_an_empty_answer_is_asked_for_once_more(server: ModelServer) -> None:
    server.say(None).say("It is.").say("").say(None)
    assert ask(server.model()).text == "It is."
    with pytest.raises(ModelOutputInvalidError):
        ask(server.model())


# Failures that may pass


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_what_may_pass_is_tried_again(server: ModelServer, provider: str, status: int) -> None:
    server.fail(status).fail(status).say("It is.")
    assert ask(server.model(provider=provider)).text == "It is."
    assert len(server.requests) == 3


def test_retries_end(server: ModelServer) -> None:
    server.fail(503).fail(503).fail(503)
    with pytest.raises(ModelUnavailableError, match=r"busy \(status 503\)"):
        ask(server.model(retries=2))
    assert len(server.requests) == 3


def test_waits_double_and_retry_after_is_honoured(server: ModelServer) -> None:
    waits: list[float] = []
    server.fail(500).fail(429, retry_after=7).fail(500).say("It is.")
    model = open_chat_model(server.settings(backoff_s=0.5, retries=3), sleep=waits.append)
    assert model is not None
    assert ask(model).text == "It is."
    assert waits == [0.5, 7.0, 2.0]


def test_a_wait_of_minutes_is_not_waited_for(server: ModelServer) -> None:
    waits: list[float] = []
    server.fail(429, retry_after=600)
    model = open_chat_model(server.settings(), sleep=waits.append)
    assert model is not None
    with pytest.raises(ModelUnavailableError, match="busy for another 600 s"):
        ask(model)
    assert waits == []
    assert len(server.requests) == 1


@pytest.mark.parametrize("fault", ["reset", "cut_body"])
def test_a_broken_connection_is_tried_again(server: ModelServer, provider: str, fault: str) -> None:
    getattr(server, fault)().say("It is.")
    assert ask(server.model(provider=provider)).text == "It is."


@pytest.mark.parametrize("fault", ["hang", "drip", "drip_head"])
def test_an_endpoint_that_never_ends_is_left(
    server: ModelServer, provider: str, fault: str
) -> None:
    model = warm(server, provider, retries=1)
    getattr(server, fault)()
    getattr(server, fault)()
    with pytest.raises(ModelUnavailableError, match="did not answer in time"):
        ask(model)
    assert len(server.requests) == 3
    server.say("It is.")
    assert ask(model).text == "It is."
    for thread in threading.enumerate():
        if thread.name == "sidelight-llm-request":
            thread.join(10)
            assert not thread.is_alive()


def test_a_reply_without_an_end_does_not_fill_the_memory(
    server: ModelServer, provider: str
) -> None:
    server.flood()
    with pytest.raises(ModelUnavailableError, match="too long"):
        ask(server.model(provider=provider))
    assert len(server.requests) == 1


def test_nobody_there(server: ModelServer, provider: str) -> None:
    settings = replace(server.settings(), provider=provider, base_url="http://127.0.0.1:1/v1")
    model = open_chat_model(settings)
    assert model is not None
    with pytest.raises(ModelUnavailableError, match=r"127\.0\.0\.1:1 cannot be reached") as caught:
        ask(model)
    assert "SIDELIGHT_LLM_BASE_URL" in caught.value.hint


# Failures that stay


@pytest.mark.parametrize(
    ("step", "kind", "words"),
    [
        (Step("no", finish="content_filter"), ModelFilteredError, "content filter"),
        (
            Step(status=400, body={"error": {"code": "content_filter", "message": "policy"}}),
            ModelFilteredError,
            "content filter stopped the prompt",
        ),
        (
            Step(None, message={"refusal": "I cannot help with that."}),
            ModelRefusedError,
            "declined",
        ),
        (Step("It is a", finish="length"), ModelOutputCutError, "before it was complete"),
        (Step("It is a", finish=None), ModelOutputCutError, "before it was complete"),
        (Step("", finish="tool_calls"), ModelOutputInvalidError, "has none"),
        (Step("It", finish="gremlins"), ModelOutputInvalidError, "do not know"),
        (Step(status=401, body={"error": {"message": "bad"}}), ModelUnavailableError, "the key"),
        (Step(status=403, body={"error": {"message": "bad"}}), ModelUnavailableError, "the key"),
        (Step(status=404, body={"error": "no such model"}), ModelUnavailableError, "'scripted'"),
        (Step(status=410, body=b"gone"), ModelUnavailableError, "does not know"),
        (
            Step(status=307, headers={"Location": "http://127.0.0.1:1/elsewhere"}, body={}),
            ModelUnavailableError,
            "status 307",
        ),
        (
            Step(status=429, body={"error": {"code": "insufficient_quota", "message": "pay"}}),
            ModelUnavailableError,
            "quota",
        ),
        (Step(status=400, body={"error": {"message": "no"}}), ModelUnavailableError, "refuses"),
        (Step(body=b"<html>hello</html>"), ModelUnavailableError, "not a completion"),
        (
            Step(body=b"<html>", headers={"Content-Type": "text/html"}),
            ModelUnavailableError,
            "not a completion",
        ),
        (Step(body=b"[]"), ModelUnavailableError, "not a completion"),
        (Step(body={"choices": []}), ModelUnavailableError, "no choices"),
        (Step(body={"choices": [7]}), ModelUnavailableError, "no choices"),
        (Step(body={"choices": [{"message": None}]}), ModelUnavailableError, "no message"),
        (Step(body={"error": {"message": "x"}}), ModelUnavailableError, "fails or is busy"),
        (Step(body=b"[" * 100_000), ModelUnavailableError, "not a completion"),
        (Step(body=b'"' + b"x" * 5_000_000 + b'"'), ModelUnavailableError, "too long"),
    ],
)
def test_each_failure_is_told_plainly(
    server: ModelServer, step: Step, kind: type[LanguageModelError], words: str
) -> None:
    server.do(step, step, step)
    with pytest.raises(kind, match=words) as caught:
        ask(server.model())
    assert type(caught.value) is kind
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 400


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (Step("It is a", finish="length"), ModelOutputCutError),
        (Step("No.", finish="refusal"), ModelRefusedError),
        (Step("", finish="tool_use"), ModelOutputInvalidError),
        (Step(body={"type": "message"}), ModelUnavailableError),
        (
            Step(status=401, body={"error": {"type": "authentication_error", "message": "bad"}}),
            ModelUnavailableError,
        ),
    ],
)
def test_anthropic_failures(
    server: ModelServer, step: Step, kind: type[LanguageModelError]
) -> None:
    server.do(step)
    with pytest.raises(kind):
        ask(server.model(provider="anthropic"))


def test_a_cut_answer_keeps_what_there_is(server: ModelServer) -> None:
    server.say("It is a hook that", finish="length")
    with pytest.raises(ModelOutputCutError) as caught:
        ask(server.model())
    assert caught.value.partial == "It is a hook that"


def test_parameters_that_a_model_does_not_take_are_left_out(server: ModelServer) -> None:
    server.fail(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    server.fail(400, "Unsupported value: 'temperature' does not support 0.1 with this model.")
    server.say("It is.").say("It is.")
    model = server.model()
    assert ask(model).text == "It is."
    assert ask(model).text == "It is."
    assert len(server.requests) == 4
    assert server.requests[3].body["max_completion_tokens"] == 50
    assert "temperature" not in server.requests[3].body


# Context


@pytest.mark.parametrize(
    ("message", "limit"),
    [
        ("This model's maximum context length is 8192 tokens. However, you asked for 9", 8192),
        ("prompt is too long: 210000 tokens > 200000 maximum", 200000),
        ("the request exceeds the available context size (4096 tokens)", 4096),
        ("Please reduce the length of the messages or completion.", None),
    ],
)
def test_a_prompt_that_is_too_long_is_made_shorter_once(
    server: ModelServer, message: str, limit: int | None
) -> None:
    asked: list[int | None] = []

    def shrink(tokens: int | None) -> list[Message]:
        asked.append(tokens)
        return [Message("user", "What?")]

    server.fail(400, message).say("It is.")
    assert ask(server.model(), shrink=shrink).text == "It is."
    assert asked == [None if limit is None else limit - 50]
    assert server.requests[1].prompt == "What?"


def test_a_prompt_that_stays_too_long_is_an_error(server: ModelServer) -> None:
    server.overflow().overflow().overflow()
    with pytest.raises(ContextOverflowError, match="8,192 tokens"):
        ask(server.model(), shrink=lambda _: [*ASKED])
    assert len(server.requests) == 2
    with pytest.raises(ContextOverflowError):
        ask(server.model())


def test_what_cannot_fit_is_not_sent(server: ModelServer) -> None:
    model = server.model(context_tokens=1000)
    long = [Message("user", "word " * 4000)]
    with pytest.raises(ContextOverflowError):
        model.complete(long, max_tokens=50)
    assert server.requests == []


# Budget


def test_a_budget_holds_over_several_calls(server: ModelServer) -> None:
    budget = Budget(tokens=260)
    server.say("one", usage=(100, 20)).say("two", usage=(100, 20))
    model = server.model(budget)
    ask(model)
    ask(model)
    assert budget.spent.tokens == 240
    with pytest.raises(BudgetSpentError, match="260 tokens"):
        ask(model)
    assert len(server.requests) == 2


def test_money_is_a_budget_too(server: ModelServer) -> None:
    budget = Budget(cost_usd=0.003)
    server.say("one", usage=(100, 20))
    model = server.model(budget, prices=Prices(1.0, 50.0))
    ask(model)
    with pytest.raises(BudgetSpentError, match=r"\$0\.00"):
        model.complete(ASKED, max_tokens=50)


def test_what_was_of_no_use_is_spent_all_the_same(server: ModelServer) -> None:
    budget = Budget()
    server.say("It", finish="length", usage=(100, 20))
    with pytest.raises(ModelOutputCutError):
        ask(server.model(budget))
    assert budget.spent.tokens == 120


# Secrets


def test_secrets_are_redacted_on_both_ways(server: ModelServer) -> None:
    token = "ghp_" + "a1B2" * 9
    server.say(f"The token is {token} and the key {KEY}.")
    answer = server.model().complete([Message("user", f"TOKEN={token} {KEY}")], max_tokens=50)
    assert answer.text == "The token is [redacted] and the key [redacted]."
    assert token not in server.requests[0].prompt
    assert KEY not in server.requests[0].prompt
    assert "TOKEN=" in server.requests[0].prompt
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_no_key_is_shown_by_anything(
    server: ModelServer, provider: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    server.fail(401, f"Incorrect API key provided: {KEY}. See https://x.example?key={KEY}")
    settings = server.settings(provider=provider)
    model = server.model(provider=provider)
    with pytest.raises(ModelUnavailableError) as caught:
        ask(model)
    shown = [repr(settings), str(settings), repr(model), repr(vars(model)), str(caught.value)]
    shown += [repr(caught.value), caught.value.hint, caplog.text, repr(settings.key)]
    chain = caught.value.__cause__
    assert chain is None
    assert all(KEY not in text for text in shown)


def test_other_programs_settings_are_not_taken(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/other")
    server.say("It is.")
    ask(server.model())
    assert "127.0.0.1:1/other" not in str(server.requests[0].headers)


def test_the_client_is_a_chat_model(server: ModelServer) -> None:
    model = server.model()
    assert isinstance(model, Client)
    assert model.info.model == "scripted"
    assert model.info.base_url == server.base_url
