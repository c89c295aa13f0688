"""Fixtures of the hook tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from hooks.lab import Lab


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A repository with one commit."""
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("base.txt", "base\n")
    repo.commit("base")
    return repo


@pytest.fixture
def lab(repo: GitRepo, tmp_path: Path) -> Lab:
    """A lab around that repository; nothing is installed yet."""
    return Lab.around(repo, tmp_path / "lab")
