"""The pure parts of the signals: removed code in other texts, places, the choice of lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sidelight.model import Hit, Span
from sidelight.related.reasons import telling_words
from sidelight.related.spans import Clues, Collapsing, choose_chunk
from sidelight.related.sweeps import Removed, compare_texts, holds
from sidelight.store.reader import ChunkInfo

OLD = (b"self", b".", b"assertEqual")


def removed(lines: dict[bytes, frozenset[bytes]] | None = None) -> Removed:
    return Removed(frozenset({OLD}), frozenset({b"ancient"}), lines or {})


def test_a_text_that_still_has_the_removed_idiom_is_swept() -> None:
    texts = {b"a": b"self.assertEqual(1, 2)", b"b": b"assert 1 == 2", b"c": b"use(ancient)"}
    found = compare_texts(removed(), texts)
    assert found[b"a"].swept > 0
    assert found[b"a"].grams == (OLD,)
    assert found[b"b"].swept == found[b"b"].gone == 0
    assert found[b"c"].names == (b"ancient",)
    assert holds(b"x = self.assertEqual", found[b"a"])
    assert not holds(b"x = assertEqual", found[b"a"])


def test_what_fewer_texts_hold_weighs_more() -> None:
    everywhere = {b"%d" % n: b"self.assertEqual" for n in range(5)}
    rare = {**{b"%d" % n: b"" for n in range(5)}, b"0": b"self.assertEqual"}
    both = [compare_texts(removed(), texts)[b"0"].swept for texts in (everywhere, rare)]
    assert both[0] < both[1]


@given(st.frozensets(st.sampled_from([b"line %d" % n for n in range(9)])))
def test_copied_is_the_jaccard_of_lines(own: frozenset[bytes]) -> None:
    original = frozenset({b"line 1", b"line 2", b"line 3"})
    found = compare_texts(removed({b"f": original}), {b"c": b"\n".join(sorted(own))})[b"c"]
    union = own | original
    assert found.copied == len(own & original) / len(union)
    assert (found.copy_of == b"f") == bool(own & original)


def chunk(number: int, first: int, last: int, kind: str = "function") -> ChunkInfo:
    place = (first * 10, last * 10 + 10, first, last)
    return ChunkInfo(number, 1, number, b"p", b"", "python", kind, "", None, *place, None, "")


def test_clues_decide_between_near_chunks_and_not_between_far_ones() -> None:
    chunks = [chunk(0, 1, 5), chunk(1, 6, 9), chunk(2, 10, 20)]
    assert choose_chunk(chunks, [1.0, 0.9, 0.1], Clues()) == 0
    assert choose_chunk(chunks, [1.0, 0.9, 0.1], Clues(used_at=[7])) == 1
    assert choose_chunk(chunks, [1.0, 0.9, 0.1], Clues(defined_at=[61])) == 1
    assert choose_chunk(chunks, [1.0, 0.9, 0.1], Clues(used_at=[12])) == 0
    assert choose_chunk(chunks, [1.0, 0.9, 0.1], Clues(is_swept=lambda a, _b: a == 60)) == 1


def test_an_overview_yields_to_code_of_the_same_score() -> None:
    chunks = [chunk(0, 1, 5, "overview"), chunk(1, 6, 9)]
    assert choose_chunk(chunks, [1.0, 1.0], Clues()) == 1
    assert choose_chunk(chunks, [1.0, 0.5], Clues()) == 0


def hit(path: bytes, score: float) -> Hit:
    return Hit(path, Span(0, 1, 1, 1), "", "function", "python", score, ())


def test_collapsing_joins_copies_and_stops_at_k() -> None:
    terms = frozenset(range(20))
    collapsing = Collapsing(2)
    collapsing.add(hit(b"a", 3.0), terms)
    collapsing.add(hit(b"b", 2.0), terms | {99})
    assert not collapsing.is_full
    collapsing.add(hit(b"c", 1.0), frozenset(range(50, 70)))
    assert collapsing.is_full
    assert [(h.path, h.alike) for h in collapsing.hits()] == [(b"a", (b"b",)), (b"c", ())]


def test_short_chunks_are_not_copies() -> None:
    collapsing = Collapsing(5)
    collapsing.add(hit(b"a", 3.0), frozenset(range(5)))
    collapsing.add(hit(b"b", 2.0), frozenset(range(5)))
    assert len(collapsing.hits()) == 2


def test_words_are_told_whole_and_trifles_are_not() -> None:
    terms = dict.fromkeys(["enabled", "enabl", "any", "ani", "e", "etag", "7"], 1.0)
    idf = {"etag": 9.0, "enabl": 5.0, "ani": 4.0, "e": 3.0, "7": 2.0}
    assert telling_words(terms, idf, ["7", "ani", "e", "enabl", "etag"]) == ["etag", "enabled"]
