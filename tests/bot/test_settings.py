"""What the environment of a job tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight.errors import UsageError
from sidelight_bot.model import Permission, Repo
from sidelight_bot.settings import (
    CommentPolicy,
    FailOn,
    Mode,
    Provider,
    Settings,
    read_settings,
    run_order,
    variable,
)


def test_nothing_given_is_the_default() -> None:
    assert read_settings({}) == Settings()
    assert read_settings({"SIDELIGHT_COMMENT": "", "GITHUB_EVENT_PATH": ""}) == Settings()


def test_every_input_is_a_variable() -> None:
    given = read_settings(
        {
            "SIDELIGHT_MODE": "review",
            "SIDELIGHT_RELATED_LIMIT": "3",
            "SIDELIGHT_NOTES_LIMIT": "0",
            "SIDELIGHT_COMMENT": "always",
            "SIDELIGHT_MIN_PERMISSION": "triage",
            "SIDELIGHT_FAIL_ON": "error",
            "SIDELIGHT_CONFIG": "ci/sidelight.toml",
            "SIDELIGHT_LLM_BASE_URL": "http://127.0.0.1:1/v1",
            "SIDELIGHT_LLM_MODEL": "small",
            "SIDELIGHT_LLM_API_KEY": "secret",
            "SIDELIGHT_LLM_PROVIDER": "anthropic",
            "SIDELIGHT_GITHUB_TOKEN": "token",
        }
    )
    assert given.mode is Mode.REVIEW
    assert (given.related_limit, given.notes_limit) == (3, 0)
    assert given.comment is CommentPolicy.ALWAYS
    assert given.min_permission is Permission.TRIAGE
    assert given.fail_on is FailOn.ERROR
    assert given.config == "ci/sidelight.toml"
    assert given.llm.is_configured
    assert given.llm.provider is Provider.ANTHROPIC
    assert given.job.token == "token"


def test_the_job_is_read() -> None:
    job = read_settings(
        {
            "GITHUB_EVENT_NAME": "push",
            "GITHUB_EVENT_PATH": "/job/event.json",
            "GITHUB_API_URL": "https://ghe.example.org/api/v3/",
            "GITHUB_SERVER_URL": "https://ghe.example.org",
            "GITHUB_REPOSITORY": "octo/demo",
            "GITHUB_WORKSPACE": "/work",
            "GITHUB_TOKEN": "job",
            "GITHUB_RUN_NUMBER": "12",
            "GITHUB_RUN_ATTEMPT": "3",
        }
    ).job
    assert job.event_path == Path("/job/event.json")
    assert job.api_url == "https://ghe.example.org/api/v3"
    assert job.repo == Repo("octo", "demo")
    assert job.token == "job"
    assert job.order == run_order(12, 3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SIDELIGHT_MODE", "everything"),
        ("SIDELIGHT_COMMENT", "sometimes"),
        ("SIDELIGHT_MIN_PERMISSION", "owner"),
        ("SIDELIGHT_MIN_PERMISSION", "none"),
        ("SIDELIGHT_FAIL_ON", "warning"),
        ("SIDELIGHT_LLM_PROVIDER", "mine"),
        ("SIDELIGHT_RELATED_LIMIT", "-1"),
        ("SIDELIGHT_RELATED_LIMIT", "51"),
        ("SIDELIGHT_NOTES_LIMIT", "five"),
        ("SIDELIGHT_NOTES_LIMIT", "²"),
        ("GITHUB_REPOSITORY", "../x"),
        ("GITHUB_API_URL", "file:///etc/passwd"),
    ],
)
def test_a_value_that_is_not_allowed_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=name):
        read_settings({name: value})


def test_secrets_do_not_show() -> None:
    shown = repr(read_settings({"SIDELIGHT_LLM_API_KEY": "s3cret", "GITHUB_TOKEN": "t0ken"}))
    assert "s3cret" not in shown
    assert "t0ken" not in shown


def test_a_later_run_and_a_later_attempt_come_after() -> None:
    order = [run_order(1, 1), run_order(1, 2), run_order(2, 1), run_order(10, 1)]
    assert order == sorted(set(order))
    assert run_order(10**12, 10**6) < 1_000_000_000


def test_an_input_is_called_as_actions_calls_it() -> None:
    assert variable("llm-base-url") == "SIDELIGHT_LLM_BASE_URL"
