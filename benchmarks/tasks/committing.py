"""What the commit benchmark needs of the product: hooks installed, and the index at rest."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.measuring import Seconds, middle, timed
from benchmarks.repositories import git
from benchmarks.tasks.indexing import count, place_of
from sidelight.git.repository import open_repository
from sidelight.indexing.history import HistoryUpdate
from sidelight.indexing.refresh import refresh
from sidelight.indexing.vectors import worker_lock
from sidelight.store.database import Database
from sidelight.store.views import pending_count
from sidelight_hooks.install import install_hooks
from sidelight_hooks.journal import read_entries

PATIENCE_S = 120
# What a refresh does for the graph alone (symbols and imports serve search, too), and for history.
ADDED = {
    "graph": (
        "sidelight.parsing.captures._Collector._reference",
        "sidelight.parsing.captures._Collector._ruled_references",
    ),
    "history": ("sidelight.indexing.refresh.update_history",),
}
VARIANTS: dict[str, tuple[str, ...]] = {
    "all": (),
    "no graph": ("graph",),
    "no history": ("history",),
    "neither": ("graph", "history"),
}


def install(repository: str) -> dict[str, Any]:
    """Install the hooks as `sidelight init` does."""
    install_hooks(open_repository(Path(repository)))
    return {"hooks": sorted(p.name for p in (Path(repository) / ".git" / "hooks").glob("post-*"))}


def python_files(repository: str) -> dict[str, Any]:
    """Return three Python files that are far from each other."""
    found = sorted(str(p.relative_to(repository)) for p in Path(repository).rglob("*.py"))
    return {"names": [found[len(found) * at // 4] for at in (1, 2, 3)]}


def settle(repository: str) -> dict[str, Any]:
    """Wait for a detached worker, bring the index to HEAD, and tell what the last hook did."""
    place = place_of(repository)
    entries = read_entries(str(place.directory))
    last = entries[-1] if entries else ("", "", "", "none")
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        with (
            worker_lock(place.directory),
            Database.open(place.directory, None) as database,
            database.read() as connection,
        ):
            if not pending_count(connection):
                break
        time.sleep(0.2)
    refresh(place, wait=True)
    return {"last": f"{last[2]} {last[3]}".strip(), "chunks": count(place)[1]}


def share(repository: str, rounds: int) -> dict[str, Any]:
    """Commit to three files and refresh, by turns with everything and with parts left out.

    In this process, with random vectors. Uses of names are still matched by the queries that find
    definitions; all that is made of them is left out.
    """
    place = place_of(repository)
    refresh(place, wait=True, create=True)
    names = [str(name) for name in python_files(repository)["names"]]
    samples: dict[str, list[Seconds]] = {name: [] for name in VARIANTS}
    for at in range(rounds + 1):  # the first round only warms up
        for variant, left_out in VARIANTS.items():
            for name in names:
                with Path(repository, name).open("a", encoding="utf-8") as file:
                    file.write(f"\n\ndef added_{at}(value):\n    return str(value + {at})\n")
            git(Path(repository), "commit", "-q", "-a", "-m", f"Change {at}, {variant}")
            with _without(left_out):
                samples[variant].append(timed(lambda: refresh(place, wait=False)))
            refresh(place, wait=True)  # a history that was left out is read now
    return {name: middle(found[1:]).table() for name, found in samples.items()}


@contextmanager
def _without(parts: tuple[str, ...]) -> Iterator[None]:
    with ExitStack() as stack:
        for target in (target for part in parts for target in ADDED[part]):
            stack.enter_context(mock.patch(target, new=_nothing))
        yield


def _nothing(*_words: object, **_settings: object) -> HistoryUpdate:
    return HistoryUpdate()
