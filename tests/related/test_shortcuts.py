"""What makes ranking quick changes no answer: each shortcut against the plain way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sidelight.history.log import distinct
from sidelight.history.pathterms import path_terms
from sidelight.history.rows import short_hash
from sidelight.related.files import ViewFiles
from sidelight.related.places import beside_scores
from sidelight.search.pathkind import PathKind, path_kind
from sidelight.tokens import text_terms

ROOT = Path(__file__).resolve().parents[2]
part = st.sampled_from(
    [b"src", b"HTTPServer.java", b"test_a.py", b"a-b", b"retries", b"x", b"caf\xe9.py", b".ci"]
)
paths = st.lists(st.lists(part, min_size=1, max_size=4).map(b"/".join), unique=True, max_size=12)


def files_of(names: list[bytes]) -> ViewFiles:
    none = np.zeros(0, np.int64)
    position = {name: at for at, name in enumerate(names)}
    blank = ("",) * len(names)
    return ViewFiles(tuple(names), blank, blank, none, position, none, path_terms(names))


@given(paths)
def test_terms_of_paths_are_those_of_their_parts(names: list[bytes]) -> None:
    found = path_terms(names)
    hashed = found.hashed()
    for at, name in enumerate(names):
        expected: dict[str, int] = {}
        for piece in name.split(b"/"):
            for term, n in text_terms(piece.decode("utf-8", "replace")).items():
                expected[term] = expected.get(term, 0) + n
        held = {term: int(found.counts(term)[at]) for term in found.numbers}
        assert {term: n for term, n in held.items() if n} == expected
        own = hashed.items[hashed.offsets[at] : hashed.offsets[at + 1]].tolist()
        repeated = [short_hash(term) for term, n in expected.items() for _ in range(n)]
        assert sorted(own) == sorted(repeated)
    assert not found.counts("never").any()


@given(paths, paths)
def test_folders_are_as_near_as_the_fewest_steps_say(
    names: list[bytes], focal: list[bytes]
) -> None:
    def steps(one: bytes, other: bytes) -> int:
        ours, theirs = one.split(b"/")[:-1], other.split(b"/")[:-1]
        shared = 0
        while ours[shared : shared + 1] and ours[: shared + 1] == theirs[: shared + 1]:
            shared += 1
        return len(ours) + len(theirs) - 2 * shared

    expected = [
        1 / (1 + min(steps(name, path) for path in focal)) if focal else 0.0 for name in names
    ]
    assert beside_scores(files_of(names), focal).tolist() == expected


@given(st.lists(st.integers(-5, 5)))
def test_distinct_values_are_a_sorted_set(values: list[int]) -> None:
    assert distinct(np.asarray(values, np.int64)).tolist() == sorted(set(values))


def test_the_strongest_sign_of_a_path_wins() -> None:
    expected = {
        b"vendor/tests/a.py": PathKind.VENDORED,
        b"docs/tests/a.md": PathKind.TEST,
        b"examples/test_a.py": PathKind.TEST,
        b"examples/readme.md": PathKind.EXAMPLE,
        b".github/readme.md": PathKind.DOCS,
        b".github/a.py": PathKind.TOOLING,
        b"src/.hidden": PathKind.TOOLING,
        b"src/setup.py": PathKind.TOOLING,
        b"a.py": PathKind.PRODUCTION,
        b"src/latest.py": PathKind.PRODUCTION,
    }
    assert {path: path_kind(path) for path in expected} == expected


def test_a_process_that_ranks_once_loads_no_engine_it_does_not_use() -> None:
    heavy = ("git", "onnxruntime", "usearch", "numpy.ma", "sidelight.search.searcher")
    code = (
        "import sys, sidelight.cli.related, sidelight.related.session, sidelight.findings;"
        f"print(*sorted(set({heavy!r}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == []
