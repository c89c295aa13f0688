"""Disk per chunk, part by part, and the memory that indexing takes."""

from __future__ import annotations

from benchmarks.corpora import describe_sources, synthetic_corpus
from benchmarks.measuring import run_task
from benchmarks.options import Options
from benchmarks.results import Check, Table

CHUNKS = 100_000
MOST_BYTES, MOST_MEMORY = 4_000, 500  # a chunk; MB


def run(options: Options) -> Table:
    """Take one large synthetic index apart, and add the model's own memory to its build's."""
    table = Table("size", "Disk and memory")
    corpus = synthetic_corpus(options, options.size(CHUNKS))
    answer = run_task("sizes:parts", repository=corpus.repository)
    total = sum(answer["parts"].values())
    for part, size in sorted(answer["parts"].items(), key=lambda item: -item[1]):
        table.add(part=part, bytes_per_chunk=size / corpus.chunks, MB=size / 1e6)
    table.add(part="all", bytes_per_chunk=total / corpus.chunks, MB=total / 1e6)
    table.checks.append(Check("disk a chunk", total / corpus.chunks, MOST_BYTES, "bytes"))
    bare = run_task("sizes:model_memory", texts=0)
    loaded = run_task("sizes:model_memory", texts=50 if options.small else 400)
    model = (loaded["peak_bytes"] - bare["peak_bytes"]) / 1e6
    build = corpus.peak_bytes / 1e6
    table.add(part="memory: build with random vectors, peak", MB=build)
    table.add(part="memory: the model on top, peak", MB=model)
    table.checks.append(Check(f"memory to index {corpus.label}", build + model, MOST_MEMORY, "MB"))
    table.notes.append(
        f"{corpus.files:,} files, {corpus.chunks:,} chunks made of {describe_sources(options)}; "
        "built in one process with random vectors of the model's width; the model's memory is the "
        "peak of a process that embeds long texts on two threads, less one with the same imports"
    )
    return table
