"""`sidelight related` on a small repository whose story is known."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli.run import Cli
from helpers.gitrepo import GitRepo
from sidelight.cli.main import main

MONEY = '''"""Amounts of money."""


def round_amount(value, currency):
    """Return the value in whole cents."""
    return round(value, 2)
'''
INVOICE = '''"""Invoices."""

from shop.money import parse_amount


def write_invoice(lines):
    return parse_amount(sum(lines))
'''
TEMPLATE = "Invoice\n\ntotal: {total}\n"
OTHERS = {
    "shop/mail.py": "def send_letter(address):\n    return address\n",
    "shop/clock.py": "def now():\n    return 0\n",
    "shop/stock.py": "def count_boxes(shelf):\n    return len(shelf)\n",
    "docs/guide.md": "# Guide\n\nHow to run the shop.\n",
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """invoice.py and layout.txt change together three times; then invoice.py starts to use
    round_amount, which money.py defines."""
    repo = GitRepo.init(tmp_path_factory.mktemp("related") / "repo")
    for path, content in OTHERS.items():
        repo.write(path, content)
    repo.write("shop/money.py", MONEY)
    repo.commit("Open the shop")
    invoice, layout = INVOICE, TEMPLATE
    repo.write("shop/invoice.py", invoice)
    repo.write("forms/layout.txt", layout)
    repo.commit("invoice: write them")
    for number in (1, 2):
        invoice += f"\n\ndef footer_{number}():\n    return {number}\n"
        layout += f"line {number}\n"
        repo.write("shop/invoice.py", invoice)
        repo.write("forms/layout.txt", layout)
        repo.commit(f"invoice: footer {number}")
    repo.write("shop/clock.py", "def now():\n    return 1\n")
    repo.commit("clock: one later")
    invoice = invoice.replace(
        "return parse_amount(sum(lines))", "return round_amount(sum(lines), 'EUR')"
    )
    repo.write("shop/invoice.py", invoice)
    repo.commit("invoice: round the total")
    assert main(["-C", str(repo.path), "init", "--no-hook"]) == 0
    return repo


@pytest.fixture
def repo(tmp_path: Path, shared: GitRepo) -> GitRepo:
    """A copy of the indexed repository, to be changed."""
    shutil.copytree(shared.path, tmp_path / "repo", symlinks=True)
    return GitRepo(tmp_path / "repo", shared.clock)


def paths(found: Any) -> list[str]:
    return [hit["path"] for hit in found["hits"]]


def focal(found: Any) -> list[str]:
    return [file["path"] for file in found["focal"]["files"]]


def details(found: Any, path: str) -> dict[str, str]:
    (hit,) = (hit for hit in found["hits"] if hit["path"] == path)
    return {reason["kind"]: reason["detail"] for reason in hit["reasons"]}


# -- the story ------------------------------------------------------------------------------------


def test_a_definition_that_the_diff_uses_is_found_and_says_so(cli: Cli, shared: GitRepo) -> None:
    found = cli.json(shared.path, "related")
    assert paths(found)[0] == "shop/money.py"
    assert found["hits"][0]["symbol"] == "round_amount"
    assert details(found, "shop/money.py")["defines"] == (
        "defines `round_amount`, used in changed lines"
    )


def test_a_file_that_changed_together_before_is_found_and_says_how_often(
    cli: Cli, shared: GitRepo
) -> None:
    found = cli.json(shared.path, "related")
    assert "forms/layout.txt" in paths(found)[:2]
    assert details(found, "forms/layout.txt")["cochange"] == (
        "changed together with shop/invoice.py in 3 of 4 commits"
    )


def test_a_file_without_any_tie_comes_last_or_not_at_all(cli: Cli, shared: GitRepo) -> None:
    order = paths(cli.json(shared.path, "related", "-k", "50"))
    for stranger in ("docs/guide.md", "shop/stock.py"):
        assert stranger not in order[:2]


def test_changed_files_are_never_hits(cli: Cli, shared: GitRepo) -> None:
    for words in ([], ["--base", "HEAD~3"], ["--base", "HEAD~5"], ["--base", "HEAD~1"]):
        found = cli.json(shared.path, "related", *words, "-k", "50")
        assert focal(found)
        assert not set(focal(found)) & set(paths(found))
        assert len(set(paths(found))) == len(paths(found))


def test_scores_fall_and_are_the_sum_of_their_reasons(cli: Cli, shared: GitRepo) -> None:
    found = cli.json(shared.path, "related", "-k", "50")
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)
    for hit in found["hits"]:
        told = sum(reason["weight"] for reason in hit["reasons"])
        assert abs(told - hit["score"]) <= 0.01  # what is below a two-thousandth is not told


def test_asking_twice_answers_the_same(cli: Cli, repo: GitRepo) -> None:
    first = cli(repo.path, "related", "--format", "json", "-k", "50").out
    assert cli(repo.path, "related", "--format", "json", "-k", "50").out == first
    assert cli(repo.path, "index", "--rebuild").code == 0
    assert cli(repo.path, "related", "--format", "json", "-k", "50").out == first


def test_fewer_hits_are_the_first_ones(cli: Cli, shared: GitRepo) -> None:
    every = paths(cli.json(shared.path, "related", "-k", "50"))
    for k in (0, 1, 3):
        assert paths(cli.json(shared.path, "related", "-k", str(k))) == every[:k]


def test_text_tells_the_strongest_reasons(cli: Cli, shared: GitRepo) -> None:
    answer = cli(shared.path, "related", "-k", "2")
    assert answer.code == 0
    assert answer.err.splitlines()[0] == "1 changed file: write_invoice"
    assert "    · defines `round_amount`, used in changed lines\n" in answer.out
    assert "in 3 of 4 commits\n" in answer.out
    explained = cli(shared.path, "related", "-k", "2", "--explain").out
    assert "used in changed lines (+0." in explained
    assert "def round_amount(value, currency):" in explained


# -- which diff -----------------------------------------------------------------------------------


def test_title_by_default_and_by_wish(cli: Cli, shared: GitRepo) -> None:
    assert cli.json(shared.path, "related")["focal"]["title"] == "invoice: round the total"
    found = cli.json(shared.path, "related", "--title", "clock(boxes): stock")
    assert (found["focal"]["title"], found["focal"]["scope"]) == ("clock(boxes): stock", "boxes")
    odd = cli(shared.path, "related", "--title", "\udce9\x1b|", "--format", "json")
    assert odd.code == 0
    odd.out.encode()


def test_two_sides_are_compared_from_their_merge_base(cli: Cli, repo: GitRepo) -> None:
    repo.branch("topic", "HEAD~1")
    repo.switch("topic")
    repo.write("shop/mail.py", "def send_letter(address, stamp):\n    return stamp\n")
    repo.commit("mail: stamps")
    found = cli.json(repo.path, "related", "--base", "main", "--head", "topic")
    assert focal(found) == ["shop/mail.py"]
    assert found["focal"]["title"] == "mail: stamps"
    back = cli.json(repo.path, "related", "--base", "topic", "--head", "main")
    assert focal(back) == ["shop/invoice.py"]
    assert back["index"]["tree"] == repo.tree("main")


def test_the_first_commit_is_compared_with_nothing(cli: Cli, shared: GitRepo) -> None:
    found = cli.json(shared.path, "related", "--head", "HEAD~5", "--focal", "shop/money.py")
    assert focal(found) == ["shop/money.py"]
    assert found["focal"]["title"] == "Open the shop"


def test_only_the_focal_paths_count(cli: Cli, shared: GitRepo) -> None:
    words = ["related", "--base", "HEAD~2"]
    assert focal(cli.json(shared.path, *words)) == ["shop/clock.py", "shop/invoice.py"]
    assert focal(cli.json(shared.path, *words, "--focal", "shop/clock.py")) == ["shop/clock.py"]
    both = cli.json(shared.path, *words, "--focal", "shop/clock.py", "--focal", "shop/invoice.py")
    assert focal(both) == ["shop/clock.py", "shop/invoice.py"]
    assert focal(cli.json(shared.path, *words, "--focal", "shop/*.py")) == []


def test_staged_and_worktree_are_compared_with_head(cli: Cli, repo: GitRepo) -> None:
    repo.write("shop/mail.py", "def send_letter(address):\n    return round_amount(address)\n")
    repo.git("add", "shop/mail.py")
    repo.write("shop/stock.py", "def count_boxes(shelf):\n    return now()\n")
    os.utime(repo.at("docs/guide.md"), (1, 1))
    staged = cli.json(repo.path, "related", "--staged")
    assert focal(staged) == ["shop/mail.py"]
    assert paths(staged)[0] == "shop/money.py"
    both = cli.json(repo.path, "related", "--worktree")
    assert focal(both) == ["shop/mail.py", "shop/stock.py"]
    assert {"send_letter", "count_boxes"} == {s["symbol"] for s in both["focal"]["symbols"]}
    assert {"shop/money.py", "shop/clock.py"} <= set(paths(both))


def test_another_revisions_tree_can_be_ranked(cli: Cli, repo: GitRepo) -> None:
    old = cli.json(repo.path, "related", "--index-rev", "HEAD~5")
    assert old["index"]["tree"] == repo.tree("HEAD~5")
    assert "shop/money.py" in paths(old)
    assert "forms/layout.txt" not in paths(old)
    assert cli.json(repo.path, "status")["state"] == "current"


def test_an_index_that_is_behind_or_missing_is_made_first(cli: Cli, repo: GitRepo) -> None:
    repo.write("shop/tax.py", "def add_tax(amount):\n    return round_amount(amount, 'EUR')\n")
    repo.commit("tax: add it")
    assert paths(cli.json(repo.path, "related"))[0] == "shop/money.py"
    assert cli(repo.path, "index").code == 0
    shutil.rmtree(repo.at(".git/sidelight"))
    found = cli.json(repo.path, "related")
    assert focal(found) == ["shop/tax.py"]
    assert paths(found)[0] == "shop/money.py"
    assert cli(repo.path, "index").code == 0  # waits for the worker that makes the vectors


# -- odd diffs ------------------------------------------------------------------------------------


def test_no_difference_relates_to_nothing_and_says_so(cli: Cli, shared: GitRepo) -> None:
    empty, elsewhere = "the diff is empty", "the diff changes nothing at absent"
    for note, *words in (
        (empty, "--staged"),
        (empty, "--worktree"),
        (empty, "--base", "HEAD"),
        (elsewhere, "--focal", "absent"),
    ):
        found = cli.json(shared.path, "related", *words)
        assert (found["hits"], found["focal"]["files"]) == ([], [])
        assert found["notes"] == [note]
    answer = cli(shared.path, "related", "--staged")
    assert (answer.code, answer.out) == (0, "")
    assert "note: the diff is empty" in answer.err


def test_paths_of_any_bytes_are_focal_and_hits(cli: Cli, repo: GitRepo) -> None:
    mine, other = b'my "odd"\xff\n.py', b"their\xfe\t|`.py"
    repo.write(other, "def weigh_parcel(parcel):\n    return 1\n")
    repo.write(mine, "def pack(parcel):\n    return parcel\n")
    repo.commit("Parcels")
    repo.write(mine, "def pack(parcel):\n    return weigh_parcel(parcel)\n")
    repo.commit("Weigh them")
    assert cli(repo.path, "index").code == 0
    words = ["related", "--focal", os.fsdecode(mine)]
    found = cli.json(repo.path, *words)
    assert focal(found) == ['my "odd"\\xff\n.py']
    assert paths(found)[0] == "their\\xfe\t|`.py"
    for style in ("text", "markdown"):
        answer = cli(repo.path, *words, "--format", style)
        assert answer.code == 0
        assert answer.out.replace("\n", "").isprintable()


def test_binaries_and_deleted_files_are_focal(cli: Cli, repo: GitRepo) -> None:
    repo.write("picture.png", b"\0")
    repo.remove("shop/money.py")
    repo.commit("money: gone")
    assert cli(repo.path, "index").code == 0
    found = cli.json(repo.path, "related", "-k", "50")
    assert found["focal"]["skipped"] == [{"path": "picture.png", "reason": "binary"}]
    assert focal(found) == ["shop/money.py"]
    assert [s["change"] for s in found["focal"]["symbols"]] == ["removed"]
    assert "shop/invoice.py" in paths(found)[:2]  # it still calls what is gone
    assert "1 changed file was not looked into" in found["notes"]


def test_no_common_ancestor_is_told(cli: Cli, repo: GitRepo) -> None:
    repo.git("checkout", "-q", "--orphan", "alone")
    repo.commit("Alone")
    answer = cli.fails(repo.path, "related", "--base", "main", code=2)
    assert "no common ancestor" in answer.error
    assert "unrelated" in answer.hint


def test_a_merge_is_compared_with_its_first_parent(cli: Cli, repo: GitRepo) -> None:
    repo.branch("topic", "HEAD~1")
    repo.switch("topic")
    repo.write("shop/mail.py", "def send_letter(address, stamp):\n    return stamp\n")
    repo.commit("mail: stamps")
    repo.switch("main")
    repo.merge("topic")
    assert cli(repo.path, "index").code == 0
    found = cli.json(repo.path, "related")
    assert focal(found) == ["shop/mail.py"]
    assert found["focal"]["title"] == "mail: stamps"


def test_a_shallow_clone_answers_and_says_what_it_lacks(
    cli: Cli, shared: GitRepo, tmp_path: Path
) -> None:
    clone = shared.clone(tmp_path / "clone", "--depth=2")
    assert cli(clone.path, "index").code == 0
    found = cli.json(clone.path, "related")
    assert paths(found)[0] == "shop/money.py"
    assert [note for note in found["notes"] if "shallow" in note]
