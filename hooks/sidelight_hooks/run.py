"""What a git hook does first: find out, at once, whether there is anything to do.

Most events end here, in 3 ms more than a bare Python takes; `refreshing` has the rest, and is
imported when it is needed. The environment comes as a parameter; only `main` reads it.
"""

# No pathlib: importing it costs 8 ms, as much as all the rest of a hook that skips.
# ruff: noqa: PLC0415, PTH110, PTH112, PTH118, PTH123

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence

from sidelight_hooks.events import skip_reason
from sidelight_hooks.gitdir import INDEX_FOLDER, find_git_dirs, head_commit, view_name
from sidelight_hooks.journal import write_entry

TYPE_CHECKING = False  # typing alone costs 8 ms
if TYPE_CHECKING:
    from sidelight_hooks.refreshing import Refresh

DISABLE = "SIDELIGHT_DISABLE"

# The pre-commit program gives its hooks git's arguments in the environment instead.
_PRE_COMMIT_ARGS = {
    "post-checkout": ("FROM_REF", "TO_REF", "CHECKOUT_TYPE"),
    "post-rewrite": ("REWRITE_COMMAND",),
}


def run_hook(
    hook: str,
    args: Sequence[str],
    *,
    cwd: str,
    env: Mapping[str, str],
    background: bool = False,
    refresh: Refresh | None = None,
    again: Sequence[str] = (),
) -> str | None:
    """Refresh the index for one git event, and return the line to tell the user, if any.

    Silent in a repository without an index, when SIDELIGHT_DISABLE is set, amid a sequence, and
    when all went well. `background`: this is the continuation of a hook that ran out of time,
    which has no budget. `refresh` (default: the core's) and `again` (the words that start this
    program for a continuation) can be given by whoever embeds it.
    """
    if env.get(DISABLE, "0") not in ("", "0"):
        return None
    args = args or [
        env[f"PRE_COMMIT_{name}"]
        for name in _PRE_COMMIT_ARGS.get(hook, ())
        if f"PRE_COMMIT_{name}" in env
    ]
    dirs = find_git_dirs(cwd, env)
    if dirs is not None:
        own, common = dirs
        folder = os.path.join(common, INDEX_FOLDER)
        if not os.path.isdir(folder):
            return None
        reason = skip_reason(
            hook,
            args,
            own,
            now=time.time(),
            is_ancestor=lambda old, new: _is_ancestor(cwd, env, old, new),
        )
        if reason is not None and not background:
            write_entry(folder, hook, "skipped", reason, now=time.time())
            return None
        if not background and _is_current(own, common, folder, cwd):
            write_entry(folder, hook, "skipped", "this commit is indexed", now=time.time())
            return None

    from sidelight_hooks.refreshing import Event, refresh_for

    return refresh_for(Event(hook, tuple(args), cwd, env, background), refresh, again)


def _is_current(own: str, common: str, folder: str, cwd: str) -> bool:
    """Return whether the index surely shows HEAD's commit, complete: the second hook of an amend.

    A repository with settings of ours takes the long way, which knows whether they have changed.
    """
    if os.path.exists(os.path.join(cwd, ".sidelight.toml")):
        return False
    try:
        with open(os.path.join(cwd, "pyproject.toml"), "rb") as file:
            if b"sidelight" in file.read():
                return False
    except OSError:
        pass
    commit = head_commit(own, common)
    if commit is None:
        return False
    from sidelight.store.glance import shows_commit

    return shows_commit(os.path.join(folder, "index.db"), view_name(own, common), commit)


def _is_ancestor(cwd: str, env: Mapping[str, str], old: str, new: str) -> bool:
    from sidelight_hooks.refreshing import open_here

    words = ["merge-base", "--is-ancestor", old, new]
    return open_here(cwd, env).try_run(words).returncode == 0
