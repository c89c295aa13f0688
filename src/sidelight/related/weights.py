"""The weights of the signals that order related files, with the evaluation that chose them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DiffWeights:
    """Each multiplies a signal that is min-max scaled over the files of one query.

    Chosen by a coordinate search as `sidelight eval tune` makes it, on signals of the cochange and
    prmerge cases that were collected once; `docs/evaluation.md` says what each is worth, and what
    weights give that never saw the repository they rank.
    """

    mix: float = 0.567  # BM25 of changed words, context and title over chunks
    message: float = 0.15  # the title against the subjects of commits that touched the file
    cochange: float = 0.16
    title_path: float = 0.10  # the title against the path
    import_walk: float = 0.16  # logarithm of the walk's share
    uses: float = 0.12  # of what the diff changes, bound by the code graph
    defines: float = 0.08  # defines identifiers of changed lines
    named: float = 0.12  # its own name is an identifier of changed lines
    path_like: float = 0.04  # words of the changed files' paths
    beside: float = 0.04  # lies near the changed files
    swept: float = 0.08  # runs of tokens that the diff removed
    gone: float = 0.03  # names that the diff removed altogether
    copied: float = 0.025  # lines of a changed file
    recent: float = 0.06
    scope: float = 0.05
    same_language: float = 0.20
    test: float = 0.15  # taken off tests, unless the diff is of tests; they still come before …
    off_kind: float = 0.40  # … docs, examples and the like, unless the diff is of these


DIFF = DiffWeights()
