"""The entry point of `sidelight-hook`: reads the environment, and keeps `run` light.

`run` is what every commit starts, so it is told apart here, before click and the rest are imported.
It returns 0 whatever happens: a hook of ours never fails a git command.
"""

# Imports stand where they are needed: every commit pays for what is imported at the top.
# ruff: noqa: PLC0415, PTH109, PTH118

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing alone costs 8 ms
if TYPE_CHECKING:
    from sidelight_hooks.refreshing import Refresh


def main(
    argv: list[str] | None = None, *, refresh: Refresh | None = None, again: tuple[str, ...] = ()
) -> int:
    """Return the exit code of `sidelight-hook ARGV`; see `run.run_hook` for `refresh`, `again`."""
    words = sys.argv[1:] if argv is None else argv
    if words[:1] == ["run"] and len(words) > 1 and "--help" not in words:
        return _run(words[1:], refresh, again)
    from sidelight_hooks.cli import command_line

    return command_line(words)


def _run(words: list[str], refresh: Refresh | None, again: tuple[str, ...]) -> int:
    """Run one hook: `[--background] [--dispatched] HOOK [ARGS...]`.

    The dispatcher passes `--dispatched`: it throws our stderr away, so that a broken interpreter
    stays quiet, and shows our stdout, where our one line then goes.
    """
    options = {"--background": False, "--dispatched": False}
    while words and words[0] in options:
        options[words.pop(0)] = True
    from sidelight_hooks.events import HOOKS

    if not words or words[0] not in HOOKS:
        sys.stderr.write(f"error: the hook is one of {', '.join(HOOKS)}\n")
        return 2
    from sidelight_hooks.run import run_hook

    notice: str | None
    try:
        notice = run_hook(
            words[0],
            words[1:],
            cwd=os.getcwd(),
            env=os.environ,
            background=options["--background"],
            refresh=refresh,
            again=again,
        )
    except KeyboardInterrupt:
        return 0
    except Exception:  # noqa: BLE001  (an entry point: the commit is made, and must stay so)
        notice = _log_bug(words[0])
    if notice:
        stream = sys.stdout if options["--dispatched"] else sys.stderr
        stream.write(notice.replace("\n", " ") + "\n")
    return 0


def _log_bug(hook: str) -> str:
    """Write the current exception to the log, and return the line for the user."""
    import time
    import traceback

    from sidelight_hooks.gitdir import INDEX_FOLDER, find_git_dirs
    from sidelight_hooks.journal import log_path, write_entry

    text = traceback.format_exc().splitlines()
    line = f"sidelight: the index was not refreshed, which is our mistake: {text[-1]}"
    dirs = find_git_dirs(os.getcwd(), os.environ)
    if dirs is None:
        return line
    folder = os.path.join(dirs[1], INDEX_FOLDER)
    write_entry(folder, hook, "bug", "\n".join([text[-1], *text]), now=time.time())
    return f"{line} (log: {log_path(folder)})"
