"""What a refresh says of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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
