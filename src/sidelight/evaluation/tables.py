"""Figures and tables as text, the same way in every report. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sidelight.evaluation.intervals import Estimate
from sidelight.evaluation.ports import QUESTION
from sidelight.evaluation.summary import Aim


def aim_text(aim: Aim) -> str:
    """Return what a table is about, in words."""
    return "questions" if aim.task == QUESTION else f"diffs, {aim.targets} targets"


def figure(value: float) -> str:
    """Return a figure in [0, 1] with three digits: `.605`, `1.00`."""
    return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.2f}"


def signed(value: float) -> str:
    """Return a difference with its sign: `+.012`, `−.003`, `.000`."""
    digits = f"{abs(value):.3f}"
    if float(digits) == 0:
        return ".000"
    return ("+" if value > 0 else "−") + (digits.removeprefix("0") if abs(value) < 1 else digits)


def interval(value: Estimate, shown: Callable[[float], str] = figure) -> str:
    """Return an interval, or a dash for a single case."""
    between = "–" if shown is figure else " … "
    return f"{shown(value.low)}{between}{shown(value.high)}" if value.n > 1 else "–"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table: first column to the left, the others to the right."""
    widths = [max(len(line[i]) for line in (header, *rows)) for i in range(len(header))]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (header, *rows)
    ]
