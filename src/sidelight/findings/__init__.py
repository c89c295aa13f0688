"""Findings beyond similarity: what a diff breaks, forgets, repeats or leaves untested."""

from __future__ import annotations

from sidelight.findings.model import (
    Evidence,
    Finding,
    FindingKind,
    Findings,
    Touched,
    findings_table,
)
from sidelight.findings.session import find_in_view

__all__ = [
    "Evidence",
    "Finding",
    "FindingKind",
    "Findings",
    "Touched",
    "find_in_view",
    "findings_table",
]
