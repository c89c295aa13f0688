"""git's `:(glob)` patterns over paths as bytes. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from sidelight.errors import UsageError


def match_any(patterns: Iterable[str]) -> Callable[[bytes], bool]:
    """Return a test whether a path matches one of the patterns.

    `*` and `?` stay within one part, `**/` is any number of folders, `dir/**` everything below;
    as in a pathspec, a pattern that names a folder matches everything below it, too.

    Raises:
        UsageError: a pattern is empty or absolute.
    """
    compiled = [re.compile(translate(pattern), re.DOTALL) for pattern in patterns]

    def matches(path: bytes) -> bool:
        return any(pattern.fullmatch(path) for pattern in compiled)

    return matches


def translate(pattern: str) -> bytes:
    """Return the regular expression, for `fullmatch` on a path, of one pattern."""
    text = pattern.removeprefix(":(glob)").removeprefix("./").rstrip("/")
    if not text or text.startswith("/"):
        raise UsageError(
            f"not a path pattern: {pattern!r}",
            hint="patterns are relative to the repository, such as 'src/**' or '**/*.py'",
        )
    raw = text.encode("utf-8", "surrogateescape")
    out, at = b"", 0
    while at < len(raw):
        if raw[at : at + 3] == b"**/" and (at == 0 or raw[at - 1 : at] == b"/"):
            out, at = out + b"(?:.*/)?", at + 3
        elif raw[at:] == b"**" and (at == 0 or raw[at - 1 : at] == b"/"):
            out, at = out + b".*", at + 2
        elif raw[at : at + 1] == b"*":
            out, at = out + b"[^/]*", at + 1
        elif raw[at : at + 1] == b"?":
            out, at = out + b"[^/]", at + 1
        elif raw[at : at + 1] == b"[" and b"]" in raw[at + 2 :]:
            end = raw.index(b"]", at + 2)
            out, at = out + _bracket(raw[at + 1 : end]), end + 1
        elif raw[at : at + 1] == b"\\" and at + 1 < len(raw):
            out, at = out + re.escape(raw[at + 1 : at + 2]), at + 2
        else:
            out, at = out + re.escape(raw[at : at + 1]), at + 1
    return out + b"(?:/.*)?"


def _bracket(body: bytes) -> bytes:
    negated = body[:1] in (b"!", b"^")
    inner = body[1:] if negated else body
    inner = inner.replace(b"\\", b"\\\\").replace(b"[", b"\\[").replace(b"^", b"\\^")
    try:
        re.compile(b"[" + inner + b"]")
    except re.error as error:
        raise UsageError(f"not a character class: [{body.decode(errors='replace')}]") from error
    return (b"(?!/)[^" if negated else b"(?!/)[") + inner + b"]"
