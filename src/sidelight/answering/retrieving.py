"""Find and pack the sources of a question at one view. Searches the whole repository."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sidelight.answering.model import AnswerOptions, Focus, Question
from sidelight.errors import UsageError
from sidelight.indexing.place import Place
from sidelight.packing.context import ContextOptions, build_context
from sidelight.packing.model import Lines, PackedContext, Piece, Role
from sidelight.packing.reading import ViewReader, open_reader
from sidelight.packing.select import PackOptions
from sidelight.search import Searcher, SearchRequest
from sidelight.search.request import IndexInfo, SearchResult
from sidelight.tokens import query_terms
from sidelight.untrusted.incoming import clean_incoming

SHORT = 6  # terms; a follow-up that short ("and who calls it?") is about what was said before
BEFORE = 2  # questions before it that are searched along with it
MAX_BEFORE = 600  # characters of each
FOCUS_SCORE = 0.9  # of the best hit's: where a question was asked says much, but not all
FOCUS_LINES = 40  # of a place that stands in no definition


@dataclass(frozen=True, slots=True)
class Found:
    """The sources of a question, the view they are of, and what to know about them."""

    context: PackedContext
    index: IndexInfo
    notes: tuple[str, ...]


def find_sources(place: Place, view: str, question: Question, options: AnswerOptions) -> Found:
    """Return the packed sources; none if nothing fits the question.

    Raises:
        UsageError: the question is empty.
        IndexStateError, StorageError, ModelError: see `Searcher`.
    """
    found: Found | None = None
    for query in _queries(question):
        with Searcher.open(place, view) as searcher:
            request = SearchRequest(query, options.k, min_score=options.min_score, plain=True)
            result = searcher.search(request)
        with open_reader(place, view, result.index.tree) as reader:
            found = _packed(reader, result, question.focus, options)
        if found.context.items:
            return found
    if found is None:
        raise AssertionError("a question has at least one query")
    return found


def _queries(question: Question) -> list[str]:
    """Return what is searched for, in order; the second only if the first finds nothing."""
    alone = clean_incoming(question.text).text
    if not alone.strip():
        raise UsageError("the question is empty", hint="say what you want to know")
    asked = [turn for turn in question.thread if not turn.ours][-BEFORE:]
    before = [clean_incoming(turn.text).text[:MAX_BEFORE] for turn in asked]
    if not before:
        return [alone]
    joined = "\n".join([alone, *reversed(before)])
    return [joined, alone] if len(query_terms(alone)) <= SHORT else [alone, joined]


def _packed(
    reader: ViewReader, result: SearchResult, focus: Focus | None, options: AnswerOptions
) -> Found:
    terms = {term: float(n) for term, n in query_terms(result.query).items()}
    extra = _focus_pieces(reader, focus)
    made = ContextOptions(
        pack=PackOptions(budget=options.budget, order=options.order),
        gate=None if extra else options.gate,  # the place itself may answer
    )
    context = build_context(reader, result.hits, terms, made, extra)
    return Found(context, result.index, (*result.notes, *context.notes))


def _focus_pieces(reader: ViewReader, focus: Focus | None) -> Sequence[Piece]:
    source = reader.source(focus.path) if focus is not None else None
    if focus is None or source is None or not source.file.lines:
        return ()
    last = len(source.file.lines)
    line = min(max(focus.line or 1, 1), last)
    around = [s.whole for s in source.file.scopes if s.whole.first <= line <= s.whole.last]
    half = FOCUS_LINES // 2
    near = Lines(max(1, line - half), min(last, line + half))
    whole = min(around, key=len, default=near)
    reasons = ("the question was asked here",)
    piece = Piece(focus.path, whole, FOCUS_SCORE, Role.HIT, reasons=reasons)
    return (replace(piece, shorter=(near,)) if whole.contains(near) and whole != near else piece,)
