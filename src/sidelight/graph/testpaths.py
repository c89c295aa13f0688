"""Which paths are tests', by the habits of each language. Pure."""

from __future__ import annotations

import re

_FOLDERS = frozenset(
    "test tests testing spec specs __tests__ e2e testsuite integration-tests unittest".split()
)
_NAME = re.compile(
    r"(?:test[_-].*|tests?\.\w+|conftest\.py|.*[_.-](?:test|tests|spec|specs)\.\w+"
    r"|.*(?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|kts|scala|cs|php|swift|groovy))$"
)


def is_test_path(path: str) -> bool:
    """Return whether a path is a test's by the habits of its language."""
    *folders, name = path.split("/")
    return _NAME.match(name) is not None or not _FOLDERS.isdisjoint(f.casefold() for f in folders)
