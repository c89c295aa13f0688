"""The weights of the signals that order related files, with the evaluation that chose them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DiffWeights:
    """Each multiplies a signal that is min-max scaled over the files of one query.

    The start is the study's formula on commits of eleven repositories; `docs/evaluation.md` has
    what each is worth.
    """

    mix: float = 0.42  # BM25 of changed words, context and title over chunks
    message: float = 0.15  # the title against the subjects of commits that touched the file
    cochange: float = 0.16
    title_path: float = 0.10  # the title against the path
    import_walk: float = 0.08
    defines: float = 0.08  # defines identifiers of changed lines
    recent: float = 0.06
    scope: float = 0.05
    same_language: float = 0.05
    test: float = 0.20  # taken off tests, unless the diff is of tests; they still come before …
    off_kind: float = 0.40  # … docs, examples and the like, unless the diff is of these


DIFF = DiffWeights()
