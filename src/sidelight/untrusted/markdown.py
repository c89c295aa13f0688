"""Tell which parts of a Markdown text are code for certain. Pure.

Deliberately narrower than CommonMark: fences at the margin, and code spans within one line. What
only may be code (inside HTML, lists, quotes, tables, after a quote left open) counts as prose,
which is cleaned harder: a comment must not pass for code that GitHub takes for a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r"(`{3,})[^`]*|(~{3,}).*")
_MAY_BE_FENCE = re.compile(r"[\s>]*(?:`{3}|~{3})")
_PREFIX = r"(?:[\s>*+-]|\d+[.)])*"  # of quotes and lists
_TAG_LINE = re.compile(_PREFIX + "<")
# HTML blocks that no empty line ends: from here on, nothing is certain.
_RAW_LINE = re.compile(_PREFIX + r"<(?:pre|script|style|textarea|[?!])", re.IGNORECASE)
_MARKUP = re.compile(r"<[!?/A-Za-z]|\\`")
_TICKS = re.compile(r"`+")


def code_parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the text in parts, and of each whether it is code; joined, they are the text."""
    raw = in_html = in_span = False
    closing: re.Pattern[str] | None = None
    for line in _LINE.findall(text):
        bare = line.rstrip("\n")
        if closing is not None:
            yield line, True
            closing = None if closing.fullmatch(bare) else closing
            continue
        if not bare.strip():
            in_html = in_span = False
        opening = _FENCE.fullmatch(bare)
        raw = raw or _RAW_LINE.match(bare) is not None
        raw = raw or (in_html and _MAY_BE_FENCE.match(bare) is not None)
        if opening is not None and not raw:
            mark = opening[1] or opening[2]
            closing = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*")
            yield line, True
            continue
        in_html = in_html or _TAG_LINE.match(bare) is not None
        if raw or in_html or in_span or "|" in bare:
            yield line, False
            continue
        spans = list(_spans(line))
        in_span = _MARKUP.search(spans[-1][0]) is not None or "`" in spans[-1][0]
        yield from spans


def _spans(line: str) -> Iterator[tuple[str, bool]]:
    """Yield prose and code spans of a line, prose last; from the first doubt on, all is prose."""
    start = 0
    while opening := _TICKS.search(line, start):
        closing = next(
            (m for m in _TICKS.finditer(line, opening.end()) if m[0] == opening[0]), None
        )
        if closing is None or _MARKUP.search(line, start, opening.end()):
            break
        yield line[start : opening.start()], False
        yield line[opening.start() : closing.end()], True
        start = closing.end()
    yield line[start:], False
