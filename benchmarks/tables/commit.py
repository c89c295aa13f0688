"""What the hook adds to `git commit` in a repository of 30,000 files."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from benchmarks.corpora import describe_sources, many_files
from benchmarks.measuring import Seconds, middle, run_child, run_task
from benchmarks.options import Options
from benchmarks.repositories import git
from benchmarks.results import Check, Table

FILES = 30_000
Change = Callable[[Path, list[str], str], None]


def run(options: Options) -> Table:
    """Commit with and without the hook, alternately, in every case."""
    table = Table("commit", "`git commit` with and without the hook, seconds")
    corpus = many_files(options, 300 if options.small else FILES)
    folder = _scratch(options, Path(corpus.repository))
    names = run_task("committing:python_files", repository=str(folder))["names"]
    installed = run_task("committing:install", repository=str(folder))["hooks"]
    cases: list[tuple[str, Change, float | None]] = [
        ("tree already indexed (--allow-empty)", _nothing, 0.1),
        ("3 files changed, nothing to embed", _reindent, 0.5),
        ("3 files changed, up to 32 new chunks", _add_functions(6), 1.2),
        ("3 files changed, 120 new chunks: detached", _add_functions(40), 0.5),
    ]
    for label, change, limit in cases:
        plain, hooked = [], []
        for _ in range(options.rounds(options.runs)):
            plain.append(_commit(folder, names, change, hooks=False))
            run_task("committing:settle", repository=str(folder))
            hooked.append(_commit(folder, names, change, hooks=True))
            state = run_task("committing:settle", repository=str(folder))
        without, with_hook = middle(plain), middle(hooked)
        added = Seconds(with_hook.wall - without.wall, with_hook.cpu - without.cpu)
        table.add(
            case=label,
            without=without.wall,
            with_hook=with_hook.wall,
            added=added.wall,
            added_cpu=added.cpu,
            embedded=state["last"],
        )
        if limit is not None:
            table.checks.append(Check(label, getattr(added, options.clock), limit, "s"))
    table.notes.append(
        f"{corpus.files:,} files, {corpus.chunks:,} chunks of {describe_sources(options)}; hooks "
        f"installed: {', '.join(installed)}; without: core.hooksPath set to nothing; what a "
        "detached worker does later is not counted"
    )
    return table


def _scratch(options: Options, corpus: Path) -> Path:
    """Return a copy of the corpus, index included, with its files checked out."""
    folder = options.work / "commit-scratch"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(corpus, folder)
    git(folder, "reset", "-q", "--hard")
    git(folder, "config", "user.name", "Bench")
    git(folder, "config", "user.email", "bench@example.invalid")
    git(folder, "config", "gc.auto", "0")
    git(folder, "config", "maintenance.auto", "false")
    return folder


def _commit(folder: Path, names: list[str], change: Change, *, hooks: bool) -> Seconds:
    change(folder, names, secrets.token_hex(4))
    git(folder, "add", "--", *names)
    off = [] if hooks else ["-c", "core.hooksPath=/dev/null"]
    words = ["git", "-C", str(folder), *off, "commit", "-q", "--allow-empty", "-m", "Change"]
    return run_child(words).seconds


def _nothing(folder: Path, names: list[str], word: str) -> None:
    del folder, names, word


def _reindent(folder: Path, names: list[str], word: str) -> None:
    """Add lines that hold nothing: other blobs, other lines, the same texts to embed."""
    for name in names:
        path = folder / name
        path.write_text(path.read_text("utf-8") + "\n" * (1 + len(word) % 2), "utf-8")


def _add_functions(count: int) -> Change:
    def change(folder: Path, names: list[str], word: str) -> None:
        for name in names:
            with (folder / name).open("a", encoding="utf-8") as file:
                for at in range(count):
                    file.write(
                        f"\n\ndef added_{word}_{at}(values, limit):\n"
                        f'    """Return what {word} {at} makes of the values."""\n'
                        f"    kept = [value for value in values if value < limit + {at}]\n"
                        "    total = sum(kept)\n    for value in kept:\n"
                        "        total += value * len(kept)\n    return total\n"
                    )

    return change
