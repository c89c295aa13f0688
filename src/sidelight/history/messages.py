"""Commit messages as an index of intent: BM25 of a title against each file's subjects. Arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sidelight.history.identity import Identities
from sidelight.history.log import CommitLog, Lists
from sidelight.history.pathterms import path_terms
from sidelight.history.rows import MAX_MESSAGE_FILES, short_hash
from sidelight.lexical import Bm25Parameters, QueryPostings, score_bm25

MESSAGE_BM25 = Bm25Parameters(k1=1.5, b=0.5)  # the study's
MAX_TF = 0xFFFF


@dataclass(frozen=True, slots=True)
class MessageIndex:
    """One document a file of the tree, n in all: subjects of its commits, and its path's terms.

    `subjects` has the terms of each of the c commits, `files` the documents each of them belongs
    to; `paths` the terms of each document's path. `lengths` (n,) counts both.
    """

    subjects: Lists
    files: Lists
    paths: Lists
    lengths: NDArray[np.int32]

    def score(self, terms: Mapping[str, float]) -> NDArray[np.float32]:
        """Return each document's BM25 score for weighted terms, (n,)."""
        hashes: dict[int, float] = {}
        for term, weight in terms.items():
            hashes[short_hash(term)] = hashes.get(short_hash(term), 0.0) + weight
        subject_owner, path_owner = self.subjects.owners(), self.paths.owners()
        postings = []
        for value, weight in hashes.items():
            commits = subject_owner[self.subjects.items == value]
            rows = self.files.take(commits).items
            rows = np.append(rows, path_owner[self.paths.items == value])
            tfs = np.bincount(rows, minlength=len(self.lengths))
            held = np.flatnonzero(tfs)
            if len(held):
                counts = np.minimum(tfs[held], MAX_TF).astype(np.uint16)
                postings.append(QueryPostings(weight, held.astype(np.int32), counts))
        n = len(self.lengths)
        mean = float(self.lengths.mean()) if n else 1.0
        return score_bm25(postings, self.lengths, n, mean or 1.0, MESSAGE_BM25)


def build_messages(
    log: CommitLog,
    past: NDArray[np.int64],
    names: Identities,
    live_paths: Sequence[bytes],
    number: Mapping[bytes, int],
) -> MessageIndex:
    """Return the index of one past over the paths of a tree."""
    document = np.full(len(log.paths), -1, np.int64)
    for row, path in enumerate(live_paths):
        if path in number:
            document[number[path]] = row
    rows = document[names.files]
    keep = (rows >= 0) & (log.n_files[past][names.commits] <= MAX_MESSAGE_FILES)
    commits, rows = names.commits[keep], rows[keep]
    counts = np.bincount(commits, minlength=len(past))
    files = Lists(rows, np.append(0, np.cumsum(counts)).astype(np.int64))
    subjects = log.terms.take(past)
    paths = path_terms(live_paths)
    lengths = np.bincount(rows, subjects.lengths[commits], len(live_paths)) + paths.lengths
    return MessageIndex(subjects, files, paths, lengths.astype(np.int32))
