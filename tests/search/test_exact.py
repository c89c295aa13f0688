"""The exact-string retriever against a plain look into every blob of the tree."""

from __future__ import annotations

import string
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from indexing.walk import Walk, random_steps
from sidelight.exact import needle_of, paths_with
from sidelight.git.repository import open_repository
from sidelight.git.trees import list_tree

CONTENTS = {
    "plain.py": "def retry(token):\n    return token.parse('a-b')\n",
    "windows.txt": "retry token\r\nsecond line\r\n",
    "latin.txt": b"caf\xe9 retry\n",
    "odd names/tab\there.txt": "retry  two blanks\n",
    "new\nline.txt": "-e retry --all\n",
    "ümlaut/ß.md": "# retry 漢字の検索 \U0001f600\n",
    "regex.txt": "a.*b [retry] (c|d) $HOME \\n 100%\n",
    "binary.dat": b"retry\0token",
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    repo = GitRepo.init(tmp_path_factory.mktemp("exact") / "repo")
    for path, content in CONTENTS.items():
        repo.write(path, content)
    repo.commit()
    return repo


def scan(repo: GitRepo, needle: bytes) -> set[bytes]:
    """Return the paths of HEAD's blobs that hold the needle within one line."""
    opened = open_repository(repo.path)
    found = set()
    for file in list_tree(opened, repo.tree()):
        content = repo.git_bytes("cat-file", "blob", file.blob)
        if needle in content:
            found.add(file.path)
    return found


@pytest.mark.parametrize(
    "needle",
    ["retry", "token", "-e retry", "--all", ".*", "[retry]", "\\n", "$HOME", "a-b'", "漢字", "é",
     "\U0001f600", "  two", "(c|d)", "100%", "nowhere at all", "retry\ttab"],
)  # fmt: skip
def test_git_finds_what_a_scan_of_the_blobs_finds(repo: GitRepo, needle: str) -> None:
    raw = needle.encode()
    assert paths_with(open_repository(repo.path), repo.tree(), raw) == scan(repo, raw)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.sampled_from(string.ascii_lowercase[:6] + "retyokn .*[]-\\$^"), min_size=3))
def test_git_finds_what_a_scan_finds_for_any_needle(repo: GitRepo, needle: str) -> None:
    checked = needle_of(needle)
    if checked is not None:
        assert paths_with(open_repository(repo.path), repo.tree(), checked) == scan(repo, checked)


@pytest.mark.parametrize(
    ("query", "needle"),
    [("  retry( ", b"retry("), ("ab", None), ("", None), ("a\nb", None), ("x" * 1001, None)],
)
def test_what_is_looked_for(query: str, needle: bytes | None) -> None:
    assert needle_of(query) == needle


def test_exact_mode_finds_every_chunk_that_holds_the_string() -> None:
    with tempfile.TemporaryDirectory() as folder:
        walk = Walk(Path(folder) / "repo")
        for step, pick in random_steps(11, 25):
            step(walk, pick)
        work = Workspace.at(walk.repo)
        work.refresh()
        indexed = {path for path, why in work.files().items() if not why}
        for query in ("retry", "oken ", "_cac", "return", "()", "ndex", "self, ", "# "):
            needle = needle_of(query)
            if needle is None:
                continue
            hits = work.search(query, mode="exact", k=500)
            found = {hit.path.decode("utf-8", "surrogateescape") for hit in hits}
            for hit in hits:
                found |= {path.decode("utf-8", "surrogateescape") for path in hit.alike}
            expected = {p.decode("utf-8", "surrogateescape") for p in scan(walk.repo, needle)}
            assert found == expected & indexed, query


def test_words_that_are_everywhere_are_looked_up_by_path(tmp_path: Path) -> None:
    """More candidates than are read: which ones must not depend on past commits."""
    repo = GitRepo.init(tmp_path / "repo")
    work = Workspace.at(repo)
    for at in reversed(range(24)):
        functions = [
            f"def f{at}_{i}(alpha):\n    beta = 'alpha beta' + alpha * {at * 100 + i}\n"
            + "    beta += alpha\n" * 12
            + f"    return {'gamma' if i == 7 else 'beta'}\n\n\n"
            for i in range(100)
        ]
        repo.write(f"d{at:02}.py", "".join(functions))
        if at % 16 == 0:
            repo.commit()
            work.refresh()
    fresh = work.beside(tmp_path / "fresh")
    report = fresh.refresh()
    assert report.embedded > 2000
    assert work.search("alpha beta", k=5) == fresh.search("alpha beta", k=5)
    assert len(work.search("return gamma", mode="exact", k=3000)) == 24


def test_a_method_is_found_rather_than_the_class_around_it(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    methods = [
        f"    def m{i}(self):\n        value = {i}\n" + "        value += 1\n" * 20
        + f"        return self.x{i}.y(value)\n\n"
        for i in range(6)
    ]  # fmt: skip
    repo.write("a.py", 'class Big:\n    """Has .z( in its head."""\n\n' + "".join(methods))
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    assert [hit.symbol for hit in work.search(".x4.y(", mode="exact")] == ["Big.m4"]
    assert [hit.symbol for hit in work.search(".z(", mode="exact")] == ["Big"]
