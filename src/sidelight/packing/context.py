"""From hits to a packed context: evidence, gate, pieces, selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sidelight.diversify import span_similarity
from sidelight.model import Hit
from sidelight.packing.gate import (
    LOOKED_AT,
    Evidence,
    GateLimits,
    gather_evidence,
    is_weak,
    query_weights,
)
from sidelight.packing.model import Dropped, DropReason, Lines, PackedContext, Piece, Role
from sidelight.packing.pieces import PieceOptions, make_pieces
from sidelight.packing.reading import ViewReader, weigh
from sidelight.packing.select import PackOptions, Similarity, pack
from sidelight.tokens import term_hash

NOTHING = "nothing in this repository answers that: no hit shares enough with the question"


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """How a context is made; `gate` None lets everything through."""

    pack: PackOptions = field(default_factory=PackOptions)
    pieces: PieceOptions = field(default_factory=PieceOptions)
    gate: GateLimits | None = field(default_factory=GateLimits)


def build_context(
    reader: ViewReader,
    hits: Sequence[Hit],
    terms: Mapping[str, float],
    options: ContextOptions,
    extra: Sequence[Piece] = (),
) -> PackedContext:
    """Return the context of hits, best first, for a query of weighted terms.

    Nothing is packed, and a note says so, if retrieval was weak as a whole. `extra` are further
    pieces that compete with the hits'.
    """
    idf = reader.idf(terms)
    if options.gate is not None:
        evidence = evidence_of(reader, hits, terms, idf)
        if hits and is_weak(evidence, options.gate):
            return _closed(hits, options.pack.budget)
    pieces = [*make_pieces(reader, hits, weigh(terms, idf), options.pieces), *extra]
    files = reader.files(piece.path for piece in pieces)
    similarity = _similarity(reader, pieces) if options.pack.diversity else None
    return pack(files, pieces, options.pack, similarity)


def evidence_of(
    reader: ViewReader,
    hits: Sequence[Hit],
    terms: Mapping[str, float],
    idf: Mapping[str, float],
) -> Evidence:
    """Return what speaks for the hits as an answer to the query."""
    weights = query_weights(terms, idf)
    hashed = {term_hash(term): weight for term, weight in weights.items()}
    held = [_terms_of(reader, hit.path, _lines(hit)) for hit in hits[:LOOKED_AT]]
    return gather_evidence(hits, held, hashed)


def _closed(hits: Sequence[Hit], budget: int) -> PackedContext:
    dropped = tuple(
        Dropped(h.path, _lines(h), h.symbol, Role.HIT, h.score, 0, DropReason.GATE) for h in hits
    )
    return PackedContext((), budget, 0, dropped, (NOTHING,))


def _similarity(reader: ViewReader, pieces: Sequence[Piece]) -> Similarity:
    """Return how alike two pieces are, by place: by the index's vectors, else by terms."""
    vectors = [reader.vector(piece.path, piece.lines) for piece in pieces]
    matrix = span_similarity(
        vectors, lambda at: _terms_of(reader, pieces[at].path, pieces[at].lines)
    )
    return lambda i, j: float(matrix[i, j])


def _terms_of(reader: ViewReader, path: bytes, lines: Lines) -> frozenset[int]:
    source = reader.source(path)
    return frozenset() if source is None else reader.chunk_terms(source, lines)


def _lines(hit: Hit) -> Lines:
    return Lines(hit.span.start_line, hit.span.end_line)
