"""Find the scripts that markup files hold, by text alone. Pure: bytes in, ranges out.

Vue, Svelte, Astro and HTML keep JavaScript or TypeScript between `<script>` tags; the markup around
it defines nothing that a symbol table could use, so it is not parsed.
"""

from __future__ import annotations

import re

from sidelight.parsing.captures import Range

_SCRIPT = re.compile(rb"<script\b([^>]{0,2000})>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_LANG = re.compile(rb"""\blang\s*=\s*["']?(\w+)""", re.IGNORECASE)
_TYPE = re.compile(rb"""\btype\s*=\s*["']?([\w/+.-]+)""", re.IGNORECASE)
_FRONT_MATTER = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*---\r?\n(.*?)^---", re.DOTALL | re.MULTILINE)
_SCRIPT_TYPES = frozenset(
    {b"module", b"text/javascript", b"application/javascript", b"text/babel", b"text/typescript"}
)
_LANGUAGES = {b"ts": "typescript", b"typescript": "typescript", b"tsx": "tsx"}
MAX_SCRIPTS = 200  # of one file


def script_ranges(source: bytes, language: str) -> dict[str, list[Range]]:
    """Return, for each language of a script, where its scripts are, in source order."""
    found: dict[str, list[Range]] = {}
    if language == "astro" and (front := _FRONT_MATTER.match(source)) is not None:
        found["typescript"] = [front.span(1)]
    for index, script in enumerate(_SCRIPT.finditer(source)):
        if index == MAX_SCRIPTS:
            break
        named = _script_language(script[1])
        if named is not None and script[2].strip():
            found.setdefault(named, []).append(script.span(2))
    return found


def _script_language(attributes: bytes) -> str | None:
    """Return the language of a script by its tag; None if it holds data or a template."""
    kind = _TYPE.search(attributes)
    if kind is not None and kind[1].lower() not in _SCRIPT_TYPES:
        return None
    lang = _LANG.search(attributes)
    return _LANGUAGES.get(lang[1].lower(), "javascript") if lang is not None else "javascript"
