"""Rank the code outside a diff: in an open session, and in a process that only does this."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from benchmarks.measuring import Seconds, middle, timed
from benchmarks.tasks.indexing import count, place_of
from sidelight.findings import find_in_view
from sidelight.focal import FocalSet, build_focal
from sidelight.git.blobs import BlobReader
from sidelight.git.diffs import diff_revisions
from sidelight.git.repository import Repository
from sidelight.git.trees import FileRef, list_tree
from sidelight.indexing.place import worktree_view
from sidelight.languages import detect_language
from sidelight.related.session import RelatedSession

TITLE = "Handle errors where connections are closed"
CODE = frozenset({"python", "java", "go", "typescript", "javascript", "rust"})
HIDDEN = 10  # hits


def make_change(repository: str, n_files: int) -> dict[str, Any]:
    """Return a commit on HEAD, which no branch has, that changes `n_files` files of code.

    In each, a line in the middle that is indented loses its last word and is written twice.
    """
    repo = place_of(repository).repo
    head = repo.head_commit() or ""
    refs = [ref for ref in list_tree(repo, repo.tree_of(head)) if _is_code(ref)]
    chosen = refs[:: max(1, len(refs) // n_files)][:n_files]
    with tempfile.TemporaryDirectory() as scratch, BlobReader(repo) as blobs:
        env = {"GIT_INDEX_FILE": os.path.join(scratch, "index")}  # noqa: PTH118 - for git
        repo.run(["read-tree", head], env=env)
        rows = []
        for ref in chosen:
            new = repo.run(["hash-object", "-w", "--stdin"], input=_changed(blobs.read(ref.blob)))
            rows.append(b"%o %s\t%s\0" % (ref.mode, new.strip(), ref.path))
        repo.run(["update-index", "-z", "--index-info"], input=b"".join(rows), env=env)
        tree = repo.run(["write-tree"], env=env).decode().strip()
    person = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (
        ("NAME", "Bench"), ("EMAIL", "bench@localhost"), ("DATE", "1700000000 +0000"))}  # fmt: skip
    made = repo.run(["commit-tree", tree, "-p", head, "-m", TITLE], env=person)
    return {"commit": made.decode().strip()}


def warm(repository: str, commit: str, rounds: int) -> dict[str, Any]:
    """Return what a diff costs, from two commits to hits, once and again in one session."""
    place = place_of(repository)
    files, chunks = count(place)
    focal: list[FocalSet] = []

    def read() -> None:
        focal[:] = [_focal(place.repo, commit)]

    with RelatedSession.open(place, worktree_view(place.repo)) as session:
        read()
        first = timed(lambda: session.rank(focal[0], HIDDEN))
        parsed: list[Seconds] = []
        ranked: list[Seconds] = []
        for _ in range(rounds):
            parsed.append(timed(read))
            ranked.append(timed(lambda: session.rank(focal[0], HIDDEN)))
    return {
        "files": files,
        "chunks": chunks,
        "focal": len(focal[0].files),
        "first": first.table(),
        "read": middle(parsed).table(),
        "rank": middle(ranked).table(),
    }


def cold(repository: str, commit: str, findings: str = "") -> dict[str, Any]:
    """Open the view, read the diff and rank once; the caller times the whole process.

    With `findings` (anything but ""), also find what the diff breaks, as the command does.
    """
    place = place_of(repository)
    focal = _focal(place.repo, commit)
    view = worktree_view(place.repo)
    with RelatedSession.open(place, view) as session:
        result = session.rank(focal, HIDDEN)
    if findings:
        find_in_view(place, view, focal, before=place.repo.head_commit(), log=result.log)
    return {"hits": len(result.hits)}


def _focal(repo: Repository, commit: str) -> FocalSet:
    return build_focal(repo, diff_revisions(repo, repo.head_commit() or "", commit), TITLE)


def _is_code(ref: FileRef) -> bool:
    return bool(ref.mode & 0o100000) and detect_language(ref.path) in CODE


def _changed(text: bytes) -> bytes:
    lines = text.split(b"\n")
    at = next(
        (n for n in range(len(lines) // 2, len(lines)) if lines[n][:1].isspace()), len(lines) - 1
    )
    lines[at : at + 1] = [lines[at].rpartition(b" ")[0], lines[at]]
    return b"\n".join(lines)
