"""Every test runs with git shielded from the host's configuration, and no surprising terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cli.run import Cli
from helpers.modelserver import ModelServer

# How long an example takes says how busy the machine is, not what the code does.
settings.register_profile("sidelight", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sidelight")


@pytest.fixture(autouse=True)
def shielded_environment(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Give the test an empty home, fixed authors and a plain output."""
    home: Path = tmp_path_factory.getbasetemp() / "home"
    home.mkdir(exist_ok=True)
    for name in list(os.environ):
        if name.startswith(("GIT_", "SIDELIGHT_", "GITHUB_", "XDG_")):
            monkeypatch.delenv(name)
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Commands, run in this process."""
    return Cli(capsys)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A language model that says what it is told to."""
    with ModelServer() as running:
        yield running
