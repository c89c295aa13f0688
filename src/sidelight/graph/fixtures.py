"""pytest's fixtures: a test's parameter is what the fixture of its name gives."""

from __future__ import annotations

from sidelight.graph.facts import Facts
from sidelight.graph.rows import Definition
from sidelight.graph.testpaths import is_test_path
from sidelight.graph.tree import ancestors
from sidelight.model import ReferenceKind, SymbolKind


def find_fixture(facts: Facts, name: str, path: str) -> Definition | None:
    """Return the fixture that a parameter of a test file means: its own, else a conftest's."""
    if not is_test_path(path):
        return None
    files = (path, *(f"{folder}/conftest.py".lstrip("/") for folder in ancestors(path)))
    for file in files:
        if file not in facts.entries:
            continue
        for definition in facts.in_file(file, name):
            if definition.symbol.kind is SymbolKind.FUNCTION and _is_fixture(facts, definition):
                return definition
    return None


def _is_fixture(facts: Facts, definition: Definition) -> bool:
    return any(
        use.kind is ReferenceKind.DECORATOR and use.owner == definition.ordinal
        for use in facts.references_named(definition.path, ["fixture"])
    )
