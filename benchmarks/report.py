"""Write docs/benchmarks.md from the newest record of each table; plot growth if it was measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.options import ROOT
from benchmarks.results import check_text, read_records, render_text, show

PAGE = ROOT / "docs" / "benchmarks.md"
PLOT = ROOT / "docs" / "img" / "growth.svg"
ORDER = (
    *("textbook", "inmemory", "build", "commit", "query", "cold", "size", "growth", "history"),
    *("related", "graph", "bot", "cost", "peergraph", "peerimpact", "peersearch"),
)
INTRODUCTION = """# Benchmarks

    make bench                                          all tables (long)
    python -m benchmarks NAME --repos DIR [--small]     one table
    python -m benchmarks report                         this page, from the newest records

Ratios are of one run on one machine; the machines are shared and noisy, so believe ratios and CPU
seconds more than single wall clock figures. `MISS` marks a target that a run did not hold.
`--repos` holds mirrors of the public repositories; the textbook stack and the peers (`peergraph`,
`peerimpact`, `peersearch`, or all as `peers`) run in interpreters of their own, given with
`--python` and `--peer-python`.
"""


def write_report(results: Path) -> None:
    """Write the page; tables that were never run are named as missing."""
    newest = {r["table"]: r for r in read_records(results) if not r["small"]}
    parts = [INTRODUCTION, *(_section(newest[name]) for name in ORDER if name in newest)]
    missing = [name for name in ORDER if name not in newest]
    if missing:
        parts.append("## Not measured yet\n\n" + ", ".join(f"`{name}`" for name in missing) + "\n")
    if "growth" in newest:
        _plot(newest["growth"])
        parts.append("![Growth](img/growth.svg)\n")
    PAGE.write_text("\n".join(parts), "utf-8")


def _section(record: Mapping[str, Any]) -> str:
    machine, versions = record["machine"], record["versions"]
    load = machine.get("load at start", "?")
    lines = [f"## {record['title']}", "", f"`python -m benchmarks {record['table']}`, "]
    lines[-1] += f"{record['when'][:10]}, {machine['cores']} cores, {machine['memory']}, "
    lines[-1] += f"load at start {load}, commit {versions['sidelight']}."
    body = render_text({**record, "title": "", "checks": [], "notes": []}).strip("\n")
    lines += ["", "```text", body, "```", ""]
    lines += [f"- {'ok' if c['holds'] else '**MISS**'} {check_text(c)}" for c in record["checks"]]
    lines += [f"- {note}" for note in record["notes"]]
    return "\n".join(lines) + "\n"


def _plot(record: Mapping[str, Any]) -> None:
    import matplotlib as mpl  # noqa: PLC0415 - only where there is something to plot

    mpl.use("svg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    rows = [row for row in record["rows"] if isinstance(row.get("chunks"), int | float)]
    figure, axes = plt.subplots(figsize=(7, 4))
    for column in [key for key in rows[0] if key != "chunks"] if rows else []:
        points = [(row["chunks"], row[column]) for row in rows if _is_positive(row.get(column))]
        if points:
            axes.loglog(*zip(*points, strict=True), marker="o", label=column)
    axes.set_xlabel(f"chunks, up to {show(max((row['chunks'] for row in rows), default=0))}")
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.02, 1.0))
    PLOT.parent.mkdir(exist_ok=True)
    figure.savefig(PLOT, bbox_inches="tight")


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and value > 0
