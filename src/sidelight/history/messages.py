"""Commit messages as an index of intent: BM25 of a title against each file's subjects. Arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sidelight.history.identity import Identities
from sidelight.history.log import CommitLog, Lists
from sidelight.history.parameters import MessageParameters
from sidelight.history.pathterms import PathTerms
from sidelight.history.rows import MAX_MESSAGE_FILES, short_hash
from sidelight.lexical import (
    Bm25Parameters,
    KeptScores,
    QueryPostings,
    ScoredPostings,
    score_term,
    sum_scores,
)

UNIT = 256  # a commit's weight is counted in these parts: whole numbers are the same everywhere
MAX_TF = 0xFFFF
MAX_LENGTH = 0x7FFF_FFFF


@dataclass(frozen=True, slots=True)
class MessageIndex:
    """One document a file of the tree, n in all: subjects of its commits, and its path's terms.

    `subjects` has the terms of each of the c commits, `files` the documents each of them belongs
    to; `paths` the terms of each document's path.
    """

    subjects: Lists
    files: Lists
    paths: Lists

    def weighted(
        self, weights: NDArray[np.float64], parameters: MessageParameters
    ) -> WeightedMessages:
        """Return the index with commits weighing (c,) `weights`: many titles can be scored by it.

        Frequencies and lengths are in 1/256 of an occurrence, and k1 with them, which leaves BM25
        as it is: tf / (k1 · length + tf).
        """
        n = len(self.paths.offsets) - 1
        units = np.round(weights * UNIT).astype(np.int64)
        path_units = UNIT * parameters.path_weight
        sizes = (units * self.subjects.lengths)[self.files.owners()]
        lengths = np.bincount(self.files.items, sizes, n) + path_units * self.paths.lengths
        return WeightedMessages(
            subjects=_invert(self.subjects),
            files=self.files,
            paths=_invert(self.paths),
            units=units,
            path_units=path_units,
            lengths=np.minimum(lengths, MAX_LENGTH).astype(np.int32),
            mean=(float(lengths.mean()) if n else 1.0) or 1.0,
            bm25=Bm25Parameters(k1=parameters.k1 * UNIT, b=parameters.b),
        )


@dataclass(frozen=True, slots=True)
class WeightedMessages:
    """A `MessageIndex` with its commits' weights, by term; see `MessageIndex.weighted`."""

    subjects: Inverted
    files: Lists
    paths: Inverted
    units: NDArray[np.int64]
    path_units: int
    lengths: NDArray[np.int32]
    mean: float
    bm25: Bm25Parameters
    kept: KeptScores = field(default_factory=KeptScores)

    def score(self, terms: Mapping[str, float]) -> NDArray[np.float32]:
        """Return each document's BM25 score for weighted terms, (n,)."""
        n = len(self.lengths)
        hashes: dict[int, float] = {}
        for term, weight in terms.items():
            hashes[short_hash(term)] = hashes.get(short_hash(term), 0.0) + weight
        scored = []
        for value, weight in hashes.items():
            commits, paths = self.subjects.owners_of(value), self.paths.owners_of(value)
            if len(commits) or len(paths):
                key = (value, weight)
                scored.append(self.kept.get(key, partial(self._score, commits, paths, weight)))
        return sum_scores([item for item in scored if len(item.rows)], n, self.bm25)

    def _score(
        self, commits: NDArray[np.int64], paths: NDArray[np.int64], weight: float
    ) -> ScoredPostings:
        """Return a term's share of the scores of the documents that hold it."""
        n = len(self.lengths)
        tfs = np.zeros(n)
        if len(commits):
            touched = self.files.take(commits)
            tfs += np.bincount(touched.items, self.units[commits][touched.owners()], n)
        tfs += self.path_units * np.bincount(paths, minlength=n)
        held = np.flatnonzero(tfs)
        counts = np.minimum(tfs[held], MAX_TF).astype(np.uint16)
        term = QueryPostings(weight, held.astype(np.int32), counts)
        return score_term(term, self.lengths, n, self.mean, self.bm25)


@dataclass(frozen=True, slots=True)
class Inverted:
    """The items of many lists, ascending, each with the number of its list."""

    items: NDArray[np.int64]
    owners: NDArray[np.int64]

    def owners_of(self, value: int) -> NDArray[np.int64]:
        """Return the numbers of the lists that hold the value, ascending, repeats included."""
        first, last = np.searchsorted(self.items, (value, value + 1))
        return self.owners[first:last]


def _invert(lists: Lists) -> Inverted:
    order = np.argsort(lists.items, kind="stable")
    return Inverted(lists.items[order], lists.owners()[order])


def build_messages(
    log: CommitLog,
    past: NDArray[np.int64],
    names: Identities,
    live_paths: Sequence[bytes],
    number: Mapping[bytes, int],
    terms: PathTerms,
) -> MessageIndex:
    """Return the index of one past over the paths of a tree, with the terms of these."""
    document = np.full(len(log.paths), -1, np.int64)
    for row, path in enumerate(live_paths):
        if path in number:
            document[number[path]] = row
    rows = document[names.files]
    keep = (rows >= 0) & (log.n_files[past][names.commits] <= MAX_MESSAGE_FILES)
    counts = np.bincount(names.commits[keep], minlength=len(past))
    files = Lists(rows[keep], np.append(0, np.cumsum(counts)).astype(np.int64))
    subjects = log.terms.take(past)
    return MessageIndex(subjects, files, terms.hashed())
