"""Make text that came from outside safe for a terminal. Pure.

Paths, revisions and git's own words may hold line ends and escape sequences; printed as they are,
they would move the cursor, colour the screen or fake a line of ours.
"""

from __future__ import annotations

from sidelight.model import display_path


def printable(text: str) -> str:
    """Return the text on one line: what cannot be printed becomes `\\n`, `\\x1b`, `\\udcff`, …"""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shown_path(path: bytes) -> str:
    """Return a path for people; programs are given `display_path`, which keeps every character."""
    return printable(display_path(path))
