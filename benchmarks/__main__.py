"""Run benchmarks: `python -m benchmarks [NAME ...] [--repos DIR] [--small]`; `report` renders them.

Prints each table as it is done, and appends it to `.bench/results.jsonl`. Returns 1 if a target
is missed (not with `--small`, whose sizes have no targets to hold).
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks.options import RESULTS, Options
from benchmarks.results import append_record, render_text

NAMES = (
    "textbook",
    "inmemory",
    "build",
    "commit",
    "query",
    "cold",
    "size",
    "growth",
    "history",
    "related",
    "graph",
    "bot",
    "cost",
    "peergraph",
    "peerimpact",
    "peersearch",
)
GROUPS = {"peers": ("peergraph", "peerimpact", "peersearch")}


def main(argv: list[str] | None = None) -> int:
    """Run the named tables, or all of them."""
    arguments = _parser().parse_args(argv)
    names = [n for name in arguments.names for n in GROUPS.get(name, (name,))] or list(NAMES)
    if names == ["report"]:
        from benchmarks.report import write_report  # noqa: PLC0415 - loads matplotlib

        write_report(arguments.results)
        return 0
    defaults = Options()
    options = Options(
        small=arguments.small,
        repos=arguments.repos.resolve() if arguments.repos else None,
        work=(arguments.work or defaults.work).resolve(),
        textbook=arguments.python or defaults.textbook,
        peers=arguments.peer_python or defaults.peers,
        clock=arguments.clock,
        runs=arguments.runs,
        max_chunks=arguments.max_chunks,
        config=arguments.config,
    )
    options.work.mkdir(parents=True, exist_ok=True)
    missed = 0
    for name in names:
        table = importlib.import_module(f"benchmarks.tables.{name}").run(options)
        record = table.record(small=options.small, clock=options.clock)
        append_record(arguments.results, record)
        sys.stdout.write("\n" + render_text(record))
        sys.stdout.flush()
        missed += sum(not check.holds for check in table.checks)
    return int(bool(missed) and not options.small)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add(
        "names",
        nargs="*",
        choices=[*NAMES, *GROUPS, "report"],
        metavar="NAME",
        help=", ".join(NAMES),
    )
    add("--repos", type=Path, metavar="DIR", help="mirrors of the public repositories")
    add("--small", action="store_true", help="small sizes: do the benchmarks still run?")
    add("--work", type=Path, metavar="DIR", help="where corpora are made (.bench/work)")
    add("--results", type=Path, default=RESULTS, metavar="DIR", help="where results go (.bench)")
    add("--python", metavar="FILE", help="interpreter with torch, sentence-transformers, rank-bm25")
    add("--peer-python", metavar="FILE", help="interpreter with the peers: code-review-graph, …")
    add("--clock", choices=["wall", "cpu"], default="wall", help="which clock targets go by")
    add("--runs", type=int, default=5, metavar="N", help="repetitions of what is short (5)")
    add("--config", type=Path, metavar="DIR", help="whose .sidelight.toml gives a model's prices")
    add("--max-chunks", type=int, default=1_000_000, metavar="N", help="skip larger corpora")
    return parser


if __name__ == "__main__":
    sys.exit(main())
