"""Perl's rules: the grammar's scanner never ends on a comment that the end of the file cuts."""

from __future__ import annotations

from sidelight.parsing.rules import Rules


def _ended_comment(source: bytes) -> bytes:
    """Return `source` with a line feed for its last byte if its last line may be a comment."""
    last_line = source[source.rfind(b"\n") + 1 :]
    return source[:-1] + b"\n" if b"#" in last_line else source


RULES = Rules(mask=_ended_comment)
