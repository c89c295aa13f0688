"""What a diff is about, as values. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sidelight.git.diffs import FileDiff
from sidelight.model import ParsedFile, Symbol


class SymbolChange(StrEnum):
    """What happened to a definition."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"  # its body
    SIGNATURE = "signature"  # how it is called


@dataclass(frozen=True, slots=True)
class FocalSymbol:
    """A definition that the diff touches: on the head's side, or the base's if it was removed.

    `old_signature` and `new_signature` are source text, "" on the side that lacks it.
    """

    path: bytes
    symbol: Symbol
    change: SymbolChange
    old_signature: str = ""
    new_signature: str = ""


@dataclass(frozen=True, slots=True)
class FocalFile:
    """A changed path with both sides' sources (b"" where absent) and what syntax says of them."""

    diff: FileDiff
    language: str
    old_source: bytes
    new_source: bytes
    old: ParsedFile
    new: ParsedFile

    @property
    def path(self) -> bytes:
        """The path at head; at base if it is deleted."""
        return self.diff.change.path


@dataclass(frozen=True, slots=True)
class FocalSet:
    """Everything that ranking and findings ask of a diff.

    `added` and `removed` count the identifiers of changed lines, as written. `skipped` names files
    whose content was not looked at (binary, too large, a submodule), with the reason.
    """

    files: tuple[FocalFile, ...]
    symbols: tuple[FocalSymbol, ...]
    title: str
    scope: str
    added: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[tuple[bytes, str], ...] = ()

    @property
    def paths(self) -> frozenset[bytes]:
        """Every path of the diff, on both sides, skipped ones included."""
        found = {path for path, _ in self.skipped}
        for file in self.files:
            found.add(file.diff.change.path)
            if file.diff.change.old_path is not None:
                found.add(file.diff.change.old_path)
        return frozenset(found)

    @property
    def note(self) -> str:
        """What a reader has to know of `skipped`; empty if nothing was."""
        n = len(self.skipped)
        return f"{n} changed file{'s were' if n > 1 else ' was'} not looked into" if n else ""
