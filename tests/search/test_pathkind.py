"""What a path says about the role of its file, and what a query asks for in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.search.pathkind import PathKind, asked_kinds, path_kind


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/server.py", PathKind.PRODUCTION),
        ("lib/latest.js", PathKind.PRODUCTION),
        ("contest/winner.go", PathKind.PRODUCTION),
        ("src/attestation.rs", PathKind.PRODUCTION),
        ("src/Specification.java", PathKind.PRODUCTION),
        ("tests/test_server.py", PathKind.TEST),
        ("src/test_server.py", PathKind.TEST),
        ("src/server_test.go", PathKind.TEST),
        ("app/server.spec.ts", PathKind.TEST),
        ("src/__tests__/server.tsx", PathKind.TEST),
        ("src/ServerTest.java", PathKind.TEST),
        ("pkg/testdata/input.go", PathKind.TEST),
        ("docs/guide.rst", PathKind.DOCS),
        ("README.md", PathKind.DOCS),
        ("docs/conf.py", PathKind.DOCS),
        ("examples/basic/main.go", PathKind.EXAMPLE),
        ("benchmarks/run.py", PathKind.EXAMPLE),
        ("vendor/github.com/x/y.go", PathKind.VENDORED),
        ("node_modules/x/test/y.js", PathKind.VENDORED),
        (".github/workflows/ci.yml", PathKind.TOOLING),
        ("setup.py", PathKind.TOOLING),
        ("Makefile", PathKind.TOOLING),
        ("package.json", PathKind.TOOLING),
    ],
)
def test_kinds_by_path(path: str, kind: PathKind) -> None:
    assert path_kind(path.encode()) is kind


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("where are retries handled", set()),
        ("tests for retries", {PathKind.TEST}),
        ("the testing fixtures", {PathKind.TEST}),
        ("latest contest", set()),
        ("documentation of the example", {PathKind.DOCS, PathKind.EXAMPLE}),
        ("which CI workflow builds wheels", {PathKind.TOOLING}),
    ],
)
def test_kinds_that_are_asked_for(query: str, kinds: set[PathKind]) -> None:
    assert asked_kinds(query) == kinds


@given(st.binary(min_size=1))
def test_any_path_has_a_kind(path: bytes) -> None:
    assert isinstance(path_kind(path), PathKind)
