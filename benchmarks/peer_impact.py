"""Time code-review-graph's impact query in a process that stays: `python peer_impact.py ARGUMENTS`.

A program of its own, run by the interpreter that has code-review-graph, from the folder of a clone
with a graph; JSON in and JSON out. The function is the one behind its command and its server.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from statistics import median


def main() -> None:
    """Ask the same question a few times and print the medians as the last line."""
    from code_review_graph.tools import get_impact_radius  # noqa: PLC0415

    arguments = json.loads(sys.argv[1])
    samples = []
    for _ in range(arguments["rounds"] + 1):
        cpu, wall = _cpu(), time.perf_counter()
        answer = get_impact_radius(arguments["files"], repo_root=arguments["clone"])
        samples.append((time.perf_counter() - wall, _cpu() - cpu))
        if answer["status"] != "ok":
            raise SystemExit(f"no answer: {answer}")
    told = {
        "wall": median(sample[0] for sample in samples[1:]),
        "cpu": median(sample[1] for sample in samples[1:]),
    }
    sys.stdout.write("\n" + json.dumps(told) + "\n")


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
