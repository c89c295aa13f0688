"""Candidates become hits: one per overlapping range, one per set of copies."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sidelight.search.collapse import ALIKE, ALIKE_LEAST_TERMS, collapse
from sidelight.search.features import Candidate, order
from sidelight.store.reader import ChunkInfo
from sidelight.store.rows import TermSet, pack_terms


def candidate(
    chunk_id: int, path: str, first: int, last: int, score: float, language: str = "python"
) -> Candidate:
    place = (first * 10, last * 10 + 9, first, last)
    names = (path.encode(), b"", language, "definition", "f", "function")
    return Candidate(ChunkInfo(chunk_id, 0, 0, *names, *place, None, ""), score)


def words(*numbers: int) -> TermSet:
    return TermSet(pack_terms(dict.fromkeys(numbers, 1)))


MANY = words(*range(20))


def test_a_candidate_that_shares_lines_with_a_better_one_is_dropped() -> None:
    found = [candidate(1, "a.py", 1, 10, 0.9), candidate(2, "a.py", 10, 20, 0.8)]
    found += [candidate(3, "a.py", 11, 20, 0.7), candidate(4, "b.py", 1, 10, 0.6)]
    terms = {1: words(1), 2: words(2), 3: words(3), 4: words(4)}
    hits = collapse(found, 10, terms.__getitem__)
    assert [(h.path, h.span.start_line) for h in hits] == [
        (b"a.py", 1),
        (b"a.py", 11),
        (b"b.py", 1),
    ]


def test_copies_join_the_production_file_nearest_to_the_root_at_the_best_score() -> None:
    found = [
        candidate(1, "tests/fixtures/a.py", 1, 9, 0.9),
        candidate(2, "src/deep/a.py", 1, 9, 0.8),
    ]
    found.append(candidate(3, "src/a.py", 1, 9, 0.7))
    (hit,) = collapse(found, 10, lambda _: MANY)
    assert (hit.path, hit.score) == (b"src/a.py", 0.9)
    assert hit.alike == (b"src/deep/a.py", b"tests/fixtures/a.py")


def test_near_copies_count_as_copies_from_the_threshold_on() -> None:
    size = 100
    base = words(*range(size))
    for changed in range(20):
        other = words(*range(changed, size + changed))
        both = size - changed
        hits = collapse(
            [candidate(1, "a.py", 1, 9, 0.9), candidate(2, "b.py", 1, 9, 0.8)],
            10,
            {1: base, 2: other}.__getitem__,
        )
        assert len(hits) == (1 if both / (size + changed) >= ALIKE else 2)


def test_short_chunks_other_languages_and_the_same_file_are_never_copies() -> None:
    short = words(*range(ALIKE_LEAST_TERMS - 1))
    two = [candidate(1, "a.py", 1, 2, 0.9), candidate(2, "b.py", 1, 2, 0.8)]
    assert len(collapse(two, 10, lambda _: short)) == 2
    two = [candidate(1, "a.py", 1, 2, 0.9), candidate(2, "b.js", 1, 2, 0.8, "javascript")]
    assert len(collapse(two, 10, lambda _: MANY)) == 2
    two = [candidate(1, "a.py", 1, 2, 0.9), candidate(2, "a.py", 5, 6, 0.8)]
    assert len(collapse(two, 10, lambda _: MANY)) == 2


def test_a_hidden_copy_still_keeps_its_lines_to_itself() -> None:
    """The copy in the tests comes first, but the one in src is shown: nothing may overlap that."""
    found = [candidate(1, "tests/a.py", 1, 9, 0.9), candidate(2, "src/a.py", 1, 9, 0.8)]
    found.append(candidate(3, "src/a.py", 5, 15, 0.7))
    terms = {1: MANY, 2: MANY, 3: words(1, 2)}
    hits = collapse(found, 10, terms.__getitem__)
    assert [(h.path, h.span.start_line) for h in hits] == [(b"src/a.py", 1)]


CANDIDATES = st.lists(
    st.tuples(
        st.sampled_from(["a.py", "b.py", "src/c.py", "tests/a.py", "docs/d.md"]),
        st.integers(1, 30),
        st.integers(0, 12),
        st.integers(0, 20),
        st.integers(0, 3),
    ),
    max_size=40,
)


@given(CANDIDATES, st.integers(0, 12))
def test_hits_never_overlap_are_at_most_k_and_stay_in_order(
    rows: list[tuple[str, int, int, int, int]], k: int
) -> None:
    found, terms = [], {}
    for at, (path, first, length, score, group) in enumerate(rows):
        found.append(candidate(at, path, first, first + length, score / 20))
        terms[at] = words(*range(group * 100, group * 100 + 20)) if group else words(at)
    found.sort(key=order)
    hits = collapse(found, k, terms.__getitem__)
    assert len(hits) <= k
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for at, hit in enumerate(hits):
        assert hit.path not in hit.alike
        for other in hits[:at]:
            assert hit.path != other.path or not hit.span.overlaps_lines(other.span)
    if k and found:
        assert hits[0].score == round(found[0].score, 6)
