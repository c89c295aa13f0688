"""What the commit benchmark needs of the product: hooks installed, and the index at rest."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from benchmarks.tasks.indexing import count, place_of
from sidelight.git.repository import open_repository
from sidelight.indexing.refresh import refresh
from sidelight.indexing.vectors import worker_lock
from sidelight.store.database import Database
from sidelight.store.views import pending_count
from sidelight_hooks.install import install_hooks
from sidelight_hooks.journal import read_entries

PATIENCE_S = 120


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
