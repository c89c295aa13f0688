"""What a query's kind, the commits and the paths it names do to the order of hits."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.config import Config, RetrieverConfig, SearchConfig
from sidelight.model import Hit
from sidelight.search.question import QueryKind
from sidelight.search.weights import BY_KIND, QUESTION, weights_for

WORDS = "alder birch cedar dogwood elm fir ginkgo hazel iris juniper kapok larch maple".split()


def body(i: int) -> str:
    """Return a file's text, unlike the others' enough not to be taken for their copy."""
    lines = [f"    {word}_{'abcde'[i]} = make_{word}_{'abcde'[i]}(value)" for word in WORDS]
    head = f"def run_{i}(value):\n    result = compute(value, {i})\n"
    return head + "\n".join(lines) + "\n    return result\n"


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Five files that are alike; only commits tell that number 3 is about expiry."""
    repo = GitRepo.init(tmp_path_factory.mktemp("features") / "repo")
    for i in range(5):
        repo.write(f"src/part{i}.py", body(i))
    repo.write("tests/test_part.py", "def test_run_1():\n    assert run_1(2) == compute(2, 1)\n")
    repo.commit("parts that compute a value")
    repo.write("src/part3.py", body(3).replace("value, 3", "value, 33"))
    repo.commit("expire stale sessions")
    search = SearchConfig(dense=RetrieverConfig(pool=150, weight=0))  # the fake's are but noise
    work = Workspace.at(repo, config=Config(search=search))
    work.refresh()
    return work


def first(work: Workspace, query: str) -> Hit:
    return work.search(query)[0]


def kinds(hit: Hit) -> set[str]:
    return {reason.kind for reason in hit.reasons}


def test_the_file_whose_commits_speak_of_the_question_comes_first(work: Workspace) -> None:
    hit = first(work, "where are stale sessions expired when a value is computed")
    assert hit.path == b"src/part3.py"
    (reason,) = [reason for reason in hit.reasons if reason.kind == "message"]
    assert reason.weight == pytest.approx(QUESTION.message)
    assert reason.detail == "commits that touched the file speak of it"


def test_names_do_not_ask_the_history(work: Workspace) -> None:
    assert all("message" not in kinds(hit) for hit in work.search("run_3"))


def test_a_path_brings_its_file_even_if_it_is_a_test(work: Workspace) -> None:
    for path in ("src/part2.py", "tests/test_part.py", "test_part.py:1"):
        hit = first(work, path)
        assert hit.path.decode().endswith(path.split(":")[0])
        assert "mention" in kinds(hit)


ISSUE = """Result is off by one

Calling it twice gives another value, see src/part4.py:2

```
>>> run_0(1)
compute(1, 0)
```

### Environment

- OS: Linux
"""


def test_an_issue_finds_what_it_names_in_code_that_is_no_test(work: Workspace) -> None:
    hits = work.search(ISSUE)
    assert {hit.path for hit in hits[:2]} == {b"src/part4.py", b"src/part0.py"}
    by_path = {hit.path: kinds(hit) for hit in hits}
    assert "mention" in by_path[b"src/part4.py"]
    assert {"named", "symbol"} <= by_path[b"src/part0.py"]
    assert "recent" in by_path[b"src/part3.py"]


def test_a_shallow_history_or_none_changes_no_more_than_a_signal(
    work: Workspace, tmp_path: Path
) -> None:
    other = work.beside(tmp_path / "index")
    other.refresh()
    query = "where are stale sessions expired when a value is computed"
    with_it = other.search(query)
    assert [hit.path for hit in with_it] == [hit.path for hit in work.search(query)]
    with other.open() as database, database.write() as connection:
        connection.execute("DELETE FROM history_commit")
        connection.execute("DELETE FROM meta WHERE key = 'history_next'")
    without = other.search(query)
    assert {hit.path for hit in without} == {hit.path for hit in with_it}
    assert all("message" not in kinds(hit) for hit in without)


def test_every_kind_has_weights_and_what_is_set_on_purpose_holds_for_all() -> None:
    assert set(BY_KIND) == set(QueryKind)
    for kind in QueryKind:
        assert weights_for(kind, QUESTION) == BY_KIND[kind]
        for field in fields(QUESTION):
            changed = getattr(QUESTION, field.name) + 0.01
            base = replace(QUESTION, **{field.name: changed})
            assert getattr(weights_for(kind, base), field.name) == changed
