"""What the changed lines of a diff use: definitions of the tree that a reviewer has to know."""

from __future__ import annotations

from collections.abc import Iterator

from sidelight.focal import FocalFile, FocalSet
from sidelight.model import Reference
from sidelight.packing.model import Lines, Piece, Role
from sidelight.packing.pieces import definition_lines
from sidelight.packing.reading import ViewReader
from sidelight.packing.uses import Dependency, UsingFile, bind_uses

MOST = 8  # definitions
SHARE = 0.8  # of the best hit's score, times the confidence


def pieces_of_change(
    reader: ViewReader, focal: FocalSet, *, most: int = MOST, least_confidence: float = 0.6
) -> list[Piece]:
    """Return the definitions that added lines use, surest first; none that the diff itself shows.

    The new side is bound as it is parsed, whether or not the view has it.
    """
    changed = {file.path: list(_added(file)) for file in focal.files}
    found: dict[tuple[bytes, Lines], Piece] = {}
    for item, user in sorted(_used(reader, focal), key=lambda pair: -pair[0].confidence):
        if item.confidence < least_confidence or len(found) == most:
            break
        definition = item.definition
        target = reader.source(definition.path)
        if target is None:
            continue
        lines = definition_lines(target, definition)
        own = changed.get(definition.path, ())
        if any(lines.first <= hunk.last and hunk.first <= lines.last for hunk in own):
            continue
        found.setdefault(
            (definition.path, lines),
            Piece(
                definition.path,
                lines,
                SHARE * item.confidence,
                Role.DEFINITION,
                definition.symbol.qualified_name,
                (f"used by the change in {user}",),
            ),
        )
    return list(found.values())


def _used(reader: ViewReader, focal: FocalSet) -> Iterator[tuple[Dependency, str]]:
    for file in focal.files:
        hunks = list(_added(file))
        using = UsingFile(file.path, file.language, file.new.symbols, file.new.imports)
        uses = [use for use in file.new.references if _inside(use, hunks)]
        for item in bind_uses(using, uses, reader.named):
            yield item, file.path.decode("utf-8", "backslashreplace")


def _added(file: FocalFile) -> Iterator[Lines]:
    for hunk in file.diff.hunks:
        for line in hunk.added:
            if line.new is not None:
                yield Lines(line.new, line.new)


def _inside(use: Reference, lines: list[Lines]) -> bool:
    return any(own.first <= use.span.start_line <= own.last for own in lines)
