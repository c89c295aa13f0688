"""What a ranking is worth. Pure: numbers in, numbers out; no files, no clock, no randomness.

Ranks count from 1. Grades are binary: a file answers the case, or it does not.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sidelight.evaluation.cases import Target


@dataclass(frozen=True, slots=True)
class RankedSpan:
    """One hit as the metrics see it: a stretch of a file, and the files that hold a copy of it.

    `start_line` and `end_line` are 1-based and inclusive.
    """

    path: bytes
    start_line: int
    end_line: int
    alike: tuple[bytes, ...] = ()


def file_ranks(hits: Iterable[RankedSpan], wanted: Collection[bytes]) -> dict[bytes, int]:
    """Return the rank of every wanted file that was found.

    A file's rank is that of its best hit, counted in files: a hit that shows no new file takes no
    rank, and the copies that a hit collapsed (`alike`) share its rank. Where several wanted files
    share one, the second takes the next rank, and so on: as many ranks are used as files are
    found, so that no list does better than one file a hit could.
    """
    seen: set[bytes] = set()
    first: dict[bytes, int] = {}
    position = 0
    for hit in hits:
        new = {hit.path, *hit.alike} - seen
        if not new:
            continue
        position += 1
        seen |= new
        first.update((path, position) for path in new if path in wanted)
    ranks: dict[bytes, int] = {}
    last = 0
    for path, rank in sorted(first.items(), key=lambda item: (item[1], item[0])):
        last = max(rank, last + 1)
        ranks[path] = last
    return ranks


def item_ranks(hits: Sequence[RankedSpan], targets: Iterable[Target]) -> list[int]:
    """Return, for each target that is hit at all, the rank of the first hit that overlaps it.

    Ranks count hits, not files. A target without lines is hit by any hit in its file, or by a
    collapsed copy; one with lines needs an overlap (MinishLab/semble, benchmarks/metrics.py).
    """
    ranks: list[int] = []
    for target in targets:
        for rank, hit in enumerate(hits, 1):
            if _is_hit(hit, target):
                ranks.append(rank)
                break
    return ranks


def _is_hit(hit: RankedSpan, target: Target) -> bool:
    if not target.lines:
        return target.path == hit.path or target.path in hit.alike
    return target.path == hit.path and any(
        hit.start_line <= last and first <= hit.end_line for first, last in target.lines
    )


def ndcg(ranks: Iterable[int], n_relevant: int, *, k: int) -> float:
    """Return nDCG@k of binary grades, in [0, 1]: Σ 1 / log2(1 + rank) over the best possible sum.

    (Järvelin & Kekäläinen, TOIS 2002, with the discount log2(1 + rank).) A rank gains once,
    however many items share it. Without relevant items it is 0.
    """
    gain = sum(1 / math.log2(1 + rank) for rank in sorted(set(ranks)) if rank <= k)
    ideal = sum(1 / math.log2(1 + rank) for rank in range(1, min(k, n_relevant) + 1))
    return gain / ideal if ideal else 0.0


def recall(ranks: Iterable[int], n_relevant: int, *, k: int) -> float:
    """Return the share of the relevant items that are within the first k ranks."""
    return sum(rank <= k for rank in ranks) / n_relevant if n_relevant else 0.0


def reciprocal_rank(ranks: Iterable[int]) -> float:
    """Return 1 / (the best rank), or 0 where nothing was found."""
    return 1 / min(ranks, default=math.inf)


def accuracy(ranks: Collection[int], n_relevant: int, *, k: int) -> float:
    """Return 1 if all relevant items are within the first k ranks, else 0."""
    return float(len(ranks) == n_relevant and all(rank <= k for rank in ranks))


METRICS = (
    "ndcg@10",
    "recall@5",
    "recall@10",
    "recall@20",
    "mrr",
    "acc@1",
    "acc@3",
    "acc@5",
    "acc@10",
    "item_ndcg@10",
    "span_hit@10",
)


def score(
    hits: Sequence[RankedSpan], relevant: Sequence[Target], secondary: Sequence[Target] = ()
) -> Mapping[str, float]:
    """Return every metric of `METRICS` for one case.

    File metrics count distinct files. nDCG, recall and reciprocal rank count relevant and
    secondary alike; accuracy asks for all of the relevant ones only. `item_ndcg@10` looks at the
    first ten hits and counts targets, as semble's own protocol does; `span_hit@10` is 1 if any of
    the first ten hits overlaps a target's lines (lies in its file, where it has none).
    """
    targets = (*relevant, *secondary)
    wanted = {target.path for target in targets}
    required = {target.path for target in relevant}
    ranks = file_ranks(hits, wanted)
    found = list(ranks.values())
    needed = [rank for path, rank in ranks.items() if path in required]
    values = {"ndcg@10": ndcg(found, len(wanted), k=10)}
    values |= {f"recall@{k}": recall(found, len(wanted), k=k) for k in (5, 10, 20)}
    values["mrr"] = reciprocal_rank(found)
    values |= {f"acc@{k}": accuracy(needed, len(required), k=k) for k in (1, 3, 5, 10)}
    items = item_ranks(hits[:10], targets)
    values["item_ndcg@10"] = ndcg(items, len(targets), k=10)
    values["span_hit@10"] = float(bool(items))
    return values
