"""Names as they are typed, and what is offered when they mean nothing or too much."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.lab import graph_of
from sidelight.graph import CodeGraph

FILES = {
    "a/server.py": "class Server:\n    def run(self): ...\n\n    def stop(self): ...\n",
    "b/server.py": "class Worker:\n    def run(self): ...\n\n\ndef serve(): ...\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeGraph]:
    with graph_of(tmp_path_factory.mktemp("naming") / "repo", FILES) as found:
        yield found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("stop", ["a/server.py Server.stop"]),
        ("run", ["a/server.py Server.run", "b/server.py Worker.run"]),
        ("Worker.run", ["b/server.py Worker.run"]),
        ("Worker#run", ["b/server.py Worker.run"]),
        ("(*Worker).run", ["b/server.py Worker.run"]),
        ("(Worker).run()", ["b/server.py Worker.run"]),
        ("Worker::run()", ["b/server.py Worker.run"]),
        ("a/server.py::run", ["a/server.py Server.run"]),
        ("server.py::serve", ["b/server.py serve"]),
        ("a/server.py::serve", []),
        ("RUN", []),
        ("", []),
        ("::", []),
    ],
)
def test_names_qualified_names_and_paths(graph: CodeGraph, name: str, expected: list[str]) -> None:
    found = [f"{s.path.decode()} {s.qualified_name}" for s in graph.definitions(name)]
    assert found == expected


def test_the_nearest_names_come_first(graph: CodeGraph) -> None:
    assert graph.nearest("srve")[0] == "serve"
    assert graph.nearest("Server.stopp")[0] == "stop"
    assert graph.nearest("") == ()
    assert graph.nearest("zzzzzz") == ()
