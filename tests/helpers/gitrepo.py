"""Real git repositories for tests, shielded from the host's configuration.

    repo = GitRepo.init(tmp_path / "repo")
    repo.write("src/a.py", "def f(): ...\\n")
    first = repo.commit("Add f")          # stages everything, returns the commit's hex
    repo.branch("topic"); repo.switch("topic")
    repo.rename("src/a.py", "src/b.py"); repo.commit("Rename")
    repo.switch("main"); repo.merge("topic")
    linked = repo.worktree_add(tmp_path / "linked", "topic")   # a GitRepo as well
    copy = repo.clone(tmp_path / "copy", "--depth=1")

Authors are fixed and every command gets the next minute, so the same calls give the same ids.
Paths may be bytes, as git has them. It must not use the code under test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FIRST_SECOND = 1_700_000_000  # 2023-11-14T22:13:20Z
ZERO_CONFIG = (
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "commit.gpgSign=false"),
    *("-c", "advice.detachedHead=false"),
    *("-c", "protocol.file.allow=always"),  # submodules and clones from folders
)


def git_env(seconds: int = FIRST_SECOND, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment in which git sees no configuration but the repository's own."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    date = f"{seconds} +0000"
    env |= {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": "true",
        "GIT_SEQUENCE_EDITOR": "true",
        "GIT_MERGE_AUTOEDIT": "no",
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_COMMITTER_DATE": date,
        "LC_ALL": "C",
    }
    return env | dict(extra or {})


def git_version() -> tuple[int, int]:
    """Return the version of the git that runs, such as (2, 39)."""
    words = subprocess.run(["git", "version"], capture_output=True, text=True, check=True).stdout
    major, minor, *_ = words.split()[2].split(".")
    return int(major), int(minor)


@dataclass
class Clock:
    """Seconds that only grow; shared by a repository and its linked worktrees and clones."""

    seconds: int = FIRST_SECOND

    def next(self) -> int:
        """Return the next minute."""
        self.seconds += 60
        return self.seconds


@dataclass(frozen=True)
class GitRepo:
    """A repository at `path` (the worktree's root, or the git directory of a bare one)."""

    path: Path
    clock: Clock = field(default_factory=Clock)

    @classmethod
    def init(cls, path: Path, *, object_format: str = "sha1", bare: bool = False) -> GitRepo:
        """Return a new repository with no commit, on branch `main`."""
        path.mkdir(parents=True, exist_ok=True)
        repo = cls(path)
        options = ["--bare"] if bare else []
        repo.git("init", "-q", "-b", "main", f"--object-format={object_format}", *options)
        return repo

    # -- commands -----------------------------------------------------------------------------

    def run(
        self,
        *args: str | bytes,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        check: bool = True,
    ) -> subprocess.CompletedProcess[bytes]:
        """Return the finished `git ARGS`; fails the test with git's own words if `check`."""
        done = subprocess.run(
            [b"git", *(os.fsencode(word) for word in (*ZERO_CONFIG, *args))],
            cwd=self.path,
            input=stdin,
            env=git_env(self.clock.next(), env),
            capture_output=True,
            check=False,
        )
        if check and done.returncode != 0:
            said = (done.stdout + done.stderr).decode(errors="replace")
            raise AssertionError(f"git {args} returned {done.returncode}:\n{said}")
        return done

    def git(self, *args: str | bytes, env: Mapping[str, str] | None = None) -> str:
        """Return the output of `git ARGS` as text, without the last line end."""
        out = self.run(*args, env=env).stdout.decode(errors="surrogateescape")
        return out.removesuffix("\n")

    def git_bytes(
        self, *args: str | bytes, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> bytes:
        """Return the output of `git ARGS`, untouched."""
        return self.run(*args, stdin=stdin, env=env).stdout

    # -- files --------------------------------------------------------------------------------

    def at(self, path: str | bytes) -> Path:
        """Return the place of `path` on disk."""
        return self.path / os.fsdecode(path)

    def write(self, path: str | bytes, content: str | bytes, mode: int | None = None) -> None:
        """Write a file (and its folders); text is UTF-8 with its line ends kept."""
        place = self.at(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink():
            place.unlink()
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        if mode is not None:
            place.chmod(mode)

    def symlink(self, path: str | bytes, target: str | bytes) -> None:
        """Make a symbolic link at `path`."""
        place = self.at(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(os.fsdecode(target))

    def read(self, path: str | bytes) -> bytes:
        """Return a file's bytes."""
        return self.at(path).read_bytes()

    def remove(self, path: str | bytes) -> None:
        """Delete a file or a folder."""
        place = self.at(path)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()

    def rename(self, old: str | bytes, new: str | bytes) -> None:
        """Move a file or a folder."""
        place = self.at(new)
        place.parent.mkdir(parents=True, exist_ok=True)
        self.at(old).replace(place)

    # -- history ------------------------------------------------------------------------------

    def commit(self, message: str = "change", *options: str, stage: bool = True) -> str:
        """Return the hex of a new commit of everything on disk (or, not `stage`, of the index)."""
        if stage:
            self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, *options)
        return self.head()

    def add_gitlink(self, path: str, commit: str) -> None:
        """Stage a submodule's entry without a submodule; follow with `commit(stage=False)`."""
        self.git("update-index", "--add", "--cacheinfo", f"160000,{commit},{path}")

    def head(self) -> str:
        """Return HEAD's commit."""
        return self.git("rev-parse", "--verify", "HEAD")

    def tree(self, rev: str = "HEAD") -> str:
        """Return the tree of a revision."""
        return self.git("rev-parse", "--verify", f"{rev}^{{tree}}")

    def blob(self, path: str, rev: str = "HEAD") -> str:
        """Return the id of the blob at `path` in a revision."""
        return self.git("rev-parse", "--verify", f"{rev}:{path}")

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Make a branch; stay where we are."""
        self.git("branch", name, start)

    def switch(self, name: str, *options: str) -> None:
        """Switch to a branch; `switch(x, "-c")` makes it, `switch(x, "--detach")` detaches."""
        self.git("switch", "-q", *options, name)

    def merge(self, *names: str) -> str:
        """Return the merge commit of `names` into HEAD (never a fast-forward)."""
        self.git("merge", "-q", "--no-ff", "--no-edit", *names)
        return self.head()

    def rebase(self, onto: str) -> str:
        """Return the new HEAD after rebasing it onto a revision."""
        self.git("rebase", "-q", onto)
        return self.head()

    # -- other places -------------------------------------------------------------------------

    def worktree_add(self, path: Path, rev: str = "HEAD", *options: str) -> GitRepo:
        """Return a linked worktree at `path`, detached unless `rev` names a free branch."""
        self.git("worktree", "add", "-q", *options, str(path), rev)
        return GitRepo(path, self.clock)

    def clone(self, path: Path, *options: str) -> GitRepo:
        """Return a clone over file://, so that `--depth` and `--filter` mean something."""
        self.git("clone", "-q", *options, self.path.absolute().as_uri(), str(path))
        return GitRepo(path, self.clock)
