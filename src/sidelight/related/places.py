"""What a file's path says: named by changed lines, near the focal ones, of their kind. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from sidelight.focal import FocalSet
from sidelight.model import display_path
from sidelight.related.files import ViewFiles, path_bm25
from sidelight.search.pathkind import PathKind, path_kind
from sidelight.tokens import text_terms

LEAST_STEM = 3  # letters; shorter names are met by chance


def named_scores(files: ViewFiles, focal: FocalSet) -> NDArray[np.float64]:
    """Return 1 for files whose own name is an identifier of the changed lines, case folded."""
    words = {word.casefold() for word in (*focal.added, *focal.removed)}
    stems = [file_stem(path).casefold() for path in files.paths]
    named = [len(stem) >= LEAST_STEM and stem in words for stem in stems]
    return np.asarray(named, np.float64)


def beside_scores(files: ViewFiles, focal: Collection[bytes]) -> NDArray[np.float64]:
    """Return 1 / (1 + steps) from the nearest focal file's folder, up and down the tree."""
    up: dict[tuple[bytes, ...], int] = {}  # folder at or above a focal one → steps from there
    for path in focal:
        folder = _folder(path)
        for steps in range(len(folder) + 1):
            around = folder[: len(folder) - steps]
            up[around] = min(steps, up.get(around, steps))
    known: dict[bytes, float] = {}
    values = []
    for path in files.paths:
        name = path.rpartition(b"/")[0]
        if name not in known:
            known[name] = _nearness(_folder(path), up)
        values.append(known[name])
    return np.asarray(values, np.float64)


def path_likeness(files: ViewFiles, focal: Collection[bytes]) -> NDArray[np.float64]:
    """Return BM25 of the words of the focal paths against each path."""
    words: Counter[str] = Counter()
    for path in focal:
        words.update(text_terms(display_path(path)))
    return path_bm25(files, dict.fromkeys(sorted(words), 1.0))


def scope_scores(files: ViewFiles, scope: str) -> NDArray[np.float64]:
    """Return 1 for files whose path holds every term of the title's scope."""
    wanted = set(text_terms(scope)) if scope else set()
    if not wanted:
        return np.zeros(len(files), np.float64)
    held = np.ones(len(files), np.float64)
    for term in wanted:
        held[files.terms.counts(term) == 0] = 0.0
    return held


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


def file_stem(path: bytes) -> str:
    """Return a file's own name up to its first dot."""
    return display_path(path.rpartition(b"/")[2].partition(b".")[0])


def _folder(path: bytes) -> tuple[bytes, ...]:
    return tuple(path.split(b"/")[:-1])


def _nearness(folder: tuple[bytes, ...], up: Mapping[tuple[bytes, ...], int]) -> float:
    """Return 1 / (1 + steps): up to a folder that a focal one is in, and down from there."""
    ways = (
        down + up[folder[: len(folder) - down]]
        for down in range(len(folder) + 1)
        if folder[: len(folder) - down] in up
    )
    steps = min(ways, default=None)
    return 0.0 if steps is None else 1 / (1 + steps)
