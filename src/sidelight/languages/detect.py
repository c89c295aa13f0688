"""Name the language of a file from its path and first bytes. Pure; falls back to "text"."""

from __future__ import annotations

from sidelight.languages.table import LANGUAGES

_BY_EXTENSION = {
    extension: entry.name for entry in LANGUAGES.values() for extension in entry.extensions
}


def detect_language(path: bytes, head: bytes = b"") -> str:
    """Return the language's name in `LANGUAGES`."""
    name = path.rsplit(b"/", 1)[-1].decode("utf-8", "replace")
    return _BY_EXTENSION.get(name.rsplit(".", 1)[-1].lower(), "text")
