"""The lines of a file, by bytes. Pure.

Lines end at b"\\n" only; a carriage return or a form feed is part of its line. Line numbers are
0-based and ranges half-open in this package; `Lines.span` turns them into the model's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from sidelight.model import Span

TAB = 4  # columns; only comparisons of indentation rest on it
_CLOSER = re.compile(rb"\s*(?:[^0-9A-Za-z_\x80-\xff#/@'\"`$]*|(?:end|fi|done|esac)\b[;,)}\]\s]*)\Z")
_COMMENT = re.compile(
    rb"\s*(?://|/\*|\*|--|;;|<!--|%|#(?!\[|!\[|\s*(?:include|define|if|endif)\b))"
)
_OPENER = re.compile(rb".*(?:[{(\[:]|\b(?:do|then|begin))\s*\Z", re.DOTALL)
_SHORT = 80  # bytes; a longer line of punctuation is content


@dataclass(frozen=True, slots=True)
class Lines:
    """`starts[i]` is the first byte of line i, and `starts[n]` the size of the source."""

    source: bytes
    rows: tuple[bytes, ...]
    starts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def line_of(self, byte: int) -> int:
        """Return the line that holds a byte; the last line for the end of the source."""
        return min(bisect_right(self.starts, byte) - 1, len(self.rows) - 1)

    def size(self, first: int, last: int) -> int:
        """Return the bytes of lines first to last, line ends included."""
        return self.starts[last] - self.starts[first]

    def content(self, first: int, last: int) -> bytes:
        """Return the source of lines first to last, line ends included."""
        return self.source[self.starts[first] : self.starts[last]]

    def blank(self, line: int) -> bool:
        """Return whether the line holds white space only."""
        return not self.rows[line].strip()

    def closing(self, line: int) -> bool:
        """Return whether the line is blank or only closes what stands before it."""
        row = self.rows[line]
        return len(row) <= _SHORT and _CLOSER.match(row) is not None

    def commented(self, line: int) -> bool:
        """Return whether the line looks like a comment in one of the usual languages."""
        return _COMMENT.match(self.rows[line]) is not None

    def opening(self, line: int) -> bool:
        """Return whether the line ends by opening a block."""
        row = self.rows[line]
        return len(row) <= _SHORT * 2 and _OPENER.match(row) is not None

    def indent(self, line: int) -> int:
        """Return the width of the line's leading white space, in columns."""
        row = self.rows[line]
        lead = row[: len(row) - len(row.lstrip(b" \t"))]
        return len(lead) + (TAB - 1) * lead.count(b"\t")

    def n_filled(self, first: int, last: int) -> int:
        """Return how many of the lines are not blank."""
        return sum(1 for line in range(first, last) if not self.blank(line))

    def byte_span(self, start: int, end: int) -> Span:
        """Return the span of a stretch of bytes that is not empty."""
        return Span(start, end, self.line_of(start) + 1, self.line_of(end - 1) + 1)


def split_lines(source: bytes) -> Lines:
    """Return the lines of a source; a line end at the very end begins no further line."""
    rows = source.split(b"\n")
    if not rows[-1]:
        rows.pop()
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row) + 1)
    if rows:
        starts[-1] = len(source)
    return Lines(source, tuple(rows), tuple(starts))
