"""`sidelight search`."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from sidelight.cli.context import aim_of, format_option, place_of, print_json, progress_bar
from sidelight.cli.printing import printable, shown_path
from sidelight.config import (
    GRANULARITIES,
    LIMITS,
    RetrieverConfig,
    SearchConfig,
    within_limits,
)
from sidelight.errors import UsageError
from sidelight.indexing.place import Place, revision_view, worktree_view
from sidelight.model import Hit, display_path
from sidelight.search.request import SearchMode, SearchRequest, SearchResult

RETRIEVERS = ("bm25", "dense", "symbol", "exact")
EXCERPT_LINES = 5
MAX_LINE = 160


@click.command("search")
@click.argument("query")
@click.option("-k", "k", type=click.IntRange(0), default=10, show_default=True, help="Hits wanted.")
@click.option("--rev", "revision", metavar="REV", help="Search this indexed revision, not HEAD.")
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="GLOB",
    help="Only below paths that match, as git's :(glob): `src/**`, `**/*.go`. May be repeated.",
)
@click.option("--lang", "languages", multiple=True, metavar="L", help="Only files in language L.")
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in SearchMode]),
    default="hybrid",
    show_default=True,
    help="Which retrievers answer.",
)
@click.option("--min-score", type=float, metavar="X", help="Leave out hits that score below X.")
@click.option(
    "--fusion", type=click.Choice(["relative", "rrf"]), help="How the retrievers' lists are fused."
)
@click.option(
    "--retriever",
    "retrievers",
    multiple=True,
    metavar="NAME=WEIGHT[:POOL]",
    help="Another weight and pool for bm25, dense, symbol or exact. May be repeated.",
)
@click.option(
    "--rerank",
    "reranker",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Let the reranker in this folder read the first hits; `off` for none.",
)
@click.option(
    "--diversity",
    type=click.FloatRange(*LIMITS["diversity"]),
    metavar="X",
    help="What novelty weighs beside relevance; 0: nothing.",
)
@click.option(
    "--granularity",
    type=click.Choice(GRANULARITIES),
    help="Hits as they are indexed, joined to their class, or also cut to what is asked.",
)
@click.option(
    "--expand",
    type=click.IntRange(0, 20),
    default=0,
    metavar="N",
    help="Below the hits, show up to N definitions that each of them uses.",
)
@click.option("--explain", is_flag=True, help="Show every signal behind each hit.")
@click.option(
    "--fresh", is_flag=True, help="Refresh the index first if it is behind HEAD, or --rev."
)
@format_option
@click.pass_context
def search_command(
    ctx: click.Context,
    query: str,
    k: int,
    revision: str | None,
    paths: tuple[str, ...],
    languages: tuple[str, ...],
    mode: str,
    min_score: float | None,
    fusion: str | None,
    retrievers: tuple[str, ...],
    reranker: Path | None,
    diversity: float | None,
    granularity: str | None,
    expand: int,
    explain: bool,
    fresh: bool,
    format_: str,
) -> None:
    """Find the code that QUERY asks for: a question, a name, an error message, an issue's text.

    A stale index answers, and says how far it is behind.
    """
    place = place_of(ctx)
    search = _search_config(place.config.search, fusion, retrievers)
    if reranker is not None:
        start = ctx.find_object(Path) or Path.cwd()
        folder = "" if str(reranker) == "off" else str((start / reranker.expanduser()).resolve())
        search = replace(search, rerank=folder)
    if diversity is not None:
        search = replace(search, diversity=diversity)
    if granularity is not None:
        search = replace(search, granularity=granularity)
    place = replace(place, config=replace(place.config, search=search))
    request = SearchRequest(
        query=sys.stdin.buffer.read().decode("utf-8", "replace") if query == "-" else query,
        k=k,
        mode=SearchMode(mode),
        paths=paths,
        languages=tuple(_language(name) for name in languages),
        min_score=min_score,
    )
    if fresh:
        _refresh(place, revision)
    result = _search(place, request, revision)
    if expand:
        result = _expanded(place, result, revision, expand)
    if format_ == "json":
        print_json(result_table(result))
        return
    for note in result.notes:
        click.echo(f"note: {printable(note)}", err=True)
    _warn(result, revision)
    _print_hits(place, result, explain)


def result_table(result: SearchResult) -> dict[str, Any]:
    """Return a result as `--format json` prints it; `docs/cli.md` describes it."""
    index = result.index
    return {
        "query": result.query,
        "index": {
            "tree": index.tree,
            "commit": index.commit,
            "state": index.state,
            "files": index.files,
            "chunks": index.chunks,
            "behind": index.behind,
        },
        "hits": [hit_table(hit) for hit in result.hits],
        "notes": list(result.notes),
    }


def hit_table(hit: Hit) -> dict[str, Any]:
    """Return one hit as `--format json` prints it."""
    return {
        "path": display_path(hit.path),
        "start_line": hit.span.start_line,
        "end_line": hit.span.end_line,
        "symbol": hit.symbol,
        "kind": hit.kind,
        "language": hit.language,
        "score": hit.score,
        "reasons": [
            {"kind": reason.kind, "detail": reason.detail, "weight": reason.weight}
            for reason in hit.reasons
        ],
        "alike": [display_path(path) for path in hit.alike],
    }


def _search(place: Place, request: SearchRequest, revision: str | None) -> SearchResult:
    from sidelight.indexing.status import IndexState, commits_behind, state_of
    from sidelight.search.searcher import Searcher

    view = revision_view(revision) if revision else worktree_view(place.repo)
    with Searcher.open(place, view) as searcher:
        result = searcher.search(request)
        head = aim_of(place, revision)
        if revision and (head is None or head[1] == result.index.tree):
            return result  # of a name that is gone, what was indexed under it still answers
        pending = int(result.index.state == IndexState.PARTIAL)
        state = state_of(place, searcher.corpus.view, pending, head[1] if head else None)
    behind = commits_behind(place.repo, result.index.commit, head[0]) if head else 0
    behind = behind if state is IndexState.STALE else 0
    return replace(result, index=replace(result.index, state=state.value, behind=behind))


def _expanded(place: Place, result: SearchResult, revision: str | None, most: int) -> SearchResult:
    from sidelight.packing.pieces import expand_hits
    from sidelight.packing.reading import open_reader

    view = revision_view(revision) if revision else worktree_view(place.repo)
    with open_reader(place, view, result.index.tree) as reader:
        return replace(result, hits=expand_hits(reader, result.hits, most))


def _refresh(place: Place, revision: str | None) -> None:
    from sidelight.indexing.refresh import index_revision, refresh

    with progress_bar() as progress:
        if revision is None:
            refresh(place, wait=True, create=True, progress=progress)
        else:
            commit = place.repo.resolve_commit(revision)
            index_revision(place, commit, revision_view(revision), progress=progress)


def _search_config(
    config: SearchConfig, fusion: str | None, retrievers: tuple[str, ...]
) -> SearchConfig:
    if fusion:
        config = replace(config, fusion=fusion)
    for word in retrievers:
        name, _, value = word.partition("=")
        weight, _, pool = value.partition(":")
        try:
            current = getattr(config, name) if name in RETRIEVERS else None
            if current is None:
                raise ValueError
            changed = RetrieverConfig(int(pool) if pool else current.pool, float(weight))
            if not (
                within_limits("pool", changed.pool) and within_limits("weight", changed.weight)
            ):
                raise ValueError
        except ValueError as error:
            raise UsageError(
                f"not a retriever's weight: {word!r}",
                hint=f"NAME=WEIGHT or NAME=WEIGHT:POOL, with NAME one of {', '.join(RETRIEVERS)}",
            ) from error
        config = replace(config, **{name: changed})  # type: ignore[arg-type]
    if not any(getattr(config, name).weight for name in RETRIEVERS):
        raise UsageError("every retriever has weight 0", hint="give one of them some weight")
    return config


def _language(name: str) -> str:
    from difflib import get_close_matches

    from sidelight.languages import LANGUAGES, detect_language

    known = name.casefold()
    if known in LANGUAGES or known == "text":
        return known
    by_extension = detect_language(b"file." + os.fsencode(known.removeprefix(".")))
    if by_extension != "text":  # `py`, `ts`, `rs`: what a file of it is called
        return by_extension
    near = get_close_matches(known, LANGUAGES, n=3)
    raise UsageError(
        f"no language is called {name!r}",
        hint=f"did you mean {' or '.join(near)}?" if near else "see docs/languages.md",
    )


def _warn(result: SearchResult, revision: str | None) -> None:
    index = result.index
    name, option = (
        (printable(revision), f" --rev {printable(revision)}") if revision else ("HEAD", "")
    )
    if index.state == "stale":
        commits = f"{index.behind} commit{'s' * (index.behind > 1)}"
        ahead = f"{commits} ahead" if index.behind else "at another tree"
        click.echo(
            f"note: {name} is {ahead}; --fresh or `sidelight index{option}` brings the index up",
            err=True,
        )
    elif index.state == "partial":
        click.echo(
            "note: some vectors are still being made; words and names are all there", err=True
        )


def _print_hits(place: Place, result: SearchResult, explain: bool) -> None:
    if not result.hits:
        click.echo("nothing found", err=True)
        return
    from sidelight.cli.excerpt import Excerpts

    with Excerpts(place.repo, result.index.tree) as excerpts:
        for hit in result.hits:
            place_text = f"{shown_path(hit.path)}:{hit.span.start_line}-{hit.span.end_line}"
            line = click.style(place_text, fg="green")
            if hit.symbol:
                line += "  " + click.style(printable(hit.symbol), bold=True)
            click.echo(f"{line}  {hit.score:.3f}")
            for text in excerpts.lines(hit, EXCERPT_LINES):
                click.echo("    " + text[:MAX_LINE])
            if hit.alike:
                click.echo("    alike: " + ", ".join(shown_path(path) for path in hit.alike))
            for reason in hit.reasons:
                if reason.kind == "used by" and not explain:
                    click.echo(f"    · {reason.detail}")
            if explain:
                for reason in hit.reasons:
                    click.echo(
                        f"    · {reason.kind}: {printable(reason.detail)} ({reason.weight:g})"
                    )
