"""`sidelight context`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from sidelight.cli.context import place_of, print_json
from sidelight.cli.printing import printable, shown_path
from sidelight.errors import UsageError
from sidelight.indexing.place import Place, revision_view, worktree_view
from sidelight.model import display_path

if TYPE_CHECKING:
    from sidelight.packing.model import Dropped, PackedContext, Source

SHOWN_DROPPED = 10


@click.command("context")
@click.argument("question", required=False)
@click.option("--base", metavar="REV", help="Pack for a diff: its old side.")
@click.option("--head", metavar="REV", help="Pack for a diff: its new side. Default: HEAD.")
@click.option("--staged", is_flag=True, help="Pack for what `git add` has taken up.")
@click.option("--worktree", is_flag=True, help="Pack for the working tree's changes.")
@click.option("--title", metavar="TEXT", help="What the diff is about. Default: its subjects.")
@click.option("--rev", "revision", metavar="REV", help="Ask this indexed revision, not HEAD.")
@click.option(
    "--budget",
    type=click.IntRange(0, 10_000_000),
    default=4000,
    show_default=True,
    metavar="TOKENS",
    help="How much the context may cost at most.",
)
@click.option(
    "--order",
    type=click.Choice(["ascending", "ushape", "rank"]),
    default="ascending",
    show_default=True,
    help="Most relevant last, at both ends, or first.",
)
@click.option(
    "-k", "k", type=click.IntRange(0, 1000), default=20, show_default=True, help="Hits considered."
)
@click.option(
    "--diversity",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="X",
    help="Share of its worth that a piece loses for saying what a packed one says.",
)
@click.option("--no-gate", is_flag=True, help="Pack what was found even if it hardly fits.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="How the context is printed.",
)
@click.pass_context
def context_command(
    ctx: click.Context,
    question: str | None,
    base: str | None,
    head: str | None,
    staged: bool,
    worktree: bool,
    title: str | None,
    revision: str | None,
    budget: int,
    order: str,
    k: int,
    diversity: float,
    no_gate: bool,
    format_: str,
) -> None:
    """Pack the code that answers QUESTION, or that a diff needs, into a budget of tokens.

    Numbered sources with the signatures they stand in and the definitions they use; nothing at all
    if nothing fits. What was left out, and why, is told on stderr and in JSON.
    """
    from sidelight.packing.context import ContextOptions
    from sidelight.packing.gate import GateLimits
    from sidelight.packing.model import Order
    from sidelight.packing.pieces import PieceOptions
    from sidelight.packing.render import Form
    from sidelight.packing.select import PackOptions

    for_diff = bool(base or head or staged or worktree)
    if for_diff == (question is not None):
        raise UsageError(
            "give a question or a diff, one of the two",
            hint='`sidelight context "how are retries done"`, or `--base REV`, `--staged`, …',
        )
    if revision and for_diff:
        raise UsageError("--rev is for questions", hint="a diff has --base and --head")
    options = ContextOptions(
        pack=PackOptions(
            budget=budget,
            order=Order(order),
            form=Form.MARKDOWN if format_ == "markdown" else Form.TEXT,
            diversity=diversity,
        ),
        pieces=PieceOptions(told=for_diff),
        gate=None if no_gate or for_diff else GateLimits(),
    )
    place = place_of(ctx)
    if question is None:
        answer = _for_diff(place, _Diff(base, head, staged, worktree, title), k, options)
    else:
        text = sys.stdin.read() if question == "-" else question
        answer = _for_question(place, text, revision, k, options)
    _print(answer, options.pack.form, format_)


@dataclass(frozen=True, slots=True)
class _Diff:
    base: str | None
    head: str | None
    staged: bool
    worktree: bool
    title: str | None


@dataclass(frozen=True, slots=True)
class _Answer:
    about: Mapping[str, Any]
    context: PackedContext
    notes: tuple[str, ...]


def context_table(context: PackedContext) -> dict[str, Any]:
    """Return a packed context as `--format json` prints it; `docs/context.md` describes it."""
    total = sum(source.tokens for source in context.items)
    return {
        "budget": context.budget,
        "used": context.used,
        "utilisation": round(context.utilisation, 4),
        "sources": [source_table(source, total) for source in context.items],
        "dropped": [_dropped_table(item) for item in context.dropped],
        "notes": list(context.notes),
    }


def source_table(source: Source, total: int) -> dict[str, Any]:
    """Return one source of so many packed tokens as `--format json` prints it."""
    return {
        "number": source.number,
        "path": display_path(source.path),
        "start_line": source.lines.first,
        "end_line": source.lines.last,
        "blob": source.blob,
        "language": source.language,
        "headers": [{"start_line": h.first, "end_line": h.last} for h in source.headers],
        "symbols": list(source.symbols),
        "roles": [role.value for role in source.roles],
        "reasons": list(source.reasons),
        "score": round(source.score, 6),
        "tokens": source.tokens,
        "share": round(source.tokens / total, 4) if total else 0.0,
        "text": source.text,
    }


def _dropped_table(item: Dropped) -> dict[str, Any]:
    return {
        "path": display_path(item.path),
        "start_line": item.lines.first,
        "end_line": item.lines.last,
        "symbol": item.symbol,
        "role": item.role.value,
        "score": round(item.score, 6),
        "tokens": item.tokens,
        "reason": item.reason.value,
    }


def _for_question(
    place: Place, question: str, revision: str | None, k: int, options: Any
) -> _Answer:
    from sidelight.packing.context import build_context
    from sidelight.packing.reading import open_reader
    from sidelight.search import Searcher, SearchRequest
    from sidelight.tokens import query_terms

    view = revision_view(revision) if revision else worktree_view(place.repo)
    with Searcher.open(place, view) as searcher:
        result = searcher.search(SearchRequest(question, k, plain=True))
    terms = {term: float(n) for term, n in query_terms(result.query).items()}
    with open_reader(place, view, result.index.tree) as reader:
        context = build_context(reader, result.hits, terms, options)
    about = {
        "query": result.query,
        "index": {"tree": result.index.tree, "commit": result.index.commit},
    }
    return _Answer(about, context, result.notes)


def _for_diff(place: Place, diff: _Diff, k: int, options: Any) -> _Answer:
    from sidelight.cli.related import diff_mode, focal_table, relate
    from sidelight.packing.changes import pieces_of_change
    from sidelight.packing.context import build_context
    from sidelight.packing.reading import open_reader
    from sidelight.related.query import diff_terms

    mode = diff_mode(diff.head, staged=diff.staged, worktree=diff.worktree)
    result = relate(place, mode, diff.base, diff.head, [], None, diff.title, k)
    with open_reader(place, result.view.name, result.view.tree) as reader:
        extra = pieces_of_change(reader, result.focal)
        context = build_context(reader, result.hits, diff_terms(result.focal), options, extra)
    about = {
        "focal": focal_table(result.focal),
        "index": {"tree": result.view.tree, "commit": result.view.commit},
    }
    return _Answer(about, context, result.notes)


def _print(answer: _Answer, form: Any, format_: str) -> None:
    from sidelight.packing.render import render_context

    context = answer.context
    if format_ == "json":
        table = {**answer.about, **context_table(context)}
        table["notes"] = [*answer.notes, *context.notes]
        print_json(table)
        return
    for note in (*answer.notes, *context.notes):
        click.echo(f"note: {printable(note)}", err=True)
    click.echo(render_context(context, form), nl=False)
    if not context.items and not context.notes:
        click.echo("nothing was found", err=True)
    click.echo(
        f"{context.used} of {context.budget} tokens ({context.utilisation:.0%}),"
        f" {len(context.items)} sources, {len(context.dropped)} left out",
        err=True,
    )
    for item in context.dropped[:SHOWN_DROPPED]:
        where = f"{shown_path(item.path)}:{item.lines.first}-{item.lines.last}"
        click.echo(f"  {item.reason.value}: {where} {printable(item.symbol)}".rstrip(), err=True)
