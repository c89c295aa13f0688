"""`sidelight graph impact` for a diff: what changed, what uses it, and the tests that reach it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from sidelight.cli.context import place_of, print_json
from sidelight.cli.printing import printable, shown_path
from sidelight.findings import open_ground
from sidelight.findings.reach import Reach, TestFinder
from sidelight.findings.sides import Sides
from sidelight.focal import SymbolChange
from sidelight.graph.model import Confidence, Edge, EdgeKind, Impact, SymbolRef, text_path
from sidelight.graph.render import DRAWINGS, impact_table, symbol_table
from sidelight.graph.testpaths import is_test_path

MAX_SHOWN = 12  # callers and tests of one definition in the text
TEST_HOPS = 2


def print_diff_impact(
    ctx: click.Context,
    base: str | None,
    head: str | None,
    depth: int,
    format_: str,
    *,
    staged: bool,
    worktree: bool,
) -> None:
    """Print what a diff's changed definitions reach."""
    from sidelight.cli.related import diff_mode, relate

    mode = diff_mode(head, staged=staged, worktree=worktree)
    place = place_of(ctx)
    result = relate(place, mode, base, head, [], None, "", 0)
    with open_ground(place, result.view.name, result.focal) as ground:
        rows = list(_changed(ground.sides, depth))
    if format_ == "json":
        print_json({"changed": [_table(*row) for row in rows]})
    elif format_ in DRAWINGS:
        click.echo("\n".join(DRAWINGS[format_](_edges(rows))))
    else:
        _print(rows)
        if not rows:
            click.echo("the diff changes no definition", err=True)


Row = tuple[SymbolRef, SymbolChange, tuple[Impact, ...], Reach]


def _changed(sides: Sides, depth: int) -> Iterable[Row]:
    """Yield each changed definition with what uses it and what tests it; removed ones at base."""
    head, base = TestFinder(sides.head), TestFinder(sides.base)
    for item in sides.focal.symbols:
        symbol = item.symbol
        file = sides.files[item.path]
        is_gone = item.change is SymbolChange.REMOVED
        path = (file.diff.change.old_path or item.path) if is_gone else item.path
        ref = SymbolRef(path, symbol.qualified_name, symbol.kind, symbol.span)
        graph, finder = (sides.base, base) if is_gone else (sides.head, head)
        reached = graph.impact([ref], depth)
        yield ref, item.change, reached, finder.reach(ref, TEST_HOPS)


def _table(ref: SymbolRef, change: SymbolChange, reached: tuple[Impact, ...], reach: Reach) -> Any:
    return {
        **symbol_table(ref),
        "change": change.value,
        "reached": [impact_table(impact) for impact in reached],
        "tests": [
            {
                **symbol_table(test.test),
                "line": test.line,
                "hops": test.hops,
                "through": list(test.through),
                "confidence": test.confidence.value,
            }
            for test in reach.tests
        ],
    }


def _edges(rows: Iterable[Row]) -> list[Edge]:
    """Return every edge once: what leads to the changed definitions, then what tests them."""
    found: dict[Edge, None] = {}
    for ref, _, reached, reach in rows:
        found.update(dict.fromkeys(impact.via for impact in reached))
        for test in reach.tests:
            if not any(edge.source == test.test for edge in found):
                found[Edge(test.test, ref, EdgeKind.TEST, test.confidence, test.line)] = None
    return list(found)


def _print(rows: Iterable[Row]) -> None:
    for ref, change, reached, reach in rows:
        where = f"{shown_path(ref.path)}:{ref.span.start_line}"
        name = click.style(printable(ref.qualified_name), bold=True)
        click.echo(f"{click.style(where, fg='green')}  {name}  {change.value}")
        users = [impact for impact in reached if not is_test_path(text_path(impact.symbol.path))]
        for impact in users[:MAX_SHOWN]:
            via = impact.via
            other = printable(impact.symbol.qualified_name) or "(file)"
            sure = "" if via.confidence is Confidence.EXACT else f"  [{via.confidence.value}]"
            click.echo(
                f"  {'  ' * (impact.distance - 1)}{via.kind.value} by {other}"
                f"  {shown_path(impact.symbol.path)}:{via.line}{sure}"
            )
        if len(users) > MAX_SHOWN:
            click.echo(f"  … and {len(users) - MAX_SHOWN} more")
        for test in reach.tests[:MAX_SHOWN]:
            through = (
                f"  through {' → '.join(map(printable, test.through))}" if test.through else ""
            )
            shown = printable(test.test.qualified_name) or "(file)"
            click.echo(f"  test {shown}  {shown_path(test.test.path)}:{test.line}{through}")
        if len(reach.tests) > MAX_SHOWN:
            click.echo(f"  … and {len(reach.tests) - MAX_SHOWN} more tests")
