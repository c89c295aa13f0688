"""Say on which machine and with which versions a figure was measured. Starts `git --version` only.

Light: no numpy. Whoever measures the memory of child processes must stay small (see `measuring`).
"""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sidelight.embedding.runtime import cpu_class

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("bm25s", "numpy", "onnxruntime", "tokenizers", "tree-sitter", "usearch")


def describe_machine() -> dict[str, str]:
    """Return cores, memory, processor and load, in words."""
    return {
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else "?"),
        "memory": _memory(),
        "cpu": f"{_cpu_name()} ({cpu_class()})",
        "system": f"{platform.system()} {platform.release()}",
        "load at start": _load(),
    }


def describe_versions() -> dict[str, str]:
    """Return the versions of everything whose speed is measured, and our own commit."""
    found = {name: _version(name) for name in PACKAGES}
    return {
        "sidelight": own_commit(),
        "python": platform.python_version(),
        "git": _run("git", "--version").removeprefix("git version "),
        "sqlite": sqlite3.sqlite_version,
        **found,
    }


def own_commit() -> str:
    """Return our commit, abbreviated, with a `+` if source files differ from it."""
    commit = _run("git", "-C", str(ROOT), "rev-parse", "--short=10", "HEAD")
    changed = _run("git", "-C", str(ROOT), "status", "--porcelain", "--", "src", "hooks")
    return f"{commit}+" if changed else commit


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB"
    except (ValueError, OSError):
        return "?"


def _load() -> str:
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except OSError:
        return "?"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip()
