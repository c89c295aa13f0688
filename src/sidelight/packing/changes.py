"""What the changed lines of a diff use: definitions of the tree that a reviewer has to know."""

from __future__ import annotations

from collections.abc import Iterator

from sidelight.focal import FocalFile, FocalSet
from sidelight.packing.model import Lines, Piece, Role
from sidelight.packing.pieces import definition_lines
from sidelight.packing.reading import Dependency, ViewReader

MOST = 8  # definitions
SHARE = 0.8  # of the best hit's score, times the confidence


def pieces_of_change(
    reader: ViewReader, focal: FocalSet, *, most: int = MOST, least_confidence: float = 0.6
) -> list[Piece]:
    """Return the definitions that changed definitions use by names of added lines, surest first.

    What the diff itself shows is left out, and what the view does not have is not known to use
    anything: a function that only the working tree has brings nothing along.
    """
    changed = {file.path: list(_added(file)) for file in focal.files}
    found: dict[tuple[bytes, Lines], Piece] = {}
    for item, user in sorted(_used(reader, focal), key=lambda pair: -pair[0].confidence):
        if item.confidence < least_confidence or len(found) == most:
            break
        target = reader.source(item.target.path)
        if target is None:
            continue
        lines = definition_lines(target, item.target)
        own = changed.get(item.target.path, ())
        if any(lines.first <= hunk.last and hunk.first <= lines.last for hunk in own):
            continue
        found.setdefault(
            (item.target.path, lines),
            Piece(
                item.target.path,
                lines,
                SHARE * item.confidence,
                Role.DEFINITION,
                item.target.qualified_name,
                (f"used by {user}, changed here",),
            ),
        )
    return list(found.values())


def _used(reader: ViewReader, focal: FocalSet) -> Iterator[tuple[Dependency, str]]:
    for item in focal.symbols:
        name = item.symbol.qualified_name
        for dependency in reader.used_by(item.path, name, focal.added):
            yield dependency, name


def _added(file: FocalFile) -> Iterator[Lines]:
    for hunk in file.diff.hunks:
        for line in hunk.added:
            if line.new is not None:
                yield Lines(line.new, line.new)
