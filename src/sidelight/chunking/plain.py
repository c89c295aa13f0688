"""Chunks of files without definitions: prose by section, text and data by lines. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from sidelight.chunking.cutting import Limits, cut_bytes, cut_lines, layout_cost
from sidelight.chunking.lines import Lines
from sidelight.chunking.prose import Section, find_sections, paragraph_cost
from sidelight.chunking.rendering import decode
from sidelight.model import Chunk, ChunkKind

BARE_SECTION = 2  # filled lines; a heading with hardly more only introduces what follows
SMALL_SECTION = 6  # filled lines; smaller ones join what follows
JOINED_LINES = 30  # of sections that were joined
JOINED_BYTES = 2_000


def chunk_prose(lines: Lines, language: str, flavour: str, limits: Limits) -> tuple[Chunk, ...]:
    """Return the sections as chunks, the trail of headings (`A > B`) as header."""
    sections, blocks = find_sections(lines, flavour)
    cost = paragraph_cost(lines, blocks)
    chunks: list[Chunk] = []
    for section in _join_small(lines, sections):
        header = " > ".join(section.trail)
        for first, last in cut_lines(lines, section.first, section.last, limits, cost):
            chunks += _line_chunks(lines, first, last, limits, ChunkKind.SECTION, language, header)
    return tuple(chunks)


def chunk_text(lines: Lines, language: str, limits: Limits) -> tuple[Chunk, ...]:
    """Return stretches of lines, cut where a shallow line follows a blank one."""
    cost = layout_cost(lines, 0, len(lines))
    chunks: list[Chunk] = []
    for first, last in cut_lines(lines, 0, len(lines), limits, cost):
        chunks += _line_chunks(lines, first, last, limits, ChunkKind.TEXT, language, "")
    return tuple(chunks)


def _join_small(lines: Lines, sections: list[Section]) -> Iterator[Section]:
    """Join small neighbours; a joined section is known by what the trails share and the rest.

    A heading that only introduces the next one keeps that one's trail.
    """
    held: list[Section] = []
    for section in sections:
        if held and not _may_join(lines, held, section):
            yield _joined(held)
            held = []
        if held and lines.n_filled(held[0].first, held[-1].last) <= BARE_SECTION:
            held = [Section(held[0].first, section.last, section.trail)]
        else:
            held.append(section)
    if held:
        yield _joined(held)


def _may_join(lines: Lines, held: list[Section], section: Section) -> bool:
    first, last = held[0].first, section.last
    n_filled = lines.n_filled(held[-1].first, held[-1].last)
    if len(held) == 1 and n_filled <= BARE_SECTION:
        return True  # even to a long section, which is then cut evenly
    if last - first > JOINED_LINES or lines.size(first, last) > JOINED_BYTES:
        return False
    return max(n_filled, lines.n_filled(section.first, section.last)) < SMALL_SECTION


def _joined(sections: list[Section]) -> Section:
    """Return one section: (A, B) and (A, C) make (A, "B, C")."""
    if len(sections) == 1:
        return sections[0]
    trails = [section.trail for section in sections]
    low, high = min(trails), max(trails)
    n = 0
    while n < min(len(low), len(high)) and low[n] == high[n]:
        n += 1
    own = list(dict.fromkeys(trail[n] for trail in trails if len(trail) > n))
    trail = (*low[:n], ", ".join(own)) if own else low[:n]
    return Section(sections[0].first, sections[-1].last, trail)


def _line_chunks(
    lines: Lines,
    first: int,
    last: int,
    limits: Limits,
    kind: ChunkKind,
    language: str,
    header: str,
) -> Iterator[Chunk]:
    start, end = lines.starts[first], lines.starts[last]
    for a, b in cut_bytes(lines.source, start, end, limits.max_bytes):
        text = decode(lines.source[a:b])
        yield Chunk(lines.byte_span(a, b), kind, language, "", None, header, text)
