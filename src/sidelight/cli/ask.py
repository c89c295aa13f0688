"""`sidelight ask`: one question, or a conversation."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from sidelight.cli.context import format_option, place_of, print_json
from sidelight.cli.printing import printable, shown_path
from sidelight.errors import UsageError
from sidelight.indexing.place import Place, revision_view, worktree_view

if TYPE_CHECKING:
    from sidelight.answering.model import Answer, AnswerOptions, Turn
    from sidelight.llm.protocol import ChatModel, Usage
    from sidelight.packing.model import Source

EXCERPT_LINES = 8
KEPT_TURNS = 8  # of a conversation; the prompt takes what fits


@click.command("ask")
@click.argument("question", required=False)
@click.option(
    "-k", "k", type=click.IntRange(1, 200), default=20, show_default=True, help="Hits considered."
)
@click.option("--min-score", type=float, metavar="X", help="Leave out hits with a lower score.")
@click.option("--show-context", is_flag=True, help="Also print the sources that were packed.")
@click.option(
    "--budget",
    type=click.IntRange(200, 1_000_000),
    default=4000,
    show_default=True,
    metavar="TOKENS",
    help="How much the sources may cost at most.",
)
@click.option("--rev", "revision", metavar="REV", help="Ask this indexed revision, not HEAD.")
@format_option
@click.pass_context
def ask_command(
    ctx: click.Context,
    question: str | None,
    k: int,
    min_score: float | None,
    show_context: bool,
    budget: int,
    revision: str | None,
    format_: str,
) -> None:
    """Answer QUESTION from this repository's code, citing it; `-` reads it from stdin.

    Without QUESTION, every line of stdin is one, and follow-ups know what was said before. A
    language model writes the answer if one is configured (docs/ask.md); else the best passages do.
    """
    from sidelight.answering.model import AnswerOptions
    from sidelight.llm.opening import open_chat_model
    from sidelight.llm.settings import llm_settings

    place = place_of(ctx)
    settings = llm_settings(place.config.llm, os.environ)
    options = AnswerOptions(
        k=k,
        min_score=min_score,
        budget=budget,
        answer_tokens=settings.answer_tokens,
        temperature=settings.temperature,
    )
    view = revision_view(revision) if revision else worktree_view(place.repo)
    session = _Session(place, view, open_chat_model(settings), options)
    if question is not None:
        text = sys.stdin.buffer.read().decode("utf-8", "replace") if question == "-" else question
        _print(session.ask(text), text, show_context, format_)
        return
    for text in _questions():
        try:
            answer = session.ask(text)
        except UsageError as error:  # a question of nothing but spaces or control characters
            click.echo(f"error: {error.message}", err=True)
            continue
        _print(answer, text, show_context, format_)
        click.echo()


class _Session:
    """A conversation: what was said is there for the next question."""

    def __init__(
        self, place: Place, view: str, model: ChatModel | None, options: AnswerOptions
    ) -> None:
        self._place = place
        self._view = view
        self._model = model
        self._options = options
        self._thread: tuple[Turn, ...] = ()

    def ask(self, text: str) -> Answer:
        from sidelight.answering.answer import answer_question
        from sidelight.answering.model import Question, Turn

        question = Question(text, thread=self._thread)
        answer = answer_question(self._place, self._view, question, self._model, self._options)
        if stale := self._stale(answer):
            answer = replace(answer, notes=(*answer.notes, stale))
        said = (Turn(text, author="developer"), Turn(answer.text, ours=True))
        self._thread = (*self._thread, *said)[-KEPT_TURNS:]
        return answer

    def _stale(self, answer: Answer) -> str:
        """Return how far HEAD is ahead of the tree that answered; "" if it is not."""
        from sidelight.indexing.status import commits_behind

        head = self._place.repo.head()
        if self._view != worktree_view(self._place.repo) or head is None:
            return ""
        commit, tree = head
        if tree == answer.index.tree:
            return ""
        n = commits_behind(self._place.repo, answer.index.commit, commit)
        ahead = f"{n} commit{'s' * (n > 1)} ahead" if n else "at another tree"
        return f"HEAD is {ahead}; `sidelight index` brings the index up"


def _questions() -> Iterator[str]:
    """Yield the lines of stdin that hold something, after a prompt if somebody types them."""
    typed = sys.stdin.isatty()
    if typed:
        click.echo("ask about this repository; an empty line ends", err=True)
    while True:
        if typed:
            click.echo(click.style("? ", bold=True), nl=False, err=True)
        line = sys.stdin.readline()
        if not line or (typed and not line.strip()):
            return
        if line.strip():
            yield line.strip()


def _print(answer: Answer, question: str, show_context: bool, format_: str) -> None:
    if format_ == "json":
        print_json(answer_table(answer, question, show_context))
        return
    for note in answer.notes:
        click.echo(f"note: {printable(note)}", err=True)
    if answer.mode.value == "passages" and answer.found:
        for source in answer.citations:
            _print_passage(source)
    else:
        click.echo("\n".join(printable(line.expandtabs(4)) for line in answer.text.split("\n")))
        for source in answer.citations:
            click.echo(_heading(source))
    if show_context:
        from sidelight.packing.render import Form, render_context

        click.echo()
        click.echo(render_context(answer.context, Form.TEXT), nl=False)
    if answer.usage is not None:
        click.echo(_spent(answer.usage), err=True)


def _print_passage(source: Source) -> None:
    click.echo(_heading(source))
    lines = source.text.split("\n")
    for line in lines[:EXCERPT_LINES]:
        click.echo(f"    {printable(line.expandtabs(4))}")
    if len(lines) > EXCERPT_LINES:
        click.echo(f"    … {len(lines) - EXCERPT_LINES} more lines")


def _heading(source: Source) -> str:
    where = f"{shown_path(source.path)}:{source.lines.first}-{source.lines.last}"
    names = printable(", ".join(source.symbols))
    return f"[{source.number}] {click.style(where, fg='green')} {names}".rstrip()


def _spent(usage: Usage) -> str:
    cost = "" if usage.cost_usd is None else f", ${usage.cost_usd:.4f}"
    about = "about " if usage.estimated else ""
    return f"{about}{usage.prompt_tokens} + {usage.completion_tokens} tokens{cost}"


def answer_table(answer: Answer, question: str, show_context: bool) -> dict[str, Any]:
    """Return an answer as `--format json` prints it; `docs/ask.md` describes it."""
    from sidelight.cli.pack import context_table, source_table

    total = sum(source.tokens for source in answer.context.items)
    table: dict[str, Any] = {
        "question": question,
        "answer": answer.text,
        "found": answer.found,
        "mode": answer.mode.value,
        "citations": [source_table(source, total) for source in answer.citations],
        "index": {"tree": answer.index.tree, "commit": answer.index.commit},
        "usage": None,
        "notes": list(answer.notes),
    }
    if answer.usage is not None:
        table["usage"] = {
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
            "cost_usd": answer.usage.cost_usd,
            "estimated": answer.usage.estimated,
        }
    if show_context:
        table["context"] = context_table(answer.context)
    return table
