"""Fitted hits shrink to the lines of the query, and grow to the class that they make up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sidelight.model import ChunkKind, Hit, Span
from sidelight.packing.granularity import WINDOW
from sidelight.search.fitting import FileText, WholeClass, classes_of, fit_hits
from sidelight.store.reader import ChunkPlace

LINES = [f"filler_{n} = {n}" for n in range(1, 101)]
LINES[59] = "socket.connect(timeout)"
LINES[60] = "socket.retry(timeout)"
CONTENT = "\n".join(LINES).encode() + b"\n"
WEIGHTS = {"socket": 3.0, "timeout": 2.0, "connect": 2.0}


def hit(first: int, last: int, score: float = 1.0, symbol: str = "C.method") -> Hit:
    starts = [0]
    for line in LINES:
        starts.append(starts[-1] + len(line) + 1)
    span = Span(starts[first - 1], starts[last], first, last)
    return Hit(b"src/a.py", span, symbol, "method", "python", score)


def text(*classes: WholeClass) -> FileText:
    return FileText(classes, CONTENT)


CLASS = WholeClass("C", "class", hit(10, 70).span)


def test_a_long_hit_shrinks_to_the_lines_that_say_the_query() -> None:
    (found,) = fit_hits([hit(20, 90)], WEIGHTS, lambda _path: text())
    assert found.span.end_line - found.span.start_line < WINDOW
    shown = CONTENT[found.span.start_byte : found.span.end_byte].decode()
    assert "socket.connect" in shown
    assert shown.splitlines() == LINES[found.span.start_line - 1 : found.span.end_line]


def test_a_hit_stays_whole_if_no_window_says_enough() -> None:
    spread = {f"filler_{n}": 1.0 for n in range(1, 101)}
    long = hit(1, 100)
    assert fit_hits([long], spread, lambda _path: text()) == [long]


def test_hits_that_make_up_a_class_become_it_at_the_best_ones_place() -> None:
    hits = [hit(13, 40, 0.9), hit(80, 90, 0.8, "other"), hit(41, 60, 0.7)]
    found = fit_hits(hits, WEIGHTS, lambda _path: text(CLASS))
    assert [(item.symbol, item.span.start_line, item.span.end_line) for item in found] == [
        ("C", 10, 70),
        ("other", 80, 90),
    ]
    assert found[0].score == 0.9


def test_growing_alone_leaves_long_hits_long() -> None:
    hits = [hit(20, 90)]
    assert fit_hits(hits, WEIGHTS, lambda _path: FileText()) == hits


def test_a_file_that_cannot_be_read_keeps_its_hits() -> None:
    hits = [hit(20, 90)]
    assert fit_hits(hits, WEIGHTS, lambda _path: None) == hits


def chunk(ordinal: int, kind: str, first: int, last: int, parent: int | None = None) -> ChunkPlace:
    return ChunkPlace(ordinal, kind, "C", "class", 10 * first, 10 * last, first, last, parent)


def test_a_class_reaches_from_its_overview_to_its_last_member() -> None:
    chunks = [
        chunk(0, ChunkKind.MODULE, 1, 4),
        chunk(1, ChunkKind.OVERVIEW, 5, 20),
        chunk(2, ChunkKind.DEFINITION, 21, 50, 1),
        chunk(3, ChunkKind.DEFINITION, 51, 90, 1),
        chunk(4, ChunkKind.DEFINITION, 91, 99),
    ]
    assert classes_of(chunks) == (WholeClass("C", "class", Span(50, 900, 5, 90)),)


@given(st.lists(st.tuples(st.integers(1, 100), st.integers(0, 60)), min_size=1, max_size=6))
def test_fitted_hits_are_lines_of_the_file(ranges: list[tuple[int, int]]) -> None:
    hits = [hit(first, min(100, first + more)) for first, more in ranges]
    for found in fit_hits(hits, WEIGHTS, lambda _path: text(CLASS)):
        shown = CONTENT[found.span.start_byte : found.span.end_byte].decode()
        assert shown.splitlines() == LINES[found.span.start_line - 1 : found.span.end_line]
