"""Is one ranking better than another on the same cases? Pure: numbers in, a verdict out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sidelight.evaluation.intervals import Estimate, estimate

MIN_CASES = 10  # fewer say nothing, whatever their interval


class Verdict(StrEnum):
    """What a paired difference may be called."""

    BETTER = "better"
    WORSE = "worse"
    NOISE = "no difference shown"
    TOO_FEW = "too few cases"


@dataclass(frozen=True, slots=True)
class Paired:
    """Figures of the same `n` cases before and after, and of their differences (after - before)."""

    label: str
    n: int
    before: float
    after: float
    difference: Estimate
    n_better: int
    n_worse: int

    @property
    def verdict(self) -> Verdict:
        """Return better or worse only if the 95 % interval leaves out 0."""
        if self.n < MIN_CASES:
            return Verdict.TOO_FEW
        if self.difference.low > 0:
            return Verdict.BETTER
        return Verdict.WORSE if self.difference.high < 0 else Verdict.NOISE


def compare_pairs(label: str, pairs: Sequence[tuple[float, float]]) -> Paired:
    """Return the paired difference of (before, after) values, with its bootstrap interval.

    The differences of the cases are drawn, not their values: cases differ far more from each other
    than two rankings do on one case.

    Raises:
        ValueError: there is no pair.
    """
    differences = [after - before for before, after in pairs]
    return Paired(
        label=label,
        n=len(pairs),
        before=sum(before for before, _ in pairs) / len(pairs) if pairs else 0.0,
        after=sum(after for _, after in pairs) / len(pairs) if pairs else 0.0,
        difference=estimate({"": differences}),
        n_better=sum(d > 0 for d in differences),
        n_worse=sum(d < 0 for d in differences),
    )
