"""The indexing step: restore a cache, refresh to the base, overlay the head, all without secrets.

It parses what a stranger wrote. It is started with an empty environment, confines
itself before it reads a byte, and leaves an index and a report of numbers. Nothing of GitHub is
known here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from sidelight.config import Config
from sidelight.errors import (
    ConfigError,
    DamagedIndexError,
    GitError,
    IndexStateError,
    OtherFormatError,
    OtherModelError,
    SidelightError,
)
from sidelight.git.repository import Repository, open_repository
from sidelight.indexing.place import EmbedderSource, Place, index_directory
from sidelight.indexing.report import Progress, RefreshReport
from sidelight_bot.indexreport import IndexReport
from sidelight_bot.pinstep import Pin, read_pin
from sidelight_bot.views import base_view, config_at, head_view, index_base, index_head

CPU_S = 3600
PROBLEM_OF: tuple[tuple[type[SidelightError], str], ...] = (
    (OtherFormatError, "other-format"),
    (OtherModelError, "other-model"),
    (DamagedIndexError, "damaged"),
    (ConfigError, "config"),
    (GitError, "git"),
)


class _TimeSpentError(SidelightError):
    """The time for vectors is spent; what was made is kept."""


@dataclass(slots=True)
class _Run:
    """What the step has done so far."""

    cache: str = "miss"
    changed: int = 0
    parsed: int = 0
    embedded: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, report: RefreshReport) -> None:
        self.changed += report.changed_files
        self.parsed += report.parsed_files
        self.embedded += report.embedded

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = round(time.monotonic() - started, 3)

    def problem(self, error: SidelightError) -> None:
        kinds = (word for kind, word in PROBLEM_OF if isinstance(error, kind))
        word = next(kinds, "storage")
        if word not in self.problems:
            self.problems.append(word)
        click.echo(f"warning: {error.message!r}", err=True)


@click.command("index")
@click.option("--repository", type=click.Path(path_type=Path), required=True, metavar="DIR")
@click.option("--pin", "pin_file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--base", metavar="SHA", default="", help="The base, instead of --pin.")
@click.option("--head", metavar="SHA", default="", help="The head, instead of --pin.")
@click.option("--cache", type=click.Path(path_type=Path), metavar="FILE", help="Taken if there.")
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Written at the end.")
@click.option("--report", type=click.Path(path_type=Path), metavar="FILE", help="As JSON.")
@click.option("--config", "config_name", default="", metavar="PATH", help="In the base's tree.")
@click.option("--vectors-s", default=30.0, show_default=True, help="Seconds for missing vectors.")
@click.option("--memory-mb", default=6144, show_default=True, help="Address space.")
def index_command(  # noqa: PLR0913, PLR0917 - one for each option
    repository: Path,
    pin_file: Path | None,
    base: str,
    head: str,
    cache: Path | None,
    save: Path | None,
    report: Path | None,
    config_name: str,
    vectors_s: float,
    memory_mb: int,
) -> None:
    """Index the base and the head of a pull request in a process without rights or secrets.

    The report says whether a cache was used, and how many files were parsed and chunks embedded.
    """
    from sidelight_bot.sandbox.confine import confine  # noqa: PLC0415 - not on every system
    from sidelight_bot.sandbox.reach import folders_of  # noqa: PLC0415
    from sidelight_bot.sandbox.temporary import temporary_folder  # noqa: PLC0415

    repo = open_repository(repository.absolute())
    directory = index_directory(repo)
    directory.mkdir(parents=True, exist_ok=True)
    files = [path.absolute() for path in (pin_file, cache, save, report) if path]
    pin = read_pin(pin_file) if pin_file else None
    if pin is None:
        pin = Pin(0, repo.resolve_commit(base or "HEAD"), "", head and repo.resolve_commit(head))
    folders = {path.absolute().parent for path in (save, report) if path}
    with temporary_folder(directory) as temporary:
        confinement = confine(
            [*folders_of(repo), *(path.parent for path in files)],
            [directory, temporary, *folders],
            cpu_s=CPU_S,
            memory_bytes=memory_mb << 20,
        )
        done = index_pull(repo, pin, config_name, cache=cache, save=save, vectors_s=vectors_s)
        text = replace(done, confinement=confinement.holds).to_json()
        if report:
            report.write_text(text, "utf-8")
        click.echo(text, nl=False)


def index_pull(
    repo: Repository,
    pin: Pin,
    config_name: str = "",
    *,
    cache: Path | None = None,
    save: Path | None = None,
    vectors_s: float = 30.0,
    embedder: EmbedderSource | None = None,
) -> IndexReport:
    """Return what was done to index the pinned commits; words and names first, then vectors.

    A cache that is damaged or of another version is refused, and everything is built.
    """
    run = _Run()
    try:
        config = config_at(repo, pin.base, config_name)
    except ConfigError as error:
        run.problem(error)
        config = Config()
    place = Place(repo, index_directory(repo), config, embedder or EmbedderSource(config))
    below = pin.fork_point or pin.base
    with run.stage("restore"):
        _restore(place, cache, pin.base, run)
    with run.stage("base"):
        run.add(_or_anew(place, run, lambda: index_base(place, below)))
    views = [base_view(below)]
    if pin.head:
        with run.stage("head"):
            run.add(index_head(place, pin.head, pin.base))
        views.append(head_view(pin.head, pin.base))
    with run.stage("vectors"):
        run.embedded += _embed(place, vectors_s)
    if save:
        with run.stage("save"):
            _save(place, save, views)
    return _report(place, pin, run, views[-1])


def _restore(place: Place, cache: Path | None, base: str, run: _Run) -> None:
    """Take over a cache if there is one that is ours through and through."""
    if cache is None or not cache.is_file():
        return
    from sidelight.indexing.cachefile import import_cache  # noqa: PLC0415 - loads numpy
    from sidelight.store.database import Database  # noqa: PLC0415
    from sidelight.store.views import list_views  # noqa: PLC0415

    try:
        import_cache(place, cache)
    except SidelightError as error:
        run.cache = "refused"
        run.problem(error)
        return
    tree = place.repo.tree_of(base)
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        trees = {view.tree for view in list_views(connection)}
    run.cache = "hit" if tree in trees else "older"


def _or_anew(place: Place, run: _Run, build: Callable[[], RefreshReport]) -> RefreshReport:
    """Return what `build` did; an index that cannot be used is started over."""
    try:
        return build()
    except IndexStateError as error:
        from sidelight.indexing.maintenance import start_over  # noqa: PLC0415 - loads numpy

        run.problem(error)
        start_over(place)
        return build()


def _embed(place: Place, budget_s: float) -> int:
    """Make pending vectors while the time lasts; return how many were made."""
    from sidelight.indexing.vectors import (  # noqa: PLC0415 - loads the lock
        embed_pending,
        publish_if_due,
        worker_lock,
    )
    from sidelight.store.database import Database  # noqa: PLC0415
    from sidelight.store.views import pending_count  # noqa: PLC0415

    deadline = time.monotonic() + budget_s
    made = 0

    def look_at_clock(_stage: str, done: int, _total: int) -> None:
        nonlocal made
        made = done
        if time.monotonic() > deadline:
            raise _TimeSpentError("the time for vectors is spent")

    with Database.open(place.directory, place.identity) as database:
        with database.read() as connection:
            waiting = pending_count(connection)
        if not waiting or budget_s <= 0:
            return 0
        with worker_lock(place.directory):
            try:  # each batch is kept as soon as it is made
                made = embed_pending(place, database, Progress(look_at_clock))
            except _TimeSpentError:
                publish_if_due(database)
                return made
            publish_if_due(database)
    return made


def _save(place: Place, save: Path, views: list[str]) -> None:
    """Write the cache file with these views alone: others would pile up over the pushes."""
    from sidelight.indexing.cachefile import export_cache  # noqa: PLC0415 - loads numpy
    from sidelight.store.database import Database  # noqa: PLC0415
    from sidelight.store.views import list_views  # noqa: PLC0415
    from sidelight.store.writer import collect_garbage, drop_view  # noqa: PLC0415

    with Database.open(place.directory, place.identity) as database, database.write() as connection:
        for view in list_views(connection):
            if view.name not in views:
                drop_view(connection, view.name)
        collect_garbage(connection)
    save.parent.mkdir(parents=True, exist_ok=True)
    export_cache(place, save)


def _report(place: Place, pin: Pin, run: _Run, view_name: str) -> IndexReport:
    from sidelight.store.database import Database  # noqa: PLC0415
    from sidelight.store.reader import view_counts  # noqa: PLC0415
    from sidelight.store.views import find_view, pending_count  # noqa: PLC0415

    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        view = find_view(connection, view_name)
        files, chunks = view_counts(connection, view.id) if view else (0, 0)
        pending = pending_count(connection, view.id) if view else 0
    return IndexReport(
        state="partial" if pending else "current",
        cache=run.cache,
        base=pin.base,
        head=pin.head,
        files=files,
        chunks=chunks,
        changed=run.changed,
        parsed=run.parsed,
        embedded=run.embedded,
        pending=pending,
        seconds=run.seconds,
        problems=tuple(run.problems),
    )
