"""From ordered candidates to the hits of one query: explained, collapsed, diversified, fitted."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sidelight.errors import MissingObjectError
from sidelight.model import ChunkKind, Hit, RankedList
from sidelight.search.collapse import collapse
from sidelight.search.diversity import POOL, diversify_hits
from sidelight.search.features import Candidate
from sidelight.search.fitting import FileText, classes_of, fit_hits
from sidelight.store.reader import ChunkInfo, chunk_places_of, read_terms, read_vectors
from sidelight.store.rows import TermSet

ENOUGH = 3  # times k: where `collapse` stops if it has its hits


@dataclass(frozen=True, slots=True)
class Finish:
    """What hits are made with; the settings are `search.diversity` and `search.granularity`."""

    connection: sqlite3.Connection
    read_blob: Callable[[str], bytes]
    diversity: float = 0.0
    granularity: str = "chunk"

    def hits(
        self,
        candidates: Sequence[Candidate],
        lists: Sequence[RankedList],
        k: int,
        weights: Mapping[str, float],
    ) -> list[Hit]:
        """Return the best `k` hits; `weights` are the query's terms times their rarity.

        Diversity and granularity look at the first `POOL` hits whatever `k` is, so that the first
        ten are the same for everyone.
        """
        is_plain = not self.diversity and self.granularity == "chunk"
        hits = self._collapsed(candidates, lists, k if is_plain else max(k, POOL))
        if is_plain:
            return hits
        chunks = {(item.chunk.path, item.chunk.start_byte): item.chunk for item in candidates}
        own = [chunks[hit.path, hit.span.start_byte] for hit in hits[:POOL]]
        if self.diversity:
            hits = self._diversified(hits, [chunk.id for chunk in own])
        if self.granularity != "chunk":
            fitted = self._fitted(hits[:POOL], own, weights)
            hits = [*fitted, *(hit for hit in hits[POOL:] if not _is_shown(hit, fitted))]
        return hits[:k]

    def _fitted(
        self, hits: Sequence[Hit], chunks: Sequence[ChunkInfo], weights: Mapping[str, float]
    ) -> list[Hit]:
        shrink = self.granularity == "fit"
        classes = Counter(of for chunk in chunks if (of := _class_of(chunk)))
        joined = {chunk.path for chunk in chunks if classes[_class_of(chunk) or (0, 0)] > 1}
        of_path = {chunk.path: chunk for chunk in chunks}

        def text_of(path: bytes) -> FileText | None:
            if not shrink and path not in joined:
                return None  # nothing to grow
            chunk = of_path[path]
            if not shrink:
                return FileText(classes_of(chunk_places_of(self.connection, chunk.doc_id)))
            return read_text(self.connection, self.read_blob, chunk.doc_id, chunk.blob)

        return fit_hits(hits, weights, text_of)

    def _collapsed(
        self, candidates: Sequence[Candidate], lists: Sequence[RankedList], k: int
    ) -> list[Hit]:
        first = candidates[: ENOUGH * k]  # nearly always enough, and nothing else is shown
        explain_ranks(first, lists)
        terms_of = self._terms_of(first)
        hits = collapse(first, k, terms_of)
        if len(hits) < k and len(first) < len(candidates):
            explain_ranks(candidates[len(first) :], lists)
            hits = collapse(candidates, k, terms_of)
        return hits

    def _diversified(self, hits: Sequence[Hit], ids: Sequence[int]) -> list[Hit]:
        vectors = read_vectors(self.connection, ids)
        known = self._terms_of([])
        return diversify_hits(
            hits,
            self.diversity,
            {at: vectors[chunk] for at, chunk in enumerate(ids) if chunk in vectors},
            lambda at: known(ids[at]).hashes,
        )

    def _terms_of(self, candidates: Sequence[Candidate]) -> Callable[[int], TermSet]:
        """Return a look-up of chunks' terms; those of the first candidates are read at once."""
        known = read_terms(self.connection, [item.chunk.id for item in candidates])

        def terms_of(chunk_id: int) -> TermSet:
            packed = known.get(chunk_id)
            if packed is None:
                packed = read_terms(self.connection, [chunk_id]).get(chunk_id, b"")
            return TermSet(packed)

        return terms_of


def read_text(
    connection: sqlite3.Connection, read_blob: Callable[[str], bytes], doc_id: int, blob: str
) -> FileText | None:
    """Return a document's text with its classes; None if git does not have it."""
    try:
        content = read_blob(blob)
    except MissingObjectError:
        return None  # a partial clone
    return FileText(classes_of(chunk_places_of(connection, doc_id)), content)


def _is_shown(hit: Hit, hits: Sequence[Hit]) -> bool:
    """Return whether a class that grew shows lines of the hit already."""
    return any(o.path == hit.path and o.span.overlaps_lines(hit.span) for o in hits)


def _class_of(chunk: ChunkInfo) -> tuple[int, int] | None:
    """Return the class that a chunk is of, if its class has an overview of its own."""
    if chunk.kind == ChunkKind.OVERVIEW:
        return chunk.doc_id, chunk.ordinal
    return None if chunk.parent is None else (chunk.doc_id, chunk.parent)


def explain_ranks(candidates: Sequence[Candidate], lists: Sequence[RankedList]) -> None:
    """Give every candidate the retrievers that found it, at which rank and with which score."""
    places = [
        (ranked.retriever, dict(zip(ranked.rows, enumerate(ranked.scores, 1), strict=True)))
        for ranked in lists
    ]
    for candidate in candidates:
        found = []
        for name, of_rows in places:
            place = of_rows.get(candidate.chunk.id)
            if place is not None:
                found.append((name, f"rank {place[0]}", place[1]))
        candidate.shares[:0] = found
