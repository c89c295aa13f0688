"""What makes questions quick changes no answer: each shortcut against the plain way."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.lab import graph_at, graph_of
from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.graph.facts import Facts
from sidelight.graph.overlay import Layer, OverlaidFacts
from sidelight.graph.rows import is_renamed_in
from sidelight.model import Import, ImportedName, ImportKind, Span
from sidelight.parsing import parse
from sidelight.store.rows import pack_imports
from sidelight.store.views import find_view

FILES = {
    "src/a/Outer.java": "package a;\npublic class Outer {\n  public static class Inner {\n"
    "    void run() {}\n  }\n  void run() {}\n}\n",
    "src/a/Other.java": "package a;\nclass Other { void run() {} }\n",
    "src/b/User.java": "package b;\nimport a.Outer;\nimport a.Outer.Inner;\n"
    "class User { void go(Inner it, Outer o) { it.run(); o.run(); } }\n",
    "src/b/Wild.java": "package b;\nimport a.*;\nimport a.Outer.*;\n"
    "class Wild { Outer o; Inner i; }\n",
    "src/c/Far.java": "package c;\nimport b.User;\nclass Far { User u; }\n",
    "py/__init__.py": "from py.tools import run as go\n",
    "py/tools.py": "def run():\n    pass\n",
    "py/use.py": "from .tools import run\nfrom py import go\nfrom . import tools\nrun(go, tools)\n",
    "web/index.ts": "export * from './part';\nexport default function run() {}\n",
    "web/part.ts": "export function run() {}\n",
    "web/use.ts": "import start, { run } from '.';\nimport * as part from './part';\nrun();\n",
    "cmd/main.go": 'package main\n\nimport "example.com/m/lib"\n\nfunc run() { lib.Run() }\n',
    "lib/lib.go": "package lib\n\nfunc Run() {}\n",
    "lib/more.go": "package lib\n\nfunc More() {}\n",
    "go.mod": "module example.com/m\n",
}


def test_importers_are_the_files_whose_imports_lead_there(tmp_path: Path) -> None:
    with graph_of(tmp_path / "repo", FILES) as graph:
        everything = {path: graph.imports(path) for path in graph.paths()}
        for target in graph.paths():
            expected = [e for edges in everything.values() for e in edges if e.target == target]
            assert list(graph.importers(target)) == expected, target
        assert any(edge.names == ("Outer.Inner",) or "Inner" in edge.names
                   for edges in everything.values() for edge in edges)  # fmt: skip


@pytest.mark.parametrize("is_complete", [False, True])
def test_qualified_names_are_those_of_the_name(tmp_path: Path, is_complete: bool) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    for path, text in FILES.items():
        repo.write(path, text)
    repo.commit("files")
    work = Workspace.at(repo)
    work.refresh()
    source = b"package a;\nclass Other { void walk() {} static class Outer { void run() {} } }\n"
    layers = {
        "src/a/Other.java": Layer(source, parse(source, "java")),
        "src/b/User.java": None,
    }
    with work.open() as database, database.read() as connection:
        view = find_view(connection, work.view)
        assert view is not None
        for make in (
            lambda: Facts(connection, view.id),
            lambda: OverlaidFacts(connection, view.id, layers),
        ):
            plain, quick = make(), make()
            if is_complete:
                quick.load_all()
            for name in ("run", "Outer", "Inner", "walk", "User", "never"):
                named = plain.named(name)
                for dotted in {item.symbol.qualified_name for item in named} | {name}:
                    expected = tuple(d for d in named if d.symbol.qualified_name == dotted)
                    assert quick.qualified(dotted) == expected, dotted


def test_only_names_with_another_name_are_renamed() -> None:
    names = (ImportedName("run", None), ImportedName("a", "run"), ImportedName("stop", "halt"))
    packed = pack_imports([Import("stop", ImportKind.MODULE, Span(0, 1, 1, 1), names, "quit")])
    assert is_renamed_in(packed, "stop")
    assert is_renamed_in(packed, "a")
    assert not is_renamed_in(packed, "run")
    assert not is_renamed_in(packed, "never")


def test_an_open_graph_answers_as_a_new_one(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    for path, text in FILES.items():
        repo.write(path, text)
    repo.commit("files")
    work = Workspace.at(repo)
    work.refresh()
    with graph_at(work) as graph:
        graph.stats()
        symbols = graph.named("run") + graph.named("Run") + graph.named("Inner")
        seen = [graph.uses_of(symbol) for symbol in symbols]
    for symbol, edges in zip(symbols, seen, strict=True):
        with graph_at(work) as graph:
            assert graph.uses_of(symbol) == edges
