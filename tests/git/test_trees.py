"""Listing trees and comparing them, with any bytes in their paths."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.gitrepo import GitRepo
from sidelight.errors import GitError, MissingObjectError
from sidelight.git.rawdiff import parse_changes
from sidelight.git.repository import Repository, open_repository
from sidelight.git.trees import ABSENT, GITLINK, SYMLINK, blob_sizes, diff_trees, list_tree
from sidelight.model import ChangeKind, FileChange, FileRef

ODD_PATHS = [b"tab\there", b"line\nend", b'quo"te', b"back\\slash", b" lead", b"\xff\xfe.py", b"-x"]
ODD_PATHS += ["日本/é.py".encode(), b"a:b", b":(glob)*", b"dir/\x01", b"*", b"HEAD", b"100644 x"]

Tree = dict[bytes, tuple[int, str]]


@pytest.fixture(params=["sha1", "sha256"])
def made(tmp_path: Path, request: pytest.FixtureRequest) -> GitRepo:
    return GitRepo.init(tmp_path / "repo", object_format=request.param)


def write_tree(made: GitRepo, files: Mapping[bytes, tuple[int, bytes]]) -> str:
    """Return a tree made in the index alone, so that the file system has no say in names."""
    made.git("read-tree", "--empty")
    lines = []
    for path, (mode, content) in files.items():
        blob = made.git_bytes("hash-object", "-w", "--stdin", stdin=content).strip()
        lines.append(b"%o %s 0\t%s\0" % (mode, blob, path))
    made.git_bytes("update-index", "-z", "--index-info", stdin=b"".join(lines))
    return made.git("write-tree")


def applied(old: list[FileRef], changes: list[FileChange]) -> Tree:
    """Return the tree that the changes make of the old one, checking what they say of it."""
    files = {file.path: (file.mode, file.blob) for file in old}
    for change in changes:
        if change.kind is not ChangeKind.ADDED:
            assert files.pop(change.path) == (change.old_mode, change.old_blob)
            assert change.old_path == change.path
        if change.kind is not ChangeKind.DELETED:
            assert change.new_mode is not None
            assert change.new_blob is not None
            assert change.path not in files
            files[change.path] = (change.new_mode, change.new_blob)
    return files


def test_every_kind_of_entry_is_listed_with_size_and_mode(made: GitRepo) -> None:
    made.write("a.py", "four")
    made.write("bin/run", "#!/bin/sh\n", 0o755)
    made.write("empty", "")
    made.symlink("link", "bin/run")
    made.git("add", "-A")
    made.add_gitlink("vendor/sub", made.git("hash-object", "a.py"))
    made.commit(stage=False)
    files = list_tree(open_repository(made.path), made.tree())
    assert [(file.path, file.size, file.mode) for file in files] == [
        (b"a.py", 4, 0o100644),
        (b"bin/run", 10, 0o100755),
        (b"empty", 0, 0o100644),
        (b"link", 7, SYMLINK),
        (b"vendor/sub", 0, GITLINK),
    ]
    assert files[0].blob == made.git("hash-object", "a.py")


@pytest.mark.parametrize("path", ODD_PATHS)
def test_odd_paths_come_back_as_they_are(made: GitRepo, path: bytes) -> None:
    tree = write_tree(made, {path: (0o100644, b"x")})
    repo = open_repository(made.path)
    assert [file.path for file in list_tree(repo, tree)] == [path]
    (added,) = diff_trees(repo, None, tree)
    assert (added.kind, added.path, added.old_path) == (ChangeKind.ADDED, path, None)
    (deleted,) = diff_trees(repo, tree, None)
    assert (deleted.kind, deleted.path, deleted.new_blob) == (ChangeKind.DELETED, path, None)


def test_the_order_is_that_of_the_bytes(made: GitRepo) -> None:
    paths = [b"a", b"a.b", b"a0", b"b/c", b"b.c", b"b0", b"Z", b"\xff", b"b/c.d"]
    tree = write_tree(made, {path: (0o100644, path) for path in paths})
    repo = open_repository(made.path)
    assert [file.path for file in list_tree(repo, tree)] == sorted(set(paths))
    assert [change.path for change in diff_trees(repo, None, tree)] == sorted(set(paths))


def test_the_empty_tree(made: GitRepo) -> None:
    repo = open_repository(made.path)
    assert list_tree(repo, repo.empty_tree) == []
    assert diff_trees(repo, None, None) == diff_trees(repo, None, repo.empty_tree) == []


def test_each_kind_of_change(made: GitRepo) -> None:
    for name in ("keep", "edit", "mode", "type", "gone", "move/old", "to_dir"):
        made.write(name, f"content of {name}\n")
    old = made.git("rev-parse", made.commit() + "^{tree}")
    made.write("edit", "other")
    made.write("mode", made.read("mode"), 0o755)
    made.remove("type")
    made.symlink("type", "keep")
    made.remove("gone")
    made.rename("move/old", "move/new")
    made.remove("to_dir")
    made.write("to_dir/inside", "x")
    made.write("added", "x")
    new = made.git("rev-parse", made.commit() + "^{tree}")
    repo = open_repository(made.path)
    changes = diff_trees(repo, old, new)
    assert [(change.kind.value, change.path) for change in changes] == [
        ("added", b"added"),
        ("modified", b"edit"),
        ("deleted", b"gone"),
        ("modified", b"mode"),
        ("added", b"move/new"),
        ("deleted", b"move/old"),
        ("deleted", b"to_dir"),
        ("added", b"to_dir/inside"),
        ("modified", b"type"),
    ]
    by_path = {change.path: change for change in changes}
    assert by_path[b"mode"].old_blob == by_path[b"mode"].new_blob
    assert (by_path[b"mode"].old_mode, by_path[b"mode"].new_mode) == (0o100644, 0o100755)
    assert by_path[b"type"].new_mode == SYMLINK
    assert by_path[b"move/new"].new_blob == by_path[b"move/old"].old_blob
    assert diff_trees(repo, new, new) == []


def test_a_submodule_that_moved_is_a_change_whatever_the_configuration(made: GitRepo) -> None:
    commits = [made.commit("One"), made.commit("Two")]
    trees = []
    for commit in commits:
        made.add_gitlink("sub", commit)
        made.commit(stage=False)
        trees.append(made.tree())
    made.git("config", "diff.ignoreSubmodules", "all")
    (change,) = diff_trees(open_repository(made.path), *trees)
    assert (change.kind, change.old_blob, change.new_blob) == (ChangeKind.MODIFIED, *commits)


def test_the_user_s_diff_settings_change_nothing(made: GitRepo) -> None:
    made.write("b/old.py", "same\n" * 20)
    old = made.git("rev-parse", made.commit() + "^{tree}")
    made.rename("b/old.py", "b/new.py")
    made.write("a", "x")
    new = made.git("rev-parse", made.commit() + "^{tree}")
    repo = open_repository(made.path / "b")
    expected = diff_trees(repo, old, new)
    made.write("order", "b/*\n")
    for name, value in [
        ("diff.renames", "copies"),
        ("diff.relative", "true"),
        ("diff.orderFile", str(made.path / "order")),
        ("core.abbrev", "7"),
        ("core.quotePath", "true"),
        ("diff.external", "false"),
        ("diff.noprefix", "true"),
    ]:
        made.git("config", name, value)
    assert diff_trees(repo, old, new) == expected
    assert len(expected) == 3
    assert len(list_tree(repo, new)) == 2


def test_sizes_without_reading(made: GitRepo) -> None:
    made.write("big", b"\0" * 3_000_000)
    made.write("small", "x")
    made.commit()
    repo = open_repository(made.path)
    big, small = made.blob("big"), made.blob("small")
    gone = "1" * len(big)
    assert blob_sizes(repo, [big, gone, small, big]) == {big: 3_000_000, gone: ABSENT, small: 1}
    assert blob_sizes(repo, []) == {}


def test_a_tree_that_is_not_here(made: GitRepo) -> None:
    made.write("dir/a", "x")
    made.commit()
    repo = open_repository(made.path)
    gone = "1" * len(repo.empty_tree)
    with pytest.raises(MissingObjectError):
        list_tree(repo, gone)
    with pytest.raises(MissingObjectError):
        diff_trees(repo, gone, made.tree())
    below = made.git("rev-parse", "HEAD:dir")
    (made.path / ".git" / "objects" / below[:2] / below[2:]).unlink()
    with pytest.raises(MissingObjectError):
        list_tree(repo, made.tree())
    with pytest.raises(MissingObjectError):
        diff_trees(repo, None, made.tree())


def test_a_blob_that_is_not_here_is_listed_as_absent(made: GitRepo) -> None:
    made.write("a", "x")
    made.commit()
    blob = made.blob("a")
    (made.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    (file,) = list_tree(open_repository(made.path), made.tree())
    assert file.size == ABSENT


@pytest.mark.parametrize("tree", ["HEAD", "--help", "", "main^{tree}"])
def test_only_ids_are_taken(made: GitRepo, tree: str) -> None:
    made.commit()
    repo = open_repository(made.path)
    with pytest.raises(GitError, match="object id"):
        list_tree(repo, tree)
    with pytest.raises(GitError, match="object id"):
        diff_trees(repo, repo.empty_tree, tree or "x")


@pytest.mark.parametrize("raw", [b":100644 x\0a\0", b"junk\0", b":1 2 3 4 M\0"])
def test_a_raw_diff_that_is_none_is_refused(raw: bytes) -> None:
    with pytest.raises(GitError, match="raw diff"):
        parse_changes(raw)


PARTS = st.binary(min_size=1, max_size=3).filter(
    lambda part: not set(part) & {0, 0x2F} and part not in {b".", b".."} and b".git" not in part
)
PATHS = st.lists(PARTS, min_size=1, max_size=3).map(b"/".join)
CONTENTS = st.sampled_from([b"", b"x", b"y\0", b"\xff\n"])
MODES = st.sampled_from([0o100644, 0o100755, SYMLINK])


def without_clashes(files: Mapping[bytes, tuple[int, bytes]]) -> dict[bytes, tuple[int, bytes]]:
    """Leave out files that stand where others need a folder."""
    folders = {path[:at] for path in files for at in range(len(path)) if path[at] == 0x2F}
    return {path: entry for path, entry in files.items() if path not in folders}


FILES = st.dictionaries(PATHS, st.tuples(MODES, CONTENTS), max_size=6).map(without_clashes)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[GitRepo, Repository]:
    made = GitRepo.init(tmp_path_factory.mktemp("shared"))
    made.git("config", "core.protectNTFS", "false")
    made.git("config", "core.protectHFS", "false")
    return made, open_repository(made.path)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(old=FILES, new=FILES)
def test_changes_lead_from_one_tree_to_the_other(
    shared: tuple[GitRepo, Repository],
    old: dict[bytes, tuple[int, bytes]],
    new: dict[bytes, tuple[int, bytes]],
) -> None:
    made, repo = shared
    trees = write_tree(made, old), write_tree(made, new)
    before, after = (list_tree(repo, tree) for tree in trees)
    assert [file.path for file in after] == sorted(new)
    assert {file.path: (file.mode, file.size) for file in after} == {
        path: (mode, len(content)) for path, (mode, content) in new.items()
    }
    changes = diff_trees(repo, *trees)
    assert applied(before, changes) == {file.path: (file.mode, file.blob) for file in after}
    assert [change.path for change in changes] == sorted({change.path for change in changes})


def test_files_on_disk_with_any_bytes(made: GitRepo) -> None:
    paths = [b"a/\xff.py", b"new\nline", b"tab\t", b'"q"']
    for path in paths:
        try:
            made.write(path, b"content")
        except OSError:
            pytest.skip("this file system does not take the names")
    made.commit()
    files = list_tree(open_repository(made.path), made.tree())
    assert [file.path for file in files] == sorted(paths)
    assert all(os.fsencode(os.fsdecode(file.path)) == file.path for file in files)
