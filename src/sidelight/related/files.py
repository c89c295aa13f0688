"""The files of a view as aligned arrays, and what BM25 says of each for weighted terms."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sidelight.history.pathterms import PathTerms, path_terms
from sidelight.lexical import Bm25Parameters
from sidelight.store.corpus import Corpus, document_frequency, score_rows
from sidelight.store.reader import view_documents
from sidelight.tokens import term_hash


@dataclass(frozen=True, slots=True)
class ViewFiles:
    """The n indexed files of a view in path order; `at` maps a document id to its position.

    `terms` are those of the paths.
    """

    paths: tuple[bytes, ...]
    languages: tuple[str, ...]
    blobs: tuple[str, ...]
    documents: NDArray[np.int64]
    position: dict[bytes, int]
    at: NDArray[np.int64]
    terms: PathTerms

    def __len__(self) -> int:
        return len(self.paths)


def read_files(connection: sqlite3.Connection, corpus: Corpus) -> ViewFiles:
    """Return the view's files that have chunks (empty ones have none)."""
    with_chunks = set(corpus.docs[corpus.live].tolist())
    rows = [row for row in view_documents(connection, corpus.view.id) if row[0] in with_chunks]
    documents = np.asarray([row[0] for row in rows], np.int64)
    highest = max(int(documents.max(initial=0)), int(corpus.docs.max(initial=0)))
    at = np.full(highest + 1, -1, np.int64)
    at[documents] = np.arange(len(rows))
    paths = tuple(row[1] for row in rows)
    blobs = dict(
        connection.execute("SELECT path, hex(blob) FROM file WHERE view_id = ?", (corpus.view.id,))
    )
    return ViewFiles(
        paths=paths,
        languages=tuple(row[2] for row in rows),
        blobs=tuple(blobs[row[1]].lower() for row in rows),
        documents=documents,
        position={path: index for index, path in enumerate(paths)},
        at=at,
        terms=path_terms(paths),
    )


def idf_of(corpus: Corpus, terms: Mapping[str, float]) -> dict[str, float]:
    """Return ln(1 + (N - df + .5) / (df + .5)) of each term over the view's chunks; 0 if absent."""
    found = {}
    for term in terms:
        frequency = document_frequency(corpus, term_hash(term))
        rarity = math.log(1 + (corpus.n_live - frequency + 0.5) / (frequency + 0.5))
        found[term] = rarity if frequency else 0.0
    return found


def best_chunks(
    corpus: Corpus, files: ViewFiles, terms: Mapping[str, float], parameters: Bm25Parameters
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return (every row's score, (rows,)) and (every file's best chunk's score, (n,))."""
    hashed = {term_hash(term): weight for term, weight in terms.items()}
    scores = score_rows(corpus, hashed, parameters)
    rows = np.flatnonzero((scores > 0) & corpus.live)
    best = np.zeros(len(files), np.float32)
    np.maximum.at(best, files.at[corpus.docs[rows]], scores[rows])
    return scores, best


def path_bm25(
    files: ViewFiles, terms: Mapping[str, float], *, k1: float = 1.5, b: float = 0.3
) -> NDArray[np.float64]:
    """Return BM25 (Lucene's) of weighted terms over the paths alone, (n,)."""
    scores = np.zeros(len(files), np.float64)
    lengths = files.terms.lists.lengths.astype(np.float64)
    mean = (float(lengths.mean()) if len(lengths) else 1.0) or 1.0
    for term, weight in terms.items():
        counts = files.terms.counts(term)
        rows = np.flatnonzero(counts)
        if len(rows):
            tf = counts[rows].astype(np.float64)
            idf = math.log(1 + (len(files) - len(rows) + 0.5) / (len(rows) + 0.5))
            scores[rows] += weight * idf * tf / (tf + k1 * (1 - b + b * lengths[rows] / mean))
    return scores


def min_max(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the values scaled to [0, 1]; all 0 if they do not differ."""
    wide = values.astype(np.float64)
    low, high = float(wide.min(initial=0.0)), float(wide.max(initial=0.0))
    return (wide - low) / (high - low) if high > low else np.zeros(len(wide), np.float64)
