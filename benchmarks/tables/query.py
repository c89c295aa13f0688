"""How long a search takes in a process that has the index open."""

from __future__ import annotations

from benchmarks.corpora import describe_sources, synthetic_corpus
from benchmarks.measuring import run_task
from benchmarks.options import Options
from benchmarks.results import Check, Table

MODES = ("bm25", "dense", "symbol", "exact", "hybrid", "hybrid, plain")
SIZES = (10_000, 100_000)
LIMITS_MS = {10_000: 3.0, 100_000: 12.0}
APART = "exact"  # no index answers it, so no limit of an index's holds for it; the note says more


def run(options: Options) -> Table:
    """Measure each mode at two sizes, without and with the embedding of the query."""
    table = Table("query", "Warm search, milliseconds")
    for size in options.sizes(*SIZES):
        corpus = synthetic_corpus(options, size)
        for real in (False, True):
            modes = ["dense", "hybrid"] if real else list(MODES)
            answer = run_task(
                "searching:warm_queries",
                repository=corpus.repository,
                modes=modes,
                rounds=options.rounds(options.runs),
                real_queries=real,
            )
            for mode in modes:
                found = answer["modes"][mode]
                table.add(
                    chunks=answer["chunks"],
                    mode=mode,
                    query_embedded="yes" if real else "no",
                    median_ms=found["wall"],
                    median_cpu_ms=found["cpu"],
                    p95_ms=found["p95"],
                )
                if not real and size in LIMITS_MS and mode != APART:
                    name = f"{mode} at {size:,} chunks"
                    table.checks.append(Check(name, found[options.clock], LIMITS_MS[size], "ms"))
    table.notes.append(
        f"corpora are made of {describe_sources(options)}; 60 questions and names a round, k = 10;"
        " whole `Searcher.search` calls, from text to hits; `plain`: chunks by relevance, neither "
        "made to differ nor joined to their class"
    )
    table.notes.append(
        "`exact` is asked apart, by `--mode exact`, and has no target: it answers what `git "
        "grep -F` over the indexed tree does. A string with whole words inside is narrowed down "
        "by their postings; a bare name, as here, may be part of any longer word, and the index "
        "keeps words as hashes alone, so that git reads all of the tree. A hybrid search looks "
        "for exact strings in its best 30 chunks by words only"
    )
    return table
