"""What the indexing step did, as plain data: written by the confined process, read as hostile.

The reader lets through words of ours, numbers and object ids only, so nothing in it can become a
line of a workflow command or of Markdown.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

MAX_BYTES = 64_000
STATES = ("current", "partial", "missing")
CACHES = ("hit", "older", "miss", "refused")
STAGES = ("restore", "base", "head", "vectors", "save")
PROBLEMS = ("other-format", "other-model", "damaged", "storage", "git", "config", "limit")
CONFINEMENT = ("limits", "no-new-privileges", "files", "network")
COUNTS = ("files", "chunks", "changed", "parsed", "embedded", "pending")
MOST = 1 << 40
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The outcome of the indexing step.

    `state` is `current`, `partial` (some vectors are pending) or `missing`; `cache` is `hit` (of
    this very tree), `older` (of another tree: refreshed), `miss`, or `refused` with the problem.
    `parsed` counts files that were read and parsed, `embedded` chunks whose vectors were made.
    """

    state: str
    cache: str
    base: str = ""
    head: str = ""
    files: int = 0
    chunks: int = 0
    changed: int = 0
    parsed: int = 0
    embedded: int = 0
    pending: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    confinement: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return the report as `read_index_report` takes it."""
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


MISSING = IndexReport("missing", "miss")


def read_index_report(path: Path) -> IndexReport:
    """Return the report in a file; `MISSING` if there is none, or if any field is not ours."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        table = json.loads(data) if len(data) <= MAX_BYTES else None
    except (OSError, ValueError, RecursionError):
        return MISSING
    if not isinstance(table, dict) or not _is_ours(table):
        return MISSING
    return IndexReport(
        **{
            **table,
            "problems": tuple(table["problems"]),
            "confinement": tuple(table["confinement"]),
        }
    )


def _is_ours(table: dict[str, Any]) -> bool:
    if set(table) != set(asdict(MISSING)):
        return False
    seconds, shas = table["seconds"], (table["base"], table["head"])
    return (
        table["state"] in STATES
        and table["cache"] in CACHES
        and all(type(table[name]) is int and 0 <= table[name] <= MOST for name in COUNTS)
        and all(isinstance(sha, str) and (not sha or _SHA.fullmatch(sha)) for sha in shas)
        and isinstance(seconds, dict)
        and all(
            name in STAGES and type(value) in (int, float) and 0 <= value <= MOST
            for name, value in seconds.items()
        )
        and _are_words(table["problems"], PROBLEMS)
        and _are_words(table["confinement"], CONFINEMENT)
    )


def _are_words(value: Any, known: tuple[str, ...]) -> bool:
    return isinstance(value, list) and len(value) <= len(known) and all(v in known for v in value)
