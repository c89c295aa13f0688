"""Let a reranker read the first candidates, and order them anew by both scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sidelight.errors import MissingObjectError
from sidelight.model import display_path
from sidelight.rerank import Reranker
from sidelight.rerank.blending import blend_scores
from sidelight.search.features import Candidate, order
from sidelight.store.reader import ChunkInfo

MAX_CHARACTERS = 4_000  # of one chunk; models read 512 tokens, about three characters each


def rerank_candidates(
    candidates: Sequence[Candidate],
    query: str,
    reranker: Reranker,
    read_blob: Callable[[str], bytes],
    *,
    most: int,
    share: float,
) -> list[Candidate]:
    """Return the candidates with the first `most` in the order of mixed scores.

    They stay ahead of the others; `share` of a mixed score is the reranker's, see `blend_scores`.

    Raises:
        ModelError: the model fails.
    """
    first = list(candidates[:most])
    texts = [pair_text(item.chunk, read_blob) for item in first]
    scores = reranker.score(query, texts).tolist()
    mixed = blend_scores([item.score for item in first], scores, share)
    for item, own, score in zip(first, scores, mixed, strict=True):
        change = round(score - item.score, 4)
        item.shares.append(("rerank", f"{reranker.name} gives {own:.3g}", change))
        item.score = score
    return [*sorted(first, key=order), *candidates[most:]]


def pair_text(chunk: ChunkInfo, read_blob: Callable[[str], bytes]) -> str:
    """Return what the model reads of a chunk: its path, its name, its code."""
    try:
        code = read_blob(chunk.blob)[chunk.span.start_byte : chunk.span.end_byte]
    except MissingObjectError:
        code = b""  # a partial clone: the names must do
    text = code[: 4 * MAX_CHARACTERS].decode("utf-8", "replace")[:MAX_CHARACTERS]
    return "\n".join(part for part in (display_path(chunk.path), chunk.symbol, text) if part)
