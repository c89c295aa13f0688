"""What a full build costs beside the bare embedder, where its time goes, and what threads bring."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.measuring import Seconds, middle, run_task, seconds_of
from benchmarks.options import ROOT, Options
from benchmarks.repositories import FLASK, PYTEST, clone_at, find_mirror, git
from benchmarks.results import Check, Table

THREADS = (1, 2)
SMALLER = 5_000  # chunks


def run(options: Options) -> Table:
    """Build and embed alternately, with one and two threads; then one build stage by stage."""
    table = Table("build", "Full build against the bare embedder on the same texts")
    label, repository = source_repository(options)
    index = str(options.work / "build-index")
    rounds = 1 if options.small else min(options.runs, 3)
    embed: dict[int, list[Seconds]] = {n: [] for n in THREADS}
    build: dict[int, list[Seconds]] = {n: [] for n in THREADS}
    chunks = texts = 0
    for _ in range(rounds):
        for threads in THREADS:
            place: dict[str, Any] = {"repository": repository, "threads": threads}
            alone = run_task("indexing:embed_alone", **place)
            whole = run_task("indexing:build_with_model", directory=index, **place)
            texts, chunks = alone["texts"], whole["chunks"]
            embed[threads].append(seconds_of(alone))
            build[threads].append(seconds_of(whole))
    for threads in THREADS:
        bare, full = middle(embed[threads]), middle(build[threads])
        for what, found in (("embedder alone", bare), ("full build", full)):
            table.add(
                what=what,
                threads=threads,
                seconds=found.wall,
                cpu_seconds=found.cpu,
                chunks_per_second=chunks / found.wall,
                chunks_per_cpu_second=chunks / found.cpu,
            )
        ratio = getattr(full, options.clock) / getattr(bare, options.clock)
        table.checks.append(Check(f"build / embedder, {threads} threads", ratio, 1.25, "times"))
    gain = middle(build[1]).wall / middle(build[2]).wall
    table.checks.append(Check("build, two threads against one", gain, 1.7, "times", least=True))
    _add_stages(table, repository, index)
    table.notes.append(
        f"{label}, {chunks:,} chunks, {texts:,} texts; the model is open in both; "
        f"medians of {rounds}; stages are those of one build, one after the other"
    )
    return table


def source_repository(options: Options) -> tuple[str, str]:
    """Return the label and a clone of the repository to build: pytest, or else our own.

    Flask, of 1,500 chunks, if no more than `SMALLER` are wanted.
    """
    pinned = FLASK if options.small or options.max_chunks <= SMALLER else PYTEST
    mirror = find_mirror(options.repos, pinned)
    if mirror is not None:
        folder = options.work / pinned.name.replace("/", "+")
        return pinned.label, str(clone_at(mirror, pinned.commit, folder))
    commit = git(ROOT, "rev-parse", "HEAD")
    clone = clone_at(ROOT / ".git", commit, Path(options.work) / "sidelight")
    return f"Sidelight@{commit[:10]}", str(clone)


def _add_stages(table: Table, repository: str, index: str) -> None:
    answer = run_task("indexing:build_by_stages", repository=repository, directory=index, threads=2)
    total = sum(stage["wall"] for stage in answer["stages"].values())
    for name, stage in answer["stages"].items():
        found = seconds_of(stage)
        table.add(
            what=f"stage: {name}",
            threads=2 if name == "embed" else 1,
            seconds=found.wall,
            cpu_seconds=found.cpu,
            share=f"{found.wall / total:.1%}",
        )
