"""Chunks of files without definitions: prose by section, text and data by lines. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from sidelight.chunking.cutting import Limits, cut_bytes, cut_lines, layout_cost
from sidelight.chunking.lines import Lines
from sidelight.chunking.prose import Section, find_sections, paragraph_cost
from sidelight.chunking.rendering import decode
from sidelight.model import Chunk, ChunkKind

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
    """Join small neighbours; a joined section is known by the headings that all have in common.

    A heading that only introduces the next one keeps that one's trail.
    """
    held: Section | None = None
    for section in sections:
        if held is None:
            held = section
            continue
        n_lines = section.last - held.first
        fits = n_lines <= JOINED_LINES and lines.size(held.first, section.last) <= JOINED_BYTES
        bare = lines.n_filled(held.first, held.last) <= 2
        small = _small(lines, held) and _small(lines, section)
        if fits and (bare or small):
            trail = section.trail if bare else _common(held.trail, section.trail)
            held = Section(held.first, section.last, trail)
        else:
            yield held
            held = section
    if held is not None:
        yield held


def _small(lines: Lines, section: Section) -> bool:
    return lines.n_filled(section.first, section.last) < SMALL_SECTION


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return a[:n]


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
