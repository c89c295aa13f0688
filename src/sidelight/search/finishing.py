"""From ordered candidates to the hits of one query: explained, collapsed, diversified, fitted."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sidelight.errors import MissingObjectError
from sidelight.model import Hit, RankedList, Span
from sidelight.search.collapse import collapse
from sidelight.search.diversity import POOL, diversify_hits
from sidelight.search.features import Candidate
from sidelight.search.fitting import FileText, classes_of, fit_hits
from sidelight.store.reader import document_chunks, read_terms, read_vectors
from sidelight.store.rows import TermSet

ENOUGH = 3  # times k: where `collapse` stops if it has its hits


@dataclass(frozen=True, slots=True)
class Finish:
    """What hits are made with; the settings are `search.diversity` and `search.granularity`."""

    connection: sqlite3.Connection
    read_blob: Callable[[str], bytes]
    diversity: float
    granularity: str

    def hits(
        self,
        candidates: Sequence[Candidate],
        lists: Sequence[RankedList],
        k: int,
        weights: Mapping[str, float],
    ) -> list[Hit]:
        """Return the best `k` hits; `weights` are the query's terms times their rarity."""
        if not self.diversity:
            hits = self._collapsed(candidates, lists, k)
        else:
            hits = self._collapsed(candidates, lists, max(k, POOL))
            hits = self._diversified(hits, candidates)[:k]
        if self.granularity != "fit":
            return hits
        chunks = {item.chunk.path: item.chunk for item in candidates}

        def text_of(path: bytes) -> FileText | None:
            chunk = chunks[path]
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

    def _diversified(self, hits: Sequence[Hit], candidates: Sequence[Candidate]) -> list[Hit]:
        ids: dict[tuple[bytes, Span], int] = {
            (item.chunk.path, item.chunk.span): item.chunk.id for item in candidates
        }
        own = [ids[hit.path, hit.span] for hit in hits[:POOL]]
        vectors = read_vectors(self.connection, own)
        known = self._terms_of([])
        return diversify_hits(
            hits,
            self.diversity,
            {at: vectors[chunk] for at, chunk in enumerate(own) if chunk in vectors},
            lambda at: known(own[at]).hashes,
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
    return FileText(content, classes_of(document_chunks(connection, doc_id)))


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
