"""Draw figures as inline SVG that takes its colours from the page. Pure: values in, text out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from sidelight.evaluation.intervals import Estimate
from sidelight.evaluation.tables import figure, signed

WIDTH = 760
LABEL = 190  # pixels for the labels to the left …
VALUE = 150  # … and for the figures to the right
BAR = 14
GAP = 10
AXIS = 22


@dataclass(frozen=True, slots=True)
class Group:
    """A labelled row of bars, one for each series; None where a series has nothing."""

    label: str
    bars: tuple[Estimate | None, ...]


def text(value: str) -> str:
    """Return text for HTML; what is no Unicode (surrogates of odd paths) becomes a mark."""
    return escape(value.encode("utf-8", "replace").decode("utf-8"))


def bar_plot(title: str, groups: Sequence[Group]) -> str:
    """Return bars from 0 to 1 with their intervals, a colour for each series."""
    heights = [BAR * len(group.bars) + GAP for group in groups]
    height = AXIS + sum(heights) + 4
    parts = [_open(title, height)]
    parts += [_tick(_x(tick), height, figure(tick)) for tick in (0.0, 0.25, 0.5, 0.75, 1.0)]
    top = AXIS
    for group, own in zip(groups, heights, strict=True):
        middle = top + (own - GAP) / 2 + 4
        parts.append(
            f'<text x="{LABEL - 8}" y="{middle:.1f}" class="label">{text(group.label)}</text>'
        )
        for series, value in enumerate(group.bars):
            if value is not None:
                parts.append(_bar(value, top + BAR * series, series, group.label))
        top += own
    return "".join(parts) + "</svg>"


def _x(share: float) -> float:
    return LABEL + (WIDTH - LABEL - VALUE) * min(max(share, 0.0), 1.0)


def _bar(value: Estimate, top: float, series: int, label: str) -> str:
    middle = top + BAR / 2 - 0.5
    words = f"{figure(value.mean)} ({figure(value.low)}–{figure(value.high)}, n = {value.n})"
    width = max(_x(value.mean) - _x(0), 1)
    return (
        f"<g><title>{text(label)}: {words}</title>"
        f'<rect x="{LABEL}" y="{top}" width="{width:.1f}" height="{BAR - 2}" class="s{series}"/>'
        + _whisker(_x(value.low), _x(value.high), middle)
        + f'<text x="{WIDTH - VALUE + 10}" y="{middle + 4:.1f}" class="value">{words}</text></g>'
    )


def _whisker(left: float, right: float, middle: float) -> str:
    return (
        f'<path class="whisker" d="M{left:.1f} {middle:.1f}H{right:.1f}'
        f'M{left:.1f} {middle - 3:.1f}v6M{right:.1f} {middle - 3:.1f}v6"/>'
    )


def change_plot(title: str, rows: Sequence[tuple[str, Estimate]]) -> str:
    """Return differences around 0 with their intervals; losses to the left."""
    reach = max((max(abs(e.low), abs(e.high)) for _, e in rows), default=0.0) or 0.01
    center, half = (LABEL + WIDTH - VALUE) / 2, (WIDTH - VALUE - LABEL) / 2

    def x(value: float) -> float:
        return center + half * value / reach

    row_height = BAR + GAP
    height = AXIS + row_height * len(rows) + 4
    parts = [_open(title, height)]
    parts += [
        _tick(x(tick), height, signed(tick) if tick else "0", zero=not tick)
        for tick in (-reach, -reach / 2, 0.0, reach / 2, reach)
    ]
    for index, (label, value) in enumerate(rows):
        top = AXIS + index * row_height
        left, right = sorted((x(0), x(value.mean)))
        sure = value.low > 0 or value.high < 0
        kind = ("up" if value.mean > 0 else "down") if sure else "noise"
        middle = top + BAR / 2
        words = f"{signed(value.mean)} ({signed(value.low)} … {signed(value.high)})"
        parts.append(
            f"<g><title>{text(label)}: {words}</title>"
            f'<text x="{LABEL - 8}" y="{middle + 4:.1f}" class="label">{text(label)}</text>'
            f'<rect x="{left:.1f}" y="{top}" width="{max(right - left, 1):.1f}" height="{BAR}"'
            f' class="{kind}"/>{_whisker(x(value.low), x(value.high), middle)}'
            f'<text x="{WIDTH - VALUE + 10}" y="{middle + 4:.1f}" class="value">{words}</text></g>'
        )
    return "".join(parts) + "</svg>"


def sorted_plot(title: str, series: Sequence[Sequence[float]]) -> str:
    """Return one falling line for each series: its values from the best query to the worst."""
    height, left, right = 190, 40, WIDTH - 10
    low, high = height - 24, 12
    parts = [_open(title, height)]
    for tick in (0.0, 0.5, 1.0):
        y = low + (high - low) * tick
        parts.append(
            f'<path class="grid" d="M{left} {y:.1f}H{right}"/>'
            f'<text x="{left - 6}" y="{y + 4:.1f}" class="label">{figure(tick)}</text>'
        )
    for index, values in enumerate(series):
        ordered = sorted(values, reverse=True)
        step = (right - left) / max(len(ordered) - 1, 1)
        points = " ".join(
            f"{left + step * i:.1f},{low + (high - low) * value:.1f}"
            for i, value in enumerate(ordered)
        )
        parts.append(f'<polyline class="l{index}" points="{points}"/>')
    parts.append(f'<text x="{left}" y="{height - 6}" class="tick start">best query</text>')
    parts.append(f'<text x="{right}" y="{height - 6}" class="label">worst query</text>')
    return "".join(parts) + "</svg>"


def _open(title: str, height: float) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{text(title)}">'
        f"<title>{text(title)}</title>"
    )


def _tick(x: float, height: float, words: str, *, zero: bool = False) -> str:
    kind = "zero" if zero else "grid"
    return (
        f'<path class="{kind}" d="M{x:.1f} {AXIS - 5}V{height - 2:.0f}"/>'
        f'<text x="{x:.1f}" y="{AXIS - 9}" class="tick">{words}</text>'
    )
