"""The exact-symbol retriever: which names a query means, and where they are defined."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.model import RankedList
from sidelight.store.reader import read_chunks
from sidelight.store.views import find_view
from sidelight.symbols import MAX_DEFINITIONS, MAX_NAMES, rank_symbols, wanted_names


def names(query: str) -> list[tuple[str, str, float]]:
    return [(".".join(w.qualifier), w.name, w.certainty) for w in wanted_names(query)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("parseUserToken", [("", "parseUserToken", 1.0)]),
        ("parse_user_token()", [("", "parse_user_token", 1.0)]),
        ("Server.run", [("Server", "run", 1.0)]),
        ("Server::run", [("Server", "run", 1.0)]),
        ("a.b.Server#run", [("a.b.Server", "run", 1.0)]),
        ("where is parseUserToken called", [("", "parseUserToken", 0.9)]),
        ("what does `run` do in the end", [("", "run", 0.9)]),
        ("who calls run( and why is that", [("", "run", 0.9)]),
        ("retry token", [("", "retry", 0.5), ("", "token", 0.5)]),
        ("where are the errors of a request handled", []),
        ("", []),
        ("?!", []),
    ],
)
def test_names_that_a_query_means(query: str, expected: list[tuple[str, str, float]]) -> None:
    assert names(query) == expected


@given(st.text(max_size=300))
def test_wanted_names_are_few_distinct_and_surest_first(query: str) -> None:
    wanted = wanted_names(query)
    assert len(wanted) <= MAX_NAMES
    assert len({(w.qualifier, w.name) for w in wanted}) == len(wanted)
    assert [w.certainty for w in wanted] == sorted((w.certainty for w in wanted), reverse=True)
    assert all(0 < w.certainty <= 1 and w.name for w in wanted)


def ranked(work: Workspace, query: str, count: int = 50) -> list[tuple[str, str, float]]:
    with work.open() as database, database.read() as connection:
        view = find_view(connection, work.view)
        assert view is not None
        found: RankedList = rank_symbols(connection, view.id, query, count)
        chunks = read_chunks(connection, found.rows)
    return [
        (chunks[row].path.decode(), chunks[row].symbol, round(score, 3))
        for row, score in zip(found.rows, found.scores, strict=True)
    ]


def test_definitions_are_ranked_by_match_and_kind(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "class Server:\n    def run(self):\n        return 1\n\n" * 1)
    repo.write("b.py", "class Client:\n    def run(self):\n        return 2\n")
    repo.write("c.py", "def RUN():\n    return 3\n")
    repo.write("d.py", "run = 4\n")
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    best = ranked(work, "Server.run")
    assert best[0][:1] == ("a.py",)
    assert best[0][2] == 1.0
    plain = ranked(work, "run")
    assert [path for path, _, _ in plain] == ["a.py", "b.py", "d.py", "c.py"]
    assert [score for _, _, score in plain] == [0.9, 0.9, 0.72, 0.7]


def test_a_name_defined_everywhere_is_found_by_what_the_tree_holds(tmp_path: Path) -> None:
    """More definitions than are looked at: which ones must not depend on past commits."""
    repo = GitRepo.init(tmp_path / "repo")
    n_files = 60
    block = "".join(f"class C{i}:\n    def handle(self):\n        return {i}\n\n" for i in range(9))
    for at in reversed(range(n_files)):
        repo.write(f"m{at:03}.py", block)
        if at % 20 == 0:
            repo.commit()
            Workspace.at(repo).refresh()
    work = Workspace.at(repo)
    fresh = work.beside(tmp_path / "fresh")
    fresh.refresh()
    assert n_files * 9 > MAX_DEFINITIONS
    assert ranked(work, "handle", 1000) == ranked(fresh, "handle", 1000)
    target = ranked(work, "C8.handle")
    assert {score for _, _, score in target[:50]} == {1.0}


def test_a_path_filter_is_applied_before_the_list_is_cut(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    for at in range(80):
        repo.write(f"a/m{at:03}.py", f"def handle():\n    return {at}\n")
    repo.write("z/last.py", "def handle():\n    return 'z'\n")
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    hits = work.search("handle", mode="symbol", k=5, paths=["z/**"])
    assert [hit.path for hit in hits] == [b"z/last.py"]
