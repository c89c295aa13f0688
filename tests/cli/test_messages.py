"""What a user who slips, waits or pipes is told: the fault is named, and it is the right one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cli.run import Cli
from helpers.gitrepo import GitRepo
from sidelight.cli.main import main
from sidelight.git.repository import open_repository
from sidelight.indexing.place import index_directory
from sidelight.indexing.vectors import worker_lock

SHOP = "def charge(card):\n    return pay(card)\n\n\ndef pay(card):\n    return card.take()\n"
TILL = "class Till:\n    def pay(self):\n        ...\n"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """An indexed repository that no test changes."""
    repo = GitRepo.init(tmp_path_factory.mktemp("shop") / "repo")
    repo.write("shop.py", SHOP)
    repo.write("odd\nname.py", TILL)
    repo.write("web.ts", "export function pay(card: string) {}\n")
    repo.commit("Shop")
    assert main(["-C", str(repo.path), "init", "--no-hook"]) == 0
    return repo


@pytest.mark.parametrize(
    "words",
    [
        ["graph", "callers", "charge"],
        ["graph", "callees", "charge", "--format", "dot"],
        ["graph", "impact", "--symbol", "shop.py::pay", "--format", "mermaid"],
        ["graph", "stats"],
        ["context", "charge a card"],
    ],
    ids=" ".join,
)
def test_a_reader_who_has_seen_enough_is_no_failure_of_the_index(
    shop: GitRepo, words: list[str]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "sidelight.cli.main", "-C", str(shop.path), *words]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert b"error" not in done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("group", ["graph", "cache", "model", "eval"])
def test_a_group_alone_shows_its_commands_on_lines_of_their_own(
    cli: Cli, shop: GitRepo, group: str
) -> None:
    answer = cli(shop.path, group)
    assert answer.code == 2
    lines = answer.err.splitlines()
    assert lines[0].startswith(f"Usage: sidelight {group}")
    assert "Commands:" in lines


@pytest.mark.parametrize(
    "words",
    [
        ["callers", "caf\udce9"],
        ["callees", "a.caf\udce9"],
        ["path", "caf\udce9", "pay"],
        ["impact", "--symbol", "shop.py::caf\udce9"],
        ["callers", "x\udce9.py::pay"],
        ["imports", "x\udce9.py"],
    ],
    ids=repr,
)
def test_a_symbol_whose_bytes_are_not_utf_8_is_an_unknown_one(
    cli: Cli, shop: GitRepo, words: list[str]
) -> None:
    cli.fails(shop.path, "graph", *words, code=1)


def test_what_context_leaves_out_is_told_a_line_each(cli: Cli, shop: GitRepo) -> None:
    answer = cli(shop.path, "context", "till pay charge card", "--budget", "1")
    assert answer.code == 0
    assert r"odd\nname.py" in answer.err
    assert not any(line.startswith("name.py") for line in answer.err.splitlines())


def test_the_command_of_a_hint_can_be_copied(cli: Cli, shop: GitRepo) -> None:
    answer = cli.fails(shop.path, "search", "x", "--rev", "HEAD~7", code=1)
    assert "`sidelight index --rev HEAD~7`" in answer.hint


def test_the_definitions_of_a_name_are_told_apart(cli: Cli, shop: GitRepo) -> None:
    answer = cli.fails(shop.path, "graph", "callers", "pay", code=1)
    assert "shop.py::pay, web.ts::pay" in answer.error


@pytest.mark.parametrize("name", ["ts", ".ts", "TS", "TypeScript"])
def test_a_language_may_be_named_by_an_extension(cli: Cli, shop: GitRepo, name: str) -> None:
    assert cli.paths(shop.path, "pay", "--lang", name) == ["web.ts"]


@pytest.mark.parametrize(
    "words",
    [["init"], ["index"], ["related"], ["context", "--staged"], ["graph", "impact"]],
    ids=str,
)
def test_before_the_first_commit_that_is_what_is_said(
    cli: Cli, tmp_path: Path, words: list[str]
) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    answer = cli.fails(repo.path, *words, code=1)
    assert answer.error == "there is no commit yet"


def test_a_focal_path_outside_of_the_diff_is_named(cli: Cli, shop: GitRepo) -> None:
    answer = cli(shop.path, "related", "--focal", "absent.py")
    assert answer.code == 0
    assert "the diff changes nothing at absent.py" in answer.err
    assert "the diff is empty" not in answer.err
    assert "1 changed file:" in cli(shop.path, "related", "--focal", "shop.py").err


def test_who_waits_for_another_process_is_told_so(
    cli: Cli, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("shop.py", SHOP)
    repo.commit("Shop")
    directory = index_directory(open_repository(repo.path))
    directory.mkdir(parents=True)
    with worker_lock(directory):
        waiting = threading.Thread(target=main, args=(["-C", str(repo.path), "index"],))
        waiting.start()
        said = ""
        while "waiting for another process" not in said:  # the test's limit ends a failure
            waiting.join(0.05)
            said += capsys.readouterr().err
    waiting.join()
    assert cli.json(repo.path, "status")["state"] == "current"


@pytest.mark.parametrize("words", [["related"], ["graph", "impact"], ["context", "--head", "HEAD"]])
def test_a_parent_that_a_shallow_clone_lacks_is_not_taken_for_an_empty_tree(
    cli: Cli, shop: GitRepo, tmp_path: Path, words: list[str]
) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    for number in (1, 2):
        repo.write("shop.py", f"{SHOP}\n# {number}\n")
        repo.commit(f"Shop {number}")
    copy = repo.clone(tmp_path / "copy", "--depth=1")
    answer = cli.fails(copy.path, *words, code=1)
    assert "is not here" in answer.error
    assert "--unshallow" in answer.hint


def test_a_bare_repository_has_nothing_staged(cli: Cli, shop: GitRepo, tmp_path: Path) -> None:
    bare = shop.clone(tmp_path / "bare.git", "--bare")
    for option in ("--staged", "--worktree"):
        assert "working tree" in cli.fails(bare.path, "related", option, code=1).error


def test_a_revision_whose_name_has_moved_on_is_behind_until_it_is_refreshed(
    cli: Cli, tmp_path: Path
) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("shop.py", SHOP)
    repo.commit("Shop")
    repo.branch("topic")
    assert cli(repo.path, "index", "--rev", "topic").code == 0
    words = ["search", "refund", "--rev", "topic", "--mode", "symbol"]
    assert "note:" not in cli(repo.path, *words).err
    repo.switch("topic")
    repo.write("refund.py", "def refund(card): ...\n")
    repo.commit("Refund")
    repo.switch("main")
    assert "note: topic is 1 commit ahead" in cli(repo.path, *words).err
    assert "`sidelight index --rev topic`" in cli(repo.path, *words).err
    index = cli.json(repo.path, *words)["index"]
    assert (index["state"], index["behind"]) == ("stale", 1)
    assert "topic has moved on" in cli(repo.path, "graph", "stats", "--rev", "topic").err
    assert [hit["path"] for hit in cli.json(repo.path, *words, "--fresh")["hits"]] == ["refund.py"]
    assert cli.json(repo.path, *words)["index"]["state"] == "current"
    repo.git("branch", "-D", "topic")
    assert cli(repo.path, *words).code == 0


def test_a_command_that_is_spelled_wrongly_is_guessed(cli: Cli, shop: GitRepo) -> None:
    assert "did you mean search?" in cli.fails(shop.path, "serach", "x", code=2).error
    assert "qqq" in cli.fails(shop.path, "qqq", code=2).error


def test_each_finding_of_doctor_is_a_line_and_what_mends_it(
    cli: Cli, shop: GitRepo, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(shop.path, copy, symlinks=True)
    database = index_directory(open_repository(copy)) / "index.db"
    content = bytearray(database.read_bytes())
    middle = len(content) // 8192 * 4096
    content[middle : middle + 4096] = os.urandom(4096)
    database.write_bytes(content)
    answer = cli(copy, "doctor")
    assert answer.code == 1
    starts = (" ok ", "ok ", "BAD ", " BAD ", "       ")
    assert all(line.startswith(starts) for line in answer.out.splitlines()), answer.out


def test_the_package_runs_as_a_module() -> None:
    words = [sys.executable, "-m", "sidelight", "--version"]
    answer = subprocess.run(words, capture_output=True, text=True, check=False)
    assert answer.returncode == 0
    assert answer.stdout.startswith("sidelight, version ")
