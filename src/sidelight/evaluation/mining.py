"""Make diff cases from a repository's own history: commits, each hiding a part of itself.

What is hidden and which commits are taken depends on the history alone: the same one gives the
same cases. Only git is read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sidelight.errors import UsageError
from sidelight.git.history import Commit, iter_commits
from sidelight.git.repository import Repository
from sidelight.languages import LANGUAGES, detect_language
from sidelight.model import ChangeKind
from sidelight.search.pathkind import PathKind, path_kind

KINDS = {PathKind.PRODUCTION: "source", PathKind.TEST: "test"}
FOCAL_SHARE = 1 / 3  # of a commit's source files are shown, one at least; the others are hidden
UNTELLING = re.compile(r"(?:revert|fixup!|squash!|amend!|merge)\b", re.IGNORECASE)
REMOTE = re.compile(r"[/:]([\w.-]+)/([\w.-]+?)(?:\.git)?/?$")


@dataclass(frozen=True, slots=True)
class Mining:
    """Which commits become cases."""

    n: int = 200
    min_files: int = 2
    max_files: int = 8
    earlier_share: float = 0.6


@dataclass(frozen=True, slots=True)
class Mined:
    """Case records, oldest first: `tune` are the earlier ones, `test` the later ones."""

    tune: tuple[dict[str, Any], ...]
    test: tuple[dict[str, Any], ...]
    n_commits: int
    n_fit: int


def mine_cases(repository: Repository, rev: str, name: str, mining: Mining) -> Mined:
    """Return the cases of the ancestors of `rev`; of more than `mining.n`, some evenly apart.

    A commit becomes a case if it is no merge and changes so many source files that its parent has.
    Reverts and fixups are left out: their titles do not say what they are about.

    Raises:
        UsageError: no commit fits.
        UnknownRevisionError: see `Repository.resolve_commit`.
    """
    tip = repository.resolve_commit(rev)
    n_commits = 0
    records: list[dict[str, Any]] = []
    for commit in iter_commits(repository, tip):
        n_commits += 1
        record = case_record(commit, name, mining)
        if record is not None:
            records.append(record)
    if not records:
        raise UsageError(
            f"none of the {n_commits:,} commits changes {mining.min_files} to {mining.max_files}"
            " source files",
            hint="a shallow clone has too few: fetch the whole history",
        )
    records.reverse()  # oldest first
    chosen = [records[i] for i in _evenly(len(records), mining.n)]
    cut = round(len(chosen) * mining.earlier_share)
    return Mined(tuple(chosen[:cut]), tuple(chosen[cut:]), n_commits, len(records))


def case_record(commit: Commit, name: str, mining: Mining) -> dict[str, Any] | None:
    """Return the commit as a case (see `evaluation/cases/README.md`), or None if it is unfit."""
    if len(commit.parents) != 1 or commit.is_boundary or UNTELLING.match(commit.subject):
        return None
    sources = [
        change.old_path or change.path
        for change in commit.changes
        if change.kind is not ChangeKind.ADDED and _is_source(change.old_path or change.path)
    ]
    if not mining.min_files <= len(sources) <= mining.max_files:
        return None
    focal = _choose_focal(commit.oid, sources)
    hidden = sorted(set(sources) - set(focal))
    if not hidden:
        return None
    return {
        "id": f"mined-{name.rpartition('/')[2]}-{commit.oid[:12]}",
        "repo": name,
        "language": detect_language(focal[0]),
        "task": "diff",
        "base": commit.parents[0],
        "head": commit.oid,
        "title": commit.subject,
        "focal": [_text(path) for path in focal],
        "relevant": [{"path": _text(path), "kind": KINDS[path_kind(path)]} for path in hidden],
    }


def _is_source(path: bytes) -> bool:
    return path_kind(path) in KINDS and LANGUAGES[detect_language(path)].has_queries


def _choose_focal(oid: str, paths: Sequence[bytes]) -> list[bytes]:
    """Return the shown files: by a hash of commit and path, production code before tests."""

    def key(path: bytes) -> tuple[bool, bytes]:
        digest = hashlib.blake2b(oid.encode() + b"\0" + path, digest_size=8).digest()
        return path_kind(path) is PathKind.TEST, digest

    n = max(1, round(len(paths) * FOCAL_SHARE))
    return sorted(sorted(set(paths), key=key)[:n])


def _evenly(n: int, wanted: int) -> Iterator[int]:
    wanted = min(n, wanted)
    return ((2 * i + 1) * n // (2 * wanted) for i in range(wanted))


def repository_name(repository: Repository) -> str:
    """Return `owner/name` by the remote `origin`, else `local/` and the folder's name."""
    done = repository.try_run(["config", "--get", "remote.origin.url"])
    match = REMOTE.search(done.stdout.decode("utf-8", "replace").strip())
    if match is not None:
        return f"{match[1]}/{match[2]}"
    home = repository.worktree or repository.git_dir
    return f"local/{re.sub(r'[^A-Za-z0-9_.-]', '-', home.name) or 'repository'}"


def commit_times(repository: Repository, commits: Iterable[str]) -> dict[str, int]:
    """Return the commit time of each commit that is there, in seconds since 1970."""
    wanted = "\n".join(dict.fromkeys(commits)) + "\n"
    words = ["log", "--no-walk=unsorted", "--ignore-missing", "--format=%H %ct", "--stdin"]
    lines = repository.run(words, input=wanted.encode("ascii")).decode("ascii").splitlines()
    return {oid: int(seconds) for oid, _, seconds in (line.partition(" ") for line in lines)}


def case_lines(records: Iterable[dict[str, Any]]) -> bytes:
    """Return the records as the lines of a case file."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
