"""What a change gives reason to look at, as values. Pure: frozen, slotted.

A finding stands for itself: its message can be shown alone, its evidence is lines that a reviewer
can open. Nothing here holds more of the code than the lines that are quoted as evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sidelight.model import Span, SymbolKind, display_path


class FindingKind(StrEnum):
    """What was found, in the order in which findings are shown."""

    SIGNATURE = "signature"  # a call outside the diff no longer fits the changed signature
    REMOVED = "removed"  # a removed or renamed definition is still referred to
    COMPANION = "companion"  # a file that usually changes with a changed one did not
    LOOKALIKE = "lookalike"  # an added function resembles one that exists
    UNTESTED = "untested"  # a changed function that no test reaches
    TESTS = "tests"  # the tests that reach a changed definition


@dataclass(frozen=True, slots=True)
class Evidence:
    """A line of the head side, or of the base side where the file is gone, as it is written.

    `note` says what of it matters: "2 arguments; 3 are required", "through make_app".
    """

    path: bytes
    line: int
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at: where in the change it comes from, and the evidence elsewhere.

    `path`, `span` and `symbol` are of the change (a companion's: the file that did change).
    `confidence` (0 to 1) is the share of such firings that were right when they were measured
    (`docs/findings.md`), lowered where this one rests on less than the usual.
    """

    kind: FindingKind
    path: bytes
    span: Span
    symbol: str
    message: str
    evidence: tuple[Evidence, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Touched:
    """A definition that the change touches, and how many callers and tests it has at head.

    `tests` is None where tests of this language are not resolvable in this repository.
    """

    path: bytes
    span: Span
    symbol: str
    kind: SymbolKind
    change: str
    callers: int
    tests: int | None


@dataclass(frozen=True, slots=True)
class Findings:
    """All findings of a change, by kind, surest first; `notes` say what was not looked at."""

    items: tuple[Finding, ...] = ()
    touched: tuple[Touched, ...] = ()
    notes: tuple[str, ...] = ()

    def of(self, kind: FindingKind) -> tuple[Finding, ...]:
        """Return the findings of one kind."""
        return tuple(item for item in self.items if item.kind is kind)


def finding_table(finding: Finding) -> dict[str, Any]:
    """Return a finding as plain data."""
    return {
        "kind": finding.kind.value,
        "path": display_path(finding.path),
        "start_line": finding.span.start_line,
        "end_line": finding.span.end_line,
        "symbol": finding.symbol,
        "message": finding.message,
        "confidence": round(finding.confidence, 2),
        "evidence": [
            {
                "path": display_path(item.path),
                "line": item.line,
                "text": item.text,
                "note": item.note,
            }
            for item in finding.evidence
        ],
    }


def touched_table(touched: Touched) -> dict[str, Any]:
    """Return a touched definition as plain data."""
    return {
        "path": display_path(touched.path),
        "start_line": touched.span.start_line,
        "end_line": touched.span.end_line,
        "symbol": touched.symbol,
        "kind": touched.kind.value,
        "change": touched.change,
        "callers": touched.callers,
        "tests": touched.tests,
    }


def findings_table(findings: Findings) -> dict[str, Any]:
    """Return findings as plain data: what `--format json` prints."""
    return {
        "items": [finding_table(item) for item in findings.items],
        "touched": [touched_table(item) for item in findings.touched],
        "notes": list(findings.notes),
    }
