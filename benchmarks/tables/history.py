"""What reading, keeping and asking the past costs."""

from __future__ import annotations

from benchmarks.measuring import run_task, seconds_of
from benchmarks.options import ROOT, Options
from benchmarks.repositories import FLASK, GIN, PYTEST, clone_at, find_mirror, git
from benchmarks.results import Check, Table

FULL_S, OPEN_S, SHARE, BYTES = 20, 0.2, 0.2, 60


def run(options: Options) -> Table:
    """Read whole histories once, and then commit by commit beside the refresh it belongs to."""
    table = Table("history", "History: read once, kept with each commit, asked")
    mirrors = [(p.label, find_mirror(options.repos, p), p.commit) for p in (GIN, FLASK, PYTEST)]
    found = [item for item in mirrors[: 1 if options.small else None] if item[1] is not None]
    if not found:
        found = [("this repository", ROOT / ".git", git(ROOT, "rev-parse", "HEAD"))]
    for label, mirror, commit in found:
        assert mirror is not None
        clone = clone_at(mirror, commit, options.work / "history-clone")
        answer = run_task(
            "histories:read_all", repository=str(clone), directory=str(options.work / "history")
        )
        read, opened = seconds_of(answer["read"]), seconds_of(answer["open"])
        table.add(
            repository=label,
            commits=answer["commits"],
            touched_files=answer["touched"],
            read_s=read.wall,
            read_cpu_s=read.cpu,
            bytes_a_touched_file=answer["bytes"] / max(answer["touched"], 1),
            open_ms=opened.wall * 1e3,
            open_cpu_ms=opened.cpu * 1e3,
            ask_ms=seconds_of(answer["ask"]).wall * 1e3,
            MB=answer["peak_bytes"] / 1e6,
        )
    checks = table.checks
    checks.append(Check(f"whole history of {label}", getattr(read, options.clock), FULL_S, "s"))
    checks.append(Check("open it", getattr(opened, options.clock), OPEN_S, "s"))
    for row in table.rows:
        name = f"a touched file in {row['repository']}"
        checks.append(Check(name, float(row["bytes a touched file"] or 0), BYTES, "bytes"))
    label, mirror, commit = found[min(1, len(found) - 1)]
    assert mirror is not None
    clone = clone_at(mirror, commit, options.work / "history-clone")
    answer = run_task("histories:add_commits", repository=str(clone), count=options.rounds(9))
    history = getattr(seconds_of(answer["history"]), options.clock)
    rest = getattr(seconds_of(answer["rest"]), options.clock)
    checks.append(Check(f"history / rest of a refresh, {label}", history / rest, SHARE))
    table.notes.append(
        f"a commit of 3 files to {label}: history {history * 1e3:.1f} ms, all else "
        f"{rest * 1e3:.1f} ms without the model and the start of a process; `ask`: co-change of 20 "
        "files, messages, companions, recency; `open` is the whole past from the "
        "database; MB is the process's peak"
    )
    return table
