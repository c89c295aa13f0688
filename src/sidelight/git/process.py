"""Start git, with an environment that is ours. Knows no repository, and never uses a shell.

What git's children get:

- `GIT_*` of our own environment is dropped: inside hooks git sets GIT_DIR, GIT_INDEX_FILE,
  GIT_PREFIX and more for the command that is running, and they would bend every command of ours.
  `git -c name=value` (GIT_CONFIG_PARAMETERS) is meant for that one command, so it goes as well.
- Kept is what says where git and the user's configuration are (`KEPT`); among it the documented
  GIT_CONFIG_COUNT/KEY/VALUE, by which containers set `safe.directory`.
- `SETTINGS` is added: C messages, no prompt, no index refresh, no replacement objects (an object
  id must always mean the same bytes), and no network. In a partial clone git would fetch missing
  objects on its own: GIT_NO_LAZY_FETCH stops that from 2.45 on, and an allow-list of transports
  that names none stops it before.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sidelight.errors import GitError

KEPT = frozenset(
    {
        "GIT_CEILING_DIRECTORIES",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_EXEC_PATH",
    }
)
KEPT_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")
SETTINGS = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # no transport has this name
}


@dataclass(frozen=True, slots=True)
class Finished:
    """A git command that ended."""

    returncode: int
    stdout: bytes
    stderr: bytes


def is_kept(name: str) -> bool:
    """Return whether a variable may reach git as it is."""
    return not name.startswith("GIT_") or name in KEPT or name.startswith(KEPT_PREFIXES)


def child_environment(
    extra: Mapping[str, str] | None = None, *, parent: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the environment for a git command; `extra` wins over everything else."""
    source = os.environ if parent is None else parent
    env = {name: value for name, value in source.items() if is_kept(name)}
    env.update(SETTINGS)
    if extra:
        env.update(extra)
    return env


def run_git(
    args: Sequence[str | bytes],
    *,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
) -> Finished:
    """Return the finished `git ARGS`, whatever its exit code.

    Raises:
        GitError: git is not installed or cannot be started.
    """
    with start_git(args, env=env, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            stdout, stderr = process.communicate(stdin if stdin is not None else b"")
        except BaseException:
            process.kill()  # an interrupt must not leave git behind
            raise
    return Finished(process.returncode, stdout, stderr)


def start_git(
    args: Sequence[str | bytes],
    *,
    env: Mapping[str, str] | None = None,
    stdin: int = subprocess.DEVNULL,
    stderr: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Return a running `git ARGS` with its output in a pipe; the caller ends it.

    Raises:
        GitError: git is not installed or cannot be started.
    """
    try:
        return subprocess.Popen(
            ["git", *args],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=child_environment(env),
        )
    except FileNotFoundError as problem:
        raise GitError(
            "git is not installed, or not on the PATH",
            hint="install git 2.31 or newer (https://git-scm.com/downloads)",
        ) from problem
    except (OSError, ValueError) as problem:  # no permission, arguments too long, a NUL in one
        raise GitError(f"git cannot be started: {problem}") from problem
