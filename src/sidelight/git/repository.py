"""Find a repository and ask it for commits and trees. Plumbing only; nothing is written.

One `git rev-parse` opens a repository, one more tells HEAD's commit and tree: about 5 ms together,
which is all that a hook may cost when there is nothing to do.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from sidelight.errors import (
    GitError,
    MissingObjectError,
    NotARepositoryError,
    UnknownRevisionError,
)
from sidelight.git.diagnosis import DAMAGE_HINT, FETCH_HINT, no_repository, refusal
from sidelight.git.process import Finished, run_git, start_git

ObjectFormat = Literal["sha1", "sha256"]
MAX_REVISION = 4096  # longer than any name git itself can store; Linux refuses words over 128 kB
_HEX = {"sha1": re.compile(r"[0-9a-f]{40}"), "sha256": re.compile(r"[0-9a-f]{64}")}

# The object format stands between the folders as a fence: their names may hold line ends.
_LAYOUT = ("--git-dir", "--show-object-format", "--git-common-dir", "--show-object-format")
_STATE = ("--is-bare-repository", "--is-shallow-repository", "--show-toplevel")
_ANSWER = re.compile(
    rb"\A(?P<git>.+?)\n(?P<format>sha1|sha256)\n(?P<common>.+?)\n(?P=format)\n"
    rb"(?P<bare>true|false)\n(?P<shallow>true|false)\n(?:(?P<top>.+)\n)?\Z",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Repository:
    """One worktree of a repository (or a bare one), and how to ask git about it.

    `git_dir` is this worktree's own, `common_dir` the one that all worktrees share.
    `worktree_name` is git's name for a linked worktree, "" for the main one and bare ones.
    `is_partial` says that objects may be absent by design: a promisor remote is configured.
    `settings` are environment variables for every command, beside `process.SETTINGS`.
    """

    git_dir: Path
    common_dir: Path
    worktree: Path | None
    object_format: ObjectFormat
    is_bare: bool
    is_shallow: bool
    is_partial: bool
    worktree_name: str
    settings: tuple[tuple[str, str], ...] = ()

    # -- commands -----------------------------------------------------------------------------

    def run(
        self,
        args: Sequence[str | bytes],
        *,
        input: bytes | None = None,  # noqa: A002  (subprocess calls it so)
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """Return what `git ARGS` prints, run at the worktree's root (bare: in the git directory).

        Raises:
            GitError: git failed; the message ends with its last line.
            MissingObjectError: it failed for an object that is not there.
        """
        done = self.try_run(args, input=input, env=env)
        if done.returncode != 0:
            raise self.refusal(args, done.returncode, done.stderr)
        return done.stdout

    def try_run(
        self,
        args: Sequence[str | bytes],
        *,
        input: bytes | None = None,  # noqa: A002
        env: Mapping[str, str] | None = None,
    ) -> Finished:
        """Return the finished `git ARGS`, for commands whose exit code is an answer."""
        return run_git([*self._place(), *args], stdin=input, env=self._settings(env))

    def start(
        self, args: Sequence[str | bytes], *, stdin: int = subprocess.DEVNULL, stderr: int
    ) -> subprocess.Popen[bytes]:
        """Return a running `git ARGS` whose output is read from a pipe; the caller ends it."""
        return start_git(
            [*self._place(), *args], stdin=stdin, stderr=stderr, env=self._settings(None)
        )

    def refusal(self, args: Sequence[str | bytes], returncode: int, stderr: bytes) -> GitError:
        """Return the error for a command of this repository that failed."""
        command = os.fsdecode(args[0]) if args else ""
        return refusal(command, returncode, stderr, is_partial=self.is_partial)

    def _place(self) -> list[str]:
        place = ["-C", str(self.worktree or self.git_dir), f"--git-dir={self.git_dir}"]
        return [*place, f"--work-tree={self.worktree}"] if self.worktree else place

    def _settings(self, env: Mapping[str, str] | None) -> dict[str, str]:
        return {**dict(self.settings), **(env or {})}

    # -- objects ------------------------------------------------------------------------------

    @property
    def objects_dir(self) -> Path:
        """The folder of the object store."""
        return self.common_dir / "objects"

    @property
    def empty_tree(self) -> str:
        """The id of the tree without entries; git knows it without storing it."""
        if self.object_format == "sha1":
            return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
        return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"

    def is_object_id(self, text: str) -> bool:
        """Return whether `text` is a whole object id of this repository's format."""
        return _HEX[self.object_format].fullmatch(text) is not None

    def require_object_id(self, text: str) -> str:
        """Return `text`, which is going to stand among git's arguments.

        Raises:
            GitError: it is not a whole lower-case object id.
        """
        if not self.is_object_id(text):
            raise GitError(f"{text[:80]!r} is not a {self.object_format} object id")
        return text

    # -- revisions ----------------------------------------------------------------------------

    def resolve_commit(self, rev: str) -> str:
        """Return the commit that a revision names (a branch, tag, `HEAD~2`, abbreviated id, …).

        Raises:
            UnknownRevisionError: it names none, or more than one.
        """
        if rev and len(rev) <= MAX_REVISION and "\0" not in rev:
            peeled = rev if rev.startswith(":/") else f"{rev}^{{commit}}"  # `:/` takes all the rest
            words = ["rev-parse", "--verify", "--quiet", "--end-of-options", peeled]
            answer = self.try_run(words).stdout.decode("ascii", "replace").strip()
            if self.is_object_id(answer):  # `^main` is accepted by --verify, and answers `^…`
                return answer
        if rev == "HEAD" and self.head() is None:
            raise UnknownRevisionError(
                "there is no commit yet", hint="commit something, then try again"
            )
        shown = rev if len(rev) <= 80 else rev[:77] + "…"
        raise UnknownRevisionError(
            f"{shown!r} is not a commit of {self.worktree or self.git_dir}", hint=self._rev_hint()
        )

    def first_parent(self, commit: str) -> str | None:
        """Return a commit's first parent, or None if it has none.

        Raises:
            UnknownRevisionError: it has one, which a shallow clone has cut off.
        """
        words = ["rev-list", "--parents", "-n1", self.require_object_id(commit), "--"]
        parents = self.run(words).decode("ascii").split()[1:]
        if parents:
            return parents[0]
        if self.is_shallow:
            header = self.run(["cat-file", "commit", commit]).partition(b"\n\n")[0]
            if b"\nparent " in header:
                raise UnknownRevisionError(
                    f"the parent of {commit[:10]} is not here", hint=self._rev_hint()
                )
        return None

    def tree_of(self, commit: str) -> str:
        """Return the tree of a commit, given by its id.

        Raises:
            UnknownRevisionError: there is no such commit here.
        """
        words = ["rev-parse", "--verify", "--quiet", f"{self.require_object_id(commit)}^{{tree}}"]
        answer = self.try_run(words).stdout.decode("ascii", "replace").strip()
        if not self.is_object_id(answer):
            raise UnknownRevisionError(f"commit {commit} is not here", hint=self._rev_hint())
        return answer

    def head(self) -> tuple[str, str] | None:
        """Return HEAD's commit and tree, or None before the first commit; one process.

        Raises:
            GitError: HEAD does not lead to a commit that is here.
            MissingObjectError: it does, but the commit's tree is not here.
        """
        done = self.try_run(["rev-parse", "--revs-only", "HEAD^{commit}", "HEAD^{tree}"])
        if done.returncode != 0:
            raise self.refusal(["rev-parse"], done.returncode, done.stderr)
        ids = done.stdout.decode("ascii", "replace").split()
        if len(ids) == 2:
            return ids[0], ids[1]
        if ids:
            hint = FETCH_HINT if self.is_partial else DAMAGE_HINT
            raise MissingObjectError(f"the tree of HEAD's commit {ids[0]} is not here", hint=hint)
        self._require_unborn()
        return None

    def head_commit(self) -> str | None:
        """Return HEAD's commit, or None before the first commit."""
        head = self.head()
        return head[0] if head else None

    def head_tree(self) -> str | None:
        """Return the tree of HEAD's commit, or None before the first commit."""
        head = self.head()
        return head[1] if head else None

    def _require_unborn(self) -> None:
        """Pass if HEAD names a branch without commits; otherwise HEAD is broken.

        A branch that exists makes for-each-ref print it, or complain about it.
        """
        branch = self.try_run(["symbolic-ref", "--quiet", "HEAD"]).stdout.strip()
        if branch:
            found = self.try_run(["for-each-ref", branch])
            if found.returncode == 0 and not found.stdout and not found.stderr:
                return
        content = (self.git_dir / "HEAD").read_bytes()[:200].decode("utf-8", "backslashreplace")
        raise GitError(
            f"HEAD of {self.worktree or self.git_dir} is broken: "
            f"{content.strip()!r} does not lead to a commit that is here",
            hint="`git fsck` and `git reflog` help to find the commit it should name",
        )

    def _rev_hint(self) -> str:
        if self.is_shallow:
            return "this clone is shallow: `git fetch --unshallow` brings the whole history"
        return "`git log --all --oneline` lists the commits that are here; a fetch may bring more"

    # -- places -------------------------------------------------------------------------------

    def hooks_path(self) -> Path:
        """Return the folder whose hooks git runs here, honouring `core.hooksPath`.

        It need not exist, and lies outside the repository if the configuration says so.

        Raises:
            GitError: `core.hooksPath` is set to nothing.
        """
        words = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"]
        done = self.try_run(words)
        if done.returncode != 0 and b"empty string" in done.stderr:
            raise GitError(
                "core.hooksPath is set to the empty string, which is no folder",
                hint="git config --unset core.hooksPath (or give it a folder)",
            )
        if done.returncode != 0:
            raise self.refusal(words, done.returncode, done.stderr)
        return _path(done.stdout.removesuffix(b"\n"))


def open_repository(start: Path, *, git_dir: Path | None = None) -> Repository:
    """Return the repository that `start` lies in, as git finds it, with one `git rev-parse`.

    `git_dir` names it instead (for repositories that need GIT_DIR; `start` is then the worktree's
    root). Linked worktrees, submodules, bare, shallow, partial and SHA-256 repositories are all
    fine; whether there is a commit is not looked at.

    Raises:
        NotARepositoryError: there is none.
        GitError: git is missing or too old, refuses the owner, or cannot read what is there.
    """
    named = [] if git_dir is None else [f"--git-dir={git_dir}"]
    args = ["-C", str(start), *named, "rev-parse", "--path-format=absolute", *_LAYOUT, *_STATE]
    done = run_git(args)
    answer = _ANSWER.match(done.stdout)
    no_worktree = done.returncode != 0 and b"must be run in a work tree" in done.stderr
    if answer is None or not (done.returncode == 0 or no_worktree):
        raise _why_not(start, done)
    git, common = _path(answer["git"]), _path(answer["common"])
    is_bare = answer["bare"] == b"true"
    if no_worktree and not is_bare and git == common and git.name == ".git" and git_dir is None:
        return open_repository(git.parent)  # `start` is inside the git directory
    return Repository(
        git_dir=git,
        common_dir=common,
        worktree=_path(answer["top"]) if answer["top"] else None,
        object_format=cast("ObjectFormat", answer["format"].decode()),
        is_bare=is_bare,
        is_shallow=answer["shallow"] == b"true",
        is_partial=_is_partial(common),
        worktree_name=git.name if git.parent == common / "worktrees" else "",
    )


def _path(name: bytes) -> Path:
    return Path(os.fsdecode(name))


def _is_partial(common_dir: Path) -> bool:
    """Return whether a promisor remote is configured; git notes it in this file when it clones."""
    try:
        text = (common_dir / "config").read_bytes().lower()
    except OSError:
        return False
    return b"promisor" in text or b"partialclone" in text


def _why_not(start: Path, done: Finished) -> GitError:
    if done.returncode == 0:
        return GitError(
            "this git is too old: it does not know `rev-parse --path-format`",
            hint="install git 2.31 or newer",
        )
    problem = refusal("rev-parse", done.returncode, done.stderr)
    if b"Permission denied" in done.stderr:
        return problem
    known = any(sign in done.stderr for sign in (b"cannot change to", b"gitfile"))
    return no_repository(start) if known or isinstance(problem, NotARepositoryError) else problem
