"""Turn hits into pieces that may be packed: their lines, the class around them, what they use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sidelight.graph.model import SymbolRef
from sidelight.model import CALLABLE_KINDS, Hit, Reason
from sidelight.packing.granularity import WINDOW, best_window, grow_pieces, line_terms
from sidelight.packing.model import Lines, Piece, Role
from sidelight.packing.reading import ParsedSource, ViewReader, signature_lines

SHORT_DEFINITION = 14  # lines up to which a used definition is shown whole
TYPE_LINES = 20  # of a longer type
COMMENT_LINES = 8  # above a signature
SILENT_KINDS = frozenset({"recent", "kind", "version", "bm25", "dense", "symbol", "exact"})


@dataclass(frozen=True, slots=True)
class PieceOptions:
    """What is made of hits.

    `focus`: a long hit is shown by the lines that say most of the query if these hold that share
    of what the whole says (above 1: only where the whole does not fit). `definitions` is the most
    that one hit brings along, each with `definition_share` of its score times its confidence.
    """

    focus: float = 1.1  # .8 loses wanted lines: .44 of them, not .50, in 2,000 tokens
    grow: bool = True
    definitions: int = 3
    definition_share: float = 0.4
    least_confidence: float = 0.6
    overview_share: float = 0.5
    told: bool = False  # hits carry their reasons


def make_pieces(
    reader: ViewReader, hits: Sequence[Hit], weights: Mapping[str, float], options: PieceOptions
) -> list[Piece]:
    """Return the hits as pieces, then the overviews of their classes, then what they use.

    `weights` are the query's terms times their rarity. The best hit's score becomes 1; negative
    scores become 0.
    """
    best = max((hit.score for hit in hits), default=0.0)
    scale = best if best > 0 else 1.0
    by_path: defaultdict[bytes, list[Piece]] = defaultdict(list)
    for hit in hits:
        score = max(0.0, hit.score) / scale
        by_path[hit.path].append(_hit_piece(reader, hit, score, weights, options))
    pieces: list[Piece] = []
    for path, own in by_path.items():
        source = reader.source(path)
        if source is None or not options.grow:
            pieces += own
        else:
            pieces += grow_pieces(own, [s for s in source.file.scopes if _is_type(source, s.name)])
    return [*pieces, *_overviews(reader, pieces, options), *_definitions(reader, pieces, options)]


def definition_lines(source: ParsedSource, definition: SymbolRef) -> Lines:
    """Return what to show of a definition: all of a short one, the signature of a long one.

    Comments above are part of it; of a long type the first lines are shown, where its fields are.
    """
    symbol = next((s for s in source.symbols if s.span == definition.span), None)
    if symbol is None:
        return Lines(definition.span.start_line, definition.span.start_line)
    lead = source.line_at(symbol.lead_byte)
    first = lead if symbol.span.start_line - lead <= COMMENT_LINES else symbol.span.start_line
    if symbol.span.end_line - first < SHORT_DEFINITION:
        return Lines(first, symbol.span.end_line)
    if symbol.kind in CALLABLE_KINDS:
        return Lines(first, signature_lines(source, symbol).last)
    return Lines(first, min(symbol.span.end_line, first + TYPE_LINES - 1))


def _hit_piece(
    reader: ViewReader,
    hit: Hit,
    score: float,
    weights: Mapping[str, float],
    options: PieceOptions,
) -> Piece:
    told = tuple(r.detail for r in hit.reasons if r.kind not in SILENT_KINDS and r.weight > 0)
    piece = Piece(
        hit.path,
        Lines(hit.span.start_line, hit.span.end_line),
        score,
        Role.HIT,
        hit.symbol,
        told if options.told else (),
    )
    source = reader.source(hit.path)
    if source is None:
        return piece
    piece = replace(piece, lines=_filled(source, piece.lines))
    if len(piece.lines) <= WINDOW:
        return piece
    first = piece.lines.first
    rows = line_terms(source.file.lines[first - 1 : piece.lines.last])
    if not rows:
        return piece
    window, share = best_window(rows, weights)
    narrow = Lines(first + window.first - 1, first + window.last - 1)
    if share >= options.focus:
        return replace(piece, lines=narrow)
    return replace(piece, shorter=(narrow,))


def _overviews(reader: ViewReader, pieces: Sequence[Piece], options: PieceOptions) -> list[Piece]:
    """Return the overview of each class that holds two hits or more and is not shown by them."""
    members: defaultdict[tuple[bytes, str], list[int]] = defaultdict(list)
    for at, piece in enumerate(pieces):
        name = piece.symbol.rpartition(".")[0]
        if name:
            members[piece.path, name].append(at)
    found = []
    for (path, name), own in members.items():
        source = reader.source(path)
        if source is None or len(own) < 2 or not options.grow:
            continue
        lines = reader.overview(source, name)
        if lines is None or any(p.path == path and p.lines.contains(lines) for p in pieces):
            continue
        score = options.overview_share * max(pieces[at].score for at in own)
        piece = Piece(path, lines, score, Role.OVERVIEW, name, needed_by=tuple(own))
        found.append(piece)
    return found


def _definitions(reader: ViewReader, pieces: Sequence[Piece], options: PieceOptions) -> list[Piece]:
    """Return what the pieces use, each definition once, with all that use it."""
    found: dict[tuple[bytes, Lines], Piece] = {}
    for at, piece in enumerate(pieces):
        source = reader.source(piece.path)
        if source is None or not options.definitions:
            continue
        taken = 0
        for item in reader.dependencies(source, piece.lines):
            if taken == options.definitions or item.confidence < options.least_confidence:
                break
            target = reader.source(item.target.path)
            if target is None:
                continue
            lines = definition_lines(target, item.target)
            taken += 1
            score = options.definition_share * item.confidence * piece.score
            user = piece.symbol or f"line {item.line}"
            known = found.get((item.target.path, lines))
            if known is not None:
                found[known.path, lines] = replace(
                    known,
                    score=max(known.score, score),
                    needed_by=(*known.needed_by, at),
                )
                continue
            found[item.target.path, lines] = Piece(
                item.target.path,
                lines,
                score,
                Role.DEFINITION,
                item.target.qualified_name,
                (f"used by {user}",),
                needed_by=(at,),
            )
    return list(found.values())


def expand_hits(reader: ViewReader, hits: Sequence[Hit], most: int) -> tuple[Hit, ...]:
    """Return the hits, then at most `most` definitions of the tree that each of them uses.

    A definition that a hit shows already is left out; one that several hits use comes once, with a
    reason for each. Scores lie below every direct hit's, in the order of the users, surest first.
    """
    shown = [(hit.path, Lines(hit.span.start_line, hit.span.end_line)) for hit in hits]
    found: dict[tuple[bytes, int], Hit] = {}
    floor = min((hit.score for hit in hits), default=0.0)
    for hit in hits:
        source = reader.source(hit.path)
        if source is None:
            continue
        taken = 0
        for item in reader.dependencies(source, Lines(hit.span.start_line, hit.span.end_line)):
            symbol, path = item.target, item.target.path
            whole = Lines(symbol.span.start_line, symbol.span.end_line)
            if any(path == p and lines.contains(whole) for p, lines in shown):
                continue
            target = reader.source(path)
            if target is None:
                continue
            if taken == most:
                break
            taken += 1
            user = hit.symbol or hit.path.decode("utf-8", "backslashreplace")
            reason = Reason("used by", f"used by {user}", item.confidence)
            key = (path, symbol.span.start_byte)
            if key in found:
                found[key] = replace(found[key], reasons=(*found[key].reasons, reason))
            else:
                found[key] = Hit(
                    path,
                    symbol.span,
                    symbol.qualified_name,
                    symbol.kind or "",
                    target.file.language,
                    0.0,
                    (reason,),
                )
    ranked = list(found.values())
    step = abs(floor) / (len(ranked) + 1) if floor else 1 / (len(ranked) + 1)
    scored = [replace(h, score=round(floor - step * n, 6)) for n, h in enumerate(ranked, 1)]
    return (*hits, *scored)


def _is_type(source: ParsedSource, name: str) -> bool:
    return any(s.qualified_name == name and s.kind not in CALLABLE_KINDS for s in source.symbols)


def _filled(source: ParsedSource, lines: Lines) -> Lines:
    """Return the lines without blank ones at the edges."""
    first, last = lines.first, min(lines.last, len(source.file.lines))
    while first < last and not source.file.lines[first - 1].strip():
        first += 1
    while last > first and not source.file.lines[last - 1].strip():
        last -= 1
    return Lines(first, max(first, last))
