"""Ask every case of every engine, keep each answer at once, and say what could not be asked.

Trees are indexed once per repository and commit. The evaluated repositories are only read.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from sidelight.errors import SidelightError, UsageError
from sidelight.evaluation.cases import Case, CaseFile, DiffCase
from sidelight.evaluation.ledger import Key, Ledger, Ranges, Result
from sidelight.evaluation.ports import Engine, OpenTree, query_of
from sidelight.evaluation.repositories import Repositories
from sidelight.evaluation.touched import touched_lines
from sidelight.git.repository import open_repository

INTERRUPT_POLL_S = 0.5  # a wait without a time limit would not see Ctrl-C on every platform


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run asks: the engine of each mode, hits asked for, folders, and threads."""

    engines: Mapping[str, Engine]  # mode → engine, in the order of the report
    repos: Repositories
    cache: Path
    k: int = 100
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that was not answered in a mode, and why."""

    case: str
    repo: str
    mode: str
    message: str


@dataclass(frozen=True, slots=True)
class Event:
    """One step of progress: `done` of `total` answers, and what was just done."""

    done: int
    total: int
    message: str


@dataclass(slots=True)
class Outcome:
    """What a run brought: answers by (case id, mode), what failed, and whether it was cut short."""

    results: dict[tuple[str, str], Result] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    n_resumed: int = 0
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """A case that is still to be asked, with the keys of its answers by mode."""

    case: Case
    keys: Mapping[str, Key]


def limit_cases(files: Sequence[CaseFile], limit: int | None) -> tuple[CaseFile, ...]:
    """Return at most `limit` cases in all, the same ones every time, spread evenly.

    Each file gives as many as any other until it has no more; within a file they lie evenly apart.
    """
    if limit is None:
        return tuple(files)
    quota = [0] * len(files)
    left = limit
    while left:
        open_files = [i for i, file in enumerate(files) if quota[i] < len(file.cases)]
        if not open_files:
            break
        share = max(1, left // len(open_files))
        for i in open_files[:left]:
            taken = min(share, len(files[i].cases) - quota[i], left)
            quota[i] += taken
            left -= taken
    return tuple(
        CaseFile(file.name, tuple(_evenly(file.cases, n)))
        for file, n in zip(files, quota, strict=True)
    )


def _evenly(cases: Sequence[Case], n: int) -> list[Case]:
    return [cases[(2 * i + 1) * len(cases) // (2 * n)] for i in range(n)]


def run_cases(
    files: Sequence[CaseFile],
    settings: Settings,
    on_event: Callable[[Event], None] | None = None,
) -> Outcome:
    """Return the answers to all cases, asking only what the ledger does not hold.

    A mode is asked of the cases of its tasks only. A repository that is absent, a commit that
    cannot be indexed and a query that is refused are failures; the others are asked all the same.
    On Ctrl-C it returns what is done, marked `interrupted`.

    Raises:
        UsageError: the cache lies inside a repository that would be evaluated.
        StorageError: the results cannot be kept.
    """
    run = _Run(settings, on_event or (lambda _event: None))
    run.plan([case for file in files for case in file.cases])
    run.execute()
    run.outcome.failures.sort(key=lambda failure: (failure.case, failure.mode))
    return run.outcome


def refuse_cache_inside(cache: Path, git_dir: Path) -> None:
    """Do nothing, unless the cache lies in an evaluated repository.

    Raises:
        UsageError: it does.
    """
    home = git_dir.parent if git_dir.name == ".git" else git_dir
    if cache.resolve().is_relative_to(home.resolve()):
        raise UsageError(
            f"the cache {cache} lies inside the evaluated {home}",
            hint="give a folder elsewhere with --cache",
        )


class _Run:
    """One run's state: what is to be asked, by repository and commit, and what came of it."""

    def __init__(self, settings: Settings, on_event: Callable[[Event], None]) -> None:
        self.settings = settings
        self.on_event = on_event
        self.ledger = Ledger(settings.cache / "results.jsonl")
        self.outcome = Outcome()
        self.todo: dict[str, dict[str, list[Pending]]] = {}
        self.git_dirs: dict[str, Path] = {}
        self.n_asked = 0
        self.n_total = 0
        self.lock = threading.Lock()
        self.stop = threading.Event()

    def plan(self, cases: Sequence[Case]) -> None:
        """Sort the cases into answered, impossible, and to be asked."""
        known = self.ledger.read()
        prints = {mode: engine.fingerprint(mode) for mode, engine in self.settings.engines.items()}
        for case in cases:
            keys = {
                mode: Key(case.id, case.digest, mode, settings, self.settings.k)
                for mode, settings in prints.items()
                if case.task in self.settings.engines[mode].tasks(mode)
            }
            pending = {mode: key for mode, key in keys.items() if key not in known}
            for mode, key in keys.items():
                if key in known:
                    self.outcome.results[case.id, mode] = known[key]
                    self.outcome.n_resumed += 1
            if not pending:
                continue
            if self._git_dir(case.repo) is None:
                message = f"no git repository of {case.repo} below {self.settings.repos}"
                for mode in pending:
                    self.outcome.failures.append(Failure(case.id, case.repo, mode, message))
                continue
            commits = self.todo.setdefault(case.repo, {})
            commits.setdefault(case.base, []).append(Pending(case, pending))
            self.n_total += len(pending)

    def _git_dir(self, repo: str) -> Path | None:
        if repo not in self.git_dirs:
            found = self.settings.repos.find(repo)
            if found is None:
                return None
            refuse_cache_inside(self.settings.cache, found)
            self.git_dirs[repo] = found
        return self.git_dirs[repo]

    def execute(self) -> None:
        """Ask, repository by repository, `jobs` of them at a time."""
        try:
            if self.settings.jobs == 1 or len(self.todo) < 2:
                for repo in self.todo:
                    self._ask_repository(repo)
            else:
                self._execute_parallel()
        except KeyboardInterrupt:
            self.stop.set()
            self.outcome.interrupted = True

    def _execute_parallel(self) -> None:
        # Threads suffice: git runs in processes, and the embedder leaves the interpreter's lock.
        with ThreadPoolExecutor(self.settings.jobs, thread_name_prefix="eval") as pool:
            waiting: set[Future[None]] = {
                pool.submit(self._ask_repository, repo) for repo in self.todo
            }
            try:
                while waiting:
                    done, waiting = wait(waiting, INTERRUPT_POLL_S, FIRST_COMPLETED)
                    for future in done:
                        future.result()
            except BaseException:
                self.stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _ask_repository(self, repo: str) -> None:
        for commit, queries in self.todo[repo].items():
            engines: dict[int, Engine] = {}
            for query in queries:
                for mode in query.keys:
                    engine = self.settings.engines[mode]
                    engines[id(engine)] = engine
            for engine in engines.values():
                if self.stop.is_set():
                    return
                self._ask_tree(engine, repo, commit, queries)

    def _ask_tree(self, engine: Engine, repo: str, commit: str, queries: Sequence[Pending]) -> None:
        store = self.settings.cache / "stores" / repo.replace("/", "+")
        pairs = [
            (query, mode)
            for mode in self.settings.engines
            for query in queries
            if mode in query.keys and self.settings.engines[mode] is engine
        ]

        def progress(stage: str, done: int, total: int) -> None:
            with self.lock:
                message = f"{repo} {commit[:10]}: {stage} {done}/{total}"
                self.on_event(Event(self.n_asked, self.n_total, message))

        with ExitStack() as stack:
            try:
                tree = stack.enter_context(
                    engine.open_tree(self.git_dirs[repo], commit, store, progress)
                )
            except SidelightError as error:
                for query, mode in pairs:
                    self._fail(query.case, mode, error)
                return
            for query, mode in pairs:
                if self.stop.is_set():
                    return
                self._ask(tree, query, mode)

    def _ask(self, tree: OpenTree, query: Pending, mode: str) -> None:
        case = query.case
        try:
            ranking = tree.ask(query_of(case), mode=mode, k=self.settings.k)
            touched = self._touched(case) if isinstance(case, DiffCase) else {}
        except SidelightError as error:
            self._fail(case, mode, error)
            return
        result = Result(query.keys[mode], ranking, tree.info, touched)
        self.ledger.append(result)
        with self.lock:
            self.outcome.results[case.id, mode] = result
        self._progress(f"{case.repo} {case.base[:10]} {mode}")

    def _touched(self, case: DiffCase) -> Mapping[bytes, Ranges]:
        """Return the touched lines of the wanted files; several modes ask for them once each."""
        repository = open_repository(self.git_dirs[case.repo])
        paths = [target.path for target in case.relevant]
        return touched_lines(repository, case.base, case.head, paths)

    def _fail(self, case: Case, mode: str, error: SidelightError) -> None:
        with self.lock:
            self.outcome.failures.append(Failure(case.id, case.repo, mode, error.message))
        self._progress(f"{case.repo} {case.base[:10]} {mode}: {error.message}")

    def _progress(self, message: str) -> None:
        with self.lock:
            self.n_asked += 1
            self.on_event(Event(self.n_asked, self.n_total, message))
