"""Both sides of a diff as graphs and sources, over one indexed view of either."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from sidelight.focal import FocalFile, FocalSet
from sidelight.git.diffs import LineKind
from sidelight.graph.facts import BlobSource
from sidelight.graph.graph import CodeGraph
from sidelight.graph.overlay import Layer, open_overlaid
from sidelight.store.corpus import Corpus

MAX_EVIDENCE_TEXT = 200  # characters of a quoted line


@dataclass(frozen=True)
class Sides:
    """The trees before and after the diff; everything outside the diff is the view's."""

    base: CodeGraph
    head: CodeGraph
    focal: FocalSet
    _lines: dict[bytes, list[bytes]] = field(default_factory=dict)

    @cached_property
    def files(self) -> dict[bytes, FocalFile]:
        """Path at head → changed file."""
        return {file.path: file for file in self.focal.files}

    @cached_property
    def changed_lines(self) -> dict[bytes, frozenset[int]]:
        """Path → the lines of the new side that the diff wrote, or that stand at a removal."""
        return {file.path: frozenset(_touched_lines(file)) for file in self.focal.files}

    def is_changed(self, path: bytes, first: int, last: int) -> bool:
        """Return whether the diff touched any of the head side's lines."""
        lines = self.changed_lines.get(path)
        return lines is not None and any(line in lines for line in range(first, last + 1))

    def line(self, path: bytes, line: int) -> str:
        """Return a line of the head side, without its indentation, for evidence."""
        if path not in self._lines:
            self._lines[path] = self.head.source(path).split(b"\n")
        lines = self._lines[path]
        if not 0 < line <= len(lines):
            return ""
        return lines[line - 1].decode("utf-8", "replace").strip()[:MAX_EVIDENCE_TEXT]


def open_sides(
    connection: sqlite3.Connection, corpus: Corpus, read_blobs: BlobSource, focal: FocalSet
) -> Sides:
    """Return both sides of the diff; the connection must stay open while they are asked."""
    before: dict[bytes, Layer | None] = {}
    after: dict[bytes, Layer | None] = {}
    for file in focal.files:
        change = file.diff.change
        if change.old_path is not None and change.new_blob is not None:
            after.setdefault(change.old_path, None)
        if change.old_blob is None or change.old_path not in (None, file.path):
            before.setdefault(file.path, None)
        if change.new_blob is None:
            after[file.path] = None
        else:
            after[file.path] = Layer(file.new_source, file.new)
        if change.old_blob is not None:
            before[change.old_path or file.path] = Layer(file.old_source, file.old)
    return Sides(
        base=open_overlaid(connection, corpus, before, read_blobs),
        head=open_overlaid(connection, corpus, after, read_blobs),
        focal=focal,
    )


def _touched_lines(file: FocalFile) -> Iterator[int]:
    for hunk in file.diff.hunks:
        last = hunk.new_start
        for line in hunk.lines:
            if line.new is not None:
                last = line.new
            if line.kind is LineKind.ADDED and line.new is not None:
                yield line.new
            elif line.kind is LineKind.REMOVED:
                yield last
