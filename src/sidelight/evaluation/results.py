"""Result sets as files: what `sidelight eval run --format json` wrote, read back and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sidelight.errors import UsageError
from sidelight.evaluation.summary import Aim


@dataclass(frozen=True, slots=True)
class CaseFigures:
    """One answered case: its figures, the rank of each wanted file, and its first hits.

    `hits` are (path, first line, last line); paths are text as in JSON.
    """

    id: str
    file: str
    repo: str
    language: str
    digest: str
    query: str
    focal: tuple[str, ...]
    values: Mapping[str, float]
    ranks: Mapping[str, int | None]
    hits: tuple[tuple[str, int, int], ...]

    @property
    def family(self) -> str:
        """Return the set that the case's file belongs to; see `CaseFile.family`."""
        return self.file.rpartition("_")[0] or self.file


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The answers of one mode to the cases of one aim, by case id."""

    mode: str
    aim: Aim
    cases: Mapping[str, CaseFigures]


@dataclass(frozen=True, slots=True)
class ResultSet:
    """Everything that a file of results holds; `partial` if it leaves cases out."""

    name: str
    tables: tuple[ResultTable, ...]
    partial: bool

    @property
    def modes(self) -> tuple[str, ...]:
        """Return the modes in order."""
        return tuple(dict.fromkeys(table.mode for table in self.tables))

    def of_mode(self, mode: str | None) -> ResultSet:
        """Return the tables of one mode; None is the only one.

        Raises:
            UsageError: there is no such mode, or several and none is named.
        """
        if mode is None and len(self.modes) == 1:
            return self
        if mode is None:
            names = ", ".join(self.modes)
            raise UsageError(f"{self.name} holds several modes", hint=f"add :MODE, one of {names}")
        if mode not in self.modes:
            raise UsageError(
                f"{self.name} has no mode {mode}", hint=f"it has {', '.join(self.modes) or 'none'}"
            )
        tables = tuple(table for table in self.tables if table.mode == mode)
        return ResultSet(f"{self.name}:{mode}", tables, self.partial)


def load_results(path: Path) -> ResultSet:
    """Return the results that a run wrote as JSON.

    Raises:
        UsageError: the file cannot be read, or is not such JSON.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return parse_results(value, path.name)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{path} is not what an evaluation wrote",
            hint="make it with `sidelight eval run … --format json > FILE`",
        ) from error


def parse_results(value: Any, name: str) -> ResultSet:
    """Return the results in a JSON value; KeyError, TypeError or ValueError if it is another."""
    tables = tuple(
        ResultTable(
            str(table["mode"]),
            Aim(str(table["task"]), str(table["targets"])),
            {case.id: case for case in map(_figures, table["cases"])},
        )
        for table in value["tables"]
    )
    return ResultSet(name, tables, value["state"] != "complete")


def _figures(case: Any) -> CaseFigures:
    return CaseFigures(
        id=str(case["id"]),
        file=str(case["file"]),
        repo=str(case["repo"]),
        language=str(case["language"]),
        digest=str(case["digest"]),
        query=str(case["query"]),
        focal=tuple(str(path) for path in case["focal"]),
        values={str(name): float(value) for name, value in case["metrics"].items()},
        ranks={
            str(path): None if rank is None else int(rank) for path, rank in case["ranks"].items()
        },
        hits=tuple((str(path), int(first), int(last)) for path, first, last in case["hits"]),
    )
