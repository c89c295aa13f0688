"""How much of a change is looked at, and how much of what is found is kept. Data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnalysisLimits:
    """The most of each.

    `related` is the number of files that `sidelight related` would show, all of which are kept;
    `extra` further places may come from the graph. Files and lines beyond `files` and `lines` are
    counted and named, but not parsed: nobody reviews such a change file by file.
    """

    related: int = 10
    extra: int = 5
    files: int = 400
    lines: int = 30_000
    symbols: int = 30  # changed definitions whose callers and callees are asked for
    touched: int = 20
    findings: int = 10  # of one kind
    sites: int = 10
    tests: int = 20
    ledger: int = 30
