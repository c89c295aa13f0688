"""Which files define the identifiers that a diff's changed lines use."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sidelight.related.files import ViewFiles

MAX_IDENTIFIERS = 400  # the rarest names of a huge diff
MAX_DEFINERS = 50  # a name defined more often tells nothing
LEAST_LETTERS = 3


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol of the view that has the name of a changed identifier."""

    file: int
    name: str
    qualified_name: str
    start_byte: int


def find_definitions(
    connection: sqlite3.Connection, view_id: int, files: ViewFiles, names: Mapping[str, int]
) -> dict[str, list[Definition]]:
    """Return the definitions in the view of each name, case matched."""
    wanted = sorted((name for name in names if len(name) >= LEAST_LETTERS), key=lambda n: -len(n))
    found: dict[str, list[Definition]] = {}
    for name in wanted[:MAX_IDENTIFIERS]:
        rows = connection.execute(  # a few symbols first, then their files; see graph.rows
            "SELECT file.path, symbol.ordinal, symbol.qualified_name, symbol.start_byte"
            " FROM symbol CROSS JOIN doc ON doc.parsed_id = symbol.parsed_id"
            " CROSS JOIN file ON file.doc_id = doc.id AND file.view_id = ?"
            " WHERE symbol.name_key = ? AND symbol.name = ? LIMIT ?",
            (view_id, name.casefold(), name, MAX_DEFINERS + 1),
        ).fetchall()
        if 0 < len(rows) <= MAX_DEFINERS:
            found[name] = [
                Definition(files.position[path], name, qualified, start)
                for path, _, qualified, start in sorted(rows)
            ]
    return found


def definition_scores(
    found: Mapping[str, list[Definition]], idf: Mapping[str, float], n_files: int
) -> NDArray[np.float64]:
    """Return Σ idf(name) / √definers over the changed names that each file defines, (n,)."""
    scores = np.zeros(n_files, np.float64)
    for name, definitions in found.items():
        definers = {definition.file for definition in definitions}
        share = idf.get(name.casefold(), 0.0) / math.sqrt(len(definers))
        for file in definers:
            scores[file] += share
    return scores
