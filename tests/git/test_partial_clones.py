"""A partial clone is read as far as it goes: nothing is fetched that nobody asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from sidelight.errors import MissingObjectError
from sidelight.git.attributes import read_attributes
from sidelight.git.blobs import BlobReader
from sidelight.git.history import iter_commits
from sidelight.git.repository import open_repository
from sidelight.git.trees import ABSENT, GITLINK, blob_sizes, diff_trees, list_tree
from sidelight.model import ChangeKind

BIG = b"0123456789" * 500


@pytest.fixture
def origin(tmp_path: Path) -> GitRepo:
    made = GitRepo.init(tmp_path / "origin")
    made.git("config", "uploadpack.allowFilter", "true")
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    made.write("big.bin", BIG)
    made.write("dir/small.py", "x = 1\n")
    made.git("add", "-A")
    made.add_gitlink("sub", "1" * 40)
    made.commit("One", stage=False)
    made.git("mv", "big.bin", "dir/big.bin")
    made.write("dir/small.py", "x = 2\n")
    made.git("add", "dir/small.py")
    made.commit("Two", stage=False)
    return made


def clone(origin: GitRepo, path: Path, *options: str) -> GitRepo:
    """Return a clone whose remote leaves a mark when anybody talks to it."""
    made = origin.clone(path, *options)
    mark = path.parent / f"{path.name}.fetched"
    made.git("config", "remote.origin.uploadpack", f"touch '{mark}'; git-upload-pack")
    return made


def fetched(made: GitRepo) -> bool:
    return (made.path.parent / f"{made.path.name}.fetched").exists()


def test_the_mark_works(origin: GitRepo, tmp_path: Path) -> None:
    made = clone(origin, tmp_path / "copy", "--filter=blob:none", "--no-checkout")
    made.git("cat-file", "-p", "HEAD:dir/small.py")
    assert fetched(made)


def test_absent_blobs_are_listed_without_fetching(origin: GitRepo, tmp_path: Path) -> None:
    made = clone(origin, tmp_path / "copy", "--filter=blob:none", "--no-checkout")
    repo = open_repository(made.path)
    assert repo.is_partial
    assert not open_repository(origin.path).is_partial
    tree = origin.tree()
    files = list_tree(repo, tree)
    assert [(file.path, file.size) for file in files] == [
        (b"dir/big.bin", ABSENT),
        (b"dir/small.py", ABSENT),
        (b"sub", 0),
    ]
    assert files[2].mode == GITLINK
    assert blob_sizes(repo, [origin.blob("dir/small.py")]) == {origin.blob("dir/small.py"): ABSENT}
    assert not fetched(made)


def test_present_blobs_are_read_and_large_absent_ones_named(
    origin: GitRepo, tmp_path: Path
) -> None:
    made = clone(origin, tmp_path / "copy", "--filter=blob:limit=1k", "--no-checkout")
    repo = open_repository(made.path)
    sizes = {file.path: file.size for file in list_tree(repo, origin.tree())}
    assert sizes == {b"dir/big.bin": ABSENT, b"dir/small.py": 6, b"sub": 0}
    with BlobReader(repo) as reader:
        assert reader.read(origin.blob("dir/small.py")) == b"x = 2\n"
        for ask in (reader.read, reader.size):
            with pytest.raises(MissingObjectError) as caught:
                ask(origin.blob("dir/big.bin"))
            assert "partial clone" in caught.value.hint
        assert reader.read(origin.blob("dir/small.py", "HEAD~1")) == b"x = 1\n"
    assert not fetched(made)


def test_trees_and_history_need_no_blobs(origin: GitRepo, tmp_path: Path) -> None:
    made = clone(origin, tmp_path / "copy", "--filter=blob:none", "--no-checkout")
    repo = open_repository(made.path)
    full = open_repository(origin.path)
    trees = origin.tree("HEAD~1"), origin.tree("HEAD")
    assert diff_trees(repo, *trees) == diff_trees(full, *trees)
    newest = next(iter_commits(repo, "HEAD"))
    assert (ChangeKind.RENAMED, b"dir/big.bin") in {(c.kind, c.path) for c in newest.changes}
    assert list(iter_commits(repo, "HEAD")) == list(iter_commits(full, "HEAD"))
    assert not fetched(made)


def test_a_clone_without_trees_is_refused_without_fetching(origin: GitRepo, tmp_path: Path) -> None:
    made = clone(origin, tmp_path / "copy", "--filter=tree:0", "--no-checkout")
    repo = open_repository(made.path)
    for ask in (
        repo.head_tree,
        lambda: list_tree(repo, origin.tree()),
        lambda: diff_trees(repo, origin.tree("HEAD~1"), origin.tree()),
        lambda: list(iter_commits(repo, "HEAD")),
    ):
        with pytest.raises(MissingObjectError) as caught:
            ask()
        assert "partial clone" in caught.value.hint
    assert not fetched(made)


def test_absent_attributes_are_not_taken_for_none(origin: GitRepo, tmp_path: Path) -> None:
    origin.write(".gitattributes", "*.py linguist-generated\n")
    origin.git("add", ".gitattributes")
    origin.commit("Three", stage=False)
    made = clone(origin, tmp_path / "copy", "--filter=blob:none", "--no-checkout")
    with pytest.raises(MissingObjectError, match=r"\.gitattributes is not here") as caught:
        read_attributes(open_repository(made.path), origin.tree(), [b"dir/small.py"])
    assert "partial clone" in caught.value.hint
    assert not fetched(made)
    made.git("checkout", "-q", "main", "--", ".gitattributes")  # git fetches this one
    assert read_attributes(open_repository(made.path), origin.tree(), [b"dir/small.py"]) == {
        b"dir/small.py": {"linguist-generated": "set"}
    }
