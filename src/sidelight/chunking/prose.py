"""Find the sections of Markdown, reStructuredText and AsciiDoc. Pure.

What stands in fenced or literal blocks, comments and front matter is never a heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sidelight.chunking.lines import Lines

_ATX = re.compile(rb" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\r?\Z")
_SETEXT = re.compile(rb" {0,3}(=+|-+)[ \t]*\r?\Z")
_FENCE = re.compile(rb"[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*(`{3,}|~{3,})([^\r]*)")
_NOT_A_TITLE = re.compile(rb"\s*(?:[-*+>|#]|\d+[.)])(?:\s|\Z)|\s*\|| {4}|\t")
_RST_RULE = re.compile(rb"([=\-~^\"'`#*+.:_<>!$%&(),/;?@\[\\\]{|}])\1{2,}[ \t]*\r?\Z")
_ADOC = re.compile(rb"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*\r?\Z")
_ADOC_BLOCK = re.compile(rb"(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,}|\*{4,}|_{4,}|={4,})\S*[ \t]*\r?\Z")
_MARKUP = re.compile(r"`+|\*\*|!?\[([^\]]*)\]\([^)]*\)|<[^>]+>|\{#[^}]*\}")

MAX_MARKUP = 1_000  # bytes; a longer line is text, and matching it could take very long


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on `line` (0-based); level 1 is the highest."""

    line: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Section:
    """Lines first to last under one heading; `trail` names it and the headings above it."""

    first: int
    last: int
    trail: tuple[str, ...]


def find_sections(lines: Lines, flavour: str) -> tuple[list[Section], frozenset[int]]:
    """Return the sections, which cover every line once, and the lines inside of blocks.

    `flavour` is "markdown", "rst" or "asciidoc".
    """
    blocks: set[int] = set()
    if any(len(row) > MAX_MARKUP for row in lines.rows):
        rows = tuple(row if len(row) <= MAX_MARKUP else b"\tx" for row in lines.rows)
        lines = replace(lines, rows=rows)
    find = {"markdown": _markdown, "rst": _rst, "asciidoc": _asciidoc}[flavour]
    headings = list(find(lines, blocks))
    sections: list[Section] = []
    trail: list[Heading] = []
    starts = [heading.line for heading in headings] + [len(lines)]
    if starts[0] > 0:
        sections.append(Section(0, starts[0], ()))
    for heading, end in zip(headings, starts[1:], strict=True):
        while trail and trail[-1].level >= heading.level:
            trail.pop()
        trail.append(heading)
        names = tuple(h.title for h in trail if h.title)
        sections.append(Section(heading.line, end, names))
    return sections, frozenset(blocks)


def _title(raw: bytes) -> str:
    text = _MARKUP.sub(lambda m: m.group(1) or "", raw.decode("utf-8", "replace"))
    return " ".join(text.split())[:120]


def _front_matter(lines: Lines) -> int:
    """Return the line behind the front matter, 0 if there is none."""
    if not len(lines) or lines.rows[0].rstrip() not in (b"---", b"+++", b"\xef\xbb\xbf---"):
        return 0
    fence = lines.rows[0].rstrip()[-3:]
    for line in range(1, len(lines)):
        if lines.rows[line].rstrip() == fence:
            return line + 1
    return 0


def _markdown(lines: Lines, blocks: set[int]) -> Iterator[Heading]:
    hidden = set(_markdown_blocks(lines))
    blocks |= hidden
    paragraph = 0  # first line of the paragraph that a setext rule would make a title
    for line, row in enumerate(lines.rows):
        atx = None if line in hidden else _ATX.match(row)
        if atx:
            yield Heading(line, len(atx[1]), _title(atx[2] or b""))
        elif line not in hidden and row.strip():
            if line == paragraph or not _SETEXT.match(row):
                continue
            rows = lines.rows[paragraph:line]
            if len(rows) <= 3 and not any(_NOT_A_TITLE.match(r) for r in rows):
                level = 1 if row.lstrip()[:1] == b"=" else 2
                yield Heading(paragraph, level, _title(b" ".join(rows)))
        paragraph = line + 1


def _markdown_blocks(lines: Lines) -> Iterator[int]:
    """Yield the lines of front matter, fenced code and comments, opening lines included."""
    front = _front_matter(lines)
    yield from range(front)
    fence = b""
    comment = False
    for line in range(front, len(lines)):
        row = lines.rows[line]
        if fence or comment:
            yield line
            comment = comment and b"-->" not in row
            fence = b"" if fence and _closes(row, fence) else fence
            continue
        opened = _FENCE.match(row)
        if opened and not (opened[1][:1] == b"`" and b"`" in opened[2]):
            fence = opened[1]
            yield line
        elif b"<!--" in row and b"-->" not in row.rpartition(b"<!--")[2]:
            comment = True
            if row.lstrip().startswith(b"<!--"):
                yield line


def _closes(row: bytes, fence: bytes) -> bool:
    bare = row.strip().lstrip(b"> \t")
    return len(bare) >= len(fence) and not bare.strip(fence[:1])


def _rst(lines: Lines, blocks: set[int]) -> Iterator[Heading]:
    """Levels follow the order in which the styles of underline (and overline) first occur."""
    styles: list[tuple[bytes, bool]] = []
    line = 0
    while line + 1 < len(lines):
        title, rule = lines.rows[line], lines.rows[line + 1]
        over = _RST_RULE.match(title)
        if over and line + 2 < len(lines):
            under = _RST_RULE.match(lines.rows[line + 2])
            if under and under[1] == over[1] and rule.strip() and not _RST_RULE.match(rule):
                yield Heading(line, _level(styles, (under[1], True)), _title(rule))
                line += 3
                continue
        under = _RST_RULE.match(rule)
        if (
            under
            and title.strip()
            and not title[:1].isspace()
            and not over
            and len(rule.rstrip()) + 1 >= len(title.decode("utf-8", "replace").rstrip())
            and (line == 0 or lines.blank(line - 1) or lines.rows[line - 1][:2] == b"..")
        ):
            yield Heading(line, _level(styles, (under[1], False)), _title(title))
            line += 2
            continue
        if title[:1].isspace() and title.strip():
            blocks.add(line)
        line += 1


def _level(styles: list[tuple[bytes, bool]], style: tuple[bytes, bool]) -> int:
    if style not in styles:
        styles.append(style)
    return styles.index(style) + 1


def _asciidoc(lines: Lines, blocks: set[int]) -> Iterator[Heading]:
    block = b""
    for line in range(len(lines)):
        row = lines.rows[line]
        if block:
            blocks.add(line)
            if row.rstrip() == block:
                block = b""
            continue
        opened = _ADOC_BLOCK.match(row)
        if opened:
            block = opened[1]
            continue
        heading = _ADOC.match(row)
        if heading:
            yield Heading(line, len(heading[1]), _title(heading[2]))


def paragraph_cost(lines: Lines, blocks: frozenset[int]) -> Callable[[int], float]:
    """Return the cost of cutting before a line: best behind a blank one, outside of blocks."""

    def cost(line: int) -> float:
        if lines.blank(line):
            return 4.0
        inside = 3.0 if line in blocks else 0.0
        return inside + (0.0 if lines.blank(line - 1) else 2.5)

    return cost
