"""List trees and compare them. Plumbing only; renames are not looked for: a move is D and A."""

from __future__ import annotations

from collections.abc import Iterable

from sidelight.git.objectstore import bare_objects
from sidelight.git.rawdiff import parse_changes
from sidelight.git.repository import Repository
from sidelight.model import FileChange, FileRef

SYMLINK = 0o120000
GITLINK = 0o160000
ABSENT = -1  # the size of a blob that is not here (partial clone, damaged store)


def list_tree(repo: Repository, tree: str) -> list[FileRef]:
    """Return every file below a tree, in the order of the paths' bytes.

    Symbolic links (the size is their target's) and submodules (size 0) are among them. A blob
    that is not here has size `ABSENT`; nothing is fetched.

    Raises:
        MissingObjectError: the tree, or one below it, is not here.
    """
    repo.require_object_id(tree)
    if repo.is_partial:  # `-l` would fetch, or die of, every absent blob
        return _list_partial(repo, tree)
    raw = repo.run(["ls-tree", "-r", "-z", "-l", "--full-tree", tree])
    return _parse_entries(raw)


def diff_trees(repo: Repository, old_tree: str | None, new_tree: str | None) -> list[FileChange]:
    """Return the paths that differ between two trees, in the order of their bytes.

    None stands for the empty tree. A moved file is one DELETED and one ADDED; a changed mode or
    type is MODIFIED, like changed content.

    Raises:
        MissingObjectError: a tree is not here.
    """
    old = repo.require_object_id(old_tree or repo.empty_tree)
    new = repo.require_object_id(new_tree or repo.empty_tree)
    if old == new:
        return []
    options = ["-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none"]
    return parse_changes(repo.run(["diff-tree", *options, old, new]))


def blob_sizes(repo: Repository, blobs: Iterable[str]) -> dict[str, int]:
    """Return the size of each blob in bytes, or `ABSENT`, without reading any; one process."""
    wanted = list(dict.fromkeys(repo.require_object_id(blob) for blob in blobs))
    if not wanted:
        return {}
    if not repo.is_partial:
        return _check(repo, wanted)
    with bare_objects(repo) as store:
        return _check(store, wanted)


def _check(repo: Repository, blobs: list[str]) -> dict[str, int]:
    words = ["cat-file", "--batch-check=%(objectname) %(objectsize)", "--buffer"]
    answer = repo.run(words, input="\n".join([*blobs, ""]).encode())
    sizes: dict[str, int] = {}
    for line in answer.splitlines():
        blob, _, size = line.partition(b" ")
        sizes[blob.decode()] = int(size) if size.isdigit() else ABSENT  # "… missing"
    return sizes


def _parse_entries(raw: bytes) -> list[FileRef]:
    """Read `MODE TYPE OBJECT SIZE TAB PATH NUL …`; the size is padded, `-` for submodules."""
    files = []
    for entry in raw.split(b"\0"):
        if not entry:
            break  # what follows the last NUL
        meta, _, path = entry.partition(b"\t")
        mode, _, blob, size = meta.split()
        files.append(FileRef(path, blob.decode(), _size(size), int(mode, 8)))
    return files


def _size(word: bytes) -> int:
    if word.isdigit():
        return int(word)
    if word == b"-":
        return 0
    return ABSENT  # git writes BAD


def _list_partial(repo: Repository, tree: str) -> list[FileRef]:
    raw = repo.run(["ls-tree", "-r", "-z", "--full-tree", tree])
    entries = []
    for entry in raw.split(b"\0")[:-1]:
        meta, _, path = entry.partition(b"\t")
        mode, _, blob = meta.split()
        entries.append((path, blob.decode(), int(mode, 8)))
    sizes = blob_sizes(repo, (blob for _, blob, mode in entries if mode != GITLINK))
    return [FileRef(path, blob, sizes.get(blob, 0), mode) for path, blob, mode in entries]
