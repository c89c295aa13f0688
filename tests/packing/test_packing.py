"""Packing keeps to its budget and loses no line, whatever it is given."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight.packing.counting import count_tokens
from sidelight.packing.layout import merge_lines
from sidelight.packing.model import Lines, Order, Piece, Role, SourceFile
from sidelight.packing.ordering import arrange
from sidelight.packing.render import render_sources
from sidelight.packing.select import PackOptions, pack

FILE = SourceFile(
    path=b"src/a.py",
    blob="0" * 40,
    language="python",
    lines=tuple(f"value_{i} = compute({i}, other={i * 7})" for i in range(1, 121)),
)
RANGES = st.tuples(st.integers(1, 120), st.integers(0, 30)).map(
    lambda pair: Lines(pair[0], min(120, pair[0] + pair[1]))
)
PIECES = st.lists(
    st.builds(
        lambda lines, score: Piece(FILE.path, lines, score, Role.HIT),
        RANGES,
        st.floats(0.0, 1.0),
    ),
    max_size=12,
)


@settings(max_examples=80, deadline=None)
@given(pieces=PIECES, budget=st.integers(0, 1500), order=st.sampled_from(Order))
def test_no_context_costs_more_than_its_budget(
    pieces: list[Piece], budget: int, order: Order
) -> None:
    options = PackOptions(budget=budget, order=order)
    packed = pack({FILE.path: FILE}, pieces, options)
    text = render_sources(packed.items, options.form) if packed.items else ""
    assert packed.used == (count_tokens(text) if packed.items else 0)
    assert packed.used <= budget
    assert packed == pack({FILE.path: FILE}, pieces, options)


@given(st.lists(RANGES, max_size=10))
def test_merging_keeps_every_line_and_orders_them(ranges: list[Lines]) -> None:
    merged = merge_lines(ranges, 0)
    wanted = {line for part in ranges for line in range(part.first, part.last + 1)}
    kept = [line for part in merged for line in range(part.first, part.last + 1)]
    assert set(kept) == wanted
    assert kept == sorted(set(kept))


@given(st.lists(st.integers(), unique=True), st.sampled_from(Order))
def test_an_order_is_a_permutation(ranked: list[int], order: Order) -> None:
    assert sorted(arrange(ranked, order)) == sorted(ranked)


def test_orders_put_the_best_where_they_say() -> None:
    ranked = [1, 2, 3, 4, 5]
    assert arrange(ranked, Order.ASCENDING) == (5, 4, 3, 2, 1)
    assert arrange(ranked, Order.RANK) == (1, 2, 3, 4, 5)
    assert arrange(ranked, Order.USHAPE) == (1, 3, 5, 4, 2)
