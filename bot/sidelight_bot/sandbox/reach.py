"""Which folders a repository's objects and references lie in: what a confined git has to read."""

from __future__ import annotations

from pathlib import Path

from sidelight.git.repository import Repository

MAX_ALTERNATES = 100


def folders_of(repo: Repository) -> list[Path]:
    """Return the git directories and every object store, borrowed ones (`--shared`) too."""
    found = [repo.git_dir, repo.common_dir]
    waiting = [repo.objects_dir.resolve()]
    while waiting and len(found) < MAX_ALTERNATES:
        store = waiting.pop()
        if store in found:
            continue
        found.append(store)
        try:
            text = (store / "info" / "alternates").read_text("utf-8", "surrogateescape")
        except OSError:
            continue
        lines = (line for line in text.splitlines() if line and not line.startswith("#"))
        waiting += [(store / line).resolve() for line in lines]
    return found
