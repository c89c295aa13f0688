"""Metrics against formulas written another way, and the properties that any of them must have."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.fakes import span, target
from sidelight.evaluation.metrics import (
    METRICS,
    RankedSpan,
    accuracy,
    file_ranks,
    item_ranks,
    ndcg,
    recall,
    reciprocal_rank,
    score,
)

RANKS = st.lists(st.integers(1, 30), unique=True, max_size=8)
PATHS = st.sampled_from([f"{c}.py".encode() for c in "abcdef"])
HITS = st.lists(
    st.builds(
        lambda path, start, length, alike: RankedSpan(path, start, start + length, tuple(alike)),
        PATHS,
        st.integers(1, 40),
        st.integers(0, 20),
        st.lists(PATHS, max_size=2),
    ),
    max_size=15,
)


def textbook_ndcg(gains: list[int], n_relevant: int, k: int) -> float:
    """nDCG as Manning et al. write it, over a vector of gains, base-2 logarithms by division."""
    discounts = [1.0] + [math.log(2) / math.log(rank + 1) for rank in range(2, k + 1)]
    gain = math.fsum(g * d for g, d in zip(gains[:k], discounts, strict=False))
    best = max(
        math.fsum(g * d for g, d in zip(order, discounts, strict=False))
        for order in {tuple(sorted([1] * n_relevant + [0] * k, reverse=True))}
    )
    return gain / best


def test_ndcg_of_hand_calculated_lists() -> None:
    assert ndcg([1], 1, k=10) == 1.0
    assert ndcg([2], 1, k=10) == pytest.approx(0.6309297535714575)
    assert ndcg([1, 3], 2, k=10) == pytest.approx(1.5 / 1.6309297535714575)
    assert ndcg([11], 1, k=10) == 0.0
    assert ndcg([], 0, k=10) == 0.0


@given(RANKS, st.integers(0, 6), st.integers(1, 20))
def test_ndcg_equals_the_textbook(ranks: list[int], missing: int, k: int) -> None:
    n = len(ranks) + missing
    gains = [int(rank in ranks) for rank in range(1, 31)]
    expected = textbook_ndcg(gains, n, k) if n else 0.0
    assert ndcg(ranks, n, k=k) == pytest.approx(expected, abs=1e-12)


def test_best_order_is_the_only_one_that_reaches_one() -> None:
    perfect = [ranks for ranks in permutations(range(1, 5), 2) if ndcg(ranks, 2, k=3) == 1.0]
    assert {tuple(sorted(ranks)) for ranks in perfect} == {(1, 2)}


def test_recall_counts_what_lies_within_k() -> None:
    assert recall([1, 6, 30], 4, k=5) == 0.25
    assert recall([1, 6, 30], 4, k=10) == 0.5
    assert recall([], 0, k=5) == 0.0


def test_accuracy_asks_for_all_of_them() -> None:
    assert accuracy([1, 3], 2, k=3) == 1.0
    assert accuracy([1, 4], 2, k=3) == 0.0
    assert accuracy([1], 2, k=3) == 0.0


def test_reciprocal_rank_of_nothing_is_zero() -> None:
    assert reciprocal_rank([]) == 0.0
    assert reciprocal_rank([4, 2]) == 0.5


def test_file_takes_the_rank_of_its_best_hit_counted_in_files() -> None:
    hits = [span("a.py"), span("a.py", 20, 30), span("b.py"), span("a.py", 40, 50), span("c.py")]
    assert file_ranks(hits, {b"a.py", b"c.py", b"x.py"}) == {b"a.py": 1, b"c.py": 3}


def test_collapsed_copy_counts_at_its_hit() -> None:
    hits = [span("x.py"), span("deno/a.py", alike=("src/a.py",)), span("b.py")]
    assert file_ranks(hits, {b"src/a.py"}) == {b"src/a.py": 2}
    assert file_ranks(hits, {b"b.py"}) == {b"b.py": 3}


def test_copies_that_are_both_wanted_take_two_ranks() -> None:
    hits = [span("a.py", alike=("b.py",)), span("c.py")]
    assert file_ranks(hits, {b"a.py", b"b.py", b"c.py"}) == {b"a.py": 1, b"b.py": 2, b"c.py": 3}


def test_copy_that_a_later_hit_of_a_seen_file_shows_is_a_new_file() -> None:
    hits = [span("a.py"), span("b.py"), span("a.py", 20, 30, alike=("c.py",))]
    assert file_ranks(hits, {b"c.py"}) == {b"c.py": 3}


def test_item_is_hit_by_the_first_overlapping_hit() -> None:
    hits = [span("a.py", 1, 9), span("a.py", 10, 20), span("b.py", 1, 5)]
    assert item_ranks(hits, [target("a.py", (20, 25))]) == [2]
    assert item_ranks(hits, [target("a.py", (21, 25))]) == []
    assert item_ranks(hits, [target("b.py")]) == [3]
    assert item_ranks(hits, [target("a.py", (30, 31), (9, 9))]) == [1]


def test_items_that_share_a_hit_gain_once() -> None:
    hits = [span("a.py", 1, 9)]
    values = score(hits, [target("a.py", (1, 2)), target("a.py", (3, 4))])
    assert values["item_ndcg@10"] == pytest.approx(1 / (1 + 1 / math.log2(3)))
    assert values["ndcg@10"] == 1.0


def test_items_look_at_ten_hits_and_files_at_all() -> None:
    hits = [span("a.py", n, n) for n in range(1, 12)] + [span("b.py")]
    values = score(hits, [target("b.py")])
    assert values["item_ndcg@10"] == 0.0
    assert values["mrr"] == 0.5


def test_secondary_files_count_alike_but_accuracy_does_not_ask_for_them() -> None:
    values = score([span("a.py"), span("b.py")], [target("a.py")], [target("b.py")])
    assert values["ndcg@10"] == 1.0
    assert values["acc@1"] == 1.0
    only_secondary = score([span("b.py")], [target("a.py")], [target("b.py")])
    assert only_secondary["mrr"] == 1.0
    assert only_secondary["acc@10"] == 0.0


@given(HITS, st.sets(PATHS, min_size=1, max_size=4))
def test_every_metric_lies_between_zero_and_one(hits: list[RankedSpan], paths: set[bytes]) -> None:
    values = score(hits, [target(path.decode()) for path in sorted(paths)])
    assert tuple(values) == METRICS
    assert all(0.0 <= value <= 1.0 + 1e-12 for value in values.values())


@given(HITS, st.sets(PATHS, min_size=1, max_size=4))
def test_ranks_are_distinct_and_count_files(hits: list[RankedSpan], paths: set[bytes]) -> None:
    ranks = file_ranks(hits, paths)
    shown = {hit.path for hit in hits} | {path for hit in hits for path in hit.alike}
    assert set(ranks) == paths & shown
    assert len(set(ranks.values())) == len(ranks)
    assert all(1 <= rank <= len(shown) for rank in ranks.values())


@given(HITS, st.sets(PATHS, min_size=1, max_size=4))
def test_file_ranks_without_copies_equal_the_list_of_distinct_paths(
    hits: list[RankedSpan], paths: set[bytes]
) -> None:
    plain = [RankedSpan(hit.path, hit.start_line, hit.end_line) for hit in hits]
    order = list(dict.fromkeys(hit.path for hit in plain))
    assert file_ranks(plain, paths) == {p: order.index(p) + 1 for p in order if p in paths}


@given(HITS, st.sets(PATHS, min_size=1, max_size=3), st.integers(0, 14))
def test_an_unwanted_file_in_between_never_raises_a_metric(
    hits: list[RankedSpan], paths: set[bytes], n: int
) -> None:
    wanted = [target(path.decode()) for path in sorted(paths)]
    noise = RankedSpan(b"noise.py", 1, 1)
    before, after = score(hits, wanted), score([*hits[:n], noise, *hits[n:]], wanted)
    assert all(after[name] <= before[name] + 1e-12 for name in METRICS)
