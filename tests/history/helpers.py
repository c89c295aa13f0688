"""An index that holds history only, and comparison of what it says with the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from history.naive import Naive
from sidelight.git.repository import Repository, open_repository
from sidelight.history.parameters import STUDY_COCHANGE, STUDY_MESSAGES
from sidelight.history.past import History
from sidelight.indexing.history import HistoryUpdate, update_history
from sidelight.store.database import Database, Identity
from sidelight.store.past import open_history
from sidelight.store.views import ViewState
from sidelight.store.writer import update_view
from sidelight.tokens import query_terms

TITLES = ("Fix token parser", "Refactor the render queue", "userSession retry.py", "修正", "tests")


class Archive:
    """One index folder for the history of a repository."""

    def __init__(self, repo: GitRepo, folder: Path) -> None:
        self.made = repo
        self.database = Database.open(folder, Identity("pipeline", "model"), create=True)

    @property
    def repo(self) -> Repository:
        """The repository as it is now: clones may have been deepened."""
        return open_repository(self.made.path)

    def update(self, rev: str = "HEAD", *, wait: bool = True) -> HistoryUpdate:
        """Read what is new of a revision's past, as `sidelight index` or a hook (`wait` False)."""
        return update_history(self.repo, self.database, self.resolve(rev), wait=wait)

    def view(self, name: str, rev: str) -> None:
        """Let a view show a revision."""
        state = ViewState(self.made.tree(rev), self.resolve(rev), "")
        with self.database.write() as connection:
            update_view(connection, name, state, upserts=())

    def open(self, rev: str = "HEAD") -> History:
        """Return the past of a revision over the paths of its tree."""
        listed = self.made.git_bytes("ls-tree", "-r", "-z", "--name-only", "--full-tree", rev)
        paths = listed.split(b"\0")[:-1]
        return open_history(self.database.connection, self.repo, self.resolve(rev), live=set(paths))

    def rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Return the rows of a question to the database."""
        return self.database.connection.execute(sql, values).fetchall()

    def commits(self) -> set[str]:
        """Return the stored commits."""
        return {bytes(row[0]).hex() for row in self.rows("SELECT oid FROM history_commit")}  # type: ignore[call-overload]

    def resolve(self, rev: str) -> str:
        """Return the commit of a revision."""
        return self.made.git("rev-parse", "--verify", f"{rev}^{{commit}}")


def assert_equals_oracle(archive: Archive, rev: str = "HEAD") -> None:
    """Compare every answer over one revision with the oracle's."""
    past, naive = archive.open(rev), Naive(archive.made, rev)
    assert (past.n_commits, past.n_missing) == (naive.n_commits, 0)
    assert past.recent_scores() == pytest.approx(naive.recent(), abs=2e-6)
    names = sorted(naive.live | naive.known())
    for focal in (*([name] for name in names), names[:3], names[-4:]):
        assert_cochange(past, naive, focal)
    for support, confidence in ((1, 0.3), (2, 0.6), (3, 1.0)):
        found = past.usual_companions(names[:5], min_support=support, min_confidence=confidence)
        assert {(c.path, c.focal, c.together, c.of) for c in found} == naive.companions(
            names[:5], support, confidence
        )
    for title in TITLES:
        terms = {term: float(n) for term, n in query_terms(title).items()}
        expected = naive.messages(terms)
        assert past.message_scores(terms) == pytest.approx(expected, rel=1e-4, abs=1e-5)
        some = set(sorted(expected)[::2]) | {b"no/such/file"}
        own = past.message_scores(terms)
        assert past.message_scores(terms, among=some) == {p: own[p] for p in some & own.keys()}
        found = past.message_scores(terms, parameters=STUDY_MESSAGES)
        expected = naive.messages(terms, share=1, k1=1.5, b=0.5, path_weight=1)
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-5)


def assert_cochange(past: History, naive: Naive, focal: Sequence[bytes]) -> None:
    """Compare scores, counts and ages for one focal set."""
    studied = past.cochange(focal, parameters=STUDY_COCHANGE)
    scores = {path: item[0] for path, item in naive.cochange(focal, 365, 0.3).items()}
    assert {p: item.score for p, item in studied.items()} == pytest.approx(scores, abs=2e-6)
    found, expected = past.cochange(focal), naive.cochange(focal)
    assert found.keys() == expected.keys()
    for path, (score, together, of, age) in expected.items():
        got = found[path]
        assert (got.score, got.last_age_days) == pytest.approx((score, age), abs=2e-6)
        assert (got.together, got.of) == (together, of)
        assert naive.present(got.partner) in {naive.present(name) for name in focal}
    order = [(-item.score, path) for path, item in found.items()]
    assert order == sorted(order)
