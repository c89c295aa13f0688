"""The model is configured by the environment and the configuration, each for its own part."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from sidelight.config import Config, LlmConfig, parse_config
from sidelight.errors import ConfigError
from sidelight.llm.budget import Budget
from sidelight.llm.diagnosis import retry_after
from sidelight.llm.opening import open_chat_model
from sidelight.llm.protocol import Usage
from sidelight.llm.settings import ApiKey, llm_settings

LOCAL = {"SIDELIGHT_LLM_BASE_URL": "http://localhost:11434/v1/", "SIDELIGHT_LLM_MODEL": "tiny"}


def test_nothing_configured_is_no_model() -> None:
    assert open_chat_model(llm_settings(LlmConfig(), {})) is None
    assert open_chat_model(llm_settings(LlmConfig(), {"SIDELIGHT_LLM_MODEL": "tiny"})) is None
    assert open_chat_model(llm_settings(LlmConfig(), {"SIDELIGHT_LLM_API_KEY": "k"})) is None


def test_a_local_endpoint_needs_no_key() -> None:
    settings = llm_settings(LlmConfig(), LOCAL)
    assert settings.is_configured
    assert settings.url == "http://localhost:11434/v1"


def test_a_key_alone_means_the_provider_itself() -> None:
    environment = {"SIDELIGHT_LLM_API_KEY": " k \n", "SIDELIGHT_LLM_MODEL": "m"}
    assert llm_settings(LlmConfig(), environment).url == "https://api.openai.com/v1"
    environment["SIDELIGHT_LLM_PROVIDER"] = "anthropic"
    settings = llm_settings(LlmConfig(), environment)
    assert settings.url == "https://api.anthropic.com"
    assert settings.key.reveal() == "k"


def test_the_environments_model_wins() -> None:
    assert llm_settings(LlmConfig(model="ours"), LOCAL).model == "tiny"
    assert llm_settings(LlmConfig(model="ours"), {}).model == "ours"


@pytest.mark.parametrize("key", ["api_key", "key", "base_url", "provider"])
def test_a_repository_cannot_say_where_code_goes(key: str) -> None:
    with pytest.raises(ConfigError, match=f"unknown key llm.{key}"):
        parse_config({"llm": {key: "x"}}, "x")


def test_the_configuration_is_read() -> None:
    table = {"model": "m", "temperature": 0, "answer-tokens": 300, "budget_usd": 1.5}
    prices = {"price_prompt": 1, "price_completion": 4.0}
    settings = llm_settings(parse_config({"llm": {**table, **prices}}, "x").llm, {})
    assert (settings.temperature, settings.answer_tokens) == (0.0, 300)
    assert settings.budget().cost_usd == 1.5
    assert settings.prices.cost(1_000_000, 0) == 1.0


def test_a_budget_of_money_needs_prices() -> None:
    with pytest.raises(ConfigError, match="none are assumed"):
        llm_settings(LlmConfig(budget_usd=1.0), {})


def test_form_is_checked() -> None:
    with pytest.raises(ConfigError, match=r"llm\.structured is 'xml'"):
        parse_config({"llm": {"structured": "xml"}}, "x")


@pytest.mark.parametrize(
    "url",
    [
        "localhost:11434",
        "file:///etc/passwd",
        "http://",
        "http://user:hunter2@host/v1",
        "http://host/v1?key=hunter2",
        "http://host:99999/v1",
        "http://ho st/v1",
        "http://[::1/v1",
    ],
)
def test_an_odd_address_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        llm_settings(LlmConfig(), {"SIDELIGHT_LLM_BASE_URL": url})
    assert "hunter2" not in str(caught.value)


def test_an_odd_provider_or_key_is_refused() -> None:
    with pytest.raises(ConfigError, match="'grok'"):
        llm_settings(LlmConfig(), {"SIDELIGHT_LLM_PROVIDER": "grok"})
    with pytest.raises(ConfigError, match="API_KEY") as caught:
        llm_settings(LlmConfig(), {"SIDELIGHT_LLM_API_KEY": "hunter2\x00"})
    assert "hunter2" not in str(caught.value)


def test_a_key_is_neither_shown_nor_stored() -> None:
    key = ApiKey("hunter2")
    assert "hunter2" not in f"{key}{key!r}"
    with pytest.raises(TypeError):
        pickle.dumps(key)
    with pytest.raises(TypeError):
        copy.deepcopy(key)


def test_earlier_runs_count() -> None:
    budget = Budget(tokens=100, spent=Usage(80, 10, None, 1))
    assert budget.spent.tokens == 90


def test_usages_add_up() -> None:
    total = Usage(1, 2, None, 1) + Usage(3, 4, 0.5, 1, estimated=True)
    assert total == Usage(4, 6, 0.5, 2, estimated=True)


def test_retry_after_is_seconds_or_a_date() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert retry_after({"retry-after": "3"}) == 3.0
    assert retry_after({"retry-after-ms": "250"}) == 0.25
    assert retry_after({"retry-after": "Thu, 01 Jan 2026 00:00:30 GMT"}, now) == 30.0
    assert retry_after({"retry-after": "Thu, 01 Jan 2020 00:00:30 GMT"}, now) == 0.0
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


@pytest.mark.parametrize(
    "module", ["sidelight.llm.opening", "sidelight.llm.client", "sidelight.cli.search"]
)
def test_the_client_libraries_are_loaded_with_a_model_only(module: str) -> None:
    code = f"import sys, {module}; print({{'openai', 'anthropic', 'httpx'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_default_configuration_has_a_token_budget() -> None:
    assert llm_settings(Config().llm, {}).budget().tokens == 200_000


@pytest.mark.parametrize(
    ("model", "url", "provider"),
    [
        ("claude-x", "", "anthropic"),
        ("claude-x", "https://api.anthropic.com", "anthropic"),
        ("claude-x", "https://openrouter.ai/api/v1", "openai"),
        ("gpt-x", "", "openai"),
    ],
)
def test_the_provider_follows_from_what_is_configured(model: str, url: str, provider: str) -> None:
    environment = {"SIDELIGHT_LLM_MODEL": model, "SIDELIGHT_LLM_BASE_URL": url}
    environment |= {"SIDELIGHT_LLM_PROVIDER": "auto", "SIDELIGHT_LLM_API_KEY": "k"}
    assert llm_settings(LlmConfig(), environment).provider == provider
