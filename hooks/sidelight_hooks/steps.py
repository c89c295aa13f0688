"""Changes to files that are all made or all undone. Knows nothing about hooks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from sidelight.errors import GitError, StorageError

Undo = Callable[[], object]


class Step(Protocol):
    """One change. `apply` makes it and returns how to take it back."""

    def apply(self) -> Undo: ...


@dataclass(frozen=True, slots=True)
class MakeDirectory:
    """Make a folder and its missing parents."""

    path: Path

    def apply(self) -> Undo:
        missing = [place for place in (self.path, *self.path.parents) if not place.exists()]
        self.path.mkdir(parents=True, exist_ok=True)

        def undo() -> None:
            for place in missing:
                place.rmdir()

        return undo


@dataclass(frozen=True, slots=True)
class Write:
    """Write a whole file under its name at once; what was there is replaced."""

    path: Path
    content: bytes
    mode: int

    def apply(self) -> Undo:
        before = Saved.of(self.path)
        write_whole(self.path, self.content, self.mode)
        return before.restore


@dataclass(frozen=True, slots=True)
class Move:
    """Move a file, link or folder to a name that nothing has."""

    source: Path
    target: Path

    def apply(self) -> Undo:
        if os.path.lexists(self.target):
            raise FileExistsError(17, os.strerror(17), str(self.target))
        self.source.rename(self.target)
        return lambda: self.target.rename(self.source)


@dataclass(frozen=True, slots=True)
class Link:
    """Make a symbolic link."""

    path: Path
    target: str

    def apply(self) -> Undo:
        self.path.symlink_to(self.target)
        return self.path.unlink


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a file or link."""

    path: Path

    def apply(self) -> Undo:
        before = Saved.of(self.path)
        self.path.unlink()
        return before.restore


@dataclass(frozen=True, slots=True)
class RemoveDirectory:
    """Remove an empty folder."""

    path: Path

    def apply(self) -> Undo:
        mode = self.path.stat().st_mode & 0o7777
        self.path.rmdir()

        def undo() -> None:
            self.path.mkdir()
            self.path.chmod(mode)

        return undo


def apply_all(steps: Iterable[Step]) -> None:
    """Make every change, or none.

    Raises:
        StorageError: one failed; those before it have been undone.
        GitError: git refused one; likewise.
    """
    undo: list[Undo] = []
    try:
        for step in steps:
            undo.append(step.apply())  # noqa: PERF401  (what was done must be known on failure)
    except OSError as problem:
        where = os.fsdecode(problem.filename2 or problem.filename or "the hooks folder")
        raise StorageError(f"{where}: {problem.strerror}", hint=_undo_all(undo)) from problem
    except (GitError, KeyboardInterrupt):
        _undo_all(undo)
        raise


def _undo_all(undo: list[Undo]) -> str:
    """Take back what was done, the last first, and return the hint for the user."""
    left: list[str] = []
    for back in reversed(undo):
        try:
            back()
        except OSError as problem:
            left.append(f"{problem.filename}: {problem.strerror}")
    if left:
        return "some changes could not be undone: " + "; ".join(left)
    return "nothing was changed; the folder must be writable, on a disk that is not full"


def write_whole(path: Path, content: bytes, mode: int) -> None:
    """Write a file so that its name holds all of it or what was there before."""
    draft = path.with_name(f"{path.name}.sidelight-{os.getpid()}")
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(mode)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


@dataclass(frozen=True, slots=True)
class Saved:
    """A file or link as it was, to put it back."""

    path: Path
    content: bytes | None
    mode: int
    link: str | None

    @classmethod
    def of(cls, path: Path) -> Saved:
        """Return what stands at a place now; a folder counts as nothing."""
        if path.is_symlink():
            return cls(path, None, 0, os.fsdecode(path.readlink()))
        if not path.is_file():
            return cls(path, None, 0, None)
        return cls(path, path.read_bytes(), path.stat().st_mode & 0o7777, None)

    def is_same(self, other: Saved) -> bool:
        """Return whether two places hold the same file or link."""
        is_something = self.content is not None or self.link is not None
        return is_something and replace(self, path=other.path) == other

    def restore(self) -> None:
        """Put it back."""
        if self.content is not None:
            write_whole(self.path, self.content, self.mode)
            return
        self.path.unlink(missing_ok=True)
        if self.link is not None:
            self.path.symlink_to(self.link)
