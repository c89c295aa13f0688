"""What GitPython is used for: discovery, configuration, worktrees, deepening; and merge bases.

The only module that knows GitPython, which takes 80 to 180 ms to import: keep it out of the hooks.
Objects are never read through it, and revisions are resolved to ids before they come here. Nothing
is written except by `deepen`, which is also the only function that may use the network.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Literal

from sidelight.errors import GitError, NotARepositoryError, UnknownRevisionError
from sidelight.git.diagnosis import last_words, no_repository
from sidelight.git.process import SETTINGS, Finished, is_kept
from sidelight.git.repository import Repository

_CONFIG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*(\.[^\n\0]+)?\.[A-Za-z][A-Za-z0-9-]*")
_REF = re.compile(r"[A-Za-z0-9_][^\s:+?*\[\\~^]*")  # no refspec: nothing may be written by a name
_ALLOWED_TRANSPORTS = "file:git:http:https:ssh"  # not ext, which runs commands
_NETWORK_PREFIXES = ("GIT_SSH", "GIT_SSL_", "GIT_ASKPASS", "GIT_HTTP_", "GIT_PROXY_")


@dataclass(frozen=True, slots=True)
class Discovery:
    """Where GitPython thinks a repository lies."""

    git_dir: Path
    common_dir: Path
    worktree: Path | None


@dataclass(frozen=True, slots=True)
class Worktree:
    """One worktree: `name` is git's ("" for the main one), `branch` a full ref name.

    `head` is None before the first commit and for a bare main one. `is_prunable`: its folder is
    gone. `is_locked`: it may be on a disk that is not there now.
    """

    path: Path
    name: str
    head: str | None
    branch: str | None
    is_bare: bool
    is_locked: bool
    is_prunable: bool


def discover(start: Path) -> Discovery:
    """Return where the repository around `start` lies, a second opinion to `open_repository`.

    Raises:
        NotARepositoryError: GitPython finds none.
    """
    git = _gitpython()
    try:
        with git.Repo(start, search_parent_directories=True, expand_vars=False) as found:
            worktree = found.working_tree_dir
            return Discovery(
                git_dir=Path(found.git_dir).resolve(),
                common_dir=Path(found.common_dir).resolve(),
                worktree=None if found.bare or worktree is None else Path(worktree).resolve(),
            )
    except (git.InvalidGitRepositoryError, git.NoSuchPathError) as problem:
        error = no_repository(start)
        raise NotARepositoryError(error.message, hint=error.hint) from problem


def read_config(
    repo: Repository, name: str, *, kind: Literal["bool", "int", "path"] | None = None
) -> str | None:
    """Return the value of a git setting as this worktree sees it (the last one wins), or None.

    With `kind`, git normalises it: `true` and `false`, a number, a path with `~` expanded.

    Raises:
        GitError: the name is malformed, the value is not of that kind, a file cannot be read.
    """
    if not _CONFIG_NAME.fullmatch(name):
        raise GitError(f"{name!r} is not the name of a git setting")
    options = [f"--type={kind}"] if kind else []
    done = _run(repo, ["config", "-z", *options, "--get", name])
    if done.returncode == 1:
        return None
    if done.returncode != 0:
        raise _refusal(repo, "config", done)
    return done.stdout.removesuffix(b"\0").decode("utf-8", "surrogateescape")


def list_worktrees(repo: Repository) -> list[Worktree]:
    """Return the main worktree and then the linked ones, also those whose folder is gone."""
    done = _run(repo, ["worktree", "list", "--porcelain", "-z"])
    line_end = b"\0"
    if done.returncode == 129:  # git before 2.36 has no -z here
        done = _run(repo, ["worktree", "list", "--porcelain"])
        line_end = b"\n"
    if done.returncode != 0:
        raise _refusal(repo, "worktree", done)
    names = _worktree_names(repo.common_dir)
    blocks = done.stdout.strip(line_end).split(line_end * 2)
    return [_parse_worktree(block.split(line_end), names) for block in blocks]


def merge_base(repo: Repository, left: str, right: str) -> str | None:
    """Return the best common ancestor of two commits (git's first, if there are several).

    None: they have none, as far as a shallow clone can tell.

    Raises:
        UnknownRevisionError: one of the commits is not here.
    """
    ids = [repo.require_object_id(left), repo.require_object_id(right)]
    done = repo.try_run(["merge-base", *ids])  # GitPython would take longer to import
    if done.returncode == 0:
        return done.stdout.decode("ascii").split()[0]
    if done.returncode == 1 and not done.stderr:
        return None
    for commit in ids:
        repo.tree_of(commit)  # the clearer refusal, if one is missing
    raise _refusal(repo, "merge-base", done)


def deepen(
    repo: Repository,
    *,
    by: int | None = None,
    remote: str = "origin",
    refs: Sequence[str] = (),
    timeout_s: float = 300.0,
) -> Repository:
    """Fetch `by` more commits of a shallow clone's history (None: all); return it as it is then.

    `refs` (branches, or whole commit ids if the server gives them) limits what is fetched; by
    default it is what the remote is configured for. A clone that is not shallow is left alone.

    Raises:
        GitError: there is no such remote, a name is malformed, or the fetch failed.
    """
    if not (repo.common_dir / "shallow").exists():
        return replace(repo, is_shallow=False)
    if remote not in _run(repo, ["remote"]).stdout.decode("utf-8", "replace").splitlines():
        raise GitError(f"there is no remote {remote!r}", hint="`git remote -v` lists them")
    for ref in refs:
        if not _REF.fullmatch(ref):
            raise GitError(f"{ref!r} is not a ref or commit that can be fetched")
    if by is not None and by < 1:
        raise GitError(f"a history cannot be deepened by {by} commits")
    depth = "--unshallow" if by is None else f"--deepen={by}"
    words = ["fetch", "-q", depth, "--no-tags", "--no-recurse-submodules", "--no-auto-gc"]
    words += ["--no-write-fetch-head", "--end-of-options", remote, *refs]
    done = _run(repo, words, timeout_s=timeout_s)
    if done.returncode != 0:
        raise GitError(
            f"deepening from {remote} failed: {last_words(done.stderr)}",
            hint="check out with the whole history (`git fetch --unshallow`, `fetch-depth: 0`)",
        )
    return replace(repo, is_shallow=(repo.common_dir / "shallow").exists())


def deepen_to_merge_base(
    repo: Repository,
    left: str,
    right: str,
    *,
    remote: str = "origin",
    refs: Sequence[str] = (),
    step: int = 50,
    max_commits: int = 20_000,
) -> tuple[str | None, Repository]:
    """Return the merge base of two commits and the repository, deepened as far as that took.

    Each fetch doubles the step. None: there is no merge base, or none within `max_commits`.

    Raises:
        GitError: a fetch failed.
    """
    total = 0
    while True:
        if _is_here(repo, left) and _is_here(repo, right):
            base = merge_base(repo, left, right)
            if base is not None or not repo.is_shallow:
                return base, repo
        elif not repo.is_shallow:
            raise UnknownRevisionError(f"commit {left} or {right} is not here", hint="fetch it")
        if total >= max_commits:
            return None, repo
        repo = deepen(repo, by=step, remote=remote, refs=refs)
        total += step
        step *= 2


def _is_here(repo: Repository, commit: str) -> bool:
    try:
        repo.tree_of(commit)
    except UnknownRevisionError:
        return False
    return True


def _gitpython() -> ModuleType:
    """Return GitPython, which starts git when it is imported."""
    try:
        import git  # noqa: PLC0415
    except ImportError as problem:
        raise GitError(
            "GitPython cannot start git", hint="install git, or put it on the PATH"
        ) from problem
    return git


def _run(repo: Repository, words: Sequence[str], *, timeout_s: float | None = None) -> Finished:
    """Return a finished git command, run by GitPython; with a timeout it may use the network."""
    git = _gitpython()
    wrapper = git.Git(str(repo.worktree or repo.git_dir))
    killable = timeout_s is not None and os.name == "posix"  # GitPython cannot on Windows
    status, stdout, stderr = wrapper.execute(
        [git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", *words],
        with_extended_output=True,
        with_exceptions=False,
        shell=False,
        stdout_as_string=False,
        kill_after_timeout=timeout_s if killable else None,
        env=_environment(repo, network=timeout_s is not None),
    )
    return Finished(status, stdout, stderr.encode("utf-8", "replace"))


def _environment(repo: Repository, *, network: bool) -> dict[str, str]:
    """Return variables that undo ours, which GitPython hands on and cannot leave out.

    Each `GIT_*` that `process` would drop gets the value that it has when it is not set.
    """
    neutral = {
        "GIT_DIR": str(repo.git_dir),
        "GIT_COMMON_DIR": str(repo.common_dir),
        "GIT_WORK_TREE": str(repo.worktree or repo.git_dir),
        "GIT_INDEX_FILE": str(repo.git_dir / "index"),
        "GIT_OBJECT_DIRECTORY": str(repo.objects_dir),
        "GIT_SHALLOW_FILE": str(repo.common_dir / "shallow"),
        "GIT_GRAFT_FILE": str(repo.common_dir / "info" / "grafts"),
        "GIT_REPLACE_REF_BASE": "refs/replace/",
    }
    env = {
        name: neutral.get(name, "")
        for name in os.environ
        if not is_kept(name) and not (network and name.startswith(_NETWORK_PREFIXES))
    }
    env |= {"GIT_DIR": str(repo.git_dir), **SETTINGS, **dict(repo.settings)}
    if network:
        env["GIT_ALLOW_PROTOCOL"] = os.environ.get("GIT_ALLOW_PROTOCOL", _ALLOWED_TRANSPORTS)
    return env


def _refusal(repo: Repository, command: str, done: Finished) -> GitError:
    return repo.refusal([command], done.returncode, done.stderr)


def _worktree_names(common_dir: Path) -> dict[str, str]:
    """Return git's name of each linked worktree by its path, as the administration has it."""
    names = {}
    for note in (common_dir / "worktrees").glob("*/gitdir"):
        place = os.fsdecode(note.read_bytes().removesuffix(b"\n"))
        place = os.path.normpath(note.parent / place)  # relative from git 2.48 on, if asked so
        names[str(Path(place).parent)] = note.parent.name
    return names


def _parse_worktree(lines: list[bytes], names: dict[str, str]) -> Worktree:
    """Read `worktree PATH`, `HEAD ID`, `branch REF` or `detached`, `bare`, `locked`, `prunable`."""
    fields = {}
    for line in lines:
        label, _, value = line.partition(b" ")
        fields[label.decode("ascii", "replace")] = os.fsdecode(value)
    path = Path(fields["worktree"])
    head = fields.get("HEAD", "").strip("0")
    return Worktree(
        path=path,
        name=names.get(os.path.normpath(path), ""),
        head=fields["HEAD"] if head else None,
        branch=fields.get("branch"),
        is_bare="bare" in fields,
        is_locked="locked" in fields,
        is_prunable="prunable" in fields,
    )
