"""The past of one commit, asked by paths of its tree. Pure: the newest commit's time is the clock.

Every sum runs over the commit's ancestors in one order, so equal histories give equal scores,
however and in whatever order they came into the index.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sidelight.history.companions import Companion, Touches, find_companions
from sidelight.history.identity import Identities
from sidelight.history.log import CommitLog
from sidelight.history.messages import MessageIndex, WeightedMessages, build_messages
from sidelight.history.parameters import (
    COCHANGE,
    COMPANIONS,
    MESSAGES,
    CoChangeParameters,
    Fading,
    MessageParameters,
)
from sidelight.history.pathterms import PathTerms, path_terms
from sidelight.history.rows import Edge

DAY_S = 86_400
RECENT_HALF_LIFE = 15  # commits; the study's
SCORE_DIGITS = 6  # scores tie at this precision, whatever the machine's exponential function
NOW_OF = 50  # newest commits whose latest time is "now": one wrong clock must not stay it for ever


@dataclass(frozen=True, slots=True)
class CoChange:
    """How a file changed together with the focal ones.

    `partner` is the focal file with which it did most often: `together` of the `of` commits that
    touched the partner touched both. `last_age_days` is the age of the newest commit that touched
    it and any focal file.
    """

    score: float
    partner: bytes
    together: int
    of: int
    last_age_days: float


class History:
    """A commit's past, and what it says of the files that are in its tree.

    `n_commits` counts the commit and its ancestors; `is_shallow` says that the clone is cut off
    and `is_limited` that older commits were left out. `n_missing` commits have not been read yet.
    """

    def __init__(
        self,
        log: CommitLog,
        past: NDArray[np.int64],
        live: Collection[bytes],
        *,
        n_missing: int = 0,
        terms: PathTerms | None = None,
    ) -> None:
        """Take the past as `CommitLog.past` gives it, and the paths of the tree.

        `terms` are those of the paths, sorted, if the caller has them.
        """
        edges = log.edges[past]
        self.n_commits = len(past)
        self.n_missing = n_missing
        self.is_shallow = bool((edges == Edge.SHALLOW).any())
        self.is_limited = bool((edges == Edge.LIMIT).any())
        self.log = log  # may serve other pasts, too
        self._number = {path: number for number, path in enumerate(log.paths)}
        self._live_paths = sorted(set(live))
        self._terms = terms
        self._is_live = np.zeros(len(log.paths), np.bool_)
        self._is_live[[self._number[p] for p in self._live_paths if p in self._number]] = True
        # Merges and empty commits say nothing, and do not count as "commits ago".
        self._past = past[log.n_files[past] > 0]
        self._n_files = log.n_files[self._past]
        now = int(log.times[past[:NOW_OF]].max(initial=0))
        self._age_days = np.maximum(now - log.times[self._past], 0) / DAY_S
        self._names = Identities(log, self._past, self._is_live)
        self._weighted: dict[MessageParameters, WeightedMessages] = {}

    def cochange(
        self,
        focal: Collection[bytes],
        *,
        limit: int | None = None,
        parameters: CoChangeParameters = COCHANGE,
    ) -> dict[bytes, CoChange]:
        """Return the files that changed together with any of `focal`, best first.

        score = log1p Σ fading(age) / log2(1 + files), over the commits of at most 30 files that
        touched the file and a focal one; for `fading` see `parameters`. Ties: path. A focal path
        need not be in the tree any more; paths that history does not know are ignored.
        """
        mine = self._rows_of(focal)
        if not len(mine):
            return {}
        small = self._n_files <= parameters.max_files
        touching = small & self._touching(mine)
        pick = touching[self._names.commits] & self._is_live[self._names.files]
        commits, files = self._names.commits[pick], self._names.files[pick]
        other = ~np.isin(files, mine)
        commits, files = commits[other], files[other]
        weights = self._faded(parameters.fading) / np.log2(1 + self._n_files)
        sums = np.bincount(files, weights[commits], len(self._is_live))
        scores = np.round(np.log1p(sums), SCORE_DIGITS)
        # Commits are ascending, the newest first: a file's first commit is its last change.
        order = np.argsort(files, kind="stable")
        starts = np.flatnonzero(np.diff(files[order], prepend=-1))
        first = order[starts]
        found = files[first]
        ages = dict(zip(found.tolist(), self._age_days[commits[first]].tolist(), strict=True))
        best = sorted(found.tolist(), key=lambda row: (-scores[row], self.log.paths[row]))[:limit]
        partners = self._partners(mine, commits, files, small, set(best))
        return {
            self.log.paths[row]: CoChange(float(scores[row]), *partners[row], ages[row])
            for row in best
        }

    def recent(self, path: bytes) -> float:
        """Return log1p Σ ½^(commits ago / 15) / √files over the commits that touched the path."""
        rows = self._rows_of([path])
        return float(self._recency[rows[0]]) if len(rows) else 0.0

    def recent_scores(self) -> dict[bytes, float]:
        """Return `recent` of every file of the tree that history knows, in path order."""
        scores = self._recency
        rows = np.flatnonzero(self._is_live & (scores > 0)).tolist()
        return {self.log.paths[row]: float(scores[row]) for row in rows}

    def n_changes(self, path: bytes) -> int:
        """Return how many commits touched the path, under any of its names."""
        rows = self._rows_of([path])
        return int((self._names.files == rows[0]).sum()) if len(rows) else 0

    def message_scores(
        self,
        terms: Mapping[str, float],
        *,
        among: Collection[bytes] | None = None,
        parameters: MessageParameters = MESSAGES,
    ) -> dict[bytes, float]:
        """Return the BM25 score of each file of the tree whose messages or path hold a term.

        With `among`, of these files alone; the scores are the same.

        A file's document is the subjects of the commits of at most 15 files that touched it, each
        counted less the older it is, and the terms of its path. `terms` are a title's with their
        weights (`tokens.query_terms`).
        """
        if parameters not in self._weighted:
            weights = self._faded(parameters.fading)
            self._weighted[parameters] = self._messages.weighted(weights, parameters)
        scores = self._weighted[parameters].score(terms)
        if among is not None:
            found = {path: float(scores[self._rows[path]]) for path in among if path in self._rows}
            return {path: score for path, score in found.items() if score > 0}
        rows = np.flatnonzero(scores > 0).tolist()
        return {self._live_paths[row]: float(scores[row]) for row in rows}

    def usual_companions(
        self,
        focal: Collection[bytes],
        *,
        min_support: int = COMPANIONS.min_support,
        min_confidence: float = COMPANIONS.min_confidence,
    ) -> list[Companion]:
        """Return files that usually change with a focal one and are not among `focal`.

        See `companions.find_companions`.
        """
        return find_companions(
            Touches(
                self._names.commits,
                self._names.files,
                self._n_files <= COCHANGE.max_files,
                self._age_days,
            ),
            self._rows_of(focal),
            self._is_live,
            self.log.paths,
            min_support=min_support,
            min_confidence=min_confidence,
        )

    @cached_property
    def _rows(self) -> dict[bytes, int]:
        return {path: row for row, path in enumerate(self._live_paths)}

    @cached_property
    def _messages(self) -> MessageIndex:
        terms = self._terms or path_terms(self._live_paths)
        return build_messages(
            self.log, self._past, self._names, self._live_paths, self._number, terms
        )

    @cached_property
    def _recency(self) -> NDArray[np.float64]:
        ago = np.arange(len(self._past))
        weights = np.exp2(-ago / RECENT_HALF_LIFE) / np.sqrt(self._n_files)
        sums = np.bincount(self._names.files, weights[self._names.commits], len(self._is_live))
        return np.asarray(np.round(np.log1p(sums), SCORE_DIGITS), np.float64)

    def _faded(self, fading: Fading) -> NDArray[np.float64]:
        """Return the weight of each commit of the past by its age."""
        rest = np.exp2(-self._age_days / fading.half_life_days)
        return np.asarray(fading.old_share + (1 - fading.old_share) * rest, np.float64)

    def _rows_of(self, paths: Collection[bytes]) -> NDArray[np.int64]:
        numbers = {self._number[path] for path in paths if path in self._number}
        return np.asarray(sorted({self._names.present(number) for number in numbers}), np.int64)

    def _touching(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which commits of the past touched any of the files."""
        mask = np.zeros(len(self._past), np.bool_)
        mask[self._names.commits[np.isin(self._names.files, rows)]] = True
        return mask

    def _partners(
        self,
        focal: NDArray[np.int64],
        commits: NDArray[np.int64],
        files: NDArray[np.int64],
        small: NDArray[np.bool_],
        wanted: set[int],
    ) -> dict[int, tuple[bytes, int, int]]:
        """Return (focal path, together, of) by file: with which most often, then the least `of`."""
        best: dict[int, tuple[int, int, bytes]] = {}
        for row in focal.tolist():
            touched = small & self._touching(np.asarray([row]))
            of, name = int(touched.sum()), self.log.paths[row]
            together = np.bincount(files[touched[commits]], minlength=len(self._is_live))
            for file in wanted.intersection(np.flatnonzero(together).tolist()):
                rank = (-int(together[file]), of, name)
                if file not in best or rank < best[file]:
                    best[file] = rank
        return {file: (name, -less, of) for file, (less, of, name) in best.items()}
