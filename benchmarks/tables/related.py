"""What `sidelight related` costs for a diff of twenty files."""

from __future__ import annotations

from statistics import median

from benchmarks.corpora import describe_sources, synthetic_corpus
from benchmarks.measuring import middle, run_child, run_task, seconds_of
from benchmarks.options import ROOT, Options
from benchmarks.results import Check, Table

FILES = 20
SIZES = (10_000, 100_000)
WARM_S, COLD_S = 0.6, 1.5
CODE = (
    "import sys; from benchmarks.tasks.relating import cold; "
    "sys.exit(not cold(*sys.argv[1:])['hits'])"
)


def run(options: Options) -> Table:
    """Measure a diff in an open session, and in a new process, at two sizes."""
    table = Table("related", f"Related code for a diff of {FILES} files, seconds")
    for size in options.sizes(*SIZES):
        corpus = synthetic_corpus(options, size)
        made = run_task("relating:make_change", repository=corpus.repository, n_files=FILES)
        commit = str(made["commit"])
        answer = run_task(
            "relating:warm",
            repository=corpus.repository,
            commit=commit,
            rounds=options.rounds(options.runs),
        )
        words = [options.python, "-c", CODE, corpus.repository, commit]
        done = [run_child(words, cwd=ROOT) for _ in range(options.rounds(options.runs))]
        cold = middle([one.seconds for one in done])
        found = [run_child([*words, "findings"], cwd=ROOT) for _ in range(options.rounds(3))]
        both = middle([one.seconds for one in found])
        read, rank = seconds_of(answer["read"]), seconds_of(answer["rank"])
        first = seconds_of(answer["first"])
        table.add(
            chunks=answer["chunks"],
            files_of_the_diff=answer["focal"],
            read_and_parse=read.wall,
            rank=rank.wall,
            rank_cpu=rank.cpu,
            rank_at_first=first.wall,
            process=cold.wall,
            process_cpu=cold.cpu,
            peak_MB=median(one.peak_bytes for one in done) / 1e6,
            open_MB=answer["peak_bytes"] / 1e6,
            with_findings=both.wall,
            with_findings_cpu=both.cpu,
            with_findings_MB=median(one.peak_bytes for one in found) / 1e6,
        )
        name = f"{FILES} files over {corpus.label}"
        warm = getattr(read, options.clock) + getattr(rank, options.clock)
        table.checks.append(Check(f"{name}, session open", warm, WARM_S, "s"))
        value = getattr(cold, options.clock)
        table.checks.append(Check(f"{name}, new process", value, COLD_S, "s"))
    table.notes.append(
        f"corpora are made of {describe_sources(options)}, in one commit, so that there is no past "
        "to ask; what that costs is in the table of histories; they hold several copies of each "
        "file, so that the names of findings mean many definitions; `open MB`: the peak of a "
        "session that ranked several times, `peak MB` of a process that ranked once"
    )
    return table
