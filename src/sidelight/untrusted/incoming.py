"""Clean what strangers wrote before a model sees it, and fence it. Pure but for `new_nonce`.

People judge a pull request by what GitHub shows them. What it hides (HTML comments, invisible code
points, the words of an image that loads) must not speak to the model either.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from dataclasses import dataclass

from sidelight.untrusted.markdown import code_parts
from sidelight.untrusted.markup import remove_markup

# Invisible though Unicode files them under letters, marks or symbols: the grapheme joiner, Hangul
# and Khmer fillers, the blank of Braille, variation selectors.
_INVISIBLE = frozenset(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, 0x2800),
        *range(0x180B, 0x1810),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
        *range(0xE0000, 0xE1000),  # tags, variation selectors, and what is reserved between them
    )
)
# Besides these, categories as a whole: Cf (zero-width, bidirectional controls, tags), Cc (control
# characters, escape sequences of terminals), Cs (half of a surrogate pair), Zl and Zp.
_CATEGORIES = frozenset({"Cf", "Cc", "Cs", "Zl", "Zp"})
_NAMES = (
    ("Unicode tags", ((0xE0000, 0xE007F),)),
    ("variation selectors", ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180F))),
    (
        "bidirectional controls",
        ((0x202A, 0x202E), (0x2066, 0x2069), (0x200E, 0x200F), (0x061C, 0x061C)),
    ),
    ("zero-width characters", ((0x200B, 0x200D), (0x2060, 0x2064), (0xFEFF, 0xFEFF))),
)
_OTHER = "control characters"
_ASCII = re.compile(r"[\t\n -~]*")
# Our fences, and the words by which chat templates tell roles apart: a server that reads them in
# a message (llama.cpp does) would take what follows for the system's.
_FENCE_WORD = re.compile(
    r"<(?=\s*/?\s*untrusted|[|｜][\w▁ ]{1,40}[|｜]>|/?(?:s|bos|eos|start_of_turn|end_of_turn)>"
    r"|<SYS>>|</SYS>>)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[^\w ./:@+,-]+")
MAX_LABEL = 200


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Text that shows what its reader sees; `removed` names what was taken out, each kind once."""

    text: str
    removed: tuple[str, ...] = ()


def clean_incoming(text: str) -> Cleaned:
    """Return Markdown by a stranger without what GitHub would not show of it.

    HTML comments, attributes of tags, images' words, link definitions and invisible code points
    are removed from prose. Inside code they are visible, so they stay, written as escapes
    (`\\u{200b}`, `&lt;!--`); where HTML around it leaves it open what is code, nothing counts as
    code. Idempotent.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    removed: dict[str, None] = {}
    if not _ASCII.fullmatch(text):
        parts = []
        for original, is_code in code_parts(text):
            part, found = original, _hidden_kinds(original)
            removed |= found
            parts.append(
                (_escape_hidden(part) if is_code else _drop_hidden(part)) if found else part
            )
        text = "".join(parts)
    text, markup = remove_markup(text)
    return Cleaned(text, (*removed, *markup))


def clean_code(text: str) -> str:
    """Return source text with every invisible code point written as `\\u{…}`; nothing else changes.

    What a diff shows is not hidden, so HTML comments in sources stay. Lines stay lines: `\\r` of a
    line's end is dropped. Idempotent.
    """
    text = text.replace("\r\n", "\n")
    return text if _ASCII.fullmatch(text) else _escape_hidden(text)


def clean_line(text: str) -> str:
    """Return a stranger's title, name or path as one line without invisible code points."""
    return " ".join(_drop_hidden(" ".join(text.split())).split())


def is_hidden(character: str) -> bool:
    """Return whether a reader does not see the character, or sees it elsewhere."""
    if character in "\n\t":
        return False
    return unicodedata.category(character) in _CATEGORIES or ord(character) in _INVISIBLE


def new_nonce() -> str:
    """Return a word that nobody can have written into a text before."""
    return secrets.token_hex(8)


def fence(text: str, nonce: str, label: str) -> str:
    """Return the text as data between two lines that only who knows the nonce can write.

    The nonce stands in these two lines and nowhere else, whatever text and label hold; a fence of
    another nonce within the text, and words of chat templates, are written so that they are none.
    """
    inside = _FENCE_WORD.sub("&lt;", _without(text, nonce))
    name = _LABEL.sub("_", _without(clean_line(label), nonce))[:MAX_LABEL]
    end = "" if inside.endswith("\n") else "\n"
    return f'<untrusted id="{nonce}" what="{name}">\n{inside}{end}</untrusted id="{nonce}">'


def _without(text: str, nonce: str) -> str:
    while nonce in text:  # taking one out may join the halves of another
        text = text.replace(nonce, "")
    return text


def _drop_hidden(text: str) -> str:
    return "".join(c for c in text if not is_hidden(c))


def _escape_hidden(text: str) -> str:
    return "".join(f"\\u{{{ord(c):x}}}" if is_hidden(c) else c for c in text)


def _hidden_kinds(text: str) -> dict[str, None]:
    return {_kind(ord(c)): None for c in text if is_hidden(c)}


def _kind(point: int) -> str:
    for name, ranges in _NAMES:
        if any(low <= point <= high for low, high in ranges):
            return name
    return _OTHER
