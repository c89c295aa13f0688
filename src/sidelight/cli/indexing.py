"""`sidelight init`, `index` and `status`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from sidelight.cli.context import format_option, place_of, print_json, progress_bar
from sidelight.cli.printing import printable
from sidelight.errors import SidelightError
from sidelight.indexing.place import Place, revision_view
from sidelight.indexing.report import RefreshReport, Target
from sidelight.indexing.status import MENDED_BY, IndexState, IndexStatus, index_status


@click.command("init")
@click.option("--no-hook", is_flag=True, help="Only build the index; install no git hooks.")
@format_option
@click.pass_context
def init_command(ctx: click.Context, no_hook: bool, format_: str) -> None:
    """Index HEAD, and install the git hooks that keep the index equal to it.

    Running it again refreshes the index and changes nothing else.
    """
    from sidelight.indexing.refresh import refresh

    place = place_of(ctx)
    with progress_bar() as progress:
        report = refresh(place, wait=True, create=True, progress=progress)
    table, lines = (None, []) if no_hook else _install_hooks(place)
    if format_ == "json":
        print_json({**report_table(report), "hooks": table})
        return
    _print_report(place, report)
    for line in lines:
        click.echo(line)
    click.echo('Try: sidelight search "where are errors handled"')


@click.command("index")
@click.option("--rev", "revision", metavar="REV", help="Index this revision beside HEAD.")
@click.option("--rebuild", is_flag=True, help="Start from nothing; mends any damage.")
@click.option(
    "--quick",
    is_flag=True,
    help="Return as soon as words and names can be searched; vectors follow in the background.",
)
@format_option
@click.pass_context
def index_command(
    ctx: click.Context, revision: str | None, rebuild: bool, quick: bool, format_: str
) -> None:
    """Make the index equal to HEAD, and wait until every vector is there.

    With --rev the tree of another revision is indexed too, under that name; all revisions share
    what they have in common.
    """
    from sidelight.indexing.refresh import head_of, index_target, refresh

    place = place_of(ctx)
    commit = place.repo.resolve_commit(revision) if revision else head_of(place.repo)[0]
    if rebuild:
        from sidelight.indexing.maintenance import start_over

        start_over(place)  # what can be refused has been: nothing is lost for nothing
    with progress_bar() as progress:
        if revision:
            target = Target(revision_view(revision), commit, place.repo.tree_of(commit))
            report = index_target(place, target, wait=not quick, create=True, progress=progress)
        else:
            report = refresh(place, wait=not quick, create=True, progress=progress)
    if format_ == "json":
        print_json(report_table(report))
    else:
        _print_report(place, report)


@click.command("status")
@click.option("--skipped", "list_skipped", is_flag=True, help="List each file that is not indexed.")
@format_option
@click.pass_context
def status_command(ctx: click.Context, list_skipped: bool, format_: str) -> None:
    """Say whether the index equals HEAD, what it holds, and what it left out and why."""
    place = place_of(ctx)
    status = index_status(place)
    table = status_table(status)
    if list_skipped:
        table["skipped_files"] = _skipped_files(place, status)
    if format_ == "json":
        print_json(table)
        return
    click.echo(f"{status.state}: {_state_line(status)}")
    if status.tree is not None:
        click.echo(f"{status.files:,} files, {status.chunks:,} chunks, {_bytes(status.size_bytes)}")
        for reason, count in status.skipped.items():
            click.echo(f"  not indexed: {count:,} {reason}")
        for item in table.get("skipped_files", []):
            click.echo(f"    {printable(item['path'])}: {item['reason']}")
        click.echo(printable(history_line(status)))
        others = [name for name in status.views if name.startswith("rev/")]
        if others:
            names = ", ".join(name.removeprefix("rev/") for name in others)
            click.echo(f"other revisions: {printable(names)}")
    if MENDED_BY[status.state]:
        click.echo(MENDED_BY[status.state], err=True)


def _install_hooks(place: Place) -> tuple[dict[str, Any] | None, list[str]]:
    """Install the hooks; the index is built by now, so what stands in their way is a warning."""
    from sidelight_hooks.install import install_hooks
    from sidelight_hooks.render import report_json, report_lines

    try:
        report = install_hooks(place.repo)
    except SidelightError as error:
        click.echo(f"warning: no hooks were installed: {error.message}", err=True)
        if error.hint:
            click.echo(f"hint: {error.hint}", err=True)
        return None, []
    for note in report.notes:
        click.echo(f"note: {printable(note)}", err=True)
    return report_json(report), report_lines(report)


def report_table(report: RefreshReport) -> dict[str, Any]:
    """Return a refresh's outcome as `--format json` prints it."""
    return {
        "state": report.state,
        "view": report.view,
        "tree": report.tree,
        "commit": report.commit,
        "changed_files": report.changed_files,
        "parsed_files": report.parsed_files,
        "deleted_files": report.deleted_files,
        "embedded": report.embedded,
        "pending": report.pending,
        "seconds": round(report.seconds, 3),
    }


def status_table(status: IndexStatus) -> dict[str, Any]:
    """Return a status as `--format json` prints it."""
    return {
        "state": status.state.value,
        "tree": status.tree,
        "head_tree": status.head_tree,
        "commit": status.commit,
        "behind": status.behind,
        "files": status.files,
        "chunks": status.chunks,
        "pending": status.pending,
        "skipped": status.skipped,
        "model": status.model,
        "size_bytes": status.size_bytes,
        "views": list(status.views),
        "detail": status.detail,
        "history": asdict(status.history),
    }


def _print_report(place: Place, report: RefreshReport) -> None:
    status = index_status(place)
    of = report.view.removeprefix("rev/") if report.view.startswith("rev/") else "HEAD"
    click.echo(
        f"{printable(of)} at {report.commit[:10]} is indexed: "
        f"{report.changed_files:,} paths looked at, {report.parsed_files:,} parsed, "
        f"{report.embedded:,} chunks embedded in {report.seconds:.1f} s"
    )
    if report.pending:
        click.echo(f"{report.pending:,} vectors follow in the background", err=True)
    if status.tree is not None and status.state is not IndexState.MISSING:
        skipped = sum(status.skipped.values())
        click.echo(
            f"{status.files:,} files, {status.chunks:,} chunks, {_bytes(status.size_bytes)}"
            + (f"; {skipped:,} files not indexed (see `sidelight status`)" if skipped else "")
        )


def _state_line(status: IndexStatus) -> str:
    if status.state is IndexState.CURRENT:
        return f"the index equals HEAD ({(status.commit or '')[:10]})"
    if status.state is IndexState.PARTIAL:
        return f"the index equals HEAD; {status.pending:,} chunks wait for their vectors"
    if status.state is IndexState.STALE:
        if status.behind:
            return f"HEAD is {status.behind} commit{'s' * (status.behind > 1)} ahead of the index"
        return "the index shows another tree than HEAD, or other settings"
    return status.detail


def history_line(status: IndexStatus) -> str:
    """Return how much of HEAD's past is known, as `status` prints it."""
    history = status.history
    if history.problem:
        return f"history: git cannot give it ({history.problem})"
    if not history.commits:
        return "history: not read yet"
    cut = "; the clone is shallow: older ones are not here" if history.shallow else ""
    cut += "; older ones are left out" if history.limited else ""
    return f"history: {history.commits:,} commit{'s' * (history.commits != 1)}{cut}"


def _skipped_files(place: Place, status: IndexStatus) -> list[dict[str, str]]:
    if status.tree is None:
        return []
    from sidelight.indexing.place import worktree_view
    from sidelight.model import display_path
    from sidelight.store.database import Database
    from sidelight.store.reader import skipped_files
    from sidelight.store.views import find_view

    with Database.open(place.directory, None) as database, database.read() as connection:
        view = find_view(connection, worktree_view(place.repo))
        rows = skipped_files(connection, view.id) if view else []
    return [{"path": display_path(path), "reason": reason} for path, reason in rows]


def _bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
