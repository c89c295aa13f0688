"""Say in one word in which state an index is, and what mends it. Reads only."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from sidelight.config import index_fingerprint
from sidelight.errors import (
    DamagedIndexError,
    GitError,
    IndexMissingError,
    OtherFormatError,
    OtherModelError,
)
from sidelight.git.repository import Repository
from sidelight.indexing.place import Place, worktree_view
from sidelight.store.database import Database
from sidelight.store.history import HistoryInfo, history_info
from sidelight.store.reader import skipped_counts, view_counts
from sidelight.store.views import ViewInfo, find_view, list_views, pending_count


class IndexState(StrEnum):
    """Every condition an index can be in, from the worktree's point of view."""

    CURRENT = "current"
    PARTIAL = "partial"  # equal to HEAD; some vectors are still to come
    STALE = "stale"  # shows another tree than HEAD's, or was made with other settings
    MISSING = "missing"
    OTHER_MODEL = "other-model"
    OTHER_FORMAT = "other-format"
    DAMAGED = "damaged"


MENDED_BY = {
    IndexState.CURRENT: "",
    IndexState.PARTIAL: "run `sidelight index` to wait for the vectors",
    IndexState.STALE: "run `sidelight index`",
    IndexState.MISSING: "run `sidelight init`",
    IndexState.OTHER_MODEL: "run `sidelight index --rebuild`, or `sidelight model use` the former",
    IndexState.OTHER_FORMAT: "run `sidelight index --rebuild`",
    IndexState.DAMAGED: "run `sidelight index --rebuild`",
}


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What `sidelight status` shows. `behind` counts commits from the index to HEAD, if any."""

    state: IndexState
    tree: str | None
    commit: str | None
    head_tree: str | None
    files: int = 0
    chunks: int = 0
    pending: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    model: str = ""
    size_bytes: int = 0
    behind: int = 0
    views: tuple[str, ...] = ()
    detail: str = ""
    history: HistoryInfo = field(default_factory=HistoryInfo)


def index_status(place: Place) -> IndexStatus:
    """Return the state of the worktree's view; no condition of the index raises."""
    head = place.repo.head()
    head_tree = head[1] if head else None
    size = folder_size(place.directory)
    model = place.config.embedding.model

    def broken(state: IndexState, error: Exception) -> IndexStatus:
        detail = getattr(error, "message", str(error))
        return IndexStatus(
            state, None, None, head_tree, model=model, size_bytes=size, detail=detail
        )

    try:
        with Database.open(place.directory, place.identity) as database:
            return _read(place, database, head, size)
    except IndexMissingError as error:
        return broken(IndexState.MISSING, error)
    except OtherModelError as error:
        return broken(IndexState.OTHER_MODEL, error)
    except OtherFormatError as error:
        return broken(IndexState.OTHER_FORMAT, error)
    except DamagedIndexError as error:
        return broken(IndexState.DAMAGED, error)


def state_of(place: Place, view: ViewInfo, pending: int, head_tree: str | None) -> IndexState:
    """Return the state of a worktree's view that could be read."""
    if view.tree != head_tree or view.config_key != index_fingerprint(place.config.index):
        return IndexState.STALE
    return IndexState.PARTIAL if pending else IndexState.CURRENT


def commits_behind(repo: Repository, indexed: str, head: str) -> int:
    """Return how many commits of HEAD the index has not seen; 0 if git cannot tell."""
    if indexed == head:
        return 0
    try:
        words = ["rev-list", "--count", head, f"^{repo.require_object_id(indexed)}", "--"]
        return int(repo.run(words))
    except (GitError, ValueError):
        return 0


def folder_size(folder: Path) -> int:
    """Return the bytes of all files in a folder; what vanishes meanwhile does not count."""
    total = 0
    for path in folder.rglob("*") if folder.is_dir() else ():
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def _read(place: Place, database: Database, head: tuple[str, str] | None, size: int) -> IndexStatus:
    with database.read() as connection:
        view = find_view(connection, worktree_view(place.repo))
        names = tuple(item.name for item in list_views(connection))
        if view is None:
            return IndexStatus(
                IndexState.MISSING,
                None,
                None,
                head[1] if head else None,
                model=place.config.embedding.model,
                size_bytes=size,
                views=names,
                detail="this worktree is not indexed yet",
            )
        files, chunks = view_counts(connection, view.id)
        pending = pending_count(connection, view.id)
        skipped = skipped_counts(connection, view.id)
        history = history_info(connection, view.commit)
    return IndexStatus(
        state=state_of(place, view, pending, head[1] if head else None),
        tree=view.tree,
        commit=view.commit,
        head_tree=head[1] if head else None,
        files=files,
        chunks=chunks,
        pending=pending,
        skipped=skipped,
        model=place.config.embedding.model,
        size_bytes=size,
        behind=commits_behind(place.repo, view.commit, head[0]) if head else 0,
        views=names,
        history=history,
    )
