"""`sidelight ask` at the terminal: one question, a conversation, with a model and without."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from answering.conftest import COOKIES, RETRIES
from cli.run import Cli
from helpers.gitrepo import GitRepo
from helpers.modelserver import KEY, ModelServer
from sidelight.cli.main import main

QUESTION = "how long does a request wait before it is sent again"
VARIABLES = ("BASE_URL", "MODEL", "API_KEY", "PROVIDER")


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(f"SIDELIGHT_LLM_{name}", raising=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repo = GitRepo.init(tmp_path_factory.mktemp("ask") / "repo")
    repo.write("src/retries.py", RETRIES)
    repo.write("src/cookies.py", COOKIES)
    repo.commit("Add a client")
    assert main(["-C", str(repo.path), "init", "--no-hook"]) == 0
    return repo.path


def configure(monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    for name, value in server.environment().items():
        monkeypatch.setenv(name, value)


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))


def test_without_a_model(cli: Cli, folder: Path) -> None:
    answer = cli(folder, "ask", QUESTION)
    assert answer.code == 0
    assert answer.out.startswith("[1] src/")
    assert "src/retries.py:" in answer.out
    assert "no language model is configured" in answer.err


def test_with_a_model(
    cli: Cli, folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, server)
    server.say("It doubles each time [1].\x1b[31m", usage=(200, 9))
    answer = cli(folder, "ask", QUESTION)
    assert answer.out.splitlines()[0] == "It doubles each time [1].[31m"
    assert answer.out.splitlines()[1].startswith("[1] src/")
    assert answer.err == "200 + 9 tokens\n"
    assert KEY not in answer.out + answer.err


def test_json(cli: Cli, folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch, server)
    server.say("It doubles [1].", usage=(200, 9))
    table = cli.json(folder, "ask", QUESTION, "--show-context")
    assert (table["mode"], table["found"], table["answer"]) == ("model", True, "It doubles [1].")
    assert table["citations"][0]["number"] == 1
    assert table["usage"]["prompt_tokens"] == 200
    assert table["context"]["sources"]
    assert len(table["index"]["tree"]) == 40


def test_nothing_fits(cli: Cli, folder: Path) -> None:
    answer = cli(folder, "ask", "zygote chromosome mitosis meiosis karyotype")
    assert (answer.code, answer.out) == (0, "Not found in this repository.\n")


def test_options_reach_retrieval(cli: Cli, folder: Path) -> None:
    assert "Not found" in cli(folder, "ask", QUESTION, "--min-score", "99").out
    shown = cli(folder, "ask", QUESTION, "--show-context", "-k", "1", "--budget", "400").out
    assert "(blob " in shown
    assert (
        cli.fails(folder, "ask", QUESTION, "--rev", "nope", code=1).error == "nope is not indexed"
    )
    assert cli.fails(folder, "ask", " ", code=2).error == "the question is empty"


def test_a_conversation(
    cli: Cli, folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, server)
    server.say("They are dropped [1].").say("By nobody [1].")
    feed(monkeypatch, "How are expired cookies dropped?\n\n\x01\nAnd who calls it?\n")
    answer = cli(folder, "ask")
    assert answer.out.count("[1] src/") == 2
    assert "error: the question is empty" in answer.err
    second = server.prompts()[1]
    assert 'what="comment by developer">\nHow are expired cookies dropped?' in second
    assert 'what="your earlier answer">\nThey are dropped [1].' in second


def test_a_question_from_stdin(cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, f"{QUESTION}\nsecond line")
    assert "src/retries.py:" in cli(folder, "ask", "-").out


def test_a_model_that_fails_leaves_the_passages(
    cli: Cli, folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, server)
    server.fail(401, f"bad key {KEY}")
    answer = cli(folder, "ask", QUESTION)
    assert answer.code == 0
    assert "src/retries.py:" in answer.out
    assert "refuses the key" in answer.err
    assert KEY not in answer.err


def test_an_answer_from_an_older_tree_says_so(
    cli: Cli, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    copy = GitRepo(tmp_path / "copy")
    copy.write("src/new.py", "def unrelated(): ...\n")
    copy.commit("Add something")
    answer = cli(copy.path, "ask", QUESTION)
    assert "HEAD is 1 commit ahead; `sidelight index` brings the index up" in answer.err


def test_places_are_measured_at_the_terminal(
    cli: Cli, folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, server)
    server.default = '{"source": 1}'
    words = ("eval", "positions", "--sources", "3", "--places", "3", "-n", "2")
    shown = cli(folder, *words)
    assert shown.code == 0
    assert "1 of 3" in shown.out
    assert "scripted: " in shown.out
    table = cli.json(folder, *words)
    assert (table["cases"], table["sources"], len(table["places"])) == (2, 3, 3)
    assert cli(folder, *words, "--budget", "500").code == 1


def test_odd_settings_are_usage_errors(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIDELIGHT_LLM_PROVIDER", "grok")
    assert "grok" in cli.fails(folder, "ask", QUESTION, code=2).error
