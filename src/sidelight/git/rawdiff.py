"""Read git's raw diff format with NUL ends. Pure: bytes in, `FileChange`s out.

    :OLDMODE NEWMODE OLDBLOB NEWBLOB STATUS NUL PATH NUL [NEWPATH NUL, for R and C]

(git-diff, "Raw output format".)
"""

from __future__ import annotations

from collections.abc import Iterator

from sidelight.errors import GitError
from sidelight.model import ChangeKind, FileChange


def parse_changes(raw: bytes) -> list[FileChange]:
    """Return the changes of one `diff-tree -z --raw` answer, in git's order.

    Raises:
        GitError: it is not that format, or it ends early.
    """
    tokens = iter(raw.split(b"\0"))
    changes = []
    for token in tokens:
        if not token:
            break  # what follows the last NUL
        changes.append(parse_change(token, tokens))
    return changes


def parse_change(header: bytes, tokens: Iterator[bytes]) -> FileChange:
    """Return the change that starts with `header`; takes its one or two paths from `tokens`.

    Raises:
        GitError: the header is not one of a raw diff, or the paths are missing.
    """
    fields = header[1:].split(b" ")
    if header[:1] != b":" or len(fields) != 5:
        raise GitError(f"git's raw diff has an unexpected line: {header[:120]!r}")
    old_mode, new_mode, old_blob, new_blob, status = fields
    letter = status[:1]
    path = next(tokens, b"")
    to_path = next(tokens, b"") if letter in {b"R", b"C"} else path
    if not path or not to_path:
        raise GitError("git's raw diff ends in the middle of an entry")
    if letter in {b"A", b"C"}:  # a copy takes nothing away: the new path is added
        return FileChange(
            ChangeKind.ADDED, to_path, None, None, new_blob.decode(), None, int(new_mode, 8)
        )
    if letter == b"D":
        return FileChange(
            ChangeKind.DELETED, path, path, old_blob.decode(), None, int(old_mode, 8), None
        )
    kind = ChangeKind.RENAMED if letter == b"R" else ChangeKind.MODIFIED  # M, T: another type
    return FileChange(
        kind,
        to_path,
        path,
        old_blob.decode(),
        new_blob.decode(),
        int(old_mode, 8),
        int(new_mode, 8),
    )
