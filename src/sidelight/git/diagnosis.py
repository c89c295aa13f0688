"""Turn git's refusals into errors that say what to do. Only looks; mends nothing."""

from __future__ import annotations

from pathlib import Path

from sidelight.errors import GitError, MissingObjectError, NotARepositoryError

MISSING = (  # what git 2.31 … 2.50 says when an object is not there
    "bad object",
    "bad tree object",
    "could not fetch",
    "could not get object info",
    "could not read",
    "failed to read object",
    "is corrupt",
    "lazy fetching disabled",
    "missing object",
    "not a tree object",
    "not a valid object name",
    "promisor remote",
    "unable to find",
    "unable to read",
    "transport 'none' not allowed",
)
FETCH_HINT = (
    "this is a partial clone: fetch what is missing "
    "(`git fetch --refetch --filter=blob:limit=10m`, or `git backfill` from git 2.49 on)"
)
DAMAGE_HINT = "the object store is damaged: `git fsck` tells what is missing; fetch or clone again"


def last_words(stderr: bytes) -> str:
    """Return git's last complaint without its prefix, or ""."""
    lines = [line.strip() for line in stderr.decode("utf-8", "backslashreplace").splitlines()]
    lines = [line for line in lines if line and not line.startswith("hint:")]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    line = (fatal or lines or [""])[-1]
    return line.removeprefix("fatal:").removeprefix("error:").strip()


def refusal(command: str, returncode: int, stderr: bytes, *, is_partial: bool = False) -> GitError:
    """Return the error for a git command that failed, of the narrowest class that fits."""
    said = stderr.decode("utf-8", "backslashreplace")
    words = last_words(stderr)
    if returncode < 0:
        return GitError(f"git {command} was ended by signal {-returncode}")
    if "not a git repository" in said:
        return NotARepositoryError(words)
    if any(sign in said.lower() for sign in MISSING):
        hint = FETCH_HINT if is_partial else DAMAGE_HINT
        return MissingObjectError(f"git {command}: {words}", hint=hint)
    return _refused_repository(said, words) or GitError(
        f"git {command} failed: {words or f'exit code {returncode}'}"
    )


def _refused_repository(said: str, words: str) -> GitError | None:
    """Return the error if git refuses the whole repository, not just this command."""
    if "dubious ownership" in said or "unsafe repository" in said:
        where = words.partition("'")[2].partition("'")[0]
        return GitError(
            f"git refuses the repository at {where}: it belongs to another user",
            hint=f"if you trust it: git config --global --add safe.directory {where or 'PATH'}",
        )
    if "safe.bareRepository" in said:
        return GitError(words, hint="if you trust it: GIT_DIR=… in front of the command names it")
    if "unknown repository extension" in said or "Expected git repo version" in said:
        return GitError(
            f"the repository uses a format that this git does not know: {words}",
            hint="install a newer git",
        )
    return None


def no_repository(start: Path) -> GitError:
    """Return the error for a folder in which git finds no repository, looking at what is there."""
    if not start.exists():
        return NotARepositoryError(f"there is no folder {start}")
    if not start.is_dir():
        return NotARepositoryError(f"{start} is not a folder")
    try:
        found = _unreadable_repository(start.resolve())
    except OSError:  # a folder above may be closed to us
        found = None
    return found or NotARepositoryError(
        f"{start} is not inside a git repository",
        hint="change into one, name one with `-C DIR`, or make one with `git init`",
    )


def _unreadable_repository(start: Path) -> GitError | None:
    for folder in (start, *start.parents):
        entry = folder / ".git"
        if entry.is_file():
            return _broken_link(entry)
        if entry.is_dir() and (entry / "objects").is_dir():
            return _broken_git_dir(entry)
        if (folder / "objects").is_dir() and (folder / "refs").is_dir():
            return _broken_git_dir(folder)
    return None


def _broken_link(entry: Path) -> GitError:
    words = entry.read_bytes()[:4096].decode("utf-8", "backslashreplace").strip()
    target = words.removeprefix("gitdir:").strip()
    if words == target:
        return GitError(f"{entry} is a file, but does not name a git directory")
    return GitError(
        f"{entry} leads to {target}, which is not a git directory",
        hint="a moved worktree: `git worktree repair`; a submodule: `git submodule update --init`",
    )


def _broken_git_dir(git_dir: Path) -> GitError:
    return GitError(
        f"{git_dir} is damaged: git cannot read its HEAD",
        hint=f"write the branch's name back, such as `ref: refs/heads/main`, into {git_dir}/HEAD",
    )
