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
_TOOLING_SUFFIXES = (
    ".yml", ".yaml", ".toml", ".ini", ".cfg", ".json", ".lock", ".xml", ".gradle", ".properties",
)  # fmt: skip


@lru_cache(maxsize=1 << 16)
def path_kind(path: bytes) -> PathKind:
    """Return the kind that the path's folders and name tell; the strongest sign wins."""
    parts = path.decode("utf-8", "replace").split("/")
    folders = {part.casefold() for part in parts[:-1]}
    name = parts[-1]
    lower = name.casefold()
    if folders & _VENDORED_DIRS:
        return PathKind.VENDORED
    if folders & _TEST_DIRS or _TEST_NAME.match(name):
        return PathKind.TEST
    if folders & _EXAMPLE_DIRS:
        return PathKind.EXAMPLE
    if folders & _DOCS_DIRS or lower.endswith(_DOCS_SUFFIXES):
        return PathKind.DOCS
    hidden = any(part.startswith(".") for part in parts)
    if hidden or folders & _TOOLING_DIRS or lower in _TOOLING_NAMES:
        return PathKind.TOOLING
    return PathKind.TOOLING if lower.endswith(_TOOLING_SUFFIXES) else PathKind.PRODUCTION


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
