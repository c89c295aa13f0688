"""The one error tree: every expected failure carries a message, a hint and an exit code.

Source that does not parse is data (`ParsedFile.problems`), never an exception of this tree.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """What the three console scripts return."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    BUG = 3
    INTERRUPTED = 130


class SidelightError(Exception):
    """An expected failure: what happened (`message`) and what to do about it (`hint`)."""

    exit_code: ClassVar[ExitCode] = ExitCode.FAILURE

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class UsageError(SidelightError):
    """The caller's words are off: an option, a pattern, a configuration key."""

    exit_code: ClassVar[ExitCode] = ExitCode.USAGE


class ConfigError(UsageError):
    """A configuration file cannot be read, or names a key that does not exist."""


class GitError(SidelightError):
    """git is missing, refused, or the repository is in a state that cannot be indexed."""


class NotARepositoryError(GitError):
    """The folder is not inside a git repository."""


class UnknownRevisionError(GitError):
    """A revision does not resolve to a commit of this repository."""


class MissingObjectError(GitError):
    """An object that the repository should hold is absent (partial clone, damaged store)."""


class IndexStateError(SidelightError):
    """The index is in a named state that forbids the operation; the hint mends it."""


class IndexMissingError(IndexStateError):
    """There is no index beside this repository yet."""


class OtherFormatError(IndexStateError):
    """The index was written by another format of Sidelight."""


class OtherModelError(IndexStateError):
    """The index holds vectors of another embedding model."""


class DamagedIndexError(IndexStateError):
    """The database, a snapshot or a cache file fails its checks."""


class IndexBusyError(IndexStateError):
    """Another process holds the writer's lock for longer than we may wait."""


class StorageError(SidelightError):
    """The disk is full, read-only or refuses the operation."""


class ModelError(SidelightError):
    """An embedding model cannot be loaded, verified or exported."""
