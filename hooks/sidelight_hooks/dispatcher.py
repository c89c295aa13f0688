"""The hook that we write: POSIX shell which runs the hook that was here before, then ours. Pure.

A dispatcher says what it is: its second line holds its parameters as JSON, its last line the
SHA-256 of all above, so that one of any version can be told from one that somebody has edited.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass

from sidelight_hooks.interpreter import CODE, OPTIONS

VERSION = 1
_HEADER = re.compile(rb"\A#![^\n]*\n# sidelight-hook (\{[^\n]*\})\r?\n")
_SEAL = re.compile(rb"^# sealed sha256:([0-9a-f]{64})\n\Z", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """What a dispatcher was written for.

    `kept` is where the hook that was here before lies, relative to the parent of the hooks folder,
    or "" if there was none.
    """

    hook: str
    python: str
    kept: str = ""
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Found:
    """A dispatcher read from a file; `intact` means that nobody has edited it since."""

    dispatcher: Dispatcher
    intact: bool


def parse_dispatcher(content: bytes) -> Found | None:
    """Return the dispatcher that this file is, or None if it is anything else."""
    header = _HEADER.match(content)
    if header is None:
        return None
    try:
        told = json.loads(header[1])
        dispatcher = Dispatcher(
            str(told["hook"]), str(told["python"]), str(told["kept"]), int(told["version"])
        )
    except (ValueError, KeyError, TypeError):
        return None
    seal = _SEAL.search(content)
    whole = seal is not None and seal[1].decode() == _digest(content[: seal.start()])
    return Found(dispatcher, intact=whole)


def render_dispatcher(dispatcher: Dispatcher) -> bytes:
    """Return the file's content: the same bytes for the same parameters."""
    told = {
        "version": VERSION,
        "hook": dispatcher.hook,
        "python": dispatcher.python,
        "kept": dispatcher.kept,
    }
    values = {
        "HEADER": json.dumps(told),
        "PYTHON": _quoted(dispatcher.python),
        "KEPT": _quoted(dispatcher.kept),
        "HOOK": dispatcher.hook,
        "OPTIONS": " ".join(OPTIONS),
        "CODE": _quoted(CODE),
    }
    text = re.sub(r"@([A-Z]+)@", lambda match: values[match[1]], _TEMPLATE)
    body = text.encode("utf-8", "surrogateescape")
    return body + f"# sealed sha256:{_digest(body)}\n".encode()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# Plain POSIX: dash, bash, busybox, and the sh of Git for Windows run it. Our variables carry a
# prefix, since assigning to an inherited variable would change the environment of the kept hook.
# `:` is a special builtin whose failed redirection ends the shell, hence the subshell around it.
# Candidates get no standard input: the kept hook has read it, or git is still writing to it.
_TEMPLATE = """\
#!/bin/sh
# sidelight-hook @HEADER@
#
# Written by `sidelight-hook install`; `sidelight-hook uninstall` puts back what was here before.
# The hook that was here before runs first, with the same arguments and standard input, and its exit
# status is this hook's. Then Sidelight refreshes its index, which changes no exit status.
# SIDELIGHT_DISABLE=1 in the environment skips the second part.

_sidelight_python=@PYTHON@
_sidelight_kept=@KEPT@
_sidelight_hook=@HOOK@
_sidelight_status=0

if [ -n "$_sidelight_kept" ]; then
    case $0 in
        */*) _sidelight_kept=${0%/*}/../$_sidelight_kept ;;
        *) _sidelight_kept=../$_sidelight_kept ;;
    esac
    if [ -f "$_sidelight_kept" ] && [ -x "$_sidelight_kept" ]; then
        "$_sidelight_kept" "$@"
        _sidelight_status=$?
    elif [ ! -e "$_sidelight_kept" ] && [ ! -L "$_sidelight_kept" ]; then
        echo "sidelight: the earlier $_sidelight_hook hook is gone: $_sidelight_kept" >&2
    fi
fi

case ${SIDELIGHT_DISABLE:-0} in
    0) ;;
    *) exit "$_sidelight_status" ;;
esac

# The interpreter that installed this; its own words on a failure are not for every commit.
if [ -x "$_sidelight_python" ]; then
    "$_sidelight_python" @OPTIONS@ -c @CODE@ \\
        run --dispatched "$_sidelight_hook" "$@" </dev/null 1>&2 2>/dev/null &&
        exit "$_sidelight_status"
fi

# The environment has moved: whatever the user has on PATH, but nothing from the worktree.
_sidelight_found=$(command -v sidelight-hook 2>/dev/null)
case $_sidelight_found in
    /* | [A-Za-z]:*)
        (
            unset PYTHONPATH PYTHONHOME PYTHONSTARTUP
            PYTHONSAFEPATH=1
            export PYTHONSAFEPATH
            exec "$_sidelight_found" run --dispatched "$_sidelight_hook" "$@"
        ) </dev/null 1>&2 2>/dev/null && exit "$_sidelight_status"
        ;;
esac

# Neither: say so once, and only where there is an index.
_sidelight_index=$(git rev-parse --git-common-dir 2>/dev/null)/sidelight
if [ -d "$_sidelight_index" ] && [ ! -e "$_sidelight_index/hook-lost" ] &&
    (: >"$_sidelight_index/hook-lost") 2>/dev/null; then
    echo "sidelight: the index is no longer refreshed: there is no working Sidelight at" \\
        "$_sidelight_python, nor sidelight-hook on PATH; run \\`sidelight-hook install\\` again" >&2
fi
exit "$_sidelight_status"
"""
