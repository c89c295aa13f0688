"""How much of a report is shown, step by step less, until the comment is small enough. Data."""

from __future__ import annotations

from dataclasses import dataclass

SOFT_LIMIT = 20_000  # bytes; more is no longer read
HARD_LIMIT = 60_000  # bytes; GitHub refuses more than 65,536 characters


@dataclass(frozen=True, slots=True)
class Sizes:
    """The most of each that is shown. `excerpt` counts lines; 0 shows none."""

    touched: int = 6
    items: int = 10  # of one group
    sites: int = 8  # of one finding
    findings: int = 6  # of one kind
    tests: int = 6
    ledger: int = 10
    notes: int = 5
    excerpt: int = 7
    body: int = 1500  # characters of a note's text


STEPS = (
    Sizes(),
    Sizes(excerpt=4),
    Sizes(items=6, sites=5, findings=4, excerpt=3, ledger=6),
    Sizes(touched=4, items=4, sites=4, findings=3, tests=4, ledger=4, excerpt=0, body=600),
    Sizes(touched=2, items=2, sites=2, findings=2, tests=2, ledger=2, notes=3, excerpt=0, body=300),
    Sizes(touched=1, items=1, sites=1, findings=1, tests=1, ledger=0, notes=1, excerpt=0, body=100),
)
SHORTENED = "Shortened: the whole would be too long for a comment."
