"""Read gitattributes as one tree has them. No worktree, no index, no file of the user counts.

git 2.39 cannot read attributes from a tree (`check-attr --source` is from 2.40). So the tree's
`.gitattributes` go into an index of their own, in a scratch git directory over the same objects,
where `check-attr --cached` finds them and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from sidelight.errors import MissingObjectError
from sidelight.git.diagnosis import DAMAGE_HINT, FETCH_HINT
from sidelight.git.objectstore import bare_objects
from sidelight.git.rawdiff import parse_changes
from sidelight.git.repository import Repository
from sidelight.git.trees import ABSENT, GITLINK, SYMLINK, blob_sizes
from sidelight.model import FileRef

FILE_NAME = b".gitattributes"
UNSAFE_PARTS = frozenset({b"", b".", b"..", b".git"})
NAMES = (
    "binary",
    "diff",
    "filter",
    "linguist-documentation",
    "linguist-generated",
    "linguist-language",
    "linguist-vendored",
)


def attribute_sources(repo: Repository, tree: str) -> list[FileRef]:
    """Return the `.gitattributes` files of a tree (sizes are 0: they are not looked up).

    Raises:
        MissingObjectError: the tree is not here.
    """
    old, new = repo.empty_tree, repo.require_object_id(tree)
    if old == new:
        return []
    words = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new, "--"]
    patterns = [":(top,glob)**/.gitattributes"]
    changes = parse_changes(repo.run([*words, *patterns]))
    return [
        FileRef(change.path, change.new_blob, 0, change.new_mode)
        for change in changes
        if change.new_blob is not None and change.new_mode is not None
    ]


def read_attributes(
    repo: Repository,
    tree: str,
    paths: Sequence[bytes],
    names: Sequence[str] = NAMES,
    *,
    sources: Sequence[FileRef] | None = None,
) -> dict[bytes, dict[str, str]]:
    """Return, for each path with any of the named attributes, their values.

    A value is `set`, `unset` or what stands behind `=`; unspecified ones are left out, and so are
    paths without any. Only the `.gitattributes` of `tree` are asked, found by a walk of it or, if
    the caller knows them, given as `sources` (then nothing but these counts). Symbolic links named
    so are ignored, as git does. Without any such file no process is started.

    Raises:
        MissingObjectError: the tree, or one of the files, is not here.
    """
    if not paths or not names:
        return {}
    found = attribute_sources(repo, tree) if sources is None else sources
    files = [file for file in found if _counts(file)]
    if not files:
        return {}
    if repo.is_partial:
        _require_present(repo, files)  # git would take an absent file for an empty one
    listing = b"".join(
        b"100644 %s 0\t%s\0" % (repo.require_object_id(file.blob).encode(), file.path)
        for file in files
    )
    with bare_objects(repo) as store:
        store.run(["update-index", "-z", "--index-info"], input=listing)
        answer = store.run(
            ["check-attr", "--cached", "-z", "--stdin", *names],
            input=b"".join(b"%s\0" % path for path in paths if _is_safe(path)),
        )
    return _parse_answer(answer)


def _counts(file: FileRef) -> bool:
    name = file.path.rpartition(b"/")[2]
    return name == FILE_NAME and file.mode not in {SYMLINK, GITLINK} and _is_safe(file.path)


def _is_safe(path: bytes) -> bool:
    """Return whether git takes the path into an index.

    A hand-made tree may hold the others; they cannot be checked out, and have no attributes here.
    """
    return not any(part.lower() in UNSAFE_PARTS for part in path.split(b"/"))


def _require_present(repo: Repository, files: Sequence[FileRef]) -> None:
    sizes = blob_sizes(repo, [file.blob for file in files])
    for file in files:
        if sizes[file.blob] == ABSENT:
            path = file.path.decode("utf-8", "backslashreplace")
            hint = FETCH_HINT if repo.is_partial else DAMAGE_HINT
            raise MissingObjectError(f"blob {file.blob} of {path} is not here", hint=hint)


def _parse_answer(answer: bytes) -> dict[bytes, dict[str, str]]:
    """Read `PATH NUL NAME NUL VALUE NUL …`."""
    words = answer.split(b"\0")
    attributes: dict[bytes, dict[str, str]] = {}
    for path, name, value in zip(words[0::3], words[1::3], words[2::3], strict=False):
        if value != b"unspecified":
            text = value.decode("utf-8", "replace")
            attributes.setdefault(path, {})[name.decode("utf-8", "replace")] = text
    return attributes
