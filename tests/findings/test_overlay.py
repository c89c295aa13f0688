"""A graph with files laid over the indexed view equals the graph of an index of those files."""

from __future__ import annotations

from pathlib import Path

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.git.blobs import BlobReader
from sidelight.graph import CodeGraph
from sidelight.graph.overlay import Layer, open_overlaid
from sidelight.graph.render import edge_table
from sidelight.parsing import parse
from sidelight.store.corpus import open_corpus
from sidelight.store.snapshot import open_latest
from sidelight.store.views import find_view

BEFORE = {
    "core.py": "def one():\n    return two()\n\n\ndef two():\n    return 2\n",
    "app.py": "from core import one, two\n\n\ndef start():\n    return one() + two()\n",
    "gone.py": "from core import two\n\n\ndef last():\n    return two()\n",
    "same.py": "import core\n\n\ndef same():\n    return core.one()\n",
}
AFTER = {
    "core.py": "def one():\n    return 1\n\n\ndef three():\n    return one()\n",
    "app.py": "from core import one, three\n\n\ndef start():\n    return one() + three()\n",
    "new.py": "from core import three\n\n\ndef fresh():\n    return three()\n",
    "same.py": BEFORE["same.py"],
}
NAMES = ("one", "two", "three", "start", "last", "fresh", "same")


def answers(graph: CodeGraph) -> dict[str, object]:
    """Return everything that a graph says of the definitions and files."""
    found: dict[str, object] = {"paths": graph.paths()}
    for name in NAMES:
        for symbol in graph.definitions(name):
            found[f"{name} called"] = [edge_table(e) for e in graph.callers(symbol, 2)]
            found[f"{name} calls"] = [edge_table(e) for e in graph.callees(symbol, 2)]
    for path in graph.paths():
        found[f"{path!r} in"] = graph.importers(path)
        found[f"{path!r} out"] = graph.imports(path)
        found[f"{path!r} text"] = graph.source(path)
        found[f"{path!r} symbols"] = graph.symbols(path)
    stats = graph.stats()
    found["stats"] = (stats.files, stats.definitions, stats.imports, stats.edges)
    return found


def test_both_sides_answer_alike_whichever_is_indexed(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    sides = []
    for tree in (BEFORE, AFTER):
        for path in ("gone.py", "new.py"):
            (repo.path / path).unlink(missing_ok=True)
        for path, text in tree.items():
            repo.write(path, text)
        sides.append(repo.commit("side"))
    work = Workspace.at(repo)
    work.refresh()
    for tree in (AFTER, BEFORE):
        layers: dict[bytes, Layer | None] = {}
        for path in {*BEFORE, *AFTER}:
            text = tree.get(path, "").encode()
            if tree.get(path) != AFTER.get(path):
                layer = Layer(text, parse(text, "python")) if path in tree else None
                layers[path.encode()] = layer
        fresh = GitRepo.init(tmp_path / f"fresh-{len(layers)}")
        for path, text in tree.items():
            fresh.write(path, text)
        fresh.commit("side")
        alone = Workspace.at(fresh)
        alone.refresh()
        assert _ask(work, layers) == _ask(alone, {})


def _ask(work: Workspace, layers: dict[bytes, Layer | None]) -> dict[str, object]:
    with work.open() as database, database.read() as connection:
        view = find_view(connection, work.view)
        assert view is not None
        corpus = open_corpus(connection, view, open_latest(database))
        with BlobReader(work.place.repo) as reader:
            return answers(open_overlaid(connection, corpus, layers, reader.read_many))
