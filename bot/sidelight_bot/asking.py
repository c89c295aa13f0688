"""`/ask`: hand the question, the diff and the thread to `sidelight.answering`; write its answer.

Links go to lines of the pinned head, and are made here, from sources that were checked. Text by a
model is taken apart and written anew; a model that fails leaves the passages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from sidelight.answering.answer import answer_question
from sidelight.answering.model import Answer, AnswerOptions, Focus, Mode, Turn
from sidelight.answering.model import Question as CoreQuestion
from sidelight.llm.budget import Budget
from sidelight.llm.errors import LanguageModelError
from sidelight.llm.settings import LlmSettings
from sidelight.packing.model import Source
from sidelight.untrusted.outgoing import clean_outgoing, escape_text, fenced
from sidelight_bot.commands import AskOptions
from sidelight_bot.comment import read_marker
from sidelight_bot.comment.words import Links, counted, shown_name, spent_words
from sidelight_bot.events import CommentMade
from sidelight_bot.github.errors import GitHubError
from sidelight_bot.github.port import GitHubPort
from sidelight_bot.ground import Ground, explain
from sidelight_bot.model import Comment, PullRequest
from sidelight_bot.purse import Purse, usage_since

MAX_TURNS = 10
MAX_READ = 300  # comments of a conversation that are looked at for the latest ones
MAX_DIFF = 12_000  # characters of the diff that the model is shown
PASSAGE_LINES = 15
MAX_SHOWN = 3_000  # characters of one source under `--show-context`
_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]*`)", re.DOTALL)
_CITED = re.compile(r"\[(\d{1,4})\](?!\()")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and where it was asked."""

    text: str
    options: AskOptions
    pull: PullRequest
    event: CommentMade


Asker = Callable[[Ground, Question, Links], list[str]]


def ask(
    ground: Ground,
    question: Question,
    links: Links,
    port: GitHubPort,
    settings: LlmSettings,
    purse: Purse,
) -> list[str]:
    """Return the Markdown of an answer.

    Raises:
        SidelightError: the index or GitHub cannot be asked.
    """
    options = AnswerOptions(
        k=question.options.k or AnswerOptions().k,
        min_score=question.options.min_score,
        answer_tokens=settings.answer_tokens,
        temperature=settings.temperature,
    )
    budget, model, trouble = Budget(), None, ""
    try:
        model = purse.model(settings, port, question.pull.number)
        if model is not None:
            budget = purse.budget(settings, port, question.pull.number)
    except (LanguageModelError, GitHubError) as error:  # the passages need neither
        trouble = explain(error)
    before = budget.spent
    asked = _surrounded(ground, question, port, for_model=model is not None)
    answer = answer_question(ground.place, ground.view, asked, model, options)
    lines = _text(answer, links)
    if question.options.show_context:
        lines += _context(answer, links)
    notes = [escape_text(note) for note in (*answer.notes, *([trouble] if trouble else []))]
    if budget.spent.calls > before.calls:
        usage = usage_since(settings.model, budget, before)
        tokens = usage.prompt_tokens + usage.completion_tokens
        notes.append(f"{counted(tokens, 'token')}; {spent_words(usage)}")
    return [*lines, "", f"*{'; '.join(notes)}*"] if notes else lines


def _surrounded(
    ground: Ground, question: Question, port: GitHubPort, *, for_model: bool
) -> CoreQuestion:
    """Return the question with its diff and thread; only a model reads those."""
    thread = question.event.thread
    focus = None
    if thread is not None:
        focus = Focus(thread.path.encode("utf-8", "surrogateescape"), thread.line)
    hunk = thread.hunk if thread is not None else ""
    if not for_model:
        return CoreQuestion(question.text, hunk=hunk, focus=focus)
    return CoreQuestion(
        question.text,
        thread=tuple(_turns(question.event, port)),
        diff=_diff(ground),
        hunk=hunk,
        focus=focus,
    )


def _turns(event: CommentMade, port: GitHubPort) -> Iterator[Turn]:
    """Yield what was said before the question where it was asked, oldest first."""
    before = [item for item in _said(event, port) if item.id < event.comment.id]
    mine = port.viewer().lower() if before else ""
    for item in before[-MAX_TURNS:]:
        yield Turn(item.body, item.author.lower() == mine, item.author)


def _said(event: CommentMade, port: GitHubPort) -> list[Comment]:
    if event.thread is None:
        said = islice(port.conversation(event.number), MAX_READ)
        return [item for item in said if read_marker(item.body) is None]
    top = event.thread.top_comment_id
    found = port.review_comments(event.number)
    return [item.comment for item in found if item.thread.top_comment_id == top]


def _diff(ground: Ground) -> str:
    """Return the beginning of the diff as git writes it, whatever is configured."""
    if not ground.pin.fork_point:
        return ""
    words = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "-M", "-U3"]
    words += ["--src-prefix=a/", "--dst-prefix=b/", ground.pin.fork_point, ground.pin.head, "--"]
    return ground.place.repo.run(words)[: 4 * MAX_DIFF].decode("utf-8", "replace")[:MAX_DIFF]


def _text(answer: Answer, links: Links) -> list[str]:
    if not answer.found:
        return [f"**{escape_text(answer.text)}**"]
    if answer.mode is Mode.PASSAGES:
        return [line for source in answer.citations for line in _passage(source, links)]
    rows = [_row(source, links) for source in answer.citations]
    urls = {source.number: _url(source, links) for source in answer.citations}
    allowed = frozenset(url for url in urls.values() if url)
    text = clean_outgoing(_linked(answer.text, urls), allowed)
    return [text, "", *rows]


def _linked(text: str, urls: dict[int, str | None]) -> str:
    """Return the text with each citation as a link, but for those in code."""

    def link(found: re.Match[str]) -> str:
        url = urls.get(int(found[1]))
        return f"[{found[1]}]({url})" if url else found[0]

    parts = _CODE.split(text)
    return "".join(part if at % 2 else _CITED.sub(link, part) for at, part in enumerate(parts))


def _passage(source: Source, links: Links) -> list[str]:
    """Return a source that stands for itself: its place, and its first lines folded away."""
    shown = "\n".join(source.text.split("\n")[:PASSAGE_LINES])
    block = fenced(shown, source.language).split("\n")
    inside = ["<details><summary>code</summary>", "", *block, "", "</details>"]
    return [_row(source, links), *(f"  {line}" if line else "" for line in inside)]


def _row(source: Source, links: Links) -> str:
    names = ", ".join(shown_name(name) for name in source.symbols[:4])
    place = links.place(_path(source), source.lines.first, source.lines.last)
    return f"- {source.number}: {place} {names}".rstrip()


def _url(source: Source, links: Links) -> str | None:
    return links.permalinks.lines(_path(source), source.lines.first, source.lines.last)


def _context(answer: Answer, links: Links) -> list[str]:
    """Return what was retrieved, folded away."""
    if not answer.context.items:
        return ["", "Nothing was retrieved."]
    count = counted(len(answer.context.items), "source")
    lines = ["", f"<details><summary>Context: {count}</summary>", ""]
    for source in answer.context.items:
        block = fenced(source.text[:MAX_SHOWN], source.language)
        lines += [_row(source, links), "", block, ""]
    return [*lines, "</details>"]


def _path(source: Source) -> str:
    return source.path.decode("utf-8", "surrogateescape")
