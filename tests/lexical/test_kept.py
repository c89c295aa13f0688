"""Scored postings are kept within a bound, the longest unused ones dropped."""

from __future__ import annotations

import numpy as np

from sidelight.lexical import KeptScores, ScoredPostings


def postings(size: int) -> ScoredPostings:
    return ScoredPostings(np.arange(size, dtype=np.int32), np.ones(size, np.float32))


def test_a_known_key_is_not_scored_again_and_the_longest_unused_goes() -> None:
    asked: list[str] = []
    kept = KeptScores(most_postings=10)

    def ask(key: str) -> ScoredPostings:
        def score() -> ScoredPostings:
            asked.append(key)
            return postings(4)

        return kept.get(key, score)

    for key in ("a", "b", "a", "c", "a", "b"):
        assert len(ask(key).rows) == 4
    assert asked == ["a", "b", "c", "b"]  # "c" came when only two fit: "b" had waited longest


def test_one_answer_larger_than_the_bound_is_kept_alone() -> None:
    kept = KeptScores(most_postings=3)
    big = kept.get("big", lambda: postings(8))
    assert kept.get("big", lambda: postings(1)) is big
