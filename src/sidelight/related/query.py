"""The words of a diff, weighted by where they stand. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from sidelight.focal import FocalFile, FocalSet
from sidelight.git.diffs import Hunk, LineKind
from sidelight.model import ChangeKind
from sidelight.tokens import query_terms, text_terms

TITLE_WEIGHT = 3.0
CONTEXT_WEIGHT = 0.4
FREQUENCY_WEIGHT = 0.5  # of the logarithm of a changed word's frequency


def diff_terms(focal: FocalSet) -> dict[str, float]:
    """Return term → weight of the diff's changed lines, its context, and its title.

    A term of changed lines weighs 1 + .5 ln tf, and so does one of a name that a file lost; one of
    context lines and hunk headers alone .4; the title's terms (stop words out) 3 more. The weights
    are those of the study on real commits.
    """
    changed: Counter[str] = Counter()
    around: set[str] = set()
    for file in focal.files:
        changed.update(text_terms(lost_name(file)))
        for hunk in file.diff.hunks:
            changed.update(text_terms(_text(hunk, {LineKind.ADDED, LineKind.REMOVED})))
            around.update(text_terms(_text(hunk, {LineKind.CONTEXT})))
            around.update(text_terms(hunk.section.decode("utf-8", "replace")))
    weights = {term: 1.0 + FREQUENCY_WEIGHT * math.log(tf) for term, tf in changed.items()}
    for term in around - changed.keys():
        weights[term] = CONTEXT_WEIGHT
    for term in query_terms(focal.title) if focal.title.strip() else ():
        weights[term] = weights.get(term, 0.0) + TITLE_WEIGHT
    return weights


def keep_heaviest(
    weights: Mapping[str, float], idf: Mapping[str, float], most: int
) -> dict[str, float]:
    """Return the `most` terms with the largest weight times rarity; ties by term."""
    ranked = sorted(weights, key=lambda term: (-weights[term] * idf.get(term, 0.0), term))
    return {term: weights[term] for term in ranked[:most] if idf.get(term, 0.0) > 0}


def changed_identifiers(focal: FocalSet) -> dict[str, int]:
    """Return the identifiers of changed lines with their counts on both sides."""
    counts: Counter[str] = Counter(focal.added)
    counts.update(focal.removed)
    return dict(counts)


def lost_name(file: FocalFile) -> str:
    """Return the stem that a renamed or deleted file is not called by any more, "" if it is."""
    old = file.diff.change.old_path or file.path
    gone = not file.new_source or file.diff.change.kind is ChangeKind.RENAMED
    stem = old.rpartition(b"/")[2].partition(b".")[0]
    kept = file.path.rpartition(b"/")[2].partition(b".")[0] if file.new_source else b""
    return stem.decode("utf-8", "surrogateescape") if gone and stem != kept else ""


def _text(hunk: Hunk, kinds: Iterable[LineKind]) -> str:
    wanted = set(kinds)
    lines = (line.text for line in hunk.lines if line.kind in wanted)
    return b"\n".join(lines).decode("utf-8", "replace")
