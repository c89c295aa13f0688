"""`sidelight graph`: who calls what, what imports what, what a change may reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from sidelight.cli.context import aim_of, place_of, print_json
from sidelight.cli.printing import printable
from sidelight.errors import IndexMissingError, SidelightError, UsageError
from sidelight.graph.model import Edge, GraphStats, SymbolRef, byte_path
from sidelight.graph.render import (
    DRAWINGS,
    choice_text,
    edge_table,
    impact_table,
    import_table,
    place_text,
    render_path,
    render_tree,
    stats_table,
    symbol_table,
)
from sidelight.indexing.place import Place, revision_view, worktree_view
from sidelight.model import display_path

if TYPE_CHECKING:
    from sidelight.graph.graph import CodeGraph

MAX_CHOICES = 20
Command = Callable[..., Any]

_rev_option = click.option("--rev", "revision", metavar="REV", help="Ask this indexed revision.")
_drawing_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", *DRAWINGS]),
    default="text",
    show_default=True,
    help="How the result is printed.",
)
_plain_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the result is printed.",
)


def _depth_option(default: int) -> Callable[[Command], Command]:
    return click.option(
        "--depth",
        type=click.IntRange(1, 20),
        default=default,
        show_default=True,
        help="How many steps to follow.",
    )


@click.group("graph")
def graph_group() -> None:
    """Ask who calls, imports, extends and tests what.

    A SYMBOL is a name (`run`), a qualified name (`Server.run`) or `path::Name`.
    """


@graph_group.command("callers")
@click.argument("symbol")
@_depth_option(1)
@_rev_option
@_drawing_option
@click.pass_context
def callers_command(
    ctx: click.Context, symbol: str, depth: int, revision: str | None, format_: str
) -> None:
    """Show what calls SYMBOL, as a tree; a class is called by making it."""
    with _opened(place_of(ctx), revision) as graph:
        root = _one(graph, symbol)
        _print_edges(root, graph.callers(root, depth), depth, format_, inwards=True)


@graph_group.command("callees")
@click.argument("symbol")
@_depth_option(1)
@_rev_option
@_drawing_option
@click.pass_context
def callees_command(
    ctx: click.Context, symbol: str, depth: int, revision: str | None, format_: str
) -> None:
    """Show what SYMBOL calls in this repository, as a tree."""
    with _opened(place_of(ctx), revision) as graph:
        root = _one(graph, symbol)
        _print_edges(root, graph.callees(root, depth), depth, format_, inwards=False)


@graph_group.command("path")
@click.argument("start", metavar="FROM")
@click.argument("goal", metavar="TO")
@_rev_option
@_drawing_option
@click.pass_context
def path_command(
    ctx: click.Context, start: str, goal: str, revision: str | None, format_: str
) -> None:
    """Show a shortest path of uses between two symbols, or of imports between two files."""
    with _opened(place_of(ctx), revision) as graph:
        ends = [_symbol_or_file(graph, start), _symbol_or_file(graph, goal)]
        edges = graph.path(*ends)
    if format_ == "json":
        print_json({"from": symbol_table(ends[0]), "to": symbol_table(ends[1]), **_edges(edges)})
    elif not edges:
        raise SidelightError(
            f"no path leads from {start} to {goal}", hint="ambiguous edges are not followed"
        )
    else:
        _print_lines(DRAWINGS[format_](edges) if format_ in DRAWINGS else render_path(edges))


@graph_group.command("imports")
@click.argument("path")
@_rev_option
@_plain_option
@click.pass_context
def imports_command(ctx: click.Context, path: str, revision: str | None, format_: str) -> None:
    """Show which files PATH imports, which import it, and what it takes from libraries."""
    with _opened(place_of(ctx), revision) as graph:
        file = _file(graph, path)
        out, into, libraries = (
            graph.imports(file),
            graph.importers(file),
            graph.library_imports(file),
        )
    if format_ == "json":
        print_json(
            {
                "path": display_path(file),
                "imports": [import_table(edge) for edge in out],
                "imported_by": [import_table(edge) for edge in into],
                "libraries": list(libraries),
            }
        )
        return
    click.echo(display_path(file))
    for title, edges in (("imports", out), ("imported by", into)):
        for edge in edges:
            other = edge.target if title == "imports" else edge.source
            names = f"  ({', '.join(edge.names)})" if edge.names else ""
            at = "" if title == "imports" else f":{edge.line}"
            click.echo(f"  {title}  {display_path(other)}{at}{names}")
    if libraries:
        click.echo(f"  libraries  {', '.join(libraries)}")


@graph_group.command("stats")
@_rev_option
@_plain_option
@click.pass_context
def stats_command(ctx: click.Context, revision: str | None, format_: str) -> None:
    """Count the graph: edges by kind and confidence, the most called, the widest callers.

    Reads every file.
    """
    with _opened(place_of(ctx), revision) as graph:
        stats = graph.stats()
    if format_ == "json":
        print_json(stats_table(stats))
    else:
        _print_stats(stats)


@graph_group.command("impact")
@click.option(
    "--symbol",
    "symbols",
    multiple=True,
    metavar="SYMBOL",
    help="What is changed, instead of a diff. May be repeated.",
)
@click.option("--base", metavar="REV", help="The diff's old side. Default: HEAD's first parent.")
@click.option("--head", metavar="REV", help="The diff's new side. Default: HEAD.")
@click.option("--staged", is_flag=True, help="What `git add` has taken up, against HEAD.")
@click.option("--worktree", is_flag=True, help="The working tree's changes, against HEAD.")
@_depth_option(2)
@_rev_option
@_drawing_option
@click.pass_context
def impact_command(
    ctx: click.Context,
    symbols: tuple[str, ...],
    base: str | None,
    head: str | None,
    staged: bool,
    worktree: bool,
    depth: int,
    revision: str | None,
    format_: str,
) -> None:
    """Show what uses what is changed, directly or through others, nearest first.

    Of a diff also the tests that reach it; two revisions are compared from their merge base.
    """
    if not symbols:
        from sidelight.cli.impact import print_diff_impact

        if revision:
            raise UsageError("--rev goes with --symbol", hint="a diff has --base and --head")
        print_diff_impact(ctx, base, head, depth, format_, staged=staged, worktree=worktree)
        return
    if base or head or staged or worktree:
        raise UsageError("--symbol and a diff are two questions", hint="choose one")
    with _opened(place_of(ctx), revision) as graph:
        changed = [_one(graph, name) for name in symbols]
        reached = graph.impact(changed, depth)
    if format_ == "json":
        print_json(
            {
                "changed": [symbol_table(symbol) for symbol in changed],
                "reached": [impact_table(impact) for impact in reached],
            }
        )
    elif format_ in DRAWINGS:
        _print_lines(DRAWINGS[format_](impact.via for impact in reached))
    else:
        for impact in reached:
            via = impact.via
            name = impact.symbol.qualified_name or "(file)"
            click.echo(
                f"{impact.distance}  {name}  {display_path(impact.symbol.path)}:{via.line}"
                f"  {via.kind.value} of {via.target.qualified_name}  [{via.confidence.value}]"
            )
        if not reached:
            click.echo("nothing in this repository uses it", err=True)


@contextmanager
def _opened(place: Place, revision: str | None) -> Iterator[CodeGraph]:
    """Open the graph of a view; the model is not loaded."""
    from sidelight.git.blobs import BlobReader
    from sidelight.graph.graph import open_graph
    from sidelight.store.corpus import open_corpus
    from sidelight.store.database import Database
    from sidelight.store.snapshot import open_latest
    from sidelight.store.views import find_view

    name = revision_view(revision) if revision else worktree_view(place.repo)
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        view = find_view(connection, name)
        if view is None:
            raise IndexMissingError(
                f"{revision} is not indexed" if revision else "this worktree is not indexed yet",
                hint=f"run `sidelight index{f' --rev {revision}' if revision else ''}`",
            )
        head = aim_of(place, revision)
        if head is not None and head[1] != view.tree:
            moved, option = (revision, f" --rev {revision}") if revision else ("HEAD", "")
            text = f"{moved} has moved on; `sidelight index{option}` brings the index up"
            click.echo(f"note: {printable(text)}", err=True)
        corpus = open_corpus(connection, view, open_latest(database), with_vectors=False)
        with BlobReader(place.repo) as reader:
            yield open_graph(connection, corpus, reader.read_many)


def _one(graph: CodeGraph, name: str) -> SymbolRef:
    """Return the one definition that a name means.

    Raises:
        SidelightError: none or several; the hint lists the nearest names, or the choices.
    """
    found = graph.definitions(name)
    if len(found) == 1:
        return found[0]
    if not found:
        near = graph.nearest(name)
        hint = f"did you mean {', '.join(near)}?" if near else "`sidelight search` finds by words"
        raise SidelightError(f"nothing is called {name!r} here", hint=hint)
    choices = ", ".join(choice_text(symbol) for symbol in found[:MAX_CHOICES])
    more = f" and {len(found) - MAX_CHOICES} more" if len(found) > MAX_CHOICES else ""
    raise SidelightError(
        f"{name!r} means {len(found)} definitions: {choices}{more}",
        hint="name one of them as it is listed",
    )


def _symbol_or_file(graph: CodeGraph, text: str) -> SymbolRef:
    path = byte_path(text)
    return graph.file(path) if graph.has_file(path) else _one(graph, text)


def _file(graph: CodeGraph, text: str) -> bytes:
    path = byte_path(text.removeprefix("./"))
    if graph.has_file(path):
        return path
    found = graph.paths_ending(path)
    if len(found) == 1:
        return found[0]
    choices = ", ".join(display_path(other) for other in found[:MAX_CHOICES])
    raise SidelightError(
        f"the index has {'several files' if found else 'no file'} {text!r}",
        hint=choices or "paths are relative to the repository's root",
    )


def _edges(edges: Sequence[Edge]) -> dict[str, Any]:
    return {"edges": [edge_table(edge) for edge in edges]}


def _print_edges(
    root: SymbolRef, edges: Sequence[Edge], depth: int, format_: str, *, inwards: bool
) -> None:
    if format_ == "json":
        print_json({"symbol": symbol_table(root), "depth": depth, **_edges(edges)})
    elif format_ in DRAWINGS:
        _print_lines(DRAWINGS[format_](edges))
    else:
        _print_lines(render_tree(root, edges, inwards=inwards))
        if not edges:
            what = "calls it" if inwards else "is called by it"
            click.echo(f"nothing in this repository {what}", err=True)


def _print_lines(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(line)


def _print_stats(stats: GraphStats) -> None:
    click.echo(
        f"{stats.files} files, {stats.definitions} definitions, {stats.imports} imports between"
        f" files, {stats.unresolved_imports} of libraries"
    )
    for kind, confidence, count in stats.edges:
        click.echo(f"  {kind.value:10} {confidence.value:10} {count:8}")
    for title, rows in (
        ("most called", stats.most_called),
        ("widest callers", stats.widest_callers),
    ):
        click.echo(title)
        for symbol, count in rows:
            click.echo(f"  {count:6}  {symbol.qualified_name}  {place_text(symbol)}")
    click.echo("most imported")
    for path, count in stats.most_imported:
        click.echo(f"  {count:6}  {display_path(path)}")
