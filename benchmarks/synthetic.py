"""Make repositories of any size from real files: copies in which half of the words are others.

Each copy of a file has its own permutation of the corpus's words among words that are about as
frequent, so that copies are not alike, names stay names, syntax stays syntax, and the vocabulary's
distribution stays that of real code. Deterministic: the same sources give the same repository.
"""

from __future__ import annotations

import keyword
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.repositories import git

WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
BAND = 40  # words of neighbouring frequency that change places
SHARE = 0.6  # of a copy's words that become others
STAMP = "1700000000 +0000"
ODD = frozenset('"\n\ufffd')  # in names: what git would quote, and what was no UTF-8
KEPT = frozenset(keyword.kwlist) | frozenset(
    """
    abstract alias alignof asm async auto base begin bool boolean break byte case catch char chan
    class clone concept const constexpr construct continue crate debugger declare decltype default
    defer delegate delete dict done double elif elseif elsif else elixir end enddeclare endfor
    ensure enum esac event except explicit export extends extern extension fallthrough false final
    finally fixed float foreach friend from func function global goto guard implements implicit
    import include include_once inline inner instanceof int interface internal into invoke
    iterable iterator keyof lateinit lazy let list local lock long loop macro make map match
    method mixin module move mutable namespace native never next nil none nonlocal noexcept null
    object operator override package parent pass print private property protected protocol public
    raise range readonly record redo register repeat require rescue resource restrict retry return
    sealed select self set short signed sizeof static str strictfp string struct super switch
    switch synchronized template then this thread throw throws trait transient true tuple type
    typealias typedef typeof typename union undef undefined unless unsafe unsigned until use using
    val var virtual void volatile when where while with yield
    """.split()
)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A real file: its path and its text."""

    path: str
    text: str


class Renamer:
    """Rewrites texts, one way for each copy."""

    def __init__(self, sources: Sequence[SourceFile], seed: int = 1) -> None:
        counts = Counter(word.lower() for source in sources for word in WORD.findall(source.text))
        words = sorted((w for w in counts if w not in KEPT), key=lambda w: (-counts[w], w))
        self._bands = [words[at : at + BAND] for at in range(0, len(words), BAND)]
        self._seed = seed

    def mapping(self, copy: int) -> Mapping[str, str]:
        """Return word → other word for one copy; copy 0 keeps all words."""
        if copy == 0:
            return {}
        source = random.Random(self._seed * 1_000_003 + copy)
        changed: dict[str, str] = {}
        for band in self._bands:
            chosen = [word for word in band if source.random() < SHARE]
            others = list(chosen)
            source.shuffle(others)
            changed.update(zip(chosen, others, strict=True))
        return changed


def rename(text: str, changed: Mapping[str, str]) -> str:
    """Return the text with the words changed, each in the case that it is written in."""
    if not changed:
        return text

    def other(match: re.Match[str]) -> str:
        word = match.group()
        new = changed.get(word.lower())
        if new is None:
            return word
        return new if word.islower() else new.upper() if word.isupper() else new.capitalize()

    return WORD.sub(other, text)


def copies(sources: Sequence[SourceFile], n_files: int) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of `n_files` files: the sources, then their copies, in folders."""
    renamer = Renamer(sources)
    made = copy = 0
    while made < n_files:
        changed = renamer.mapping(copy)
        for source in sources[: n_files - made]:
            path = f"part{copy:04d}/{rename(source.path, changed)}"
            yield path, rename(source.text, changed).encode("utf-8", "surrogateescape")
            made += 1
        copy += 1


def read_sources(
    places: Iterable[tuple[Path, str]], *, most_bytes: int = 60_000
) -> list[SourceFile]:
    """Return the text files of some (repository, revision), below `most_bytes` each, by path."""
    found: dict[str, SourceFile] = {}
    for repository, revision in places:
        listing = git(repository, "ls-tree", "-r", "-z", "--name-only", revision)
        names = [name for name in listing.split("\0") if name and not set(name) & ODD]
        words = ["git", "-C", str(repository), "cat-file", "--batch"]
        asked = "".join(f"{revision}:{name}\n" for name in names)
        raw = subprocess.run(words, input=asked.encode(), check=True, stdout=subprocess.PIPE).stdout
        for name, content in zip(names, _batch(raw), strict=True):
            if 40 < len(content) <= most_bytes and b"\0" not in content:
                text = content.decode("utf-8", "surrogateescape")
                found.setdefault(name, SourceFile(name, text))
    return [found[path] for path in sorted(found)]


def write_repository(target: Path, files: Iterable[tuple[str, bytes]]) -> str:
    """Make a repository of one commit on `main`, nothing checked out; return the commit."""
    target.mkdir(parents=True)
    git(None, "init", "-q", "-b", "main", str(target))
    return add_commit(target, files, "Synthetic files")


def add_commit(
    repository: Path, files: Iterable[tuple[str, bytes]], message: str, *, parent: str | None = None
) -> str:
    """Add or change files in a new commit on `main`, without a worktree; return the commit."""
    words = ["git", "-C", str(repository), "fast-import", "--quiet", "--depth=0", "--force"]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        text = message.encode()
        head = f"commit refs/heads/main\ncommitter Bench <bench@example.invalid> {STAMP}\n"
        process.stdin.write(head.encode() + b"data %d\n%s\n" % (len(text), text))
        if parent is not None:
            process.stdin.write(f"from {parent}\n".encode())
        for path, content in files:
            process.stdin.write(b"M 100644 inline %s\ndata %d\n" % (path.encode(), len(content)))
            process.stdin.write(content + b"\n")
        process.stdin.write(b"\ndone\n")
    if process.returncode:
        raise RuntimeError(f"git fast-import returned {process.returncode}")
    return git(repository, "rev-parse", "main")


def _batch(raw: bytes) -> Iterator[bytes]:
    """Yield the contents in what `cat-file --batch` prints; what is no blob is empty."""
    at = 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        words = raw[at:end].split()
        if words[-1] == b"missing" or words[-1] == b"ambiguous":
            yield b""
            at = end + 1
            continue
        size = int(words[2])
        yield raw[end + 1 : end + 1 + size] if words[1] == b"blob" else b""
        at = end + 1 + size + 1
