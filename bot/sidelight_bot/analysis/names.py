"""Tell names that mean one thing from those that many things have. Pure."""

from __future__ import annotations

import re

from sidelight.search.pathkind import PathKind, path_kind

COMPOUND = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[A-Z]{2}[a-z]")
LONG_NAME = 9  # letters; a single word that long is seldom used for two things
_TEST_MODULE = re.compile(r"(?:tests?|test_\w+|spec)\.|tests?$", re.ASCII)


def is_compound(name: str) -> bool:
    """Return whether a name is made of several words."""
    return len(name) >= 5 and COMPOUND.search(name) is not None


def is_telling(name: str) -> bool:
    """Return whether a name is made of several words, or is a long one."""
    return len(name) >= LONG_NAME or is_compound(name)


def is_test(path: bytes, symbol: str) -> bool:
    """Return whether code is a test: by its path, or in a test module inside a file (Rust's)."""
    return path_kind(path) is PathKind.TEST or _TEST_MODULE.match(symbol) is not None
