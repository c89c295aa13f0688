"""The paths of one view, as import resolvers ask for them. Pure: no contents, no disk."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property


class Tree:
    """A set of file paths with their folders, and look-ups by name and by ending."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.files = frozenset(paths)

    def __contains__(self, path: str) -> bool:
        return path in self.files

    @cached_property
    def folders(self) -> dict[str, tuple[str, ...]]:
        """Folder → the files directly in it, sorted; every folder above a file is there."""
        found: dict[str, list[str]] = {"": []}
        for path in sorted(self.files):
            folder = parent(path)
            while folder not in found:  # those above a known one are known
                found[folder] = []
                folder = parent(folder)
            found[parent(path)].append(path)
        return {folder: tuple(files) for folder, files in found.items()}

    @cached_property
    def by_name(self) -> dict[str, tuple[str, ...]]:
        """Last part of a path → the paths that end in it, sorted."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.files):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    def first(self, candidates: Iterable[str]) -> str | None:
        """Return the first of the candidates that is a file."""
        return next((path for path in candidates if path in self.files), None)

    def ending(self, suffix: str) -> tuple[str, ...]:
        """Return the files whose last parts are those of `suffix` (`a/b.h`), sorted."""
        named = self.by_name.get(suffix.rpartition("/")[2], ())
        return tuple(p for p in named if p == suffix or p.endswith("/" + suffix))

    def folders_ending(self, suffix: str) -> tuple[str, ...]:
        """Return the folders whose last parts are those of `suffix`, sorted."""
        return tuple(
            folder
            for folder in self._folders_named.get(suffix.rpartition("/")[2], ())
            if folder == suffix or folder.endswith("/" + suffix)
        )

    @cached_property
    def _folders_named(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for folder in sorted(self.folders):
            found.setdefault(folder.rpartition("/")[2], []).append(folder)
        return {name: tuple(folders) for name, folders in found.items()}


def parent(path: str) -> str:
    """Return the folder of a path, "" at the top."""
    return path.rpartition("/")[0]


def ancestors(path: str) -> Iterable[str]:
    """Yield the folders around a path, innermost first, "" last."""
    folder = path
    while folder:
        folder = parent(folder)
        yield folder


def within(path: str, folder: str) -> bool:
    """Return whether a path lies below a folder; "" holds everything."""
    return not folder or path.startswith(folder + "/")


def join(folder: str, relative: str) -> str | None:
    """Return `folder/relative` with `.` and `..` taken out; None if it leaves the tree."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def nearest(paths: Iterable[str], near: str) -> str | None:
    """Return the path that shares the most leading folders with `near`; None if there is a tie."""
    best: list[str] = []
    most = -1
    for path in paths:
        shared = shared_folders(path, near)
        if shared > most:
            best, most = [path], shared
        elif shared == most:
            best.append(path)
    return best[0] if len(best) == 1 else None


def shared_folders(first: str, second: str) -> int:
    """Return how many leading folders two paths have in common."""
    count = 0
    for a, b in zip(first.split("/")[:-1], second.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count
