"""The signals that rank a view's files for a diff, each an array over its files, unscaled.

One function a signal; `rank` scales and adds them. History and the graph come in as values.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sidelight.focal import FocalSet
from sidelight.history.past import CoChange, History
from sidelight.lexical import Bm25Parameters
from sidelight.related.definitions import Definition, definition_scores, find_definitions
from sidelight.related.files import ViewFiles, best_chunks, idf_of, path_bm25
from sidelight.related.query import changed_identifiers, diff_terms, keep_heaviest
from sidelight.search.pathkind import PathKind, path_kind
from sidelight.store.corpus import Corpus
from sidelight.tokens import query_terms, text_terms

MAX_TERMS = 400  # of a huge diff, the heaviest and rarest


@dataclass(frozen=True, slots=True)
class Signals:
    """Every signal over the n files, (n,) each, with what reasons need besides.

    `rows` are BM25 scores of every row of the corpus; `definitions` the symbols of the view that
    have the name of a changed identifier; `cochange` what the history says by path.
    """

    values: Mapping[str, NDArray[np.float64]]
    rows: NDArray[np.float32]
    definitions: Mapping[str, list[Definition]]
    idf: Mapping[str, float]
    cochange: Mapping[bytes, CoChange]


def read_signals(
    connection: sqlite3.Connection,
    corpus: Corpus,
    files: ViewFiles,
    focal: FocalSet,
    history: History | None,
    walk: Mapping[bytes, float],
    parameters: Bm25Parameters,
) -> Signals:
    """Return all signals of the diff; without `history` or `walk` theirs are zero."""
    weights = diff_terms(focal)
    idf = idf_of(corpus, weights)
    terms = keep_heaviest(weights, idf, MAX_TERMS)
    rows, mix = best_chunks(corpus, files, terms, parameters)
    title = dict.fromkeys(query_terms(focal.title), 1.0) if focal.title.strip() else {}
    definitions = find_definitions(connection, corpus.view.id, files, changed_identifiers(focal))
    focal_paths = focal.paths
    cochange = history.cochange(focal_paths) if history else {}
    messages = history.message_scores(title) if history and title else {}
    recent = history.recent_scores() if history else {}
    tests, others = kind_scores(files, focal)
    values = {
        "mix": mix.astype(np.float64),
        "message": _by_path(files, messages),
        "cochange": _by_path(files, {path: item.score for path, item in cochange.items()}),
        "title_path": path_bm25(files, title),
        "import_walk": _by_path(files, walk),
        "defines": definition_scores(definitions, idf, len(files)),
        "recent": _by_path(files, recent),
        "scope": scope_scores(files, focal.scope),
        "same_language": language_scores(files, focal),
        "test": tests,
        "off_kind": others,
    }
    return Signals(values, rows, definitions, idf, cochange)


def scope_scores(files: ViewFiles, scope: str) -> NDArray[np.float64]:
    """Return 1 for files whose path holds every term of the title's scope."""
    wanted = set(text_terms(scope)) if scope else set()
    if not wanted:
        return np.zeros(len(files), np.float64)
    return np.asarray([wanted <= own.keys() for own in files.path_terms], np.float64)


def kind_scores(
    files: ViewFiles, focal: FocalSet
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return 1 for tests, and 1 for other files that are no production code.

    Neither is marked if the diff's own files are all of that kind: a diff of tests asks for tests,
    one of examples for examples; both ask for production code.
    """
    own = {path_kind(path) for path in focal.paths}
    wanted = {PathKind.PRODUCTION} | (own if PathKind.PRODUCTION not in own else set())
    kinds = [path_kind(path) for path in files.paths]
    tests = [kind is PathKind.TEST and kind not in wanted for kind in kinds]
    others = [kind is not PathKind.TEST and kind not in wanted for kind in kinds]
    return np.asarray(tests, np.float64), np.asarray(others, np.float64)


def language_scores(files: ViewFiles, focal: FocalSet) -> NDArray[np.float64]:
    """Return 1 for files in a language of the diff."""
    own = {file.language for file in focal.files}
    return np.asarray([language in own for language in files.languages], np.float64)


def _by_path(files: ViewFiles, scores: Mapping[bytes, float]) -> NDArray[np.float64]:
    values = np.zeros(len(files), np.float64)
    for path, score in scores.items():
        at = files.position.get(path)
        if at is not None:
            values[at] = score
    return values
