"""What the bot costs in a job: seconds by step, requests to GitHub, with and without a cache."""

from __future__ import annotations

from benchmarks.corpora import describe_sources, synthetic_corpus
from benchmarks.measuring import Seconds, middle, run_task, seconds_of
from benchmarks.options import Options
from benchmarks.results import Check, Table

CHUNKS = 10_000
WARM_S, COLD_S, REQUESTS = 8.0, 60.0, 12


def run(options: Options) -> Table:
    """Measure the action's steps after the installation, for a pull request of 20 files."""
    table = Table("bot", "The bot: from an event to a posted comment, no language model")
    corpus = synthetic_corpus(options, options.size(CHUNKS))
    folder = str(options.work / "bot")
    made = run_task("botting:prepare", repository=corpus.repository, folder=folder)
    for warm in (True, False):
        rounds = options.rounds(3 if warm else 1)
        jobs = [run_task("botting:job", folder=folder, head=made["head"], warm=warm)]
        jobs += [
            run_task("botting:job", folder=folder, head=made["head"], warm=warm)
            for _ in range(rounds - 1)
        ]
        steps = {
            name: middle([seconds_of(job["seconds"][name]) for job in jobs])
            for name in jobs[0]["seconds"]
        }
        total = Seconds(
            sum(step.wall for step in steps.values()), sum(step.cpu for step in steps.values())
        )
        last = jobs[-1]
        label = "warm" if warm else "cold"
        table.add(
            cache=label,
            chunks=made["chunks"],
            changed_files=made["files"],
            **{f"{name}_s": step.wall for name, step in steps.items()},
            total_s=total.wall,
            total_cpu_s=total.cpu,
            requests=last["requests"],
            parsed=last["index"]["parsed"],
            embedded=last["index"]["embedded"],
            comment_kB=last["comment_bytes"] / 1e3,
        )
        limit = WARM_S if warm else COLD_S
        spent = getattr(total, options.clock)
        table.checks.append(Check(f"{label} cache to a posted comment", spent, limit, "s"))
        table.checks.append(Check(f"requests, {label} cache", last["requests"], REQUESTS))
    table.notes.append(
        f"targets by the {options.clock} clock, seconds in the columns by the wall's unless named; "
        "the action's steps after its installation, each a process; a corpus of "
        f"{describe_sources(options)} with random vectors in its cache file "
        f"({made['cache_bytes'] / 1e6:.0f} MB); GitHub is the tests' double on this machine; "
        "without a cache, vectors are made for 20 s and the rest is left for later"
    )
    return table
