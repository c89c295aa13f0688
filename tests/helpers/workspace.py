"""An index over a real repository with the fake embedder, opened the way the command line does.

    work = Workspace.at(repo)                        # index in the repository's own folder
    work.refresh()
    hits = work.search("where are retries handled", mode="bm25")
    other = work.beside(tmp_path / "other-index")    # another index of the same repository
    assert work.answers(QUERIES) == other.answers(QUERIES)

Nothing is patched: the model comes in through `FixedEmbedder`, everything else is the real thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from helpers.fake_embedder import FakeEmbedder
from helpers.gitrepo import GitRepo
from sidelight.config import Config, IndexConfig
from sidelight.git.repository import open_repository
from sidelight.indexing.place import FixedEmbedder, Place, index_directory, worktree_view
from sidelight.indexing.refresh import refresh
from sidelight.indexing.report import RefreshReport
from sidelight.model import Hit
from sidelight.search import Searcher, SearchMode, SearchRequest
from sidelight.store.database import Database
from sidelight.store.publishing import publish

MODES = tuple(SearchMode)
Answers = dict[tuple[str, str], tuple[Hit, ...]]


@dataclass(frozen=True)
class Workspace:
    """A place, and the fake model behind it."""

    place: Place
    embedder: FakeEmbedder

    @classmethod
    def at(
        cls,
        repo: GitRepo | Path,
        directory: Path | None = None,
        *,
        config: Config | None = None,
        model: str = "fake",
    ) -> Workspace:
        """Return the place of a repository's index (or of one in `directory`); nothing is built."""
        opened = open_repository(repo if isinstance(repo, Path) else repo.path)
        embedder = FakeEmbedder(model)
        folder = directory or index_directory(opened)
        return cls(Place(opened, folder, config or Config(), FixedEmbedder(embedder)), embedder)

    def beside(self, directory: Path, *, model: str = "fake") -> Workspace:
        """Return a place for the same repository and configuration in another folder."""
        embedder = FakeEmbedder(model)
        place = replace(self.place, directory=directory, embedder=FixedEmbedder(embedder))
        return Workspace(place, embedder)

    def configured(self, **index: object) -> Workspace:
        """Return the same index under other settings of `[tool.sidelight.index]`."""
        config = replace(self.place.config, index=IndexConfig(**index))  # type: ignore[arg-type]
        return Workspace(replace(self.place, config=config), self.embedder)

    @property
    def directory(self) -> Path:
        """The index's folder."""
        return self.place.directory

    @property
    def database(self) -> Path:
        """The index's database."""
        return self.place.directory / "index.db"

    @property
    def view(self) -> str:
        """The name of the worktree's view."""
        return worktree_view(self.place.repo)

    def open(self) -> Database:
        """Return the open database."""
        return Database.open(self.place.directory, self.place.identity)

    def refresh(self) -> RefreshReport:
        """Make the index equal to HEAD and wait for every vector."""
        return refresh(self.place, wait=True, create=True)

    def publish(self) -> str:
        """Publish a snapshot whether or not one is due."""
        with self.open() as database:
            return publish(database)

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        k: int = 20,
        view: str | None = None,
        paths: Sequence[str] = (),
        languages: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        """Return the hits of one search by a searcher of its own."""
        request = SearchRequest(query, k, SearchMode(mode), tuple(paths), tuple(languages))
        with Searcher.open(self.place, view or self.view) as searcher:
            return searcher.search(request).hits

    def answers(
        self,
        queries: Iterable[str],
        *,
        modes: Sequence[SearchMode] = MODES,
        k: int = 20,
        view: str | None = None,
    ) -> Answers:
        """Return the hits of every query in every mode."""
        with Searcher.open(self.place, view or self.view) as searcher:
            return {
                (query, mode.value): searcher.search(SearchRequest(query, k, mode)).hits
                for query in queries
                for mode in modes
            }

    def rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Return the rows of a question to the database."""
        with Database.open(self.place.directory, None) as database:
            return database.connection.execute(sql, values).fetchall()

    def files(self) -> dict[str, str]:
        """Return path → "" for each indexed file of the worktree's view, or why it is not."""
        rows = self.rows(
            "SELECT path, coalesce(skip, '') FROM file JOIN view ON view.id = view_id"
            " WHERE view.name = ?",
            self.view,
        )
        return {bytes(path).decode("utf-8", "surrogateescape"): str(why) for path, why in rows}  # type: ignore[call-overload]
