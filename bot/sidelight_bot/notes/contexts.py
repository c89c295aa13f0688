"""Pack the code around a group of hunks: who calls what changed, what it uses, its tests.

Look-alikes come last, and only if retrieval found something: a context that does not help makes
a model worse. What the diff shows itself is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sidelight.focal import FocalSet, FocalSymbol, SymbolChange
from sidelight.graph.graph import CodeGraph
from sidelight.graph.model import Confidence, Edge, SymbolRef
from sidelight.model import Hit, display_path
from sidelight.packing.changes import pieces_of_change
from sidelight.packing.context import evidence_of
from sidelight.packing.gate import GateLimits, is_weak
from sidelight.packing.model import Lines, PackedContext, Piece, Role
from sidelight.packing.pieces import PieceOptions, make_pieces
from sidelight.packing.reading import SURENESS, ViewReader, weigh
from sidelight.packing.render import Form, render_context
from sidelight.packing.select import PackOptions, pack
from sidelight.related.query import diff_terms
from sidelight_bot.notes.grouping import HunkGroup
from sidelight_bot.notes.review import GroupContext

BUDGET = 3000  # tokens of context for one group
CALLER_SHARE = 0.95
TEST_SHARE = 0.7
HIT_SHARE = 0.45
MOST_EDGES = 6  # callers, and tests, of one definition
MOST_HITS = 4
AROUND = 6  # lines on each side of a call


@dataclass(frozen=True, slots=True)
class ContextSource:
    """Packs contexts from one view at head; `hits` are the change's related code, best first."""

    reader: ViewReader
    graph: CodeGraph
    focal: FocalSet
    hits: Sequence[Hit]
    budget: int = BUDGET

    def __call__(self, group: HunkGroup) -> GroupContext:
        """Return the context of a group; an empty one if nothing is worth its tokens."""
        focal = _part_of(self.focal, group)
        pieces = [
            *self._around(focal.symbols),
            *pieces_of_change(self.reader, focal),
            *self._alike(focal),
        ]
        kept = [piece for piece in pieces if not _is_shown(piece, group)]
        files = self.reader.files(piece.path for piece in kept)
        options = PackOptions(budget=self.budget, form=Form.TEXT)
        return group_context(pack(files, _without_doubles(kept), options))

    def _around(self, symbols: Iterable[FocalSymbol]) -> list[Piece]:
        pieces = []
        for item in symbols:
            if item.change is SymbolChange.REMOVED:
                continue
            symbol = item.symbol
            ref = SymbolRef(item.path, symbol.qualified_name, symbol.kind, symbol.span)
            name = symbol.qualified_name
            uses = (
                (self.graph.callers(ref), CALLER_SHARE, f"calls {name}, changed here"),
                (self.graph.tests_of(ref), TEST_SHARE, f"tests {name}"),
            )
            for edges, share, why in uses:
                sure = [edge for edge in edges if edge.confidence in SURENESS]
                pieces += [_use_piece(edge, share, why) for edge in sure[:MOST_EDGES]]
        return pieces

    def _alike(self, focal: FocalSet) -> list[Piece]:
        terms = diff_terms(focal)
        idf = self.reader.idf(terms)
        hits = list(self.hits[:MOST_HITS])
        if not hits or is_weak(evidence_of(self.reader, hits, terms, idf), GateLimits()):
            return []
        options = PieceOptions(definitions=0, told=True)
        found = make_pieces(self.reader, hits, weigh(terms, idf), options)
        return [replace(p, score=p.score * HIT_SHARE) for p in found if p.role is Role.HIT]


def group_context(context: PackedContext) -> GroupContext:
    """Return a packed context as the review uses it: its text, and each source by its number."""
    return GroupContext(
        text=render_context(context, Form.TEXT),
        sources={str(item.number): item.text for item in context.items},
        places={
            str(item.number): (display_path(item.path), item.lines.first, item.lines.last)
            for item in context.items
        },
    )


def _use_piece(edge: Edge, share: float, why: str) -> Piece:
    source = edge.source.span
    first = max(source.start_line, edge.line - AROUND)
    last = min(max(source.end_line, edge.line), edge.line + AROUND)
    if not edge.source.qualified_name:  # a whole file uses it: its span is no guide
        first, last = max(1, edge.line - AROUND), edge.line + AROUND
    sure = SURENESS.get(edge.confidence, SURENESS[Confidence.UNIQUE])
    return Piece(
        edge.source.path,
        Lines(min(first, edge.line), last),
        share * sure,
        Role.HIT,
        edge.source.qualified_name,
        (why,),
    )


def _part_of(focal: FocalSet, group: HunkGroup) -> FocalSet:
    """Return the focal set of the files and definitions that the group shows."""
    paths = {part.file.path for part in group.parts}
    ranges = {
        part.file.path: [(h.new_start, h.new_start + max(h.new_count, 1)) for h in part.hunks]
        for part in group.parts
    }
    symbols = tuple(
        item
        for item in focal.symbols
        if any(
            first <= item.symbol.span.end_line and item.symbol.span.start_line < last
            for first, last in ranges.get(item.path, ())
        )
    )
    files = tuple(file for file in focal.files if file.path in paths)
    return replace(focal, files=files, symbols=symbols)


def _is_shown(piece: Piece, group: HunkGroup) -> bool:
    """Return whether the diff shows the whole piece already."""
    return any(
        part.file.path == piece.path
        and any(
            hunk.new_start <= piece.lines.first
            and piece.lines.last < hunk.new_start + hunk.new_count
            for hunk in part.hunks
        )
        for part in group.parts
    )


def _without_doubles(pieces: Iterable[Piece]) -> list[Piece]:
    """Return each place once, by its best piece; none of these needs another to be packed."""
    best: dict[tuple[bytes, Lines], Piece] = {}
    for piece in pieces:
        key = (piece.path, piece.lines)
        if key not in best or piece.score > best[key].score:
            best[key] = replace(piece, needed_by=())
    return list(best.values())
