"""What sort of file a path names: production code, test, documentation, example, vendored. Pure."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache


class PathKind(StrEnum):
    """The role of a file in its repository, told by its path alone."""

    PRODUCTION = "production"
    TEST = "test"
    DOCS = "docs"
    EXAMPLE = "example"
    VENDORED = "vendored"
    TOOLING = "tooling"


_TEST_DIRS = {
    "test", "tests", "testing", "testsuite", "testdata", "spec", "specs", "__tests__", "e2e",
    "fixtures", "__mocks__", "__snapshots__", "testutil", "testutils", "test-utils", "androidtest",
    "unittest", "unittests", "integration-tests",
}  # fmt: skip
_TEST_NAME = re.compile(
    r"(?:^test[_-].*|^conftest\.py|^tests?\.\w+"
    r"|.*[_.-](?:test|tests|spec|specs|bench|e2e)\.\w+|.*_(?:test|spec)\.\w+"
    r"|.*(?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|kts|scala|cs|php|swift|groovy))$"
)
_DOCS_DIRS = {"doc", "docs", "documentation", "changelog.d", "newsfragments", "rfcs", "man"}
_DOCS_SUFFIXES = (".md", ".rst", ".adoc", ".txt", ".mdx", ".markdown")
_EXAMPLE_DIRS = {
    "example", "examples", "sample", "samples", "demo", "demos", "playground", "tutorial",
    "tutorials", "_examples", "bench", "benches", "benchmark", "benchmarks",
}  # fmt: skip
_VENDORED_DIRS = {
    "vendor", "vendored", "third_party", "third-party", "node_modules", "bower_components",
    "_vendor", "external", "extern", "deps",
}  # fmt: skip
_TOOLING_NAMES = {"setup.py", "noxfile.py", "tasks.py", "gulpfile.js", "rakefile", "makefile"}
_TOOLING_DIRS = {".github", ".circleci", ".gitlab", "scripts", "ci", "tools", ".husky"}
_DIRS = {  # the strongest first
    PathKind.VENDORED: _VENDORED_DIRS,
    PathKind.TEST: _TEST_DIRS,
    PathKind.EXAMPLE: _EXAMPLE_DIRS,
    PathKind.DOCS: _DOCS_DIRS,
    PathKind.TOOLING: _TOOLING_DIRS,
}
_TOOLING_SUFFIXES = (
    ".yml", ".yaml", ".toml", ".ini", ".cfg", ".json", ".lock", ".xml", ".gradle", ".properties",
)  # fmt: skip


@lru_cache(maxsize=1 << 16)
def path_kind(path: bytes) -> PathKind:
    """Return the kind that the path's folders and name tell; the strongest sign wins."""
    folder, _, raw = path.rpartition(b"/")
    around = _folder_kind(folder)
    name = raw.decode("utf-8", "replace")
    lower = name.casefold()
    if around in (PathKind.VENDORED, PathKind.TEST):
        return around
    if _TEST_NAME.match(name):
        return PathKind.TEST
    if around is PathKind.EXAMPLE:
        return around
    if around is PathKind.DOCS or lower.endswith(_DOCS_SUFFIXES):
        return PathKind.DOCS
    if name.startswith(".") or lower in _TOOLING_NAMES or lower.endswith(_TOOLING_SUFFIXES):
        return PathKind.TOOLING
    return around


@lru_cache(maxsize=1 << 14)
def _folder_kind(folder: bytes) -> PathKind:
    """Return the strongest sign among a path's folders."""
    parts = folder.decode("utf-8", "replace").split("/")
    folders = {part.casefold() for part in parts}
    for kind, names in _DIRS.items():
        if folders & names:
            return kind
    hidden = any(part.startswith(".") for part in parts)
    return PathKind.TOOLING if hidden else PathKind.PRODUCTION


_ASKED = {
    PathKind.TEST: re.compile(r"\b(?:tests?|testing|specs?|fixtures?|mocks?|conftest)\b", re.I),
    PathKind.DOCS: re.compile(r"\b(?:docs?|documentation|readme|changelog|guide)\b", re.I),
    PathKind.EXAMPLE: re.compile(r"\b(?:examples?|samples?|demos?|benchmarks?)\b", re.I),
    PathKind.VENDORED: re.compile(r"\bvendor(?:ed)?\b", re.I),
    PathKind.TOOLING: re.compile(
        r"\b(?:ci|workflows?|config(?:uration)? file|pipeline|build script|makefile)\b", re.I
    ),
}


def asked_kinds(query: str) -> frozenset[PathKind]:
    """Return the kinds beside production that a query asks for in words."""
    return frozenset(kind for kind, pattern in _ASKED.items() if pattern.search(query))
