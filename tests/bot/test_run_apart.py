"""The look at a change in a process of its own: the same report, no secrets, no crash."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.githubdouble import payloads
from helpers.githubdouble.jobs import Lab, Shop
from helpers.githubdouble.server import GitHubDouble
from sidelight.errors import SidelightError
from sidelight.indexing.place import EmbedderSource
from sidelight_bot import apart
from sidelight_bot.apart import analyse_apart, analyse_here
from sidelight_bot.checked import ReportError
from sidelight_bot.ground import Ground, open_ground
from sidelight_bot.settings import read_settings
from sidelight_bot.wiring import open_github

SECRET = "token-that-nobody-sees"


@pytest.fixture
def change(shop: Shop, tmp_path: Path) -> Iterator[tuple[Ground, str]]:
    with GitHubDouble(shop.origin(tmp_path)) as double:
        lab = Lab.make(tmp_path, double)
        pull = double.hub.open_pull(lab.head, title='A "title"\n$(id) ü')
        env = lab.env("pull_request", payloads.pull_request(double.hub, pull))
        settings = replace(read_settings(env), vectors_budget_s=0.0)
        port = open_github(settings)
        found = port.pull(1)
        yield open_ground(settings, found, port, EmbedderSource), found.title


def test_the_report_is_the_one_that_is_made_here(change: tuple[Ground, str]) -> None:
    there = analyse_apart(*change, 10)
    assert there.signatures
    assert replace(there, stages=()) == replace(analyse_here(*change, 10), stages=())


def test_the_process_knows_no_secret(
    change: tuple[Ground, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_TOKEN", "SIDELIGHT_LLM_API_KEY", "ACTIONS_RUNTIME_TOKEN", "PYTHONPATH"):
        monkeypatch.setenv(name, SECRET)
    started: list[dict[str, str]] = []
    run = subprocess.run

    def watched(words: list[str], **options: object) -> object:
        if "sidelight_bot" in words:
            started.append({**options["env"]})  # type: ignore[dict-item]
            assert SECRET not in " ".join(words)
        return run(words, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(apart.subprocess, "run", watched)
    analyse_apart(*change, 10)
    (environment,) = started
    assert SECRET not in environment.values()
    assert set(environment) <= {
        "PATH",
        "LANG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_KEY_0",
        "GIT_CONFIG_VALUE_0",
    }


def test_a_process_that_fails_is_an_error_of_one_line(change: tuple[Ground, str]) -> None:
    ground, title = change
    lost = replace(ground, pin=replace(ground.pin, head="a" * 40))
    with pytest.raises(SidelightError, match="could not be looked at") as caught:
        analyse_apart(lost, title, 10)
    assert "\n" not in caught.value.message


def test_what_comes_back_is_not_believed(
    change: tuple[Ground, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'import sys; sys.stdin.read(); print(\'{"version": 1, "head": "::error::"}\')'
    run = subprocess.run

    def replaced(words: list[str], **options: object) -> object:
        mine = [sys.executable, "-c", script]
        return run(mine if "sidelight_bot" in words else words, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(apart.subprocess, "run", replaced)
    with pytest.raises(ReportError):
        analyse_apart(*change, 10)
