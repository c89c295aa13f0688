"""Turn what git and the index hold into texts that a report may hold. Pure."""

from __future__ import annotations

from sidelight.graph.model import text_path
from sidelight.model import Span, display_path
from sidelight.untrusted.incoming import clean_code
from sidelight.untrusted.redaction import redact
from sidelight_bot.checked import MAX_PATH, is_plain_path
from sidelight_bot.report import MAX_EXCERPT, Excerpt

MAX_NAME = 300
MAX_SENTENCE = 1000
MAX_ROW = 200  # characters of one line of an excerpt
WINDOW = 60  # lines that are looked at for secrets around an excerpt
AROUND = 3  # lines before and after the one that matters


def report_path(path: bytes) -> str | None:
    """Return a path as reports have it; None if it is too odd to be shown as a path."""
    text = text_path(path)
    return text if len(text) <= MAX_PATH and is_plain_path(text) else None


def shown(path: bytes) -> str:
    """Return any path as one line for people."""
    return one_line(display_path(path), MAX_PATH)


def one_line(text: str, most: int = MAX_SENTENCE) -> str:
    """Return text on one line, no control characters or secrets, cut at `most` characters."""
    line = clean_code(redact(" ".join(text.split())))
    return line if len(line) <= most else line[: most - 1] + "…"


def name_of(text: str) -> str:
    """Return a symbol's name as a report has it."""
    return one_line(text, MAX_NAME)


def excerpt_of(source: bytes, language: str, span: Span, focus: int) -> Excerpt | None:
    """Return a few lines around `focus` within the span, secrets blanked out.

    None if the file has no such line.
    """
    lines = source.split(b"\n")
    first = max(span.start_line, focus - AROUND)
    last = min(span.end_line, first + 2 * AROUND, len(lines))
    first = max(span.start_line, min(first, last - 2 * AROUND))
    if not 1 <= first <= focus <= last:
        return None
    above = max(first - 1 - WINDOW, 0)  # a key of many lines is known by its first and last
    text = b"\n".join(lines[above : last + WINDOW]).decode("utf-8", "replace")
    shown = redact(text.replace("\r\n", "\n")).split("\n")[first - 1 - above : last - above]
    rows = [clean_code(row.rstrip("\r"))[:MAX_ROW] for row in shown]
    return Excerpt(first, focus, _label(language), "\n".join(rows)[:MAX_EXCERPT])


def _label(language: str) -> str:
    """Return the word after a fence: our names are what highlighters know."""
    return "" if language in ("text", "") else language[:20]
