"""What a benchmark found: rows to read, targets to hold; printed as text, kept as JSON lines."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.machine import describe_machine, describe_versions

FILE = "results.jsonl"
Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Check:
    """A target: `value` shall be at most `limit`, or at least, if `least`."""

    name: str
    value: float
    limit: float
    unit: str = ""
    least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the target is met."""
        return self.value >= self.limit if self.least else self.value <= self.limit


@dataclass(slots=True)
class Table:
    """One benchmark's outcome."""

    name: str
    title: str
    rows: list[Mapping[str, Cell]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, **cells: Cell) -> None:
        """Append a row; its cells are named by their column."""
        self.rows.append({key.replace("_", " "): value for key, value in cells.items()})

    def record(self, *, small: bool, clock: str) -> dict[str, Any]:
        """Return the table as one JSON object, with the machine and the versions."""
        return {
            "table": self.name,
            "title": self.title,
            "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "small": small,
            "clock": clock,
            "machine": describe_machine(),
            "versions": describe_versions(),
            "rows": [dict(row) for row in self.rows],
            "checks": [
                {
                    "name": check.name,
                    "value": check.value,
                    "limit": check.limit,
                    "unit": check.unit,
                    "least": check.least,
                    "holds": check.holds,
                }
                for check in self.checks
            ],
            "notes": self.notes,
        }


def append_record(folder: Path, record: Mapping[str, Any]) -> None:
    """Append a table's record to the results."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / FILE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")


def read_records(folder: Path) -> list[dict[str, Any]]:
    """Return all records, oldest first."""
    try:
        lines = (folder / FILE).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in lines if line.strip()]


def render_text(record: Mapping[str, Any]) -> str:
    """Return a record as plain text: title, rows in columns, targets, notes."""
    parts = [record["title"], "=" * len(record["title"])]
    rows: Sequence[Mapping[str, Cell]] = record["rows"]
    if rows:
        columns = list(dict.fromkeys(key for row in rows for key in row))
        table = [columns, *([show(row.get(key)) for key in columns] for row in rows)]
        widths = [max(len(line[at]) for line in table) for at in range(len(columns))]
        numeric = [all(_is_number(row.get(key)) for row in rows) for key in columns]
        for line in table:
            cells = [
                text.rjust(width) if number else text.ljust(width)
                for text, width, number in zip(line, widths, numeric, strict=True)
            ]
            parts.append("  ".join(cells).rstrip())
    parts += [
        f"{'ok  ' if check['holds'] else 'MISS'} {check_text(check)}" for check in record["checks"]
    ]
    parts += [f"note: {note}" for note in record["notes"]]
    return "\n".join(parts) + "\n"


def check_text(check: Mapping[str, Any]) -> str:
    """Return `name: value (at most limit)`."""
    sense = "at least" if check["least"] else "at most"
    unit = f" {check['unit']}" if check["unit"] else ""
    return f"{check['name']}: {show(check['value'])}{unit} ({sense} {show(check['limit'])}{unit})"


def show(value: Cell) -> str:
    """Return a cell as it is printed: three significant digits, thousands apart."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:,.0f}"
    if value == 0:
        return "0"
    digits = 2 if abs(value) >= 1 else 3
    return f"{value:.{digits}f}"


def _is_number(value: Cell) -> bool:
    return value is None or isinstance(value, int | float)
