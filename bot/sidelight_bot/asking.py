"""`/ask`: hand the question, the diff and the thread to `sidelight.answering`; write its answer.

Links go to lines of the pinned head, and are made here from checked sources alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sidelight.model import Hit
from sidelight.search import Searcher, SearchRequest
from sidelight.search.request import SearchMode
from sidelight_bot.commands import AskOptions
from sidelight_bot.comment.words import Links, shown_name
from sidelight_bot.events import CommentMade
from sidelight_bot.ground import Ground
from sidelight_bot.model import PullRequest

DEFAULT_K = 8
NOT_FOUND = "Not found in this repository."


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and where it was asked."""

    text: str
    options: AskOptions
    pull: PullRequest
    event: CommentMade


Asker = Callable[[Ground, Question, Links], list[str]]


def best_passages(ground: Ground, question: Question, links: Links) -> list[str]:
    """Return the places that answer a question best, without any model's words."""
    options = question.options
    mode = SearchMode.HYBRID if ground.index.pending == 0 else SearchMode.BM25
    request = SearchRequest(
        question.text, options.k or DEFAULT_K, mode, min_score=options.min_score
    )
    with Searcher.open(ground.place, ground.view) as searcher:
        hits = searcher.search(request).hits
    return [_row(at, hit, links) for at, hit in enumerate(hits, 1)] or [NOT_FOUND]


def _row(at: int, hit: Hit, links: Links) -> str:
    path = hit.path.decode("utf-8", "surrogateescape")
    name = f" {shown_name(hit.symbol)}" if hit.symbol else ""
    return f"{at}. {links.place(path, hit.span.start_line, hit.span.end_line)}{name}"
