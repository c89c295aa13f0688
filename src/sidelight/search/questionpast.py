"""What the commit messages say of files for a question: a view's past, opened once and kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from sidelight.errors import GitError
from sidelight.git.repository import Repository
from sidelight.store.history import history_stamp
from sidelight.store.reader import view_documents
from sidelight.store.views import ViewInfo

if TYPE_CHECKING:
    from sidelight.history.past import History

MOST_COMMITS = 30_000  # reading 14,500 takes .16 s, and a search from a cold start has .8 s


class QuestionPast:
    """The past of whatever view is asked about; nothing is read before the first question."""

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._history: History | None = None
        self._key: tuple[int, ...] = ()

    def prepare(self, connection: sqlite3.Connection, view: ViewInfo) -> None:
        """Read the view's past now if it has not been read; for moments that are idle."""
        self._current(connection, view)

    def message_scores(
        self,
        connection: sqlite3.Connection,
        view: ViewInfo,
        terms: Mapping[str, float],
        among: Collection[bytes],
    ) -> dict[bytes, float]:
        """Return the BM25 scores of those files for weighted terms, by `History.message_scores`.

        Empty if no commit has been read, git does not know the view's, or there are too many.

        Raises:
            DamagedIndexError: a row is not what we write.
        """
        history = self._current(connection, view) if terms else None
        return history.message_scores(terms, among=among) if history else {}

    def recent_scores(
        self, connection: sqlite3.Connection, view: ViewInfo, among: Collection[bytes]
    ) -> dict[bytes, float]:
        """Return how much was done lately in those files, by `History.recent`; see above."""
        history = self._current(connection, view)
        return {path: history.recent(path) for path in among} if history else {}

    def _current(self, connection: sqlite3.Connection, view: ViewInfo) -> History | None:
        stamp = history_stamp(connection)
        if not 1 < stamp <= MOST_COMMITS:
            return None
        key = (view.id, view.generation, stamp)
        if key != self._key:
            self._history, self._key = self._open(connection, view), key
        return self._history

    def _open(self, connection: sqlite3.Connection, view: ViewInfo) -> History | None:
        from sidelight.store.past import open_history  # noqa: PLC0415 - names need no history

        live = {path for _, path, _ in view_documents(connection, view.id)}
        try:
            return open_history(connection, self._repo, view.commit, live=live)
        except GitError:  # the index was brought here, and the commit was not
            return None
