"""Files that tools write or that every change touches: no finding comes from them. Pure."""

from __future__ import annotations

import re

_NAMES = re.compile(
    rb"(?:(?:change(?:s|log)|history|news|releases?|release[_-]?notes|authors|contributors|thanks|version"
    rb"|todo|copyright)(?:[._-].*)?"
    rb"|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|.*\.lock|go\.(?:sum|mod)"
    rb"|package\.json|cargo\.toml|pom\.xml|gradle\.properties|.*\.gradle(?:\.kts)?|pyproject\.toml"
    rb"|setup\.(?:py|cfg)|.*\.gemspec|jsr\.json|deno\.json|composer\.json|.*\.csproj"
    rb"|requirements.*\.txt|gradlew(?:\.bat)?|_?_?version_?_?\.\w+|\.gitignore|\.mailmap|.*\.snap)$",
    re.IGNORECASE,
)
_FOLDERS = re.compile(
    rb"(?:^|/)(?:generated|gen|dist|vendor|third_party|node_modules|__snapshots__|newsfragments"
    rb"|changelog|changelogs|wrapper|\.changeset|\.github|\.ci)/",
    re.IGNORECASE,
)
_MADE = re.compile(
    rb"(?:_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|\.min\.(?:js|css)|\.g\.cs|_generated\.\w+)$"
)
_SAYS_SO = re.compile(
    rb"code generated .{0,80}do not edit|@generated|auto-?generated|generated (?:by|from) "
    rb"|do not (?:edit|modify) (?:this|by hand|manually)",
    re.IGNORECASE,
)
_HEAD_BYTES = 1000  # where a generated file says that it is one


def is_aside(path: bytes) -> bool:
    """Return whether a file is a change log, a lock, a manifest of versions or a tool's output."""
    name = path.rpartition(b"/")[2]
    return any(p.search(path) for p in (_FOLDERS, _MADE)) or _NAMES.match(name) is not None


def is_generated(path: bytes, source: bytes) -> bool:
    """Return whether a file's path or first lines say that a tool wrote it."""
    return _MADE.search(path) is not None or _SAYS_SO.search(source[:_HEAD_BYTES]) is not None
