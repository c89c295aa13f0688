"""Where an index lies, what identifies it, and which model serves it. Light: hooks import it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sidelight.config import Config
from sidelight.embedding.catalogue import model_info, model_sha
from sidelight.embedding.opening import open_embedder
from sidelight.embedding.protocol import Embedder
from sidelight.git.repository import Repository
from sidelight.store.database import Identity
from sidelight.versions import pipeline_version

FOLDER = "sidelight"


class EmbedderSource:
    """A model that is opened when the first text needs it, and then kept."""

    def __init__(self, config: Config, models_dir: Path | None = None) -> None:
        self._model = config.embedding.model
        self._threads = config.embedding.threads
        self.models_dir = models_dir
        self._embedder: Embedder | None = None

    @property
    def sha256(self) -> str:
        """The model's identity, read without loading it."""
        return model_sha(self._model, models_dir=self.models_dir)

    @property
    def dimensions(self) -> int:
        """The length of the model's vectors, read without loading it."""
        return model_info(self._model, models_dir=self.models_dir).dimensions

    @property
    def is_open(self) -> bool:
        """Whether the model has been loaded."""
        return self._embedder is not None

    def open(self) -> Embedder:
        """Return the embedder; the first call loads the model."""
        if self._embedder is None:
            self._embedder = open_embedder(
                self._model, models_dir=self.models_dir, threads=self._threads
            )
        return self._embedder


class FixedEmbedder(EmbedderSource):
    """An embedder that the caller made."""

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(Config())
        self._embedder = embedder

    @property
    def sha256(self) -> str:
        """The model's identity."""
        return self.open().info.sha256

    @property
    def dimensions(self) -> int:
        """The length of the model's vectors."""
        return self.open().info.dimensions


@dataclass(frozen=True, slots=True)
class Place:
    """An index: its repository, its folder, its configuration and its model."""

    repo: Repository
    directory: Path
    config: Config
    embedder: EmbedderSource

    @property
    def identity(self) -> Identity:
        """What an index must have been built with to serve this place."""
        return Identity(pipeline=pipeline_version(), model=self.embedder.sha256)


def index_directory(repo: Repository) -> Path:
    """Return the folder of the repository's index, shared by all its worktrees."""
    return repo.common_dir / FOLDER


def worktree_view(repo: Repository) -> str:
    """Return the name of the view that follows this worktree's HEAD."""
    return f"worktree/{repo.worktree_name}"


def revision_view(name: str) -> str:
    """Return the name of the view of a revision that the user asked for by `name`.

    A branch may be called anything: bytes that are not UTF-8, which SQLite cannot store as text,
    are named by their escapes.
    """
    return "rev/" + name.encode("utf-8", "backslashreplace").decode("utf-8")
