"""Which language a file is in, and what is known about it. Pure: no files, no grammars."""

from __future__ import annotations

from sidelight.languages.detect import HEAD_BYTES, detect_language
from sidelight.languages.table import LANGUAGES, QUERIED, Family, Language

__all__ = ["HEAD_BYTES", "LANGUAGES", "QUERIED", "Family", "Language", "detect_language"]
