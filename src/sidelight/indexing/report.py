"""What a refresh is asked for, counts, and says of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sidelight.config import IndexConfig, index_fingerprint
from sidelight.store.views import ViewState


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """The outcome of one refresh. `state` is `current`, or `partial` while vectors are pending."""

    state: str
    view: str
    tree: str
    commit: str
    changed_files: int
    parsed_files: int
    deleted_files: int
    embedded: int
    pending: int
    detached: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a long run tells how far it is: (stage, done, total); nothing is printed here."""

    update: Callable[[str, int, int], None] = lambda _stage, _done, _total: None


@dataclass(frozen=True, slots=True)
class Target:
    """A view and what it shall show; `follow` tells the newest (commit, tree) of a moving one."""

    view: str
    commit: str
    tree: str
    follow: Callable[[], tuple[str, str]] | None = None

    def state(self, config: IndexConfig) -> ViewState:
        """Return what the view shows when the target is reached under a configuration."""
        return ViewState(self.tree, self.commit, index_fingerprint(config))


@dataclass(slots=True)
class Tally:
    """What a refresh has done so far."""

    changed: int = 0
    parsed: int = 0
    deleted: int = 0
    embedded: int = 0
