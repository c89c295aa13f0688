"""Findings of a diff over an indexed view: opens what `find_all` asks, and closes it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sidelight.errors import IndexMissingError
from sidelight.findings.finding import ALL_KINDS, Ground
from sidelight.findings.model import FindingKind, Findings
from sidelight.findings.near import NearCode
from sidelight.findings.sides import open_sides
from sidelight.focal import FocalSet
from sidelight.git.blobs import BlobReader
from sidelight.history.log import CommitLog
from sidelight.history.past import History
from sidelight.indexing.place import Place
from sidelight.store.corpus import open_corpus
from sidelight.store.database import Database
from sidelight.store.past import open_history
from sidelight.store.snapshot import open_latest
from sidelight.store.views import find_view


@contextmanager
def open_ground(
    place: Place,
    view_name: str,
    focal: FocalSet,
    *,
    before: str | None = None,
    log: CommitLog | None = None,
) -> Iterator[Ground]:
    """Open a view for the findings of a diff; see `find_in_view`.

    Raises:
        IndexMissingError: there is no such view.
        IndexStateError, StorageError: see `Database.open`.
    """
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        view = find_view(connection, view_name)
        if view is None:
            name = view_name.removeprefix("rev/")
            raise IndexMissingError(
                f"{name} is not indexed", hint=f"run `sidelight index --rev {name}`"
            )
        corpus = open_corpus(connection, view, open_latest(database))
        with BlobReader(place.repo) as reader:
            sides = open_sides(connection, corpus, reader.read_many, focal)
            commit = before or view.commit

            def read_history() -> History:
                live = set(sides.head.paths())
                return open_history(connection, place.repo, commit, live=live, log=log)

            yield Ground(sides, NearCode(connection, corpus), read_history)


def find_in_view(
    place: Place,
    view_name: str,
    focal: FocalSet,
    *,
    before: str | None = None,
    kinds: frozenset[FindingKind] = ALL_KINDS,
    log: CommitLog | None = None,
) -> Findings:
    """Return the findings of a diff.

    The view may be of either side of the diff (`rev/<base>`, `rev/<head>`, the worktree's): what
    the diff changes is laid over it from `focal`. `before` is the commit (hex) whose past tells
    what usually changes together: the diff's base; by default the view's commit. `log` are the
    stored commits if the caller has read them (`RelatedResult.log`).

    Raises:
        IndexMissingError: there is no such view.
        IndexStateError, StorageError: see `Database.open`.
    """
    if not focal.paths:
        return Findings(notes=("the diff is empty",))
    with open_ground(place, view_name, focal, before=before, log=log) as ground:
        return ground.findings(kinds)
