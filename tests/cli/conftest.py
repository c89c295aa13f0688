"""The command line under test."""

from __future__ import annotations

import pytest

from cli.run import Cli


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Commands, run in this process."""
    return Cli(capsys)
