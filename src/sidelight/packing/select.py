"""Choose what goes into a token budget: relevance for its cost, best hit first. Pure.

The greedy rule of Lin & Bilmes ("Multi-document summarization via budgeted maximization of
submodular functions", NAACL 2010): of what is left, take the piece that gains most per scaled
cost, given what is packed. Costs are those of the whole layout, so a piece beside a packed one is
cheap, and one inside of it is free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sidelight.packing.counting import TokenCounter, count_tokens
from sidelight.packing.layout import Block, block_text, lay_out
from sidelight.packing.model import (
    Dropped,
    DropReason,
    Lines,
    Order,
    PackedContext,
    Piece,
    Role,
    Source,
    SourceFile,
)
from sidelight.packing.ordering import arrange
from sidelight.packing.render import Form, render_source, render_sources

Similarity = Callable[[int, int], float]  # of two pieces by their places, in [0, 1]

MAX_SYMBOLS = 3  # named in one heading
MAX_REASONS = 2


@dataclass(frozen=True, slots=True)
class PackOptions:
    """How to pack.

    `least` drops pieces of a lower score. `overhead` is added to every piece's tokens when pieces
    are compared, so that a constant of one line does not win against the function that was asked
    for; `scaling` is the power of that sum which a piece's score is divided by: 1 is density, 0
    rank alone. `diversity` takes that share of a piece's score for being like a packed one.
    """

    budget: int = 4000
    order: Order = Order.ASCENDING
    form: Form = Form.TEXT
    least: float = 0.3  # files of the answer: .68 of the tokens against .62 at .15, none lost
    overhead: int = 150
    diversity: float = 0.0
    scaling: float = 0.3  # .50 of issues' wanted lines in 2,000 tokens; at 1: .47
    count: TokenCounter = count_tokens


def pack(
    files: Mapping[bytes, SourceFile],
    pieces: Sequence[Piece],
    options: PackOptions,
    similarity: Similarity | None = None,
) -> PackedContext:
    """Return the sources that fit, numbered in the order of reading.

    Ties: the higher score, then path, then line. Equal input gives equal output.

    Raises:
        ValueError: the budget is negative.
    """
    if options.budget < 0:
        raise ValueError(f"the budget must not be negative, not {options.budget}")
    selection = _Selection(files, pieces, options, similarity)
    selection.run()
    sources = selection.sources()
    shown = _number(arrange(sources, options.order), options)
    while shown and options.count(render_sources(shown, options.form)) > options.budget:
        # A counter may see more in the whole than in its parts; the least relevant source goes.
        weakest = min(sources, key=lambda source: (source.score, source.path, source.lines))
        sources = [source for source in sources if source is not weakest]
        selection.refuse_block(weakest)
        shown = _number(arrange(sources, options.order), options)
    used = options.count(render_sources(shown, options.form)) if shown else 0
    return PackedContext(shown, options.budget, used, selection.dropped())


@dataclass(slots=True)
class _Selection:
    """The state of one run: which pieces are in, at which length, and what each file costs."""

    files: Mapping[bytes, SourceFile]
    pieces: Sequence[Piece]
    options: PackOptions
    similarity: Similarity | None
    packed: dict[int, Piece] = field(default_factory=dict)
    refused: dict[int, tuple[int, DropReason]] = field(default_factory=dict)
    costs: dict[bytes, int] = field(default_factory=dict)
    left: int = 0
    _extra: dict[int, tuple[int, int]] = field(default_factory=dict)
    _versions: dict[bytes, int] = field(default_factory=dict)

    def run(self) -> None:
        """Fill the budget."""
        self.left = self.options.budget
        waiting = self._worth_trying()
        first = min(waiting, key=self._by_score, default=None)
        if first is not None and not self.pieces[first].needed_by:
            waiting.remove(first)
            self._try(first)
        while waiting:
            best = max(waiting, key=self._gain, default=None)
            if best is None or self._gain(best)[0] < 0:
                break
            waiting.remove(best)
            self._try(best)
        for index in waiting:
            self.refused[index] = (0, DropReason.UNUSED)

    def sources(self) -> list[Source]:
        """Return what is packed, most relevant first, not numbered yet."""
        found = []
        for path in sorted({piece.path for piece in self.packed.values()}):
            file = self.files[path]
            for block in lay_out(file, self._packed_in(path)):
                source = _source(file, block)
                tokens = self.options.count(render_source(source, self.options.form))
                found.append(replace(source, tokens=tokens))
        return sorted(found, key=lambda s: (-s.score, s.path, s.lines))

    def refuse_block(self, source: Source) -> None:
        """Note the pieces of a source that had to go in the end."""
        for index, piece in list(self.packed.items()):
            if piece.path == source.path and source.lines.contains(piece.lines):
                del self.packed[index]
                self.refused[index] = (source.tokens, DropReason.BUDGET)

    def dropped(self) -> tuple[Dropped, ...]:
        """Return what was left out, most relevant first."""
        found = []
        for index, (tokens, reason) in self.refused.items():
            piece = self.pieces[index]
            found.append(
                Dropped(
                    piece.path, piece.lines, piece.symbol, piece.role, piece.score, tokens, reason
                )
            )
        return tuple(sorted(found, key=lambda d: (-d.score, d.path, d.lines, d.role)))

    def _worth_trying(self) -> list[int]:
        waiting = []
        for index, piece in enumerate(self.pieces):
            if piece.path not in self.files:
                self.refused[index] = (0, DropReason.MISSING)
            elif piece.score < self.options.least:
                self.refused[index] = (0, DropReason.WEAK)
            else:
                waiting.append(index)
        return waiting

    def _by_score(self, index: int) -> tuple[bool, float, bytes, Lines]:
        piece = self.pieces[index]
        return bool(piece.needed_by), -piece.score, piece.path, piece.lines

    def _gain(self, index: int) -> tuple[float, float, int]:
        """Return what decides between pieces: gain per scaled cost; -1 while no user is packed."""
        piece = self.pieces[index]
        if piece.needed_by and not any(user in self.packed for user in piece.needed_by):
            return -1.0, piece.score, -index
        worth = max(piece.score - self._likeness(index), 0.0)
        cost = max(self._cost(index, piece), 0) + self.options.overhead
        return worth / max(cost, 1) ** self.options.scaling, piece.score, -index

    def _likeness(self, index: int) -> float:
        if self.similarity is None or not self.options.diversity:
            return 0.0
        nearest = max((self.similarity(index, other) for other in self.packed), default=0.0)
        return self.options.diversity * nearest * self.pieces[index].score

    def _try(self, index: int) -> None:
        """Pack a piece, or the best of its shorter forms that fits, or note why not."""
        piece = self.pieces[index]
        if self.packed and piece.score - self._likeness(index) < self.options.least:
            self.refused[index] = (self._cost(index, piece), DropReason.REDUNDANT)
            return
        for lines in (piece.lines, *piece.shorter):
            form = replace(piece, lines=lines)
            cost = self._cost_of(form)
            if cost <= self.left:
                self.packed[index] = form
                self.costs[piece.path] = self.costs.get(piece.path, 0) + cost
                self.left -= cost
                self._versions[piece.path] = self._versions.get(piece.path, 0) + 1
                return
        self.refused[index] = (self._cost(index, piece), DropReason.BUDGET)

    def _cost(self, index: int, piece: Piece) -> int:
        """Return what packing a whole piece would add, remembered until its file changes."""
        version = self._versions.get(piece.path, 0)
        known = self._extra.get(index)
        if known is None or known[0] != version:
            known = version, self._cost_of(piece)
            self._extra[index] = known
        return known[1]

    def _cost_of(self, piece: Piece) -> int:
        file = self.files[piece.path]
        blocks = lay_out(file, [*self._packed_in(piece.path), piece])
        render, form = render_source, self.options.form
        # One more for what joins two sources.
        total = sum(self.options.count(render(_source(file, b), form)) + 1 for b in blocks)
        return total - self.costs.get(piece.path, 0)

    def _packed_in(self, path: bytes) -> list[Piece]:
        return [piece for _, piece in sorted(self.packed.items()) if piece.path == path]


def _source(file: SourceFile, block: Block) -> Source:
    ranked = sorted(block.pieces, key=lambda piece: (-piece.score, piece.lines))
    names = dict.fromkeys(piece.symbol for piece in ranked if piece.symbol)
    reasons = dict.fromkeys(reason for piece in ranked for reason in piece.reasons)
    return Source(
        number=0,
        path=file.path,
        blob=file.blob,
        language=file.language,
        lines=block.lines,
        headers=block.headers,
        text=block_text(file, block),
        score=ranked[0].score,
        tokens=0,
        symbols=tuple(names)[:MAX_SYMBOLS],
        roles=tuple(role for role in Role if any(piece.role is role for piece in ranked)),
        reasons=tuple(reasons)[:MAX_REASONS],
    )


def _number(sources: Sequence[Source], options: PackOptions) -> tuple[Source, ...]:
    numbered = (replace(source, number=at) for at, source in enumerate(sources, 1))
    return tuple(
        replace(source, tokens=options.count(render_source(source, options.form)))
        for source in numbered
    )
