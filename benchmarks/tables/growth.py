"""How everything grows from a thousand chunks to a million."""

from __future__ import annotations

from benchmarks.corpora import describe_sources, synthetic_corpus
from benchmarks.measuring import run_task
from benchmarks.options import Options
from benchmarks.results import Table

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 1_000_000)
MODES = ["bm25", "dense", "hybrid"]


def run(options: Options) -> Table:
    """Measure search, refresh, publishing, opening and disk at each size.

    Publishing is timed within the build, which is its end.
    """
    table = Table("growth", "Growth with the number of chunks")
    for size in options.sizes(*SIZES):
        corpus = synthetic_corpus(options, size)
        place = {"repository": corpus.repository}
        rounds = options.rounds(3)
        query = run_task("searching:warm_queries", modes=MODES, rounds=rounds, **place)
        opened = run_task("searching:open_index", rounds=rounds, **place)
        refreshed = run_task("indexing:refresh_after_commits", rounds=rounds, **place)
        parts = run_task("sizes:parts", **place)["parts"]
        table.add(
            chunks=corpus.chunks,
            files=corpus.files,
            **{f"{mode}_ms": query["modes"][mode]["wall"] for mode in MODES},
            open_ms=1000 * opened["wall"],
            refresh_ms=1000 * refreshed["wall"],
            publish_s=corpus.publish_wall,
            build_cpu_s=corpus.build_cpu,
            build_MB=corpus.peak_bytes / 1e6,
            disk_MB=sum(parts.values()) / 1e6,
        )
    table.notes.append(
        f"random vectors in place of the model's; corpora of {describe_sources(options)}; refresh: "
        "a commit of 3 changed files, warm process, no embedding; opening: warm process; publish: "
        "the end of the build; every dense search here is an exact scan"
    )
    return table
