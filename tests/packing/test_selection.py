"""Pieces become numbered sources: overlaps merged, signatures above, within any budget."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight.packing.model import DropReason, Lines, Order, Piece, Role, Scope, SourceFile
from sidelight.packing.render import Form, render_context, render_sources
from sidelight.packing.select import PackOptions, pack

SCOPES = (
    Scope("Client", Lines(1, 1), Lines(1, 60)),
    Scope("Client.send", Lines(10, 11), Lines(10, 40)),
)
TEXT = ["class Client:", *(f"    value_{n} = {n}" for n in range(2, 10))]
TEXT += [
    "    def send(",
    "        self, request):",
    *(f"        step_{n}()" for n in range(12, 61)),
]
FILES = {
    path: SourceFile(path, blob * 40, "python", tuple(TEXT), SCOPES)
    for path, blob in ((b"src/a.py", "a"), (b"src/b.py", "b"))
}
A, B = FILES


def piece(path: bytes, first: int, last: int, score: float = 1.0, **more: object) -> Piece:
    return Piece(path, Lines(first, last), score, Role.HIT, **more)  # type: ignore[arg-type]


def test_overlaps_and_neighbours_become_one_source() -> None:
    packed = pack(FILES, [piece(A, 20, 24), piece(A, 23, 28, 0.8), piece(A, 31, 33)], PackOptions())
    (source,) = packed.items
    assert source.lines == Lines(20, 33)
    assert source.text.count("step_23()") == 1
    assert not packed.dropped


def test_distant_pieces_of_a_file_stay_apart() -> None:
    packed = pack(FILES, [piece(A, 20, 22), piece(A, 50, 52)], PackOptions(order=Order.RANK))
    assert [source.lines for source in packed.items] == [Lines(20, 22), Lines(50, 52)]


def test_the_signatures_around_a_piece_stand_above_it() -> None:
    (source,) = pack(FILES, [piece(A, 30, 32)], PackOptions()).items
    assert source.headers == (Lines(1, 1), Lines(10, 11))
    assert source.text.splitlines() == [
        "class Client:",
        "    …",
        "    def send(",
        "        self, request):",
        "        …",
        "        step_30()",
        "        step_31()",
        "        step_32()",
    ]


def test_a_signature_that_is_packed_is_not_told_again() -> None:
    packed = pack(FILES, [piece(A, 1, 3), piece(A, 30, 32, 0.9)], PackOptions(order=Order.RANK))
    assert [source.headers for source in packed.items] == [(), (Lines(10, 11),)]


def test_sources_are_numbered_as_they_are_read_and_name_lines_and_blob() -> None:
    pieces = [piece(A, 20, 22, 1.0, symbol="Client.send"), piece(B, 20, 22, 0.6)]
    for order, first in ((Order.RANK, A), (Order.USHAPE, A), (Order.ASCENDING, B)):
        packed = pack(FILES, pieces, PackOptions(order=order))
        assert [source.number for source in packed.items] == [1, 2]
        assert packed.items[0].path == first
    text = render_context(pack(FILES, pieces, PackOptions(order=Order.RANK)), Form.TEXT)
    assert "[1] src/a.py:20-22 Client.send (blob aaaaaaaaaaaa)\n" in text
    assert "[2] src/b.py:20-22 (blob bbbbbbbbbbbb)\n" in text
    markdown = render_context(pack(FILES, pieces, PackOptions(form=Form.MARKDOWN)), Form.MARKDOWN)
    assert "**[2]** `src/a.py:20-22` `Client.send` (blob `aaaaaaaaaaaa`)\n```python\n" in markdown


def test_order_changes_neither_what_is_packed_nor_what_is_left_out() -> None:
    pieces = [piece(A, n, n + 4, 1 - n / 100) for n in range(12, 55, 9)]
    packs = [pack(FILES, pieces, PackOptions(budget=120, order=order)) for order in Order]
    assert len({frozenset((s.path, s.lines) for s in found.items) for found in packs}) == 1
    assert len({found.dropped for found in packs}) == 1
    assert packs[0].items


def test_a_long_piece_is_packed_by_its_shorter_form_where_the_whole_does_not_fit() -> None:
    long = piece(A, 12, 60, shorter=(Lines(20, 24),))
    (whole,) = pack(FILES, [long], PackOptions(budget=4000)).items
    (part,) = pack(FILES, [long], PackOptions(budget=120)).items
    assert (whole.lines, part.lines) == (Lines(10, 60), Lines(20, 24))


def test_what_is_left_out_says_why() -> None:
    pieces = [
        piece(A, 20, 24),
        piece(A, 40, 60, 0.1),
        piece(b"gone.py", 1, 2),
        Piece(B, Lines(50, 52), 0.9, Role.DEFINITION, needed_by=(1,)),
        piece(B, 12, 60, 0.8),
    ]
    packed = pack(FILES, pieces, PackOptions(budget=200))
    reasons = {(item.path, item.lines.first): item.reason for item in packed.dropped}
    assert reasons == {
        (A, 40): DropReason.WEAK,
        (b"gone.py", 1): DropReason.MISSING,
        (B, 50): DropReason.UNUSED,
        (B, 12): DropReason.BUDGET,
    }


def test_a_piece_that_repeats_a_packed_one_gives_way() -> None:
    pieces = [piece(A, 20, 24), piece(B, 20, 24, 0.6), piece(B, 40, 44, 0.5)]

    def similarity(i: int, j: int) -> float:
        return 1.0 if {i, j} == {0, 1} else 0.0

    packed = pack(FILES, pieces, PackOptions(diversity=0.8), similarity)
    assert {(source.path, source.lines) for source in packed.items} == {
        (A, Lines(20, 24)),
        (B, Lines(40, 44)),
    }
    assert [item.reason for item in packed.dropped] == [DropReason.REDUNDANT]


RANGES = st.tuples(st.integers(1, 60), st.integers(0, 30))


@st.composite
def pieces(draw: st.DrawFn) -> list[Piece]:
    found: list[Piece] = []
    for at in range(draw(st.integers(0, 8))):
        first, more = draw(RANGES)
        lines = Lines(first, min(60, first + more))
        users = draw(st.sets(st.integers(0, at - 1), max_size=2)) if at else set()
        found.append(
            Piece(
                draw(st.sampled_from(sorted(FILES))),
                lines,
                draw(st.floats(0, 1)),
                Role.DEFINITION if users else Role.HIT,
                shorter=(Lines(lines.first, lines.first),) if len(lines) > 5 else (),
                needed_by=tuple(sorted(users)),
            )
        )
    return found


@settings(max_examples=120, deadline=None)
@given(
    pieces(),
    st.integers(0, 900),
    st.sampled_from(Order),
    st.sampled_from(Form),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from([len, lambda text: len(text.split()), lambda text: 7 * text.count("\n")]),
)
def test_no_counter_order_or_form_exceeds_the_budget(
    found: list[Piece],
    budget: int,
    order: Order,
    form: Form,
    diversity: float,
    count: object,
) -> None:
    options = PackOptions(budget, order, form, diversity=diversity, count=count)  # type: ignore[arg-type]
    packed = pack(FILES, found, options, lambda i, j: 1 / (1 + abs(i - j)))
    rendered = render_sources(packed.items, form) if packed.items else ""
    assert packed.used <= budget
    if rendered:
        assert options.count(rendered) == packed.used
    assert [source.number for source in packed.items] == list(range(1, len(packed.items) + 1))
    shown = [(s.path, n) for s in packed.items for n in range(s.lines.first, s.lines.last + 1)]
    assert len(shown) == len(set(shown))
