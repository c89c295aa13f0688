"""What must be looked at to move a view from one tree to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sidelight.errors import GitError
from sidelight.git.attributes import read_attributes
from sidelight.git.repository import Repository
from sidelight.git.trees import diff_trees, list_tree
from sidelight.indexing.eligibility import ATTRIBUTES
from sidelight.model import FileRef
from sidelight.store.database import Database
from sidelight.store.reader import paths_named
from sidelight.store.views import ViewState, find_view

ATTRIBUTES_FILE = b".gitattributes"


@dataclass(frozen=True, slots=True)
class TreeChanges:
    """Paths to (re)classify, and paths that are gone. `whole`: `files` are the entire tree."""

    files: Sequence[FileRef]
    deleted: Sequence[bytes]
    attributes: Mapping[bytes, Mapping[str, str]]
    whole: bool


def plan_changes(
    repo: Repository,
    database: Database,
    view: str,
    old: ViewState | None,
    new: ViewState,
    attributes_tree: str | None = None,
) -> TreeChanges:
    """Return the difference between what the view shows and `new`.

    The whole tree is planned where no difference can be trusted: a new view, another
    configuration, an old tree that git has forgotten, changed attributes. The attributes are those
    of `attributes_tree`, which the configuration's key knows, or else of the new tree.
    """
    if old is None or old.config_key != new.config_key:
        return _whole_tree(repo, new.tree, attributes_tree)
    try:
        changes = diff_trees(repo, old.tree, new.tree)
    except GitError:
        return _whole_tree(repo, new.tree, attributes_tree)
    if attributes_tree is None and any(
        change.path.rpartition(b"/")[2] == ATTRIBUTES_FILE for change in changes
    ):
        return _whole_tree(repo, new.tree, None)
    files = [
        FileRef(change.path, change.new_blob, 0, change.new_mode)
        for change in changes
        if change.new_blob is not None and change.new_mode is not None
    ]
    present = {file.path for file in files}
    deleted = [
        change.path for change in changes if change.new_blob is None and change.path not in present
    ]
    attributes: Mapping[bytes, Mapping[str, str]] = {}
    if files and attributes_tree is not None:
        paths = [file.path for file in files]
        attributes = read_attributes(repo, attributes_tree, paths, names=ATTRIBUTES)
    elif files and _has_attributes(database, view):
        attributes = read_attributes(repo, new.tree, [f.path for f in files], names=ATTRIBUTES)
    return TreeChanges(files, deleted, attributes, whole=False)


def _has_attributes(database: Database, view: str) -> bool:
    with database.read() as connection:
        row = find_view(connection, view)
        return row is not None and bool(paths_named(connection, row.id, ATTRIBUTES_FILE))


def _whole_tree(repo: Repository, tree: str, attributes_tree: str | None) -> TreeChanges:
    files = list_tree(repo, tree)
    if attributes_tree is not None:
        paths = [file.path for file in files]
        attributes = read_attributes(repo, attributes_tree, paths, names=ATTRIBUTES)
        return TreeChanges(files, (), attributes, whole=True)
    sources = [file for file in files if file.path.rpartition(b"/")[2] == ATTRIBUTES_FILE]
    attributes = {}
    if sources:
        attributes = read_attributes(
            repo, tree, [file.path for file in files], names=ATTRIBUTES, sources=sources
        )
    return TreeChanges(files, (), attributes, whole=True)
