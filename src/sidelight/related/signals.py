"""The signals that rank a view's files for a diff, each an array over its files, unscaled.

One function a signal; `rank` scales and adds them. History, the graph and texts come in as values.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sidelight.focal import FocalSet
from sidelight.history.past import CoChange, History
from sidelight.lexical import Bm25Parameters
from sidelight.related.definitions import Definition, definition_scores, find_definitions
from sidelight.related.evidence import GraphEvidence
from sidelight.related.files import ViewFiles, best_chunks, idf_of, path_bm25
from sidelight.related.places import (
    beside_scores,
    kind_scores,
    language_scores,
    named_scores,
    path_likeness,
    scope_scores,
)
from sidelight.related.query import changed_identifiers, diff_terms, keep_heaviest
from sidelight.related.sweeps import Overlap, compare_texts, read_removed
from sidelight.store.corpus import Corpus
from sidelight.tokens import query_terms

MAX_ASKED = 8_000  # terms of a huge diff whose rarity is looked up, the heaviest
MAX_TERMS = 400  # of these, the heaviest and rarest
READ_BY = {"mix": 32, "cochange": 12, "import_walk": 12, "message": 12, "uses": 12}  # texts read

ReadTexts = Callable[[Sequence[bytes]], Mapping[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Signals:
    """Every signal over the n files, (n,) each, with what reasons need besides.

    `rows` are BM25 scores of every row of the corpus; `definitions` the symbols of the view that
    have the name of a changed identifier; `cochange` what the history says by path, `evidence` what
    the graph does, and `overlaps` what removed code the texts hold that were read.
    """

    values: Mapping[str, NDArray[np.float64]]
    rows: NDArray[np.float32]
    definitions: Mapping[str, list[Definition]]
    idf: Mapping[str, float]
    cochange: Mapping[bytes, CoChange]
    evidence: GraphEvidence
    overlaps: Mapping[bytes, Overlap]


def read_signals(
    connection: sqlite3.Connection,
    corpus: Corpus,
    files: ViewFiles,
    focal: FocalSet,
    history: History | None,
    evidence: GraphEvidence,
    read_texts: ReadTexts,
    parameters: Bm25Parameters,
) -> Signals:
    """Return all signals of the diff; those of `history` or the graph are zero without it.

    Texts are read of a few files that other signals speak for; the rest have nothing of theirs.
    """
    weights = diff_terms(focal)
    if len(weights) > MAX_ASKED:
        ordered = sorted(weights, key=lambda term: (-weights[term], term))
        weights = {term: weights[term] for term in ordered[:MAX_ASKED]}
    idf = idf_of(corpus, weights)
    terms = keep_heaviest(weights, idf, MAX_TERMS)
    rows, mix = best_chunks(corpus, files, terms, parameters)
    title = dict.fromkeys(query_terms(focal.title), 1.0) if focal.title.strip() else {}
    definitions = find_definitions(connection, corpus.view.id, files, changed_identifiers(focal))
    paths = focal.paths
    cochange = history.cochange(paths) if history else {}
    messages = history.message_scores(title) if history and title else {}
    recent = history.recent_scores() if history else {}
    tests, others = kind_scores(files, focal)
    values = {
        "mix": mix.astype(np.float64),
        "message": _by_path(files, messages),
        "cochange": _by_path(files, {path: item.score for path, item in cochange.items()}),
        "title_path": path_bm25(files, title),
        "import_walk": _by_path(files, evidence.near),
        "uses": _by_path(files, evidence.use_scores()),
        "defines": definition_scores(definitions, idf, len(files)),
        "named": named_scores(files, focal),
        "path_like": path_likeness(files, paths),
        "beside": beside_scores(files, paths),
        "recent": _by_path(files, recent),
        "scope": scope_scores(files, focal.scope),
        "same_language": language_scores(files, focal),
        "test": tests,
        "off_kind": others,
    }
    read = read_texts(worth_reading(files, values, paths))
    overlaps = compare_texts(read_removed(focal), read)
    values |= {
        "swept": _by_path(files, {path: item.swept for path, item in overlaps.items()}),
        "gone": _by_path(files, {path: item.gone for path, item in overlaps.items()}),
        "copied": _by_path(files, {path: item.copied for path, item in overlaps.items()}),
    }
    return Signals(values, rows, definitions, idf, cochange, evidence, overlaps)


def worth_reading(
    files: ViewFiles, values: Mapping[str, NDArray[np.float64]], focal: frozenset[bytes]
) -> list[bytes]:
    """Return the paths outside the diff that lead by one of the telling signals, in path order."""
    outside = np.asarray([path not in focal for path in files.paths], np.bool_)
    chosen: set[int] = set()
    for name, count in READ_BY.items():
        scores = np.where(outside, np.round(values[name], 6), 0.0)
        best = np.argsort(-scores, kind="stable")[:count]
        chosen.update(int(index) for index in best if scores[index] > 0)
    return [files.paths[index] for index in sorted(chosen)]


def _by_path(files: ViewFiles, scores: Mapping[bytes, float]) -> NDArray[np.float64]:
    values = np.zeros(len(files), np.float64)
    for path, score in scores.items():
        at = files.position.get(path)
        if at is not None:
            values[at] = score
    return values
