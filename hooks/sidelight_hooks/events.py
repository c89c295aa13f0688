"""The git events that Sidelight follows, and decides which of them are worth a refresh.

Reads git's state files only; starts no process and imports next to nothing, because it runs once
for every commit of a rebase. `docs/hooks.md` has the table of what each git command does.
"""

# No pathlib: importing it costs 8 ms, as much as all the rest of a hook that skips.
# ruff: noqa: PTH110, PTH112, PTH116, PTH118, PTH123

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

HOOKS = ("post-commit", "post-merge", "post-checkout", "post-rewrite", "post-applypatch")

# A sequence that has not moved for this long has stopped for a person (a conflict, `edit`), or was
# left behind by `git reset --hard`: its state files must not keep commits out of the index.
ACTIVE_S = 30.0

# git's todo commands that make a commit, long and short; after any of them post-rewrite will come.
_MAKES_COMMIT = frozenset(
    {b"pick", b"p", b"edit", b"e", b"reword", b"r", b"squash", b"s", b"fixup", b"f", b"merge"}
    | {b"m", b"revert"}
)
_TAIL = 4096  # bytes of the reflog that surely hold its last line's message


def skip_reason(
    hook: str,
    args: Sequence[str],
    git_dir: str,
    *,
    now: float,
    is_ancestor: Callable[[str, str], bool],
) -> str | None:
    """Return why this event needs no refresh, or None if it does.

    One sequence (rebase, cherry-pick, revert, am) is to cause one refresh, at its end; a stopped
    or abandoned one does not count. `is_ancestor(old, new)` is asked in one rare case only.
    """
    if hook == "post-checkout" and args[2:3] == ["0"]:
        return "files were checked out, HEAD did not move"
    if hook == "post-rewrite" and args[:1] == ["rebase"]:
        return None  # the end of either kind of rebase, whose state files are still there
    return (
        _rebase_reason(hook, git_dir, now)
        or _mail_reason(hook, git_dir, now)
        or _picks_reason(git_dir, now)
        or _apply_start_reason(hook, args, git_dir, is_ancestor)
    )


def _rebase_reason(hook: str, git_dir: str, now: float) -> str | None:
    """The merge backend, interactive or not: post-rewrite ends it."""
    state = os.path.join(git_dir, "rebase-merge")
    todo = os.path.join(state, "git-rebase-todo")
    if not (_is_fresh(todo, now) or _is_fresh(os.path.join(state, "msgnum"), now)):
        return None
    if hook == "post-checkout" and _picks_left(todo) == 0:
        return None  # a fast-forward: no pick follows, and so no post-rewrite
    return "a rebase is under way"


def _mail_reason(hook: str, git_dir: str, now: float) -> str | None:
    """`git am`, and the rebase that is made of it (which post-rewrite ends)."""
    state = os.path.join(git_dir, "rebase-apply")
    next_file = os.path.join(state, "next")
    if not _is_fresh(next_file, now):
        return None
    if os.path.exists(os.path.join(state, "rebasing")):
        return "a rebase is under way"
    if hook != "post-applypatch":
        return None  # the person's own commit or switch amid a stopped `git am`
    here, last = _number(next_file), _number(os.path.join(state, "last"))
    if here is None or last is None or here >= last:
        return None
    return f"patch {here} of {last}"


def _picks_reason(git_dir: str, now: float) -> str | None:
    """cherry-pick or revert of several commits: the first line of the todo is the one just made."""
    todo = os.path.join(git_dir, "sequencer", "todo")
    if not _is_fresh(todo, now):
        return None
    left = _picks_left(todo)
    return f"{left - 1} more to pick" if left > 1 else None


def _apply_start_reason(
    hook: str, args: Sequence[str], git_dir: str, is_ancestor: Callable[[str, str], bool]
) -> str | None:
    """`git rebase --apply` checks out its base before it leaves any state; only the reflog tells.

    If the old HEAD is an ancestor of the base, it is a fast-forward and nothing follows.
    """
    if hook != "post-checkout" or len(args) < 2:
        return None
    if os.path.isdir(os.path.join(git_dir, "rebase-merge")):
        return None
    message = _last_reflog_message(git_dir)
    if b"(start): checkout " not in message or is_ancestor(args[0], args[1]):
        return None
    return "a rebase begins"


def _is_fresh(path: str, now: float) -> bool:
    try:
        return abs(now - os.stat(path).st_mtime) < ACTIVE_S
    except OSError:
        return False


def _picks_left(todo: str) -> int:
    lines = _read(todo).splitlines()
    return sum(line.split(maxsplit=1)[0] in _MAKES_COMMIT for line in lines if line.strip())


def _number(path: str) -> int | None:
    text = _read(path).strip()
    return int(text) if text.isdigit() else None


def _last_reflog_message(git_dir: str) -> bytes:
    try:
        with open(os.path.join(git_dir, "logs", "HEAD"), "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            lines = file.read().splitlines()
    except OSError:  # reflogs are off, or kept in a reftable: then this rebase refreshes twice
        return b""
    return lines[-1].partition(b"\t")[2] if lines else b""


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
