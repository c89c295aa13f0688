"""Against the textbook stack on the same chunks: build, refresh, query, memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.corpora import synthetic_corpus
from benchmarks.measuring import Seconds, middle, run_child, run_task, seconds_of
from benchmarks.options import Options
from benchmarks.repositories import (
    FLASK,
    NETTY,
    PYTEST,
    Pinned,
    clone_at,
    find_mirror,
    how_to_mirror,
)
from benchmarks.results import Check, Table

STACK = Path(__file__).resolve().parent.parent / "textbook_stack.py"
QUERY_CHUNKS = 50_000
LARGE_FILES = 1_000  # repositories beyond are built once, not several times


def run(options: Options) -> Table:
    """Compare on each repository, then queries on one large synthetic corpus."""
    table = Table("textbook", "Against sentence-transformers + rank_bm25 + RRF")
    if not Path(options.textbook).exists():
        table.notes.append(f"skipped: there is no interpreter at {options.textbook} (--python)")
        return table
    for pinned in (FLASK,) if options.small else (PYTEST, NETTY):
        mirror = find_mirror(options.repos, pinned)
        if mirror is None:
            table.notes.append(f"{pinned.label} is missing: {how_to_mirror(pinned)}")
            continue
        folder = options.work / pinned.name.replace("/", "+")
        _compare_builds(table, options, pinned, clone_at(mirror, pinned.commit, folder))
    _compare_queries(table, options)
    return table


def _compare_builds(table: Table, options: Options, pinned: Pinned, clone: Path) -> None:
    index = str(options.work / "textbook-index")
    texts = str(options.work / "textbook-texts.jsonl")
    place = {"repository": str(clone), "directory": index}
    told = run_task("texts:write", repository=str(clone), target=texts)
    few = options.small or told["files"] > LARGE_FILES
    own_builds, their_builds, own_peaks, their_peaks = [], [], [], []
    stack: Mapping[str, Any] = {}
    for _ in range(1 if few else min(options.runs, 3)):
        own = run_task("indexing:build_with_model", threads=2, **place)
        stack = _stack(options, "build", texts=texts)
        own_builds.append(seconds_of(own))
        their_builds.append(seconds_of(stack["total"]))
        own_peaks.append(own["peak_bytes"] / 1e6)
        their_peaks.append(stack["peak_bytes"] / 1e6)
    rounds = options.rounds(options.runs)
    own = run_task("indexing:refresh_after_commits", model=True, rounds=rounds, **place)
    changed = told["sample"][: max(own["embedded"], 1)]
    other = _stack(options, "refresh", texts=texts, changed=changed, rounds=rounds)
    label = f"{pinned.label}: {told['files']:,} files, {told['chunks']:,} chunks"
    build, their_build = middle(own_builds), middle(their_builds)
    refresh, their_refresh = seconds_of(own), seconds_of(other)
    clock = options.clock
    _row(table, label, "full build", build, their_build, clock)
    _row(table, label, "3-file commit: against embedding everything", refresh, their_build, clock)
    _row(table, label, "3-file commit: against changed texts only", refresh, their_refresh, clock)
    peak, their_peak = max(own_peaks), max(their_peaks)
    table.add(
        corpus=label, what="peak memory of the build, MB", sidelight=peak, textbook=their_peak
    )
    name = pinned.name
    ratio = _ratio(their_build, build, clock)
    table.checks += [
        Check(f"{name}: build, times faster", ratio, 2, least=True),
        Check(
            f"{name}: refresh against embedding everything, times faster",
            _ratio(their_build, refresh, clock),
            100,
            least=True,
        ),
        Check(
            f"{name}: refresh against embedding what changed, times faster",
            _ratio(their_refresh, refresh, clock),
            1,
            least=True,
        ),
        Check(f"{name}: peak memory, share of theirs", peak / their_peak, 0.5),
    ]
    versions = ", ".join(f"{key} {value}" for key, value in stack["versions"].items())
    note = (
        f"textbook stack: {versions}; its chunks are given to it, reading and parsing not counted"
    )
    if note not in table.notes:
        table.notes.append(note)


def _compare_queries(table: Table, options: Options) -> None:
    corpus = synthetic_corpus(options, options.size(QUERY_CHUNKS))
    texts = str(options.work / "textbook-texts.jsonl")
    told = run_task("texts:write", repository=corpus.repository, target=texts)
    rounds = options.rounds(options.runs)
    own = run_task(
        "searching:warm_queries",
        repository=corpus.repository,
        modes=["hybrid"],
        rounds=rounds,
        real_queries=True,
    )
    other = _stack(options, "queries", texts=texts, queries=told["queries"], rounds=rounds)
    found = own["modes"]["hybrid"]
    ours, theirs = Seconds(found["wall"] / 1000, found["cpu"] / 1000), seconds_of(other)
    label = f"synthetic: {corpus.chunks:,} chunks"
    _row(table, label, "hybrid query, embedded", ours, theirs, options.clock)
    peak, their_peak = own["peak_bytes"] / 1e6, other["peak_bytes"] / 1e6
    table.add(
        corpus=label, what="peak memory of searching, MB", sidelight=peak, textbook=their_peak
    )
    table.checks += [
        Check(
            f"query at {corpus.label}, times faster",
            _ratio(theirs, ours, options.clock),
            10,
            least=True,
        ),
        Check("peak memory of searching, share of theirs", peak / their_peak, 0.5),
    ]


def _row(table: Table, label: str, what: str, own: Seconds, other: Seconds, clock: str) -> None:
    table.add(
        corpus=label,
        what=what + ", s",
        sidelight=own.wall,
        textbook=other.wall,
        sidelight_cpu=own.cpu,
        textbook_cpu=other.cpu,
        times_faster=_ratio(other, own, clock),
    )


def _ratio(other: Seconds, own: Seconds, clock: str) -> float:
    ratio: float = getattr(other, clock) / getattr(own, clock)
    return ratio


def _stack(options: Options, task: str, **arguments: Any) -> dict[str, Any]:
    """Run a task of the textbook stack in a process of its own interpreter."""
    file = options.work / "textbook-arguments.json"
    file.write_text(json.dumps(arguments), "utf-8")
    done = run_child([options.textbook, "-I", str(STACK), task, str(file)])
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    answer["peak_bytes"] = done.peak_bytes
    return answer
