"""`related` with findings, and `graph impact` of a diff, as they are typed."""

from __future__ import annotations

import pytest

from cli.run import Cli
from helpers.gitrepo import GitRepo
from sidelight.cli.main import main

CORE = "def send(host, port):\n    return host, port\n\n\ndef last():\n    return 0\n"
APP = "from core import send\n\n\ndef start():\n    return send('a', 1)\n"
TEST = "from app import start\n\n\ndef test_start():\n    assert start()\n"


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """A commit that gives `send` a third parameter, and one file with a second change."""
    repo = GitRepo.init(tmp_path_factory.mktemp("findings") / "repo")
    for path, text in (("core.py", CORE), ("app.py", APP), ("tests/test_app.py", TEST)):
        repo.write(path, text)
    repo.commit("Open")
    repo.write("core.py", CORE.replace("host, port", "host, port, retries"))
    repo.commit("core: retries")
    assert main(["-C", str(repo.path), "init", "--no-hook"]) == 0
    return repo


def test_related_has_findings_in_every_format_unless_told_not_to(cli: Cli, repo: GitRepo) -> None:
    message = "`send` now requires `retries`: 1 call outside the diff no longer fits"
    found = cli.json(repo.path, "related")["findings"]
    first = found["items"][0]
    assert (first["kind"], first["message"]) == ("signature", message)
    assert first["evidence"] == [
        {
            "path": "app.py",
            "line": 5,
            "text": "return send('a', 1)",
            "note": "lacks the required `retries`",
        }
    ]
    assert [item["symbol"] for item in found["touched"]] == ["send"]
    text = cli(repo.path, "related").out
    assert f"core.py:1  {message}" in text
    assert "    app.py:5  return send('a', 1)  lacks the required `retries`" in text
    markdown = cli(repo.path, "related", "--format", "markdown").out
    assert f"### Calls that no longer fit\n\n- {message}\n  - `app.py:5`" in markdown
    assert "findings" not in cli.json(repo.path, "related", "--no-findings")
    assert message not in cli(repo.path, "related", "--no-findings").out


def test_impact_of_a_diff_shows_users_and_tests(cli: Cli, repo: GitRepo) -> None:
    (changed,) = cli.json(repo.path, "graph", "impact")["changed"]
    assert (changed["symbol"], changed["change"]) == ("send", "signature")
    assert [(item["symbol"], item["distance"]) for item in changed["reached"]] == [
        ("start", 1),
        ("test_start", 2),
    ]
    assert [(test["symbol"], test["through"]) for test in changed["tests"]] == [
        ("test_start", ["start"])
    ]
    text = cli(repo.path, "graph", "impact").out
    assert "  call by start  app.py:5" in text
    assert "  test test_start  tests/test_app.py:5  through start" in text


@pytest.mark.parametrize(("format_", "head"), [("mermaid", "flowchart LR"), ("dot", "digraph")])
def test_impact_of_a_diff_can_be_drawn(cli: Cli, repo: GitRepo, format_: str, head: str) -> None:
    drawing = cli(repo.path, "graph", "impact", "--format", format_).out
    assert drawing.startswith(head)
    assert "test_start" in drawing


def test_impact_takes_symbols_or_a_diff(cli: Cli, repo: GitRepo) -> None:
    assert cli(repo.path, "graph", "impact", "--symbol", "send", "--base", "HEAD").code == 2
    assert cli(repo.path, "graph", "impact", "--rev", "HEAD").code == 2
    assert cli.json(repo.path, "graph", "impact", "--symbol", "last")["reached"] == []


def test_the_working_tree_has_findings_without_an_index_of_its_own(cli: Cli, repo: GitRepo) -> None:
    path = repo.path / "core.py"
    kept = path.read_text()
    path.write_text(kept.replace("def send", "def post"))
    try:
        (found, *_) = cli.json(repo.path, "related", "--worktree")["findings"]["items"]
    finally:
        path.write_text(kept)
    assert found["message"] == "`send` is removed, and 2 places still refer to it"
    assert [item["line"] for item in found["evidence"]] == [1, 5]
