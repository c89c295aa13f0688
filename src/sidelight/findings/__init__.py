"""Findings beyond similarity: what a diff breaks, forgets, repeats or leaves untested."""

from __future__ import annotations

from sidelight.findings.finding import Ground, find_all
from sidelight.findings.model import (
    Evidence,
    Finding,
    FindingKind,
    Findings,
    Touched,
    findings_table,
)
from sidelight.findings.session import find_in_view, open_ground

__all__ = [
    "Evidence",
    "Finding",
    "FindingKind",
    "Findings",
    "Ground",
    "Touched",
    "find_all",
    "find_in_view",
    "findings_table",
    "open_ground",
]
