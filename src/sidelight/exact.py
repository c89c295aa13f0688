"""The exact-string retriever: chunks of the indexed tree that hold the query to the letter.

The query's whole tokens narrow the chunks down by their postings; then the blobs decide.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sidelight.errors import MissingObjectError
from sidelight.git.blobs import BlobReader
from sidelight.git.repository import Repository
from sidelight.model import RankedList
from sidelight.store.reader import ChunkInfo, read_chunks

MAX_CHECKED = 2000  # chunks whose text is read as one signal among others
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
    repo: Repository,
    candidates: Iterable[int],
    needle: bytes,
    count: int,
    *,
    complete: bool = False,
) -> RankedList:
    """Return those of the candidate chunks whose bytes hold the needle.

    score = occurrences / (occurrences + 1), so that a chunk full of it is a little better than one
    that names it once; an overview does not count what is in its members, which are chunks of
    their own. Ties: path, then line. The first `MAX_CHECKED` candidates are read, or all
    if the answer must be `complete`.
    """
    ids = list(candidates)[: None if complete else MAX_CHECKED]
    chunks = sorted(
        read_chunks(connection, ids).values(), key=lambda chunk: (chunk.path, chunk.span)
    )
    counts: dict[tuple[int, int], int] = {}
    content, current = b"", ""
    with BlobReader(repo) as blobs:
        for chunk in chunks:
            if chunk.blob != current:
                current = chunk.blob
                try:
                    content = blobs.read(chunk.blob)
                except MissingObjectError:
                    content = b""
            counts[chunk.doc_id, chunk.ordinal] = content.count(
                needle, chunk.span.start_byte, chunk.span.end_byte
            )
    found = [(own / (own + 1), chunk) for chunk, own in _own_counts(chunks, counts) if own > 0]
    found.sort(key=lambda item: (-item[0], item[1].path, item[1].span))
    return RankedList(
        "exact",
        rows=tuple(chunk.id for _, chunk in found[:count]),
        scores=tuple(score for score, _ in found[:count]),
        pool=count,
    )


def _own_counts(
    chunks: Sequence[ChunkInfo], counts: Mapping[tuple[int, int], int]
) -> Iterator[tuple[ChunkInfo, int]]:
    """Yield the chunks with their occurrences less those of the chunks that they enclose."""
    inside: Counter[tuple[int, int]] = Counter()
    for chunk in chunks:
        if chunk.parent is not None:
            inside[chunk.doc_id, chunk.parent] += counts[chunk.doc_id, chunk.ordinal]
    for chunk in chunks:
        key = chunk.doc_id, chunk.ordinal
        yield chunk, counts[key] - inside[key]
