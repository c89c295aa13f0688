"""`sidelight related`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from sidelight.cli.context import place_of, print_json, progress_bar
from sidelight.cli.findings import (
    find_beside,
    findings_option,
    markdown_findings,
    print_findings,
)
from sidelight.cli.printing import printable, shown_path
from sidelight.config import LIMITS
from sidelight.errors import UsageError
from sidelight.findings import findings_table
from sidelight.focal import FocalSet
from sidelight.git.diffs import FileDiff
from sidelight.indexing.place import Place, revision_view, worktree_view
from sidelight.model import Hit, display_path
from sidelight.related.session import RelatedResult

EXCERPT_LINES = 4
UNTOLD = frozenset({"recent", "same_language", "beside", "path_like"})  # true of too many files


@click.command("related")
@click.option("--base", metavar="REV", help="The diff's old side. Default: HEAD's first parent.")
@click.option("--head", metavar="REV", help="The diff's new side. Default: HEAD.")
@click.option("--staged", is_flag=True, help="Rank for what `git add` has taken up, against HEAD.")
@click.option("--worktree", is_flag=True, help="Rank for the working tree's changes, against HEAD.")
@click.option(
    "--focal",
    "focal_paths",
    multiple=True,
    metavar="PATH",
    help="Only the diff of this path counts. May be repeated.",
)
@click.option(
    "--index-rev", metavar="REV", help="Rank the tree of this revision instead of the new side's."
)
@click.option("--title", metavar="TEXT", help="What the change is about. Default: its subjects.")
@click.option("-k", "k", type=click.IntRange(0), default=10, show_default=True, help="Hits wanted.")
@click.option("--explain", is_flag=True, help="Show every signal behind each hit.")
@click.option(
    "--ranking",
    type=click.Choice(["signals", "structural"]),
    default="signals",
    show_default=True,
    help="All signals, or a baseline: BM25, times 1.5 where imports connect.",
)
@click.option(
    "--diversity",
    type=click.FloatRange(*LIMITS["diff_diversity"]),
    metavar="X",
    help="What novelty weighs beside relevance; 0: nothing.",
)
@findings_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How the result is printed.",
)
@click.pass_context
def related_command(
    ctx: click.Context,
    base: str | None,
    head: str | None,
    staged: bool,
    worktree: bool,
    focal_paths: tuple[str, ...],
    index_rev: str | None,
    title: str | None,
    k: int,
    explain: bool,
    ranking: str,
    diversity: float | None,
    with_findings: bool,
    format_: str,
) -> None:
    """Show the code outside a diff that matters to it, each piece with its reasons.

    Two revisions are compared from their merge base.
    """
    mode = diff_mode(head, staged=staged, worktree=worktree)
    place = place_of(ctx)
    if diversity is not None:
        search = replace(place.config.search, diff_diversity=diversity)
        place = replace(place, config=replace(place.config, search=search))
    paths = [os.fsencode(path) for path in focal_paths]
    result = relate(place, mode, base, head, paths, index_rev, title, k, ranking=ranking)
    found = find_beside(place, result, mode, base, head) if with_findings else None
    if format_ == "json":
        beside = {"findings": findings_table(found)} if found is not None else {}
        print_json({**related_table(result), **beside})
        return
    for note in result.notes:
        click.echo(f"note: {printable(note)}", err=True)
    if format_ == "markdown":
        click.echo(_markdown(result) + (markdown_findings(found) if found else ""), nl=False)
    else:
        _print(place, result, explain)
        if found is not None:
            print_findings(found)


def related_table(result: RelatedResult) -> dict[str, Any]:
    """Return a result as `--format json` prints it: `search`'s fields, and `focal` beside them."""
    from sidelight.cli.search import hit_table

    return {
        "focal": focal_table(result.focal),
        "index": {"tree": result.view.tree, "commit": result.view.commit},
        "hits": [hit_table(hit) for hit in result.hits],
        "notes": list(result.notes),
    }


def focal_table(focal: FocalSet) -> dict[str, Any]:
    """Return what a diff is about as data."""
    return {
        "title": focal.title,
        "scope": focal.scope,
        "files": [
            {
                "path": display_path(file.path),
                "kind": file.diff.change.kind.value,
                "hunks": [
                    {
                        "old_start": hunk.old_start,
                        "old_count": hunk.old_count,
                        "new_start": hunk.new_start,
                        "new_count": hunk.new_count,
                    }
                    for hunk in file.diff.hunks
                ],
            }
            for file in focal.files
        ],
        "symbols": [
            {
                "path": display_path(item.path),
                "symbol": item.symbol.qualified_name,
                "kind": item.symbol.kind.value,
                "change": item.change.value,
                "start_line": item.symbol.span.start_line,
                "end_line": item.symbol.span.end_line,
            }
            for item in focal.symbols
        ],
        "skipped": [{"path": display_path(p), "reason": reason} for p, reason in focal.skipped],
    }


def diff_mode(head: str | None, *, staged: bool, worktree: bool) -> str:
    """Return which diff the options mean: `staged`, `worktree` or `commits`.

    Raises:
        UsageError: they mean two.
    """
    if staged and worktree:
        raise UsageError("--staged and --worktree are two different diffs", hint="choose one")
    if (staged or worktree) and head:
        raise UsageError("--head is a commit; --staged and --worktree are not", hint="leave it out")
    return "staged" if staged else "worktree" if worktree else "commits"


def relate(
    place: Place,
    mode: str,
    base: str | None,
    head: str | None,
    paths: list[bytes],
    index_rev: str | None,
    title: str | None,
    k: int,
    *,
    ranking: str = "signals",
) -> RelatedResult:
    """Return what is related to a diff of the repository; see the command's options."""
    from sidelight.focal import build_focal, title_of
    from sidelight.related.session import RelatedSession
    from sidelight.related.structural import RankingMode

    repo = place.repo
    head_commit = repo.resolve_commit(head or "HEAD")
    if mode == "commits":
        base_commit = _base_of(place, base, head_commit)
        diffs: list[FileDiff] = _diff(place, mode, base_commit, head_commit, paths)
        subject = title if title is not None else title_of(repo, base_commit, head_commit)
        read_new = None
    else:
        base_commit = repo.resolve_commit(base) if base else head_commit
        diffs = _diff(place, mode, base_commit, head_commit, paths)
        subject = title or ""
        read_new = _reader(place)
    focal = build_focal(repo, diffs, subject, read_new)
    view = _indexed_view(place, index_rev or head or "HEAD", head_commit, index_rev)
    with RelatedSession.open(place, view) as session:
        result = session.rank(focal, k, ranking=RankingMode(ranking))
    if paths and not focal.paths:
        where = ", ".join(display_path(path) for path in paths)
        return replace(result, notes=(f"the diff changes nothing at {where}",))
    return result


def _diff(place: Place, mode: str, base: str, head: str, paths: list[bytes]) -> list[FileDiff]:
    from sidelight.git.diffs import diff_revisions, diff_staged, diff_worktree

    if mode == "staged":
        return diff_staged(place.repo, base, paths)
    if mode == "worktree":
        return diff_worktree(place.repo, base, paths)
    return diff_revisions(place.repo, base, head, paths)


def _base_of(place: Place, base: str | None, head: str) -> str:
    """Return the merge base of the two sides; by default HEAD's first parent, or the empty tree."""
    from sidelight.git.discovery import merge_base

    repo = place.repo
    if base is None:
        return repo.first_parent(head) or repo.empty_tree
    found = merge_base(repo, repo.resolve_commit(base), head)
    if found is None:
        raise UsageError(
            f"{base} and {head[:10]} have no common ancestor here",
            hint="a shallow clone needs more history: `git fetch --deepen 100`, or --unshallow"
            if repo.is_shallow
            else "their histories are unrelated: give a --base that the head comes from",
        )
    return found


def _indexed_view(place: Place, revision: str, head: str, index_rev: str | None) -> str:
    """Return the name of a view of the ranked tree, which is indexed first if it is not."""
    from sidelight.indexing.passing import forget_passing, passing_view, view_names
    from sidelight.indexing.refresh import head_of, index_target, refresh
    from sidelight.indexing.report import Target

    repo = place.repo
    commit = repo.resolve_commit(index_rev) if index_rev else head
    current = repo.head()
    is_head = current is not None and current[1] == repo.tree_of(commit) and not index_rev
    if is_head:
        target = Target(worktree_view(repo), *head_of(repo), lambda: head_of(repo))
    else:
        named = revision_view(index_rev or revision)  # if `index --rev` made one, it is kept up
        name = named if named in view_names(place) else passing_view(commit)
        target = Target(name, commit, repo.tree_of(commit))
    with progress_bar() as progress:  # waits for the history, which ranks, but for no vector
        report = index_target(
            place, target, wait=True, create=True, progress=progress, vectors=False
        )
        if is_head and report.pending:
            refresh(place, wait=False)  # searches of HEAD want them: a worker makes them
    if not is_head:
        forget_passing(place)
    return target.view


def _reader(place: Place) -> Any:
    root = place.repo.worktree

    def read_new(path: bytes) -> bytes:
        if root is None:
            return b""
        file = Path(os.fsdecode(os.path.join(os.fsencode(root), path)))  # noqa: PTH118
        try:
            return b"" if file.is_symlink() or not file.is_file() else file.read_bytes()
        except OSError:
            return b""

    return read_new


def _print(place: Place, result: RelatedResult, explain: bool) -> None:
    from sidelight.cli.excerpt import Excerpts

    focal = result.focal
    names = ", ".join(dict.fromkeys(s.symbol.qualified_name for s in focal.symbols[:6]))
    click.echo(
        f"{len(focal.paths)} changed file{'s' * (len(focal.paths) != 1)}"
        + (f": {printable(names)}" if names else ""),
        err=True,
    )
    if not result.hits:
        click.echo("nothing related was found", err=True)
        return
    with Excerpts(place.repo, result.view.tree) as excerpts:
        for hit in result.hits:
            where = f"{shown_path(hit.path)}:{hit.span.start_line}-{hit.span.end_line}"
            line = click.style(where, fg="green")
            if hit.symbol:
                line += "  " + click.style(printable(hit.symbol), bold=True)
            click.echo(f"{line}  {hit.score:.3f}")
            shown = hit.reasons if explain else _told(hit)[:3]
            for reason in shown:
                weight = f" ({reason.weight:+.3f})" if explain else ""
                click.echo(f"    · {printable(reason.detail)}{weight}")
            if explain:
                for text in excerpts.lines(hit, EXCERPT_LINES):
                    click.echo("        " + text[:160])


def _markdown(result: RelatedResult) -> str:
    lines = ["| where | why |", "|---|---|"]
    for hit in result.hits:
        where = f"`{shown_path(hit.path)}:{hit.span.start_line}-{hit.span.end_line}`"
        name = f" `{printable(hit.symbol)}`" if hit.symbol else ""
        why = "; ".join(printable(reason.detail) for reason in _told(hit)[:3]).replace("|", "\\|")
        lines.append(f"| {where}{name} | {why} |")
    return "\n".join(lines) + "\n"


def _told(hit: Hit) -> list[Any]:
    """Return the reasons that speak for the hit and say something of their own."""
    return [reason for reason in hit.reasons if reason.weight > 0 and reason.kind not in UNTOLD]
