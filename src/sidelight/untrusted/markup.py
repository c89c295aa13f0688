"""Take out of Markdown what GitHub does not show: comments, attributes, images' words. Pure."""

from __future__ import annotations

import re
from itertools import groupby

from sidelight.untrusted.markdown import code_parts

COMMENT, ATTRIBUTE, IMAGE, TITLE, DEFINITION = (
    "HTML comments",
    "HTML attributes",
    "image texts",
    "link titles",
    "link definitions",
)
MAX_PASSES = 10  # what is taken out may join what stood around it; then all markup is escaped

_OPENING = re.compile(r"<(?:!--|\?|!\[CDATA\[|![A-Za-z])")
_CLOSINGS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}
_NAME = r"[A-Za-z_:][\w.:-]*+"
_VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s"'=<>`]++)"""
_TAG = re.compile(rf"<(/?[A-Za-z][A-Za-z0-9-]*+)((?:\s++{_NAME}(?:\s*+=\s*+{_VALUE})?)*+)\s*+/?>")
_TEXT = r"\[(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*+\])*+\]"
_URL = r"(?:<[^<>\n]*+>|[^\s()<]*+(?:\([^\s()]*+\)[^\s()]*+)*+)"
_TITLE = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))"""
_IMAGE = re.compile(rf"!{_TEXT}(?:\(\s*+{_URL}(?:\s++{_TITLE})?\s*+\)|\[[^\[\]]*+\])?", re.DOTALL)
_TITLED = re.compile(rf"(\]\(\s*+{_URL})\s++{_TITLE}\s*+\)", re.DOTALL)
_DEFINITION = re.compile(
    rf"^ {{0,3}}\[(?!\^)(?:[^\[\]\\]|\\.)++\]:[ \t]*+(?:\n[ \t]*+)?(?:<[^<>\n]*+>|[^\s<]\S*+)"
    rf"(?:(?:[ \t]++|[ \t]*+\n[ \t]*+){_TITLE})?[ \t]*+$",
    re.MULTILINE,
)


def remove_markup(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text without what is not shown, and the kinds of what was taken out.

    Comments in code are shown there, so they stay, their opening escaped. Idempotent.
    """
    removed: dict[str, None] = {}
    if not any(mark in text for mark in ("<", "![", "](", "]:")):
        return text, ()
    for _ in range(MAX_PASSES):
        before, parts = text, []
        for is_code, run in groupby(code_parts(text), key=lambda part: part[1]):
            joined = "".join(part for part, _ in run)
            parts.append(_escape_code(joined) if is_code else _clean_prose(joined, removed))
        text = "".join(parts)
        if text == before:
            return text, tuple(removed)
    escaped = text.replace("<", "&lt;").replace("![", "! [").replace("](", "] (")
    return escaped.replace("]:", "] :"), tuple(removed)


def _escape_code(text: str) -> str:
    return text.replace("<!--", "&lt;!--")


def _clean_prose(text: str, removed: dict[str, None]) -> str:
    text = _without_comments(text, removed)
    for pattern, kind, instead in (
        (_IMAGE, IMAGE, "(image)"),
        (_TITLED, TITLE, r"\1)"),
        (_DEFINITION, DEFINITION, ""),
    ):
        text, n = pattern.subn(instead, text)
        removed |= {kind: None} if n else {}
    bare = _TAG.sub(lambda m: f"<{m[1]}>" if m[2] else m[0], text)
    removed |= {ATTRIBUTE: None} if bare != text else {}
    return bare


def _without_comments(text: str, removed: dict[str, None]) -> str:
    """Return the text without comments and their kin; one left open at a line's start goes on to
    the end, elsewhere it is none and its `<` is escaped."""
    parts: list[str] = []
    start = 0
    while opening := _OPENING.search(text, start):
        parts.append(text[start : opening.start()])
        end = text.find(closing := _CLOSINGS.get(opening[0], ">"), opening.end())
        line_start = text.rfind("\n", 0, opening.start()) + 1
        if end < 0 and text[line_start : opening.start()].strip(" \t>*+-"):
            parts.append("&lt;")
            start = opening.start() + 1
            continue
        removed |= {COMMENT: None}
        start = len(text) if end < 0 else end + len(closing)
        parts.append(" " if start < len(text) and text[start] != "\n" else "")
    return "".join([*parts, text[start:]])
