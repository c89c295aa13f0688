"""What a refresh is asked for, counts, and says of itself."""

from __future__ import annotations

import hashlib
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
    """A view and what it shall show; `follow` tells the newest (commit, tree) of a moving one.

    `attributes_tree` names the tree whose `.gitattributes` count; by default it is the view's own.
    A stranger's tree is indexed under those of the branch that it wants to change.
    """

    view: str
    commit: str
    tree: str
    follow: Callable[[], tuple[str, str]] | None = None
    attributes_tree: str | None = None

    def state(self, config: IndexConfig) -> ViewState:
        """Return what the view shows when the target is reached under a configuration."""
        key = index_fingerprint(config)
        if self.attributes_tree is not None:
            text = f"{key} {self.attributes_tree}"
            key = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        return ViewState(self.tree, self.commit, key)


@dataclass(slots=True)
class Tally:
    """What a refresh has done so far."""

    changed: int = 0
    parsed: int = 0
    deleted: int = 0
    embedded: int = 0
