"""git's `:(glob)` patterns over paths as bytes. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sidelight.errors import UsageError

SPECIAL = re.compile(rb"[*?\[\\]")
CLASSES = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"\x21-\x7e",
    b"lower": rb"a-z",
    b"print": rb"\x20-\x7e",
    b"punct": rb"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    b"space": rb" \t\n\v\f\r",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}
NEVER = b"(?!)"


def match_any(patterns: Iterable[str]) -> Callable[[bytes], bool]:
    """Return a test whether a path matches one of the patterns, as git's pathspecs do.

    `*` and `?` stay within one part, `**/` is any number of folders, `dir/**` everything below; a
    pattern that is the name of a folder to the letter matches everything below it, too.

    Raises:
        UsageError: a pattern is empty, absolute, or leads out of the repository.
    """
    compiled = [_compile(pattern) for pattern in patterns]

    def matches(path: bytes) -> bool:
        return any(pattern.matches(path) for pattern in compiled)

    return matches


@dataclass(frozen=True, slots=True)
class _Pattern:
    literal: bytes
    expression: re.Pattern[bytes] | None

    def matches(self, path: bytes) -> bool:
        if path.startswith(self.literal):
            rest = path[len(self.literal) :]
            if not rest or not self.literal or self.literal.endswith(b"/") or rest[:1] == b"/":
                return True
        return self.expression is not None and self.expression.fullmatch(path) is not None


def _compile(pattern: str) -> _Pattern:
    text = pattern.removeprefix(":(glob)")
    raw = text.encode("utf-8", "surrogateescape") if _is_encodable(text) else b""
    if not raw or raw.startswith(b"/") or b"\0" in raw:
        raise _refused(pattern)
    literal = _normalize(raw, pattern)
    special = SPECIAL.search(literal)
    if special is None:
        return _Pattern(literal, None)
    start = special.start()
    expression = re.escape(literal[:start]) + _translate(literal[start:])
    return _Pattern(literal, re.compile(expression, re.DOTALL))


def _is_encodable(text: str) -> bool:
    """Return whether the text can be bytes: all that comes from a terminal or a file can."""
    return all(not 0xD800 <= ord(c) <= 0xDFFF or 0xDC80 <= ord(c) <= 0xDCFF for c in text)


def _refused(pattern: str) -> UsageError:
    return UsageError(
        f"not a path pattern: {pattern!r}",
        hint="patterns are relative to the repository, such as 'src/**' or '**/*.py'",
    )


def _normalize(raw: bytes, pattern: str) -> bytes:
    """Return the pattern without `.`, `..` and empty parts; a slash at its end stays."""
    parts: list[bytes] = []
    for part in raw.split(b"/"):
        if part == b"..":
            if not parts:
                raise _refused(pattern)
            parts.pop()
        elif part not in (b"", b"."):
            parts.append(part)
    slash = b"/" if parts and raw.endswith((b"/", b"/.", b"/..")) else b""
    return b"/".join(parts) + slash


def _translate(glob: bytes) -> bytes:
    """Return the regular expression of a pattern, which begins where its first special byte is.

    What stands between two stars is matched where it first fits, and never elsewhere: whatever
    comes later reaches as far from there. So the time grows with the square of a path's length at
    most, however many stars a stranger's configuration has.
    """
    stretches: list[list[bytes]] = [[]]  # between `**`; the pieces of each are between `*`
    doubles: list[bytes] = []
    piece, at = b"", 0
    while at < len(glob):
        byte = glob[at : at + 1]
        if byte == b"*":
            end = at + 1
            while glob[end : end + 1] == b"*":
                end += 1
            stretches[-1].append(piece)
            piece = b""
            bounded = at == 0 or glob[at - 1 : at] == b"/"
            if end - at > 1 and bounded and glob[end : end + 1] == b"/":
                doubles.append(b"(?:.*?/)??")
                stretches.append([])
                end += 1
            elif end - at > 1 and bounded and (end == len(glob) or glob[end : end + 2] == b"\\/"):
                doubles.append(b".*?")
                stretches.append([])
            at = end
        elif byte == b"?":
            piece, at = piece + b"[^/]", at + 1
        elif byte == b"[":
            allowed, at = _bracket(glob, at)
            piece += allowed
        elif byte == b"\\":
            piece += re.escape(glob[at + 1 : at + 2]) if at + 1 < len(glob) else NEVER
            at += 2
        else:
            piece, at = piece + re.escape(byte), at + 1
    stretches[-1].append(piece)
    return _assemble(stretches, doubles)


def _assemble(stretches: list[list[bytes]], doubles: list[bytes]) -> bytes:
    """Join the stretches; the very last piece alone may match later than where it first fits."""
    out = b""
    for number, pieces in enumerate(stretches):
        is_last = number == len(stretches) - 1
        body = pieces[0]
        for place, piece in enumerate(pieces[1:], start=1):
            final = is_last and place == len(pieces) - 1
            body += b"[^/]*" + piece if final else b"(?>[^/]*?" + piece + b")"
        lead = doubles[number - 1] if number else b""
        out += lead + body if is_last or not number else b"(?>" + lead + body + b")"
    return out


def _bracket(glob: bytes, at: int) -> tuple[bytes, int]:
    """Return the expression of the class that begins at `at`, and where it ends.

    As git reads it: `!` or `^` negates, `]` may come first, a class that is not closed or names
    an unknown `[:kind:]` matches nothing.
    """
    negated = glob[at + 1 : at + 2] in (b"!", b"^")
    at += 2 if negated else 1
    first, allowed, previous = at, b"", b""
    while at < len(glob):
        byte = glob[at : at + 1]
        if byte == b"]" and at > first:
            body = b"[" + allowed + b"]" if allowed else NEVER
            return (b"(?!" + body + b")[^/]" if negated else b"(?!/)" + body), at + 1
        if byte == b"\\":
            at += 1
            byte = glob[at : at + 1]
            allowed += _one(byte)
        elif byte == b"-" and previous and glob[at + 1 : at + 2] not in (b"", b"]"):
            at += 1 + (glob[at + 1 : at + 2] == b"\\")
            last = glob[at : at + 1]
            if last and previous <= last:
                allowed += _one(previous) + b"-" + _one(last)
            byte = b""
        elif glob[at : at + 2] == b"[:" and b"]" in glob[at + 2 :]:
            end = glob.index(b"]", at + 2)
            if glob[end - 1 : end] == b":" and end - 1 >= at + 2:
                kind = glob[at + 2 : end - 1]
                if kind not in CLASSES:
                    return NEVER, len(glob)
                allowed, at, byte = allowed + CLASSES[kind], end, b""
            else:
                allowed += _one(byte)
        else:
            allowed += _one(byte)
        previous, at = byte, at + 1
    return NEVER, len(glob)


def _one(byte: bytes) -> bytes:
    return b"\\x%02x" % byte[0] if byte else b""
