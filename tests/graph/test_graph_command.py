"""`sidelight graph` as a user types it: trees, JSON, drawings, choices, and clear refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.cli import graph as command
from sidelight.cli.main import main
from sidelight.indexing.place import Place

FILES = {
    "core.py": "def base(x):\n    return x\n\n\ndef middle(x):\n    return base(x)\n",
    "app.py": "from core import middle\n\n\ndef top():\n    middle(1)\n    return middle(2)\n",
    "a/run.py": "class A:\n    def run(self):\n        self.go()\n\n    def go(self): ...\n",
    "b/run.py": "class B:\n    def run(self): ...\n",
}

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    repo = GitRepo.init(tmp_path / "repo")
    for path, text in FILES.items():
        repo.write(path, text)
    repo.commit("files")
    work = Workspace.at(repo)
    work.refresh()

    def place_of(ctx: object) -> Place:
        return work.place

    monkeypatch.setattr(command, "place_of", place_of)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["-C", str(repo.path), "graph", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_callers_as_a_tree(cli: Cli) -> None:
    code, out, _ = cli("callers", "base", "--depth", "2")
    assert code == 0
    assert out.splitlines() == [
        "base  core.py:1",
        "└ middle  core.py:6  [exact]",
        "  └ top  app.py:5, 6  [exact]",
    ]


def test_callees_as_a_tree_and_none_at_all(cli: Cli) -> None:
    assert cli("callees", "top")[1].splitlines() == [
        "top  app.py:4",
        "└ middle  core.py:5  used in 5, 6  [exact]",
    ]
    code, out, err = cli("callers", "top")
    assert (code, out, err) == (0, "top  app.py:4\n", "nothing in this repository calls it\n")


def test_json_has_every_field_of_an_edge(cli: Cli) -> None:
    code, out, _ = cli("callers", "core.py::base", "--format", "json")
    assert code == 0
    middle = {"path": "core.py", "symbol": "middle", "kind": "function"}
    base = {"path": "core.py", "symbol": "base", "kind": "function"}
    assert json.loads(out) == {
        "symbol": {**base, "start_line": 1, "end_line": 2},
        "depth": 1,
        "edges": [
            {
                "source": {**middle, "start_line": 5, "end_line": 6},
                "target": {**base, "start_line": 1, "end_line": 2},
                "kind": "call",
                "confidence": "exact",
                "line": 6,
                "candidates": 1,
                "evidence": "scope",
            }
        ],
    }


def test_drawings(cli: Cli) -> None:
    assert cli("callers", "base", "--format", "mermaid")[1].splitlines() == [
        "flowchart LR",
        '  n0["middle<br/>core.py:5"]',
        '  n1["base<br/>core.py:1"]',
        "  n0 --> n1",
    ]
    assert cli("callers", "base", "--format", "dot")[1].splitlines() == [
        "digraph sidelight {",
        "  rankdir=LR;",
        "  node [shape=box];",
        '  n0 [label="middle\\ncore.py:5"];',
        '  n1 [label="base\\ncore.py:1"];',
        "  n0 -> n1;",
        "}",
    ]


def test_paths_between_symbols_and_between_files(cli: Cli) -> None:
    assert cli("path", "top", "base")[1].splitlines() == [
        "top  app.py:4",
        "  call in line 5 → middle  core.py:5  [exact]",
        "  call in line 6 → base  core.py:1  [exact]",
    ]
    assert "import in line 1" in cli("path", "app.py", "core.py")[1]
    code, out, err = cli("path", "base", "top")
    assert (code, out) == (1, "")
    assert "no path leads from base to top" in err


def test_imports_both_ways(cli: Cli) -> None:
    assert cli("imports", "app.py")[1].splitlines() == ["app.py", "  imports  core.py  (middle)"]
    assert "imported by  app.py:1  (middle)" in cli("imports", "core.py")[1]
    code, _, err = cli("imports", "run.py")
    assert code == 1
    assert "a/run.py, b/run.py" in err


def test_impact_and_stats(cli: Cli) -> None:
    assert cli("impact", "--symbol", "base")[1].splitlines() == [
        "1  middle  core.py:6  call of base  [exact]",
        "2  top  app.py:5  call of middle  [exact]",
    ]
    assert "  call       exact             4" in cli("stats")[1]
    table = json.loads(cli("stats", "--format", "json")[1])
    assert table["most_called"][0]["symbol"] == "middle"
    assert table["imports"] == 1


def test_an_ambiguous_name_lists_its_choices(cli: Cli) -> None:
    code, out, err = cli("callers", "run")
    assert (code, out) == (1, "")
    assert "a/run.py::A.run" in err
    assert "b/run.py::B.run" in err
    assert cli("callees", "a/run.py::A.run")[1].splitlines()[1] == (
        "└ A.go  a/run.py:5  used in 3  [exact]"
    )


def test_an_unknown_name_gives_the_nearest(cli: Cli) -> None:
    code, _, err = cli("callers", "midle")
    assert code == 1
    assert "nothing is called 'midle' here" in err
    assert "did you mean middle?" in err


def test_a_revision_that_is_not_indexed_is_refused(cli: Cli) -> None:
    code, _, err = cli("stats", "--rev", "v1")
    assert code == 1
    assert "sidelight index --rev v1" in err
