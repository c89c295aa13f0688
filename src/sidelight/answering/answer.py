"""Answer a question: sources first, then words by a model where there is one.

The model sees the packed sources, the diff and the thread as fenced data, and nothing else; it has
no tools. Whatever goes wrong with it, the passages remain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sidelight.answering.citations import check_citations
from sidelight.answering.model import NOT_FOUND, Answer, AnswerOptions, Mode, Question
from sidelight.answering.prompts import NO_ANSWER, build_messages, cut
from sidelight.answering.retrieving import Found, find_sources
from sidelight.indexing.place import Place
from sidelight.llm.errors import LanguageModelError, ModelOutputCutError
from sidelight.llm.protocol import ChatModel, Message, Usage
from sidelight.model import display_path
from sidelight.packing.model import Source
from sidelight.untrusted.incoming import clean_incoming, new_nonce

NO_MODEL = "no language model is configured: these are the passages that fit best"
UNCITED = "the model's answer named no source, so it is not shown: these are the passages"
_SAYS_NOTHING = re.compile(rf"\W*(?:\[\d+\]\W*)*{NO_ANSWER}\b", re.IGNORECASE)
MAX_PASSAGES = 5


def answer_question(
    place: Place,
    view: str,
    question: Question,
    model: ChatModel | None,
    options: AnswerOptions | None = None,
    *,
    nonce: Callable[[], str] = new_nonce,
) -> Answer:
    """Return the answer from the view's tree, with citations that exist.

    `found` is false if retrieval was weak, or the model found the sources wanting. A model that
    fails is no error: the best passages are the answer then, and a note says why.

    Raises:
        UsageError: the question is empty.
        IndexStateError, StorageError, ModelError: the index or its embedder cannot be asked.
    """
    options = options or AnswerOptions()
    found = find_sources(place, view, question, options)
    if not found.context.items:
        return Answer(
            NOT_FOUND, (), False, Mode.PASSAGES, found.context, found.index, notes=found.notes
        )
    if model is None:
        return _passages(found, NO_MODEL)
    prompt = _Prompt(question, found.context.items, nonce(), options)
    return _ask(model, prompt, found)


@dataclass(slots=True)
class _Prompt:
    """The messages, and which sources they hold: fewer after they were made to fit."""

    question: Question
    sources: Sequence[Source]
    nonce: str
    options: AnswerOptions

    def messages(self) -> list[Message]:
        return build_messages(self.question, self.sources, self.nonce)

    def shrink(self, room: int | None) -> list[Message]:
        """Leave out the least relevant sources, and the diff, until about half remains."""
        budget = sum(source.tokens for source in self.sources) // 2
        if room is not None:
            budget = min(budget, room // 2)
        kept: dict[int, Source] = {}
        for source in sorted(self.sources, key=lambda s: (-s.score, s.number)):
            if source.tokens <= budget:
                budget -= source.tokens
                kept[source.number] = source
            elif not kept:  # the best one alone is too long: its beginning
                kept[source.number] = replace(source, text=cut(source.text, budget))
                budget = 0
        self.sources = [kept[s.number] for s in self.sources if s.number in kept]
        self.question = replace(self.question, diff="", thread=self.question.thread[-2:])
        return self.messages()


def _ask(model: ChatModel, prompt: _Prompt, found: Found) -> Answer:
    notes: tuple[str, ...] = ()
    usage: Usage | None = None
    try:
        completion = model.complete(
            prompt.messages(),
            max_tokens=prompt.options.answer_tokens,
            temperature=prompt.options.temperature,
            shrink=prompt.shrink,
        )
        raw, usage = completion.text, completion.usage
    except ModelOutputCutError as error:
        if not error.partial:
            return _passages(found, _failed(error))
        raw, notes = error.partial, (error.message,)
    except LanguageModelError as error:
        return _passages(found, _failed(error))
    if _SAYS_NOTHING.match(raw[:200]):
        notes = (*found.notes, "the model did not find an answer in the sources")
        return Answer(NOT_FOUND, (), False, Mode.MODEL, found.context, found.index, usage, notes)
    known = {source.number: source for source in prompt.sources}
    cited = check_citations(clean_incoming(raw).text, known)
    if not cited.numbers:
        return replace(_passages(found, UNCITED), usage=usage)
    if cited.unknown:
        shown = ", ".join(f"[{n}]" for n in cited.unknown[:5])
        notes = (*notes, f"the model cited {shown}, which it was not given: removed")
    return Answer(
        text=cited.text,
        citations=tuple(known[n] for n in cited.numbers),
        found=True,
        mode=Mode.MODEL,
        context=found.context,
        index=found.index,
        usage=usage,
        notes=(*found.notes, *notes),
    )


def _failed(error: LanguageModelError) -> str:
    hint = f" ({error.hint})" if error.hint else ""
    return f"{error.message}{hint}: these are the passages that fit best"


def _passages(found: Found, why: str) -> Answer:
    best = sorted(found.context.items, key=lambda s: (-s.score, s.number))[:MAX_PASSAGES]
    lines = [
        f"[{s.number}] {display_path(s.path)}:{s.lines.first}-{s.lines.last}"
        + (f" {', '.join(s.symbols)}" if s.symbols else "")
        for s in best
    ]
    return Answer(
        text="\n".join(lines),
        citations=tuple(best),
        found=True,
        mode=Mode.PASSAGES,
        context=found.context,
        index=found.index,
        notes=(*found.notes, why),
    )
