"""Random pasts: edits, renames with edits, swaps, copies, deletions, branches, merges, rewrites.

Every step takes a number and chooses by it; every step ends with HEAD at a commit.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from helpers.gitrepo import GitRepo

VERBS = ("Fix", "Add", "Refactor", "Drop", "Document", "Réparer", "fix(core):", "修正")
THINGS = ("token parser", "render queue", "userSession", "HTTP retry", "cache_index", "#123", "")
FOLDERS = (b"", b"src/", b"src/core/", b"tests/", b"\xff bad/", b"tab\tand\nline/")
STEMS = (b"parser", b"queue", b"session", b"retry", b"caf\xe9", b"index")
DAY = 86_400


class Wander:
    """One repository on its random way; clocks are mostly right."""

    def __init__(self, path: Path, *, object_format: str = "sha1") -> None:
        self.repo = GitRepo.init(path, object_format=object_format)
        self.branches = ["main"]
        self.repo.git("config", "i18n.commitEncoding", "UTF-8")
        for at, stem in enumerate(STEMS[:4]):
            self.repo.write(b"src/" + stem + b".py", content(at))
        self.commit(0)

    def commit(self, pick: int) -> None:
        """Commit everything under a message and a time that depend on `pick`."""
        dice = random.Random(pick)
        self.repo.clock.seconds += dice.choice((0, 0, 3600, DAY, 90 * DAY))
        skew = dice.choice((0, 0, 0, 0, -40 * DAY, 3 * DAY))
        message: bytes = (
            f"{dice.choice(VERBS)} {dice.choice(THINGS)} {dice.choice(THINGS)}".encode()
        )
        if pick % 23 == 0:
            message += b" \xff\xfe not UTF-8"
        self.repo.git("add", "-A")
        moment = f"{self.repo.clock.seconds + skew} +0000"
        words = ("commit", "-q", "--allow-empty", "--allow-empty-message", "-F", "-")
        self.repo.run(*words, stdin=message, env={"GIT_AUTHOR_DATE": moment})

    # -- steps ----------------------------------------------------------------------------------

    def edit(self, pick: int) -> None:
        """Change one to four files at once."""
        files = self.files()
        for at in range(1 + pick % 4):
            path = files[(pick + at * 7) % len(files)]
            self.repo.write(path, self.repo.read(path) + b"line %d\n" % pick)
        self.commit(pick)

    def pair(self, pick: int) -> None:
        """Change the two files that go together."""
        for path in self.files()[:2]:
            self.repo.write(path, self.repo.read(path) + b"pair %d\n" % pick)
        self.commit(pick)

    def add(self, pick: int) -> None:
        """Add files, sometimes more than any message or pair is believed of."""
        for at in range((1, 1, 2, 17, 33)[pick % 5]):
            path = fresh_name(pick + at * 1009)
            if self.is_free(path):
                self.repo.write(path, content(pick + at))
        self.commit(pick)

    def copy(self, pick: int) -> None:
        """Copy a file, with or without touching the original."""
        files = self.files()
        path, target = files[pick % len(files)], fresh_name(pick * 13 + 1)
        if self.is_free(target):
            self.repo.write(target, self.repo.read(path))
            if pick % 2:
                self.repo.write(path, self.repo.read(path) + b"copied\n")
        self.commit(pick)

    def rename(self, pick: int) -> None:
        """Move a file, often with a small change; sometimes back to a name that was used before."""
        files = self.files()
        path, target = files[pick % len(files)], fresh_name(pick * 31 + 5)
        if self.is_free(target):
            self.repo.rename(path, target)
            if pick % 3:
                self.repo.write(target, self.repo.read(target) + b"moved\n")
        self.commit(pick)

    def swap(self, pick: int) -> None:
        """Let two files change names: each is the other's old name."""
        files = self.files()
        one, two = files[pick % len(files)], files[(pick + 3) % len(files)]
        first, second = self.repo.read(one), self.repo.read(two)
        self.repo.write(one, second)
        self.repo.write(two, first)
        self.commit(pick)

    def reuse(self, pick: int) -> None:
        """Move a file away and put another one at its old place, in two commits."""
        self.rename(pick)
        old = self.repo.git_bytes("diff", "-z", "--name-only", "--diff-filter=D", "HEAD~1", "HEAD")
        for path in old.split(b"\0")[:-1]:
            if self.is_free(path):
                self.repo.write(path, content(pick + 99))
        self.commit(pick + 1)

    def delete(self, pick: int) -> None:
        """Delete a file if enough are left."""
        files = self.files()
        if len(files) > 4:
            self.repo.remove(files[pick % len(files)])
        self.commit(pick)

    def branch(self, pick: int) -> None:
        """Start a branch here, or at an earlier commit, and go on there."""
        name = f"topic{len(self.branches)}"
        back = min(
            pick % 4, int(self.repo.git("rev-list", "--count", "--first-parent", "HEAD")) - 1
        )
        self.branches.append(name)
        self.repo.branch(name, f"HEAD~{back}")
        self.repo.switch(name)
        self.edit(pick)

    def switch(self, pick: int) -> None:
        """Go to another branch."""
        self.repo.switch(self.branches[pick % len(self.branches)])

    def merge(self, pick: int) -> None:
        """Merge a branch; what conflicts is settled for one side."""
        branch = self.branches[pick % len(self.branches)]
        done = self.repo.run("merge", "-q", "--no-edit", "-X", "ours", branch, check=False)
        if done.returncode:
            self.repo.run("merge", "--abort", check=False)
            self.repo.run("reset", "-q", "--hard")
            self.repo.git("merge", "-q", "--no-edit", "-s", "ours", branch)

    def amend(self, pick: int) -> None:
        """Rewrite the last commit."""
        path = self.files()[0]
        self.repo.write(path, self.repo.read(path) + b"amended\n")
        self.repo.commit(f"Amended {pick}", "--amend")

    def reset(self, _pick: int) -> None:
        """Throw commits away."""
        if self.repo.run("rev-parse", "-q", "--verify", "HEAD~2", check=False).stdout:
            self.repo.git("reset", "-q", "--hard", "HEAD~2")

    # -- what there is --------------------------------------------------------------------------

    def files(self) -> list[bytes]:
        """Return the tracked files, by name."""
        files = self.repo.git_bytes("ls-files", "-z").split(b"\0")[:-1]
        if files:
            return files
        self.repo.write("src/again.py", content(1))
        self.commit(1)
        return [b"src/again.py"]

    def is_free(self, path: bytes) -> bool:
        """Return whether a new file may be written at a path."""
        return not os.path.lexists(self.repo.at(path))


STEPS: tuple[Callable[[Wander, int], None], ...] = (
    *(Wander.edit, Wander.edit, Wander.pair, Wander.pair, Wander.add, Wander.copy),
    *(Wander.rename, Wander.rename, Wander.swap, Wander.reuse, Wander.delete, Wander.branch),
    *(Wander.switch, Wander.merge, Wander.merge, Wander.amend, Wander.reset),
)


def steps(seed: int, count: int) -> Sequence[tuple[Callable[[Wander, int], None], int]]:
    """Return `count` steps that depend on the seed alone."""
    dice = random.Random(seed)
    return [(dice.choice(STEPS), dice.randrange(1 << 16)) for _ in range(count)]


def fresh_name(pick: int) -> bytes:
    """Return a path; different numbers often give the same one."""
    dice = random.Random(pick % 61)
    return dice.choice(FOLDERS) + dice.choice(STEMS) + b"%d.py" % dice.randrange(3)


def content(pick: int) -> bytes:
    """Return lines that differ enough between numbers for renames to be told apart."""
    dice = random.Random(pick)
    return b"".join(b"%d %d\n" % (pick, dice.randrange(1 << 30)) for _ in range(20))
