"""Measure: seconds of a call, and seconds and memory of a child process.

Two clocks, always: `wall`, which is what a user waits, and `cpu` (user + system, children that
were waited for included), which a busy machine hardly changes.

Peak memory is a child's `ru_maxrss`. The kernel lets a new process start from the high-water mark
of the one that started it, so the measuring process itself must stay small: it imports no numpy.
"""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere


@dataclass(frozen=True, slots=True)
class Seconds:
    """How long something took, by both clocks."""

    wall: float
    cpu: float

    def per(self, count: int) -> Seconds:
        """Return the share of one of `count`."""
        return Seconds(self.wall / count, self.cpu / count)

    def table(self) -> dict[str, float]:
        """Return it as JSON takes it."""
        return {"wall": self.wall, "cpu": self.cpu}


@dataclass(frozen=True, slots=True)
class Finished:
    """A child process that ended well: its times, its peak resident memory, what it printed."""

    seconds: Seconds
    peak_bytes: int
    stdout: str


def timed(action: Callable[[], object]) -> Seconds:
    """Return what one call costs in this process."""
    cpu, wall = _cpu(), time.perf_counter()
    action()
    return Seconds(time.perf_counter() - wall, _cpu() - cpu)


def middle(samples: Sequence[Seconds]) -> Seconds:
    """Return the medians, each clock by itself."""
    return Seconds(median(s.wall for s in samples), median(s.cpu for s in samples))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` of all do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * share) - 1)]


def run_child(
    words: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    quiet: bool = False,
) -> Finished:
    """Run a program to its end and return its times, memory and output.

    Its stderr passes through, unless it is `quiet`.

    Raises:
        RuntimeError: it failed.
    """
    wall = time.perf_counter()
    with subprocess.Popen(
        list(words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        env=dict(env) if env is not None else None,
        cwd=cwd,
        text=True,
    ) as process:
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = Seconds(time.perf_counter() - wall, usage.ru_utime + usage.ru_stime)
    if process.returncode != 0:
        shown = " ".join(words)[:200]
        raise RuntimeError(f"`{shown}` returned {process.returncode}:\n{out[-2000:]}")
    return Finished(seconds, usage.ru_maxrss * MAXRSS_UNIT, out)


def run_task(task: str, *, python: str = sys.executable, **arguments: Any) -> dict[str, Any]:
    """Return what `benchmarks.tasks.TASK` answers, run in a process of its own.

    `task` is `module:function`; arguments and answer are JSON. The answer gets the process's own
    `process_wall`, `process_cpu` and `peak_bytes`.
    """
    words = [python, "-m", "benchmarks.tasks", task, json.dumps(arguments)]
    done = run_child(words, cwd=ROOT)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    answer["process_wall"] = done.seconds.wall
    answer["process_cpu"] = done.seconds.cpu
    answer["peak_bytes"] = done.peak_bytes
    return answer


def seconds_of(answer: Mapping[str, float]) -> Seconds:
    """Return the `Seconds` that `table` turned into JSON."""
    return Seconds(float(answer["wall"]), float(answer["cpu"]))


def _cpu() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
