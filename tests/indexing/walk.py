"""A repository that changes by small random steps, for tests that compare whole indexes.

Every step takes a number and chooses by it, so a seed or Hypothesis can drive it; every step ends
with HEAD at a commit. Sources share a small vocabulary: queries then have many near-equal answers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from helpers.gitrepo import GitRepo

WORDS = ("retry", "token", "parse", "user", "session", "render", "queue", "merge", "cache", "index")
FOLDERS = ("", "src/", "src/core/", "tests/", "docs/", "vendor/lib/", "weird dir/", "é/")
ENDINGS = (".py", ".js", ".md", ".txt", ".go", "")
QUERIES = (
    "retry",
    "where is the user token parsed",
    "parse_user_token",
    "SessionQueue.render",
    "cache merge index",
    "return retry_cache(session)",
    "tests for the queue",
)
ATTRIBUTES = (
    "*.txt linguist-generated\n",
    "docs/** linguist-vendored\n",
    "*.js binary\n",
    "src/** -linguist-generated\n*.go linguist-generated=true\n",
    "",
)
CONFLICT = "ours"


class Walk:
    """One repository on its random way."""

    def __init__(self, path: Path) -> None:
        self.repo = GitRepo.init(path)
        self.n_commits = 0
        self.branches = ["main"]
        self.repo.write("src/first.py", source(1, ".py"))
        self.repo.write("README.md", source(2, ".md"))
        self._commit()

    # -- steps ----------------------------------------------------------------------------------

    def add(self, pick: int) -> None:
        """Add a file or overwrite one; sometimes with content that is there already."""
        path = name(pick)
        if self._is_free(path):
            files = self.files()
            twin = files and pick % 5 == 0
            content = self.repo.read(files[pick % len(files)]) if twin else _bytes(pick, path)
            self.repo.write(path, content)
        self._commit()

    def edit(self, pick: int) -> None:
        """Change a file: more at its end, less of it, or something in between."""
        path = self._choose(pick)
        old = self.repo.read(path)
        lines = old.splitlines(keepends=True)
        at = pick % (len(lines) + 1)
        extra = _bytes(pick + 7, path)
        new = (old + extra, b"".join(lines[:at]), b"".join([*lines[:at], extra, *lines[at:]]))
        self.repo.write(path, new[pick % 3])
        self._commit()

    def rename(self, pick: int) -> None:
        """Move a file, content unchanged."""
        path, target = self._choose(pick), name(pick * 31 + 5)
        if self._is_free(target):
            self.repo.rename(path, target)
        self._commit()

    def delete(self, pick: int) -> None:
        """Delete a file if enough are left."""
        files = self.files()
        if len(files) > 3:
            self.repo.remove(files[pick % len(files)])
        self._commit()

    def mode(self, pick: int) -> None:
        """Flip a file's executable bit."""
        place = self.repo.at(self._choose(pick))
        place.chmod(0o644 if place.stat().st_mode & 0o100 else 0o755)
        self._commit()

    def symlink(self, pick: int) -> None:
        """Put a symbolic link (possibly to itself) where a file was, or where none was."""
        path = self._choose(pick) if pick % 2 else name(pick)
        if pick % 2 or self._is_free(path):
            if self.repo.at(path).is_symlink() or self.repo.at(path).is_file():
                self.repo.remove(path)
            self.repo.symlink(path, path.rpartition("/")[2] if pick % 3 else "README.md")
        self._commit()

    def gitlink(self, pick: int) -> None:
        """Add a submodule's entry, or take it away again."""
        path = f"nested{pick % 2}"
        here = self.repo.git("ls-files", "--", path)
        if here:
            self.repo.git("rm", "-q", "--cached", path)
        else:
            self.repo.add_gitlink(path, self.repo.head())
        self._commit(stage=False)

    def attributes(self, pick: int) -> None:
        """Change what .gitattributes say, at the root or below."""
        path = ".gitattributes" if pick % 3 else "src/.gitattributes"
        self.repo.write(path, ATTRIBUTES[pick % len(ATTRIBUTES)])
        self._commit()

    def branch(self, pick: int) -> None:
        """Start a branch here and go on there."""
        branch = f"topic{len(self.branches)}"
        self.branches.append(branch)
        self.repo.switch(branch, "-c")
        self.edit(pick)

    def switch(self, pick: int) -> None:
        """Go to a branch, or detach."""
        branch = self.branches[pick % len(self.branches)]
        self.repo.switch(branch, *(["--detach"] if pick % 4 == 0 else []))

    def merge(self, pick: int) -> None:
        """Merge another branch; conflicts are settled for one side."""
        branch = self.branches[pick % len(self.branches)]
        done = self.repo.run("merge", "-q", "--no-edit", "-X", CONFLICT, branch, check=False)
        if done.returncode:  # a conflict between a file and a link, or of modes
            self.repo.run("merge", "--abort", check=False)
            self.repo.run("reset", "-q", "--hard")
            self.repo.git("merge", "-q", "--no-edit", "-s", CONFLICT, branch)
        self.n_commits += 1

    def rewrite(self, pick: int) -> None:
        """Move HEAD back: a hard reset, or an amended commit."""
        if pick % 2 and self.repo.run("rev-parse", "-q", "--verify", "HEAD~2", check=False).stdout:
            self.repo.git("reset", "-q", "--hard", "HEAD~2")
        else:
            self.repo.write("amended.py", source(pick, ".py"))
            self.repo.commit("amended", "--amend")
        self.n_commits += 1

    # -- what there is --------------------------------------------------------------------------

    def files(self) -> list[str]:
        """Return the regular files of the worktree that git tracks, by name."""
        listed = self.repo.git_bytes("ls-files", "-z", "-s").split(b"\0")[:-1]
        paths = [
            item.partition(b"\t")[2].decode("utf-8", "surrogateescape")
            for item in listed
            if item.startswith(b"100")
        ]
        return [path for path in paths if not path.endswith(".gitattributes")]

    def _choose(self, pick: int) -> str:
        files = self.files()
        if not files:
            self.repo.write("src/first.py", source(pick, ".py"))
            self._commit()
            files = self.files()
        return files[pick % len(files)]

    def _is_free(self, path: str) -> bool:
        place = self.repo.at(path)
        parents = [parent for parent in place.parents if parent != self.repo.path]
        return not place.is_dir() and not any(p.is_file() or p.is_symlink() for p in parents)

    def _commit(self, *, stage: bool = True) -> None:
        self.n_commits += 1
        self.repo.commit(f"step {self.n_commits}", stage=stage)


STEPS: tuple[Callable[[Walk, int], None], ...] = (
    Walk.add,
    Walk.add,
    Walk.edit,
    Walk.edit,
    Walk.rename,
    Walk.delete,
    Walk.mode,
    Walk.symlink,
    Walk.gitlink,
    Walk.attributes,
    Walk.branch,
    Walk.switch,
    Walk.merge,
    Walk.rewrite,
)


def random_steps(seed: int, count: int) -> Sequence[tuple[Callable[[Walk, int], None], int]]:
    """Return `count` steps that depend on the seed alone."""
    dice = random.Random(seed)
    return [(dice.choice(STEPS), dice.randrange(1 << 16)) for _ in range(count)]


def name(pick: int) -> str:
    """Return a path; different numbers often give the same one."""
    dice = random.Random(pick % 97)
    stem = "_".join(dice.sample(WORDS, 2))
    return dice.choice(FOLDERS) + stem + dice.choice(ENDINGS)


def source(pick: int, ending: str) -> str:
    """Return a small file in the language of the ending."""
    dice = random.Random(pick % 211)
    blocks = [_block(dice, ending) for _ in range(dice.randrange(1, 5))]
    if pick % 41 == 0:
        blocks.insert(0, "# Code generated by walk. DO NOT EDIT.\n")
    return "\n".join(blocks)


def _bytes(pick: int, path: str) -> bytes:
    if pick % 43 == 0:
        return b"binary\0content" * 3
    if pick % 37 == 0:
        return b"caf\xe9 retry token\r\nnot UTF-8 \xff\xfe\r\n"
    return source(pick, Path(path).suffix).encode()


def _block(dice: random.Random, ending: str) -> str:
    one, two, three = dice.sample(WORDS, 3)
    if ending == ".py":
        method = f"    def {three}(self, {one}):\n        return {one}_{two}({three})\n"
        head = f"class {one.title()}{two.title()}:\n    {three} = 1\n\n"
        plain = (
            f"def {one}_{two}_{three}(value):\n    # {two} the {three}\n    return {one}(value)\n"
        )
        return head + method if dice.random() < 0.4 else plain
    if ending == ".js":
        return f"function {one}{two.title()}({three}) {{\n  return {two}({three}.{one});\n}}\n"
    if ending == ".go":
        return f"package {one}\n\nfunc {one.title()}{two.title()}() int {{ return {three}() }}\n"
    if ending == ".md":
        return f"# The {one}\n\nHow to {two} the {three} of a {one}.\n"
    return f"{one} {two}\n{three} and {one}\n"
