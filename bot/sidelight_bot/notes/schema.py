"""What a model may answer: JSON schemas of notes and verdicts, and reading them strictly. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MAX_CANDIDATES = 8  # of one call; more is noise
MAX_TITLE = 120
MAX_BODY = 800
MAX_REPLACEMENT = 2000


class Severity(StrEnum):
    """How bad it is if the note is right, worst first."""

    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"


class Kind(StrEnum):
    """What a note is about. There is none for style on purpose."""

    BUG = "bug"
    SECURITY = "security"
    DATA_LOSS = "data_loss"
    CONCURRENCY = "concurrency"
    COMPATIBILITY = "compatibility"
    ERROR_HANDLING = "error_handling"
    PERFORMANCE = "performance"
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a source: "diff", or the number of a source of the context."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A note as the model wrote it, checked for its form only."""

    path: str
    start_line: int
    end_line: int
    quote: str
    severity: Severity
    kind: Kind
    title: str
    body: str
    symbols: tuple[str, ...]
    evidence: tuple[Quote, ...]
    replacement: str | None


def notes_schema() -> dict[str, Any]:
    """Return the JSON schema of an answer with notes; strict: all fields required, none beside."""
    text = {"type": "string"}
    line = {"type": "integer"}
    note = {
        "path": text,
        "start_line": line,
        "end_line": line,
        "quote": text,
        "severity": {"type": "string", "enum": [item.value for item in Severity]},
        "kind": {"type": "string", "enum": [item.value for item in Kind]},
        "title": text,
        "body": text,
        "symbols": {"type": "array", "items": text},
        "evidence": {"type": "array", "items": _object({"source": text, "text": text})},
        "replacement": {"type": ["string", "null"]},
    }
    return _object({"notes": {"type": "array", "items": _object(note)}})


def verdict_schema() -> dict[str, Any]:
    """Return the JSON schema of a verdict."""
    return _object({"holds": {"type": "boolean"}, "because": {"type": "string"}})


def read_candidates(data: Mapping[str, Any]) -> tuple[tuple[Candidate, ...], int]:
    """Return the well-formed notes of an answer, and how many were not."""
    notes = data.get("notes")
    if not isinstance(notes, list):
        return (), 1
    found = [_candidate(item) for item in notes[:MAX_CANDIDATES]]
    kept = tuple(item for item in found if item is not None)
    return kept, len(notes) - len(kept)


def _candidate(item: object) -> Candidate | None:
    if not isinstance(item, Mapping):
        return None
    try:
        start, end = item["start_line"], item["end_line"]
        texts = [item["path"], item["quote"], item["title"], item["body"]]
        replacement = item.get("replacement")
        symbols = item.get("symbols") or []
        quotes = item.get("evidence") or []
        fits = (
            all(isinstance(text, str) for text in texts)
            and all(type(line) is int for line in (start, end))
            and 1 <= start <= end <= start + 60
            and (replacement is None or isinstance(replacement, str))
            and all(isinstance(name, str) for name in symbols)
        )
        if not fits or len(replacement or "") > MAX_REPLACEMENT:
            return None
        return Candidate(
            path=item["path"],
            start_line=start,
            end_line=end,
            quote=item["quote"],
            severity=Severity(item["severity"]),
            kind=Kind(item["kind"]),
            title=" ".join(item["title"].split())[:MAX_TITLE],
            body=item["body"].strip()[:MAX_BODY],
            symbols=tuple(symbols[:12]),
            evidence=tuple(Quote(str(q["source"]), str(q["text"])) for q in quotes[:6]),
            replacement=replacement,
        )
    except (KeyError, TypeError, ValueError):
        return None


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
