"""The detached worker: reads and embeds what a hook left, publishes, and goes away.

It runs in a session of its own with every inherited stream closed, so that `git commit | cat`
ends with the commit. A second worker finds the first one's lock and leaves at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sidelight.errors import SidelightError

if TYPE_CHECKING:
    from sidelight.indexing.place import Place
    from sidelight.store.database import Database

LOG_NAME = "worker.log"
MAX_LOG_BYTES = 256_000


def spawn_worker(place: Place) -> bool:
    """Start a worker for the index unless one is running; return whether one will do the work."""
    start = place.repo.worktree or place.repo.git_dir
    # -E -P and not -I: nothing of the folder we start in, but `pip install --user` still counts
    words = [sys.executable, "-E", "-P", "-m", "sidelight.indexing.worker"]
    words += [str(start), str(place.repo.git_dir), str(place.directory)]
    if place.embedder.models_dir is not None:
        words.append(str(place.embedder.models_dir))
    try:
        with (place.directory / LOG_NAME).open("ab") as log:  # for what ends it before it can log
            worker = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=place.directory,
                close_fds=True,
                start_new_session=os.name != "nt",
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            )
    except OSError as error:
        write_log(place.directory, f"the worker cannot be started: {error}")
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        del worker  # it outlives us on purpose; a process that lives on reaps it later
    return True


def write_log(directory: Path, line: str) -> None:
    """Append a line with the time to the worker's log; a full log starts anew."""
    path = directory / LOG_NAME
    try:
        if path.exists() and path.stat().st_size > MAX_LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {line}\n")
    except OSError:
        return  # a log that cannot be written must not stop the work


@dataclass(slots=True)
class _Done:
    """What a worker has done so far."""

    embedded: int = 0
    commits: int = 0
    published: bool = False
    problem: str = ""


def run_worker(
    start: Path, directory: Path, models_dir: Path | None, *, git_dir: Path | None = None
) -> int:
    """Embed all that is pending, read long histories, and publish if due.

    Returns how many texts were embedded. If another process holds the lock, it returns at once:
    the holder looks again after it has let go.
    """
    from filelock import Timeout  # noqa: PLC0415 - the hook spawns without these

    from sidelight.config import load_config  # noqa: PLC0415
    from sidelight.git.repository import open_repository  # noqa: PLC0415
    from sidelight.indexing.place import EmbedderSource, Place  # noqa: PLC0415
    from sidelight.indexing.vectors import worker_lock  # noqa: PLC0415
    from sidelight.store.database import Database  # noqa: PLC0415
    from sidelight.store.views import pending_count  # noqa: PLC0415

    repo = open_repository(start, git_dir=git_dir)
    config = load_config(repo.worktree)
    place = Place(repo, directory, config, EmbedderSource(config, models_dir))
    started, done, waiting = time.monotonic(), _Done(), -1
    with Database.open(directory, place.identity) as database:
        while waiting:
            before = waiting
            try:
                with worker_lock(directory, timeout_s=0):
                    _work(place, database, done)
            except Timeout:
                break
            with database.read() as connection:
                waiting = pending_count(connection)
            if waiting == before:  # nothing helps: it is left for the next commit
                break
    if done != _Done():
        write_log(directory, _summary(done, time.monotonic() - started))
    return done.embedded


def _work(place: Place, database: Database, done: _Done) -> None:
    """Do what there is to do until a round finds nothing; the caller holds the lock."""
    from sidelight.indexing.history import update_all_histories  # noqa: PLC0415
    from sidelight.indexing.report import Progress  # noqa: PLC0415
    from sidelight.indexing.vectors import embed_pending, publish_if_due  # noqa: PLC0415

    while True:
        history = update_all_histories(place.repo, database)
        count = embed_pending(place, database, Progress())
        done.embedded += count
        done.commits += history.added
        done.problem = history.problem
        if count == history.added == 0:
            break
    done.published |= publish_if_due(database)


def _summary(done: _Done, seconds: float) -> str:
    parts = [f"embedded {done.embedded} in {seconds:.1f} s"]
    if done.commits:
        parts.append(f"read {done.commits} commits")
    if done.problem:
        parts.append(f"history cannot be read: {done.problem}")
    if done.published:
        parts.append("published a snapshot")
    return ", ".join(parts)


def main(argv: list[str]) -> int:
    """Run as `python -E -P -m sidelight.indexing.worker START GIT_DIR DIRECTORY [MODELS_DIR]`."""
    start, git_dir, directory = Path(argv[0]), Path(argv[1]), Path(argv[2])
    models_dir = Path(argv[3]) if len(argv) > 3 else None
    if os.name != "nt":
        os.nice(10)  # the user's own work comes first
    try:
        run_worker(start, directory, models_dir, git_dir=git_dir)
    except SidelightError as error:
        write_log(directory, f"error: {error}")
        return int(error.exit_code)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
