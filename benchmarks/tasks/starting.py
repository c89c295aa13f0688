"""The steps of one cold search. Nothing is imported at the top: imports are what is measured."""

from __future__ import annotations

from typing import Any

from benchmarks.measuring import timed


def search_by_stages(repository: str, query: str) -> dict[str, Any]:
    """Import, open and ask, and tell what each step costs in this process."""
    stages: dict[str, dict[str, float]] = {}
    kept: dict[str, Any] = {}

    def command() -> None:
        from sidelight.cli import main, search  # noqa: F401, PLC0415

    def engines() -> None:
        from sidelight.dense import vectorfile  # noqa: F401, PLC0415
        from sidelight.search import Searcher  # noqa: F401, PLC0415

    def find() -> None:
        from pathlib import Path  # noqa: PLC0415

        from sidelight.config import load_config  # noqa: PLC0415
        from sidelight.git.repository import open_repository  # noqa: PLC0415
        from sidelight.indexing.place import (  # noqa: PLC0415
            EmbedderSource,
            Place,
            index_directory,
            worktree_view,
        )

        repo = open_repository(Path(repository))
        config = load_config(repo.worktree)
        kept["place"] = Place(repo, index_directory(repo), config, EmbedderSource(config))
        kept["view"] = worktree_view(repo)

    def open_view() -> None:
        from sidelight.search import Searcher  # noqa: PLC0415

        kept["searcher"] = Searcher.open(kept["place"], kept["view"])

    def open_model() -> None:
        kept["place"].embedder.open()

    def ask() -> None:
        from sidelight.search import SearchRequest  # noqa: PLC0415

        kept["searcher"].search(SearchRequest(query))

    steps = {
        "import the command": command,
        "find the repository": find,
        "import search and engines": engines,
        "open the index": open_view,
        "load the model": open_model,
        "first query": ask,
        "second query": ask,
    }
    for name, step in steps.items():
        stages[name] = timed(step).table()
    return {"stages": stages}
