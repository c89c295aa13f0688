"""The exact-string retriever: chunks of the indexed tree that hold the query to the letter.

The query's whole tokens narrow the chunks down by their postings; then the blobs decide.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable

from sidelight.errors import MissingObjectError
from sidelight.git.repository import Repository
from sidelight.model import RankedList
from sidelight.store.reader import ChunkInfo, read_chunks

LEAST_LETTERS = 3  # shorter strings are everywhere


def needle_of(query: str) -> bytes | None:
    """Return the string to look for; None if the query is too short or has several lines."""
    text = query.strip()
    if len(text) < LEAST_LETTERS or "\n" in text or len(text) > 1000:
        return None
    return text.encode("utf-8", "surrogatepass")


def paths_with(repo: Repository, tree: str, needle: bytes) -> set[bytes]:
    """Return the paths of the tree whose blobs hold the needle, for needles without whole tokens.

    git searches its own objects, in several threads.
    """
    words: list[str | bytes] = ["grep", "-z", "-l", "-F", "-a", "--full-name", "-e", needle, tree]
    done = repo.try_run(words)
    if done.returncode not in (0, 1):
        raise repo.refusal(words, done.returncode, done.stderr)
    prefix = tree.encode() + b":"
    return {name.removeprefix(prefix) for name in done.stdout.split(b"\0") if name}


def rank_exact(
    connection: sqlite3.Connection,
    read: Callable[[str], bytes],
    candidates: Iterable[int],
    needle: bytes,
    count: int,
) -> RankedList:
    """Return those of the candidate chunks whose bytes hold the needle; `read` gives a blob's.

    score = occurrences / (occurrences + 1), so that a chunk full of it is a little better than one
    that names it once. Ties: path, then line.
    """
    chunks = sorted(
        read_chunks(connection, list(candidates)).values(),
        key=lambda chunk: (chunk.path, chunk.span),
    )
    found: list[tuple[float, ChunkInfo]] = []
    content, current = b"", ""
    for chunk in chunks:
        if chunk.blob != current:
            current = chunk.blob
            try:
                content = read(chunk.blob)
            except MissingObjectError:
                content = b""
        times = content.count(needle, chunk.span.start_byte, chunk.span.end_byte)
        if times:
            found.append((times / (times + 1), chunk))
    found.sort(key=lambda item: (-item[0], item[1].path, item[1].span))
    return RankedList(
        "exact",
        rows=tuple(chunk.id for _, chunk in found[:count]),
        scores=tuple(score for score, _ in found[:count]),
        pool=count,
    )
