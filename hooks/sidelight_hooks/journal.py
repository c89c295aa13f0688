"""The hooks' log: one line an event, `TIME HOOK OUTCOME DETAIL`, capped in size.

Writing never fails a hook: a log that cannot be written is no log. Lines that begin with a space
belong to the one above (what the core said, a traceback).
"""

# No pathlib: importing it costs 8 ms, as much as all the rest of a hook that skips.
# ruff: noqa: PTH105, PTH110, PTH116, PTH118, PTH123

from __future__ import annotations

import os
import time

NAME = "hook.log"
MAX_BYTES = 256_000  # about 2,500 events; one older file of that size is kept beside it


def log_path(folder: str) -> str:
    """Return where the log of the index in `folder` lies."""
    return os.path.join(folder, NAME)


def write_entry(folder: str, hook: str, outcome: str, detail: str, *, now: float) -> None:
    """Append one event to the log in `folder`, in UTC; what cannot be written is dropped."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
    first, *more = detail.splitlines() or [""]
    lines = [f"{stamp} {hook} {outcome} {first}".rstrip(), *(f"    {line}" for line in more)]
    path = log_path(folder)
    try:
        if os.path.exists(path) and os.stat(path).st_size > MAX_BYTES:
            os.replace(path, path + ".1")
        with open(path, "ab", buffering=0) as file:  # one write, so that two hooks do not mix
            file.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    except OSError:
        return


def read_entries(folder: str) -> list[tuple[str, str, str, str]]:
    """Return (time, hook, outcome, detail) for each event in `folder`'s log, oldest first."""
    entries: list[tuple[str, str, str, str]] = []
    for path in (log_path(folder) + ".1", log_path(folder)):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            continue
        for line in lines:
            words = line.split(" ", 3)
            if line[:1].isdigit() and len(words) >= 3:
                entries.append((words[0], words[1], words[2], "".join(words[3:])))
    return entries
