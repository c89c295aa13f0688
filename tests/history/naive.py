"""What the past says, worked out the slow way from `git log --name-status`: the tests' oracle.

It shares with the code under test the tokenizer only. Everything is plain dictionaries and loops.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from helpers.gitrepo import GitRepo
from sidelight.tokens import text_terms

FIELDS = "%x01%H%x00%P%x00%at%x00%s%x00"
DAY = 86_400


@dataclass(frozen=True)
class Change:
    """One commit, its touched names, and its renames as old → new."""

    oid: str
    parents: tuple[str, ...]
    time: int
    subject: str
    files: tuple[bytes, ...]
    renames: Mapping[bytes, bytes]


def read_changes(repo: GitRepo, rev: str) -> dict[str, Change]:
    """Return all ancestors of a revision by id."""
    raw = repo.git_bytes(
        *("log", "-z", "--name-status", "-M50%", "-l1000", "--root", "--diff-merges=off"),
        *("--encoding=UTF-8", f"--format={FIELDS}", rev),
    )
    shallow = repo.path / ".git" / "shallow"
    edges = shallow.read_text().split() if shallow.exists() else []
    found = {}
    for record in raw.split(b"\x01")[1:]:
        oid, parents, time, subject, *rest = record.split(b"\0")
        words = [word for word in rest if word]
        if words:
            words[0] = words[0].lstrip(b"\n")
        files, renames = parse_status([word for word in words if word])
        name = oid.decode()
        if name in edges:
            files, renames = [], {}
        found[name] = Change(
            name,
            tuple(parents.decode().split()),
            int(time),
            subject.decode("utf-8", "replace"),
            tuple(files),
            renames,
        )
    return found


def parse_status(words: list[bytes]) -> tuple[list[bytes], dict[bytes, bytes]]:
    """Return touched names and renames of `X NUL path NUL [path NUL]`."""
    files: list[bytes] = []
    renames: dict[bytes, bytes] = {}
    while words:
        status = words.pop(0)
        path = words.pop(0)
        if status.startswith(b"R"):
            renames[path] = path = words.pop(0)
        assert status[:1] in b"AMDTR", status
        files.append(path)
    return files, renames


class Naive:
    """The past of one revision over the files of its tree."""

    def __init__(self, repo: GitRepo, rev: str = "HEAD") -> None:
        listed = repo.git_bytes("ls-tree", "-r", "-z", "--name-only", "--full-tree", rev)
        self.live = set(listed.split(b"\0")[:-1])
        changes = read_changes(repo, rev)
        made: dict[str, int] = {}
        for oid in reversed(repo.git("rev-list", "--topo-order", rev).split()):
            change = changes[oid]
            made[oid] = max([change.time, *(made[p] + 1 for p in change.parents)])
        order = sorted(changes.values(), key=lambda c: (-made[c.oid], c.oid))
        self.n_commits = len(order)
        self.commits = [change for change in order if change.files]
        self.now = max(change.time for change in order[:50])
        self.newest: dict[bytes, bytes] = {}
        self.touched: list[set[bytes]] = []
        later: dict[bytes, bytes] = {}
        by_time: list[set[bytes]] = []
        for change in self.commits:
            by_time.append({later.get(name, name) for name in change.files})
            moved = {old: later.get(new, new) for old, new in change.renames.items()}
            later.update(moved)
            for old, new in moved.items():
                self.newest.setdefault(old, new)
        for names in by_time:
            self.touched.append({self.present(name) for name in names})

    def present(self, name: bytes) -> bytes:
        """Return the file of the tree that a name leads to, or the name."""
        at, seen = name, set()
        while at not in self.live and at in self.newest and at not in seen:
            seen.add(at)
            at = self.newest[at]
        return at if at in self.live else name

    def age(self, at: int) -> float:
        """Return a commit's age in days."""
        return max(self.now - self.commits[at].time, 0) / DAY

    def known(self) -> set[bytes]:
        """Return every name that some commit touched or moved."""
        return {n for c in self.commits for n in (*c.files, *c.renames)}

    def faded(self, at: int, half_life: float, share: float) -> float:
        """Return what a commit still weighs."""
        return share + (1 - share) * 0.5 ** (self.age(at) / half_life)

    def cochange(
        self, focal: Iterable[bytes], half_life: float = 90, share: float = 0.1
    ) -> dict[bytes, tuple[float, int, int, float]]:
        """Return path → (score, together, of, last age); the partner is left to the caller."""
        mine = {self.present(name) for name in focal}
        sums: dict[bytes, float] = {}
        ages: dict[bytes, float] = {}
        pairs: Counter[tuple[bytes, bytes]] = Counter()
        totals: Counter[bytes] = Counter()
        for at, (commit, names) in enumerate(zip(self.commits, self.touched, strict=True)):
            n = len(commit.files)
            if n > 30 or not mine & names:
                continue
            totals.update(mine & names)
            weight = self.faded(at, half_life, share) / math.log2(1 + n)
            for name in (names & self.live) - mine:
                sums[name] = sums.get(name, 0.0) + weight
                ages.setdefault(name, self.age(at))
                pairs.update((name, other) for other in mine & names)
        out = {}
        for name, total in sums.items():
            often = [(n, -totals[other]) for (path, other), n in pairs.items() if path == name]
            together, of = max(often)
            out[name] = (math.log1p(total), together, -of, ages[name])
        return out

    def recent(self) -> dict[bytes, float]:
        """Return the recency of every file of the tree that was ever touched."""
        sums: dict[bytes, float] = {}
        for at, (commit, names) in enumerate(zip(self.commits, self.touched, strict=True)):
            n = len(commit.files)
            for name in names & self.live if n <= 300 else ():
                sums[name] = sums.get(name, 0.0) + 0.5 ** (at / 15) / math.sqrt(n)
        return {name: math.log1p(total) for name, total in sums.items()}

    def messages(
        self,
        terms: Mapping[str, float],
        *,
        half_life: float = 180,
        share: float = 0.3,
        k1: float = 2.5,
        b: float = 0.3,
        path_weight: int = 3,
    ) -> dict[bytes, float]:
        """Return the textbook BM25 (Lucene's) of each file that holds a term."""
        documents: dict[bytes, dict[str, float]] = {}
        for name in self.live:
            counts = text_terms(name.decode("utf-8", "replace"))
            documents[name] = {term: float(path_weight * tf) for term, tf in counts.items()}
        for at, (commit, names) in enumerate(zip(self.commits, self.touched, strict=True)):
            if len(commit.files) <= 15:
                weight = round(self.faded(at, half_life, share) * 256) / 256
                for name in names & self.live:
                    for term, tf in text_terms(commit.subject[:500]).items():
                        documents[name][term] = documents[name].get(term, 0) + weight * tf
        n = len(documents)
        mean = sum(sum(d.values()) for d in documents.values()) / n if n else 1.0
        scores: dict[bytes, float] = {}
        for term, weight in terms.items():
            df = sum(term in document for document in documents.values())
            idf = math.log(1 + (n - df + 0.5) / (df + 0.5))
            for name, document in documents.items():
                if tf := document.get(term, 0.0):
                    length = 1 - b + b * sum(document.values()) / mean
                    part = weight * idf * tf / (tf + k1 * length)
                    scores[name] = scores.get(name, 0.0) + part
        return scores

    def companions(
        self, focal: Iterable[bytes], support: int, confidence: float
    ) -> set[tuple[bytes, bytes, int, int]]:
        """Return (path, focal, together, of) of files that usually change with a focal one."""
        mine = {self.present(name) for name in focal}
        pasts: dict[bytes, list[int]] = {}  # commits that touched a file, the newest first
        for at, (commit, names) in enumerate(zip(self.commits, self.touched, strict=True)):
            for name in names if len(commit.files) <= 30 else ():
                pasts.setdefault(name, []).append(at)
        found = set()
        for one in mine & pasts.keys():
            for name in (self.live & pasts.keys()) - mine:
                since = [at for at in pasts[one] if at <= pasts[name][-1]]
                both = [at for at in since if at in pasts[name]]
                last = since[:10]
                lately = [at for at in last if at in both]
                usual = len(both) >= confidence * len(since)
                if len(both) >= support and usual and len(lately) >= confidence * len(last):
                    found.add((name, one, len(both), len(since)))
        return found
