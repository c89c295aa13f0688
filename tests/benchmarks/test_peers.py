"""What is read of other tools' output, and what they are asked; none of them need be installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from benchmarks.impact_queries import (
    CASES,
    OWN,
    changed_paths,
    evenly,
    queries_of,
    read_cases,
    two_file_commits,
)
from benchmarks.peer_ensemble import words
from benchmarks.peer_graph import PeerGraph, read_impact, read_versions
from benchmarks.tables.peerimpact import (
    AS_LONG,
    DIRECT,
    FIRST,
    GRAPH,
    PEER,
    RELATED,
    UNTITLED,
    WHOLE,
    Answered,
    Remembered,
)
from benchmarks.tables.peersearch import Asked, by_repository, grade

from helpers.gitrepo import GitRepo

CLONE = Path("/clones/shop")
CASE = {
    "id": "commit-shop-1",
    "base": "b" * 40,
    "head": "c" * 40,
    "title": "Round prices",
    "focal": ["shop/prices.py", "shop/tax.py"],
    "relevant": [{"path": "shop/cart.py", "kind": "source"}, {"path": "tests/test_cart.py"}],
}


def impact_answer(nodes: list[str], files: list[str], status: str = "ok") -> str:
    answer = {
        "status": status,
        "impacted_nodes": [{"file_path": f"{CLONE}/{path}", "impact_score": 1} for path in nodes],
        "impacted_files": [f"{CLONE}/{path}" for path in files],
    }
    return json.dumps(answer, indent=2) + "\n"


def test_impacted_files_come_in_the_order_of_their_nodes_then_by_name():
    output = impact_answer(["b.py", "b.py", "a.py"], ["z.py", "a.py", "b.py", "c.py"])
    assert read_impact(output, CLONE, []) == ("b.py", "a.py", "c.py", "z.py")


def test_changed_files_are_not_impacted_and_lines_before_the_answer_are_skipped():
    output = "INFO: opened\n" + impact_answer(["a.py", "b.py"], ["a.py", "b.py"])
    assert read_impact(output, CLONE, ["a.py"]) == ("b.py",)


def test_paths_may_be_relative_already():
    answer = {"status": "ok", "impacted_nodes": [], "impacted_files": ["src/a.py"]}
    assert read_impact(json.dumps(answer), CLONE, []) == ("src/a.py",)


@pytest.mark.parametrize("output", ["", "no graph\n", impact_answer([], [], status="error")])
def test_what_is_no_answer_is_refused(output):
    with pytest.raises(ValueError, match="no answer"):
        read_impact(output, CLONE, [])


def test_the_peer_is_asked_in_its_clone_with_folders_of_its_own(tmp_path):
    clone = tmp_path / "clone"
    clone.mkdir()
    fake = tmp_path / "python"
    answer = {"status": "ok", "impacted_files": [str(clone / "b.py")]}
    fake.write_text(
        "#!/bin/sh\n"
        f'echo "$@ in $PWD, $HOME, $CRG_DATA_DIR" >> {tmp_path}/calls\n'
        "echo progress >&2\n"
        f"echo '{json.dumps(answer)}'\n"
    )
    fake.chmod(0o755)
    peer = PeerGraph(str(fake), clone, tmp_path / "graph")
    peer.start_over()
    peer.build()
    peer.update()
    assert peer.impacted(["a.py"]) == ("b.py",)
    assert peer.impacted(["a.py", "b.py"], depth=1) == ()
    place = f"in {clone}, {tmp_path}/graph/home, {tmp_path}/graph/data"
    assert (tmp_path / "calls").read_text().splitlines() == [
        f"-I -m code_review_graph build -q {place}",
        f"-I -m code_review_graph update -q {place}",
        f"-I -m code_review_graph impact --files a.py {place}",
        f"-I -m code_review_graph impact --depth 1 --files a.py b.py {place}",
    ]
    (tmp_path / "graph" / "data" / "graph.db").write_bytes(b"12345")
    assert peer.size_bytes() == 5


def test_versions_of_another_interpreter(tmp_path):
    found = read_versions(sys.executable, ["pytest", "no-such-package-here"])
    assert found == {"pytest": pytest.__version__, "no-such-package-here": "missing"}


def test_a_case_is_asked_by_both_methods():
    changed = ["CHANGES.md", "shop/cart.py", "shop/prices.py", "shop/tax.py", "tests/test_cart.py"]
    own, cases = queries_of(CASE, changed)
    assert (own.method, own.seed) == (OWN, ("shop/cart.py",))
    assert own.wanted == {"CHANGES.md", "shop/prices.py", "shop/tax.py", "tests/test_cart.py"}
    assert (cases.method, cases.seed) == (CASES, ("shop/prices.py", "shop/tax.py"))
    assert cases.wanted == {"shop/cart.py", "tests/test_cart.py"}


def test_a_method_with_nothing_to_find_is_left_out():
    case = {**CASE, "focal": ["a.py"], "relevant": []}
    assert [query.method for query in queries_of(case, ["a.py", "b.md"])] == [OWN]


def test_changed_paths_are_those_that_were_there_before(tmp_path):
    repo = GitRepo.init(tmp_path / "r")
    for path, text in (("kept.py", "1\n"), ("gone.py", "2\n"), ("old name.py", "3\n" * 9)):
        repo.write(path, text)
    base = repo.commit("Before")
    (tmp_path / "r" / "gone.py").unlink()
    repo.rename("old name.py", "new name.py")
    repo.write("kept.py", "4\n")
    repo.write("new.py", "5\n")
    head = repo.commit("After")
    found = changed_paths(tmp_path / "r" / ".git", base, head)
    assert sorted(found) == ["gone.py", "kept.py", "old name.py"]


def test_cases_lie_evenly_apart(tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(f'{{"id": {number}}}\n' for number in range(10)) + "\n")
    assert [case["id"] for case in read_cases(file, 2)] == [2, 7]
    assert len(read_cases(file, None)) == 10
    assert evenly([1, 2], 5) == [1, 2]


def test_commits_of_two_changed_code_files_are_found_in_a_log():
    log = (
        "\x01aaa\n\nM\tsrc/a.py\nM\tsrc/b.py\n"
        "\x01bbb\n\nM\tsrc/a.py\nA\tsrc/new.py\n"
        "\x01ccc\n\nM\tsrc/a.py\nM\tdocs/b.md\n"
        "\x01ddd\n\nM\ta.go\nM\tb.go\nM\tc.go\n"
        "\x01eee\n\nR090\told.go\tnew.go\nM\tb.go\n"
        "\x01fff\n\nM\ta.go\nM\twith space.go\n"
        "\x01ggg\n"
    )
    assert two_file_commits(log, 5) == [
        ("aaa", ("src/a.py", "src/b.py")),
        ("fff", ("a.go", "with space.go")),
    ]
    assert len(two_file_commits(log, 1)) == 1


def test_lists_are_cut_to_the_length_of_the_peers():
    (query,) = queries_of({**CASE, "relevant": []}, ["shop/tax.py", "x.md"])
    files = {
        PEER: list("abcdefg"),
        DIRECT: list("ab"),
        GRAPH: list("xy"),
        RELATED: list("rstuvwxyz"),
        UNTITLED: list("zyxwvutsr"),
    }
    lists = Answered("shop", query, files).lists()
    assert lists[PEER, WHOLE] == list("abcdefg")
    assert lists[RELATED, AS_LONG] == list("rstuvwx")
    assert lists[GRAPH, AS_LONG] == lists[GRAPH, WHOLE] == list("xy")
    assert lists[RELATED, FIRST] == list("rstuv")
    assert lists[PEER, FIRST] == list("abcde")


def test_the_peers_answers_are_remembered(tmp_path):
    file = tmp_path / "kept.jsonl"
    first = Remembered(file)
    first.load()
    first.keep("a question", ("a.py", "b.py"))
    first.keep("another", ())
    second = Remembered(file)
    second.load()
    assert second.known == {"a question": ("a.py", "b.py"), "another": ()}


def test_hits_are_graded_by_file_and_by_lines():
    question = {"relevant": [["a.py", [[10, 20]]], ["b.py", []]], "secondary": []}
    hits = [["a.py", 1, 5], ["c.py", 1, 9, ["b.py"]], ["a.py", 15, 30]]
    scores = grade(question, hits)
    assert scores["ndcg@10"] == pytest.approx(1.0)  # a.py first, b.py second as a copy
    assert scores["recall@10"] == 1.0
    # by lines a.py is found third, b.py second: discounts of ranks 2 and 3 over those of 1 and 2
    assert scores["item_ndcg@10"] == pytest.approx((1 / 1.5849625 + 1 / 2) / (1 + 1 / 1.5849625))


def test_means_of_repositories_weigh_alike():
    asked = [
        Asked("a", {"ndcg@10": 1.0}, 1, 1),
        Asked("a", {"ndcg@10": 0.0}, 1, 1),
        Asked("b", {"ndcg@10": 0.25}, 1, 1),
    ]
    assert by_repository(asked, "ndcg@10") == {"a": 0.5, "b": 0.25}


def test_words_are_split_as_the_peer_gets_them():
    assert words("Server.run(max_size=3)") == ["server", "run", "max_size", "3"]
