"""Which lines of a related file to show, and which files say the same. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from sidelight.model import ChunkKind, Hit
from sidelight.store.reader import ChunkInfo

DEFINES = 0.5  # of the file's best chunk score, for the chunk that defines a changed name,
USES = 0.35  # … for one that uses changed code,
SWEPT = 0.35  # … and for one that holds removed code
ALIKE = 0.85  # Jaccard of two chunks' terms, from which they count as copies
LEAST_TERMS = 12  # shorter chunks are alike by chance


@dataclass(frozen=True, slots=True)
class Clues:
    """What points into a file: bytes where changed names are defined, lines that use changed code,
    and whether a stretch of bytes holds removed code."""

    defined_at: Collection[int] = ()
    used_at: Collection[int] = ()
    is_swept: Callable[[int, int], bool] = lambda _start, _end: False


def choose_chunk(chunks: Sequence[ChunkInfo], scores: Sequence[float], clues: Clues) -> int:
    """Return the place of the chunk to show: the best score with the bonuses of its clues.

    Ties: a chunk of code before the overview of its class, then the earlier one.
    """
    best = max(scores, default=0.0)

    def worth(at: int) -> tuple[float, bool, int]:
        span = chunks[at].span
        score = scores[at]
        if any(span.start_byte <= byte < span.end_byte for byte in clues.defined_at):
            score += DEFINES * best
        if any(span.start_line <= line <= span.end_line for line in clues.used_at):
            score += USES * best
        if clues.is_swept(span.start_byte, span.end_byte):
            score += SWEPT * best
        return round(score, 6), chunks[at].kind != ChunkKind.OVERVIEW, -at

    return max(range(len(chunks)), key=worth)


@dataclass(slots=True)
class _Group:
    hit: Hit
    terms: frozenset[int]
    alike: list[bytes] = field(default_factory=list)


class Collapsing:
    """Collects hits, best first, until there are enough; near-identical copies join the first."""

    def __init__(self, k: int) -> None:
        self._k = k
        self._groups: list[_Group] = []

    def add(self, hit: Hit, terms: frozenset[int]) -> None:
        """Take the next hit with the term hashes of its lines."""
        twin = self._twin(hit, terms)
        if twin is None:
            self._groups.append(_Group(hit, terms))
        else:
            twin.alike.append(hit.path)

    @property
    def is_full(self) -> bool:
        """Whether there are as many hits as were wanted."""
        return len(self._groups) >= self._k

    def hits(self) -> tuple[Hit, ...]:
        """Return the hits, each with the paths of its copies."""
        return tuple(replace(group.hit, alike=tuple(sorted(group.alike))) for group in self._groups)

    def _twin(self, hit: Hit, terms: frozenset[int]) -> _Group | None:
        if len(terms) < LEAST_TERMS:
            return None
        for group in self._groups:
            if group.hit.language == hit.language and group.hit.path != hit.path:
                both = len(terms & group.terms)
                if both >= ALIKE * (len(terms) + len(group.terms) - both):
                    return group
        return None
