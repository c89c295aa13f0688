"""Ask for the signals of diff cases, and keep them: weights are then fitted without asking again.

One SQLite file of packed matrices; it may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from sidelight.errors import SidelightError, StorageError
from sidelight.evaluation.cases import DiffCase
from sidelight.evaluation.matrix import SignalMatrix, unpack
from sidelight.evaluation.ports import Change, Progress
from sidelight.evaluation.repositories import Repositories
from sidelight.evaluation.runner import Event, Failure, refuse_cache_inside

BUSY_S = 60.0
SIGNALS = "signals"  # what failures name instead of a mode


class SignalEngine(Protocol):
    """Something that gives the signals of changes."""

    def signals_fingerprint(self) -> str:
        """Return a short text that changes with everything that may change a signal."""
        ...

    def read_signals(
        self, git_dir: Path, changes: Sequence[Change], store_dir: Path, progress: Progress
    ) -> Iterator[SignalMatrix]:
        """Yield the matrix of each change; all have the same base. See `Engine.open_tree`."""
        ...


@dataclass(slots=True)
class Collected:
    """Matrices by case id, what failed, and whether it was cut short."""

    matrices: dict[str, SignalMatrix] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    interrupted: bool = False


class SignalFile:
    """The matrices at `path`, made with the first of them. Threads may share it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, key: str) -> SignalMatrix | None:
        """Return a matrix, or None if it is not there or not what we write."""
        with self._connection() as connection:
            row = connection.execute(
                "SELECT head, data FROM signals WHERE key = ?", (key,)
            ).fetchone()
        try:
            return None if row is None else unpack(*row)
        except (ValueError, KeyError, TypeError):
            return None

    def write(self, key: str, matrix: SignalMatrix) -> None:
        """Keep a matrix."""
        with self._connection() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO signals VALUES (?, ?, ?)", (key, *matrix.pack())
            )

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._path, timeout=BUSY_S)
            try:
                with connection:
                    connection.execute(
                        "CREATE TABLE IF NOT EXISTS signals"
                        " (key TEXT PRIMARY KEY, head TEXT NOT NULL, data BLOB NOT NULL)"
                    )
                    yield connection
            finally:
                connection.close()
        except (OSError, sqlite3.Error) as error:
            raise StorageError(
                f"the signals in {self._path} cannot be used: {error}",
                hint="delete the file; it is made anew",
            ) from error


@dataclass(frozen=True, slots=True)
class Collecting:
    """Where signals come from and are kept."""

    engine: SignalEngine
    repos: Repositories
    cache: Path
    jobs: int = 1
    on_event: Callable[[Event], None] = lambda _event: None


def collect_signals(cases: Sequence[DiffCase], settings: Collecting) -> Collected:
    """Return the signals of all cases, asking only for those that are not kept.

    Raises:
        UsageError: the cache lies inside a repository that would be evaluated.
        StorageError: the signals cannot be kept.
    """
    return _Collection(settings).run(cases)


class _Collection:
    def __init__(self, settings: Collecting) -> None:
        self.settings = settings
        self.file = SignalFile(settings.cache / "signals.db")
        self.fingerprint = settings.engine.signals_fingerprint()
        self.found = Collected()
        self.done = 0
        self.total = 0
        self.lock = threading.Lock()
        self.stop = threading.Event()

    def run(self, cases: Sequence[DiffCase]) -> Collected:
        for repo in dict.fromkeys(case.repo for case in cases):
            git_dir = self.settings.repos.find(repo)
            if git_dir is not None:
                refuse_cache_inside(self.settings.cache, git_dir)
        todo: dict[str, dict[str, list[DiffCase]]] = {}
        for case in cases:
            known = self.file.read(self._key(case))
            if known is None:
                todo.setdefault(case.repo, {}).setdefault(case.base, []).append(case)
                self.total += 1
            else:
                self.found.matrices[case.id] = known
        try:
            with ThreadPoolExecutor(self.settings.jobs, thread_name_prefix="eval") as pool:
                try:
                    list(pool.map(self._read_repository, todo, todo.values()))
                except BaseException:
                    self.stop.set()
                    raise
        except KeyboardInterrupt:
            self.found.interrupted = True
        self.found.failures.sort(key=lambda failure: failure.case)
        return self.found

    def _key(self, case: DiffCase) -> str:
        text = "\0".join((case.id, case.digest, self.fingerprint))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def _read_repository(self, repo: str, by_base: dict[str, list[DiffCase]]) -> None:
        git_dir = self.settings.repos.find(repo)
        for base, cases in by_base.items():
            if self.stop.is_set():
                return
            if git_dir is None:
                self._fail(cases, f"no git repository of {repo} below {self.settings.repos}")
                continue
            try:
                self._read_tree(git_dir, base, cases)
            except SidelightError as error:
                self._fail(cases, error.message)

    def _read_tree(self, git_dir: Path, base: str, cases: Sequence[DiffCase]) -> None:
        repo = cases[0].repo
        store = self.settings.cache / "stores" / repo.replace("/", "+")

        def progress(stage: str, done: int, total: int) -> None:
            self._say(f"{repo} {base[:10]}: {stage} {done}/{total}")

        changes = [Change(case.base, case.head, case.title, case.focal) for case in cases]
        matrices = self.settings.engine.read_signals(git_dir, changes, store, progress)
        for case, matrix in zip(cases, matrices, strict=True):
            self.file.write(self._key(case), matrix)
            with self.lock:
                self.found.matrices[case.id] = matrix
                self.done += 1
            self._say(f"{repo} {base[:10]} {SIGNALS}")

    def _fail(self, cases: Sequence[DiffCase], message: str) -> None:
        missing = [case for case in cases if case.id not in self.found.matrices]
        with self.lock:
            self.done += len(missing)
            self.found.failures += [Failure(c.id, c.repo, SIGNALS, message) for c in missing]
        self._say(f"{cases[0].repo}: {message}")

    def _say(self, message: str) -> None:
        with self.lock:
            self.settings.on_event(Event(self.done, self.total, message))
