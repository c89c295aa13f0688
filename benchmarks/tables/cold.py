"""`sidelight search` in a new process: what a user waits at the terminal."""

from __future__ import annotations

from statistics import median

from benchmarks.corpora import describe_sources, synthetic_corpus
from benchmarks.measuring import Finished, middle, run_child, run_task
from benchmarks.options import Options
from benchmarks.results import Check, Table

CHUNKS = 50_000
MOST_S = 0.8
QUERY = "where is a connection closed after an error"
CODE = "from sidelight.cli.main import main; raise SystemExit(main())"


def run(options: Options) -> Table:
    """Time whole processes by mode, then the steps inside one."""
    table = Table("cold", "Cold `sidelight search`, seconds")
    corpus = synthetic_corpus(options, options.size(CHUNKS))
    rounds = options.rounds(2 * options.runs)
    for mode, query in (("hybrid", QUERY), ("bm25", QUERY), ("symbol", "close")):
        words = [options.python, "-c", CODE, "-C", corpus.repository]
        words += ["search", query, "--mode", mode]
        run_child(words)
        done: list[Finished] = [run_child(words) for _ in range(rounds)]
        found = middle([one.seconds for one in done])
        table.add(
            what=f"process, {mode}",
            seconds=found.wall,
            cpu_seconds=found.cpu,
            peak_MB=median(one.peak_bytes for one in done) / 1e6,
        )
        value = getattr(found, options.clock)
        table.checks.append(Check(f"cold search, {mode}", value, MOST_S, "s"))
    answers = [
        run_task("starting:search_by_stages", repository=corpus.repository, query=QUERY)
        for _ in range(rounds)
    ]
    for stage in answers[0]["stages"]:
        table.add(
            what=f"stage: {stage}",
            seconds=median(answer["stages"][stage]["wall"] for answer in answers),
            cpu_seconds=median(answer["stages"][stage]["cpu"] for answer in answers),
        )
    table.notes.append(
        f"{corpus.label} of {describe_sources(options)}; files in the page cache, bytecode "
        f"compiled; medians of {rounds} processes"
    )
    return table
