"""`make demo`: index this repository, commit in a scratch clone, watch the hook, search; the bot.

Everything happens in a temporary clone; nothing outside of it is written.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.demo_bot import show_bot

ROOT = Path(__file__).resolve().parent.parent
QUERIES = (
    "where is a commit's change turned into index rows",
    "reciprocal_rank_fusion",
    "what happens when the disk is full",
)
NEW_FILE = '''"""Greets, for the demonstration."""


def salute_the_reviewer(name: str) -> str:
    """Return a greeting that no other file of this repository has."""
    return f"Welcome, {name}: the index saw this function as soon as it was committed."
'''


def main() -> int:
    """Run the demonstration; return 0 if every step did what it should."""
    with tempfile.TemporaryDirectory(prefix="sidelight-demo-") as folder:
        clone = Path(folder) / "clone"
        _run("git", "clone", "--quiet", str(ROOT), str(clone))
        _say("1. sidelight init: index HEAD, install the hooks")
        _timed("sidelight", "-C", str(clone), "init")
        _say("2. git commit: the hook brings the index up to date")
        (clone / "greeting.py").write_text(NEW_FILE, "utf-8")
        _run("git", "-C", str(clone), "add", "greeting.py")
        identity = ("-c", "user.name=Demo", "-c", "user.email=demo@example.invalid")
        _timed("git", "-C", str(clone), *identity, "commit", "--quiet", "-m", "Greet reviewers")
        _timed("sidelight", "-C", str(clone), "status")
        found = _timed("sidelight", "-C", str(clone), "search", "salute_the_reviewer", "-k", "1")
        _say("3. sidelight search: three questions to this repository")
        for query in QUERIES:
            _timed("sidelight", "-C", str(clone), "search", query, "-k", "3")
        if "greeting.py" not in found:
            sys.stdout.write("the committed function was not found first\n")
            return 1
        if not show_bot(clone, Path(folder), _say):
            sys.stdout.write("the bot did not post, update and answer as it should\n")
            return 1
    _say("done")
    return 0


def _say(text: str) -> None:
    sys.stdout.write(f"\n{text}\n{'-' * len(text)}\n")


def _run(*words: str) -> str:
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return done.stdout


def _timed(*words: str) -> str:
    """Run our command from this environment, show it as typed, its output and its seconds."""
    shown = [f'"{word}"' if " " in word else word for word in words if not word.startswith("/")]
    shown = [word for word in shown if word != "-C"]
    program = words[0]
    own = Path(sys.executable).with_name(program)
    started = time.perf_counter()
    done = subprocess.run(
        [str(own) if own.exists() else program, *words[1:]],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    seconds = time.perf_counter() - started
    sys.stdout.write(f"\n$ {' '.join(shown)}    [{seconds:.2f} s]\n{done.stdout}")
    sys.stdout.flush()
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
