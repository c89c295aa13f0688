"""A job of the action against the double: a small repository, its checkout, the environment.

    lab = Lab.make(tmp_path, double)
    pull = lab.hub.open_pull(lab.head)
    outcome = lab.run("pull_request", payloads.pull_request(lab.hub, pull))

The model of the vectors is the fake one; everything else is the real thing, in this process.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helpers.fake_embedder import FakeEmbedder
from helpers.githubdouble import payloads
from helpers.githubdouble.server import TOKEN, GitHubDouble
from helpers.githubdouble.state import Hub
from helpers.gitrepo import GitRepo
from sidelight.indexing.place import FixedEmbedder
from sidelight_bot.outcome import Outcome
from sidelight_bot.ports import Ports
from sidelight_bot.run import run_job
from sidelight_bot.settings import read_settings
from sidelight_bot.wiring import default_ports

STORE = '''"""Keeps prices."""

RATES = {"eur": 1.0}


def convert(amount, currency):
    """Return the amount in euros."""
    return amount * RATES[currency]


def total(items):
    """Return the sum of converted items."""
    return sum(convert(i.amount, i.currency) for i in items)
'''
SHOP = '''"""Sells things."""

from store import convert, total


def checkout(basket):
    """Return what a basket costs."""
    return total(basket.items)


def quote(item):
    """Return the price of one thing."""
    return convert(item.amount, item.currency)
'''
TEST = '''"""Tests of the store."""

from store import convert


def test_convert():
    assert convert(2, "eur") == 2
'''
CHANGED = STORE.replace("def convert(amount, currency):", "def convert(amount, currency, day):")


def small_repository(path: Path) -> GitRepo:
    """Return a repository whose branch `topic` changes a signature that others call."""
    repo = GitRepo.init(path)
    repo.write("store.py", STORE)
    repo.write("shop.py", SHOP)
    repo.write("tests/test_store.py", TEST)
    repo.write("README.md", "# Shop\n\nConverts prices and sells things.\n")
    repo.commit("Add a shop")
    repo.switch("topic", "-c")
    repo.write("store.py", CHANGED)
    repo.commit("Convert at a day's rate")
    repo.switch("main")
    return repo


@dataclass(frozen=True)
class Shop:
    """A small repository and a checkout of it whose index is built; tests work on copies."""

    folder: Path

    @classmethod
    def build(cls, folder: Path) -> Shop:
        """Return the repository, the checkout, and the index of both sides, made once."""
        with GitHubDouble(small_repository(folder / "origin")) as double:
            lab = Lab.make(folder, double)
            pull = double.hub.open_pull(lab.head)
            lab.run("pull_request", payloads.pull_request(double.hub, pull))
        return cls(folder)

    def origin(self, folder: Path) -> GitRepo:
        """Return a copy of the repository, and of the checkout beside it."""
        for name in ("origin", "workspace"):
            shutil.copytree(self.folder / name, folder / name, symlinks=True)
        url = (folder / "origin").absolute().as_uri()
        GitRepo(folder / "workspace").git("remote", "set-url", "origin", url)
        return GitRepo(folder / "origin")


@dataclass
class Lab:
    """A job's surroundings. `ports` may be replaced before a run."""

    folder: Path
    double: GitHubDouble
    workspace: GitRepo
    head: str
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    n_runs: int = 0
    change_ports: Callable[[Ports], Ports] = lambda ports: ports

    @classmethod
    def make(cls, folder: Path, double: GitHubDouble, *clone_options: str) -> Lab:
        """Return a job over a checkout of the repository: the one there, or a new clone."""
        place = folder / "workspace"
        is_there = place.is_dir() and not clone_options
        workspace = (
            GitRepo(place, double.repo.clock)
            if is_there
            else double.repo.clone(place, *clone_options)
        )
        return cls(folder, double, workspace, double.repo.git("rev-parse", "topic"))

    @property
    def hub(self) -> Hub:
        """What the double remembers."""
        return self.double.hub

    def env(self, event: str, payload: dict[str, Any], **inputs: str) -> dict[str, str]:
        """Return the environment of a job; `inputs` are variables as they are called."""
        self.n_runs += 1
        folder = self.folder / f"job-{self.n_runs}"
        folder.mkdir()
        (folder / "event.json").write_text(json.dumps(payload), "utf-8")
        return {
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_API_URL": self.double.api_url,
            "GITHUB_SERVER_URL": self.double.web,
            "GITHUB_TOKEN": TOKEN,
            "GITHUB_REPOSITORY": self.hub.slug,
            "GITHUB_WORKSPACE": str(self.workspace.path),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_RUN_NUMBER": str(self.n_runs),
            "GITHUB_RUN_ATTEMPT": "1",
            "RUNNER_TEMP": str(folder),
            **inputs,
        }

    def run(self, event: str, payload: dict[str, Any], **inputs: str) -> Outcome:
        """Return what a job did."""
        settings = read_settings(self.env(event, payload, **inputs))
        ports = default_ports(settings, lambda _config: FixedEmbedder(self.embedder))
        return run_job(settings, self.change_ports(dataclasses.replace(ports)))

    def left(self, name: str) -> str:
        """Return a file that the last job left: `summary.md`, `output`, a result."""
        file = self.folder / f"job-{self.n_runs}" / name
        return file.read_text("utf-8") if file.exists() else ""

    def outputs(self) -> dict[str, str]:
        """Return the last job's outputs, read as the runner does."""
        found, lines = {}, iter(self.left("output").split("\n"))
        for line in lines:
            name, mark, delimiter = line.partition("<<")
            if mark:
                value = []
                for part in lines:
                    if part == delimiter:
                        break
                    value.append(part)
                found[name] = "\n".join(value)
        return found
