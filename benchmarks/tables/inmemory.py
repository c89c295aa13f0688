"""Our retrievers, over the index on disk, against the bare engines over the same rows in memory."""

from __future__ import annotations

from benchmarks.corpora import describe_sources, synthetic_corpus
from benchmarks.measuring import run_task
from benchmarks.options import Options
from benchmarks.results import Check, Table

SIZES = (10_000, 50_000, 100_000)
MOST = 1.5
ENGINES = {"bm25": "bm25s, prebuilt", "dense": "usearch, exact"}


def run(options: Options) -> Table:
    """Compare lists of 200 rows, at each size; the engines give rows, ours also break ties."""
    table = Table("inmemory", "Retrievers against plain bm25s and usearch in memory, milliseconds")
    for size in options.sizes(*SIZES):
        corpus = synthetic_corpus(options, size)
        answer = run_task(
            "engines:compare",
            repository=corpus.repository,
            rounds=options.rounds(options.runs),
        )
        for mode, engine in ENGINES.items():
            found = answer[mode]
            own, other = found[options.clock], found[f"their_{options.clock}"]
            table.add(
                chunks=answer["chunks"],
                retriever=mode,
                against=engine,
                ours_ms=found["wall"],
                theirs_ms=found["their_wall"],
                ours_cpu_ms=found["cpu"],
                theirs_cpu_ms=found["their_cpu"],
                ratio=own / other,
            )
            table.checks.append(Check(f"{mode} at {size:,} chunks", own / other, MOST, "times"))
    table.notes.append(
        "200 rows a list, one thread; the same rows, terms and int8 vectors, and scores that were "
        f"checked to agree; medians over 60 queries; corpora of {describe_sources(options)}"
    )
    return table
