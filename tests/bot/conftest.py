"""What the bot's tests share."""

from __future__ import annotations

import pytest

from helpers.githubdouble.jobs import Shop


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """Return a small repository with its checkout and index, to be copied."""
    return Shop.build(tmp_path_factory.mktemp("shop"))
