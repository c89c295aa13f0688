"""`sidelight gc` and `doctor`."""

from __future__ import annotations

from dataclasses import asdict

import click

from sidelight.cli.context import format_option, place_of, print_json
from sidelight.cli.printing import printable
from sidelight.errors import ExitCode


@click.command("gc")
@click.option("--drop-rev", "revisions", multiple=True, metavar="REV", help="Forget this revision.")
@format_option
@click.pass_context
def gc_command(ctx: click.Context, revisions: tuple[str, ...], format_: str) -> None:
    """Delete what no indexed revision needs, and give the disk space back."""
    from sidelight.indexing.maintenance import collect, drop_revisions
    from sidelight.indexing.passing import forget_passing

    place = place_of(ctx)
    drop_revisions(place, revisions)
    forget_passing(place, kept=0)
    report = collect(place)
    if format_ == "json":
        print_json(asdict(report))
    else:
        click.echo(
            f"removed {report.documents:,} documents, {report.commits:,} commits that were "
            f"rewritten and {report.snapshots:,} snapshots, "
            f"freed {report.freed_bytes / 1e6:.1f} MB"
        )


@click.command("doctor")
@format_option
@click.pass_context
def doctor_command(ctx: click.Context, format_: str) -> None:
    """Examine git, the model, the database, its snapshots and the hooks; say what mends what."""
    from sidelight.cli.checkup import check_up

    findings = check_up(place_of(ctx))
    if format_ == "json":
        print_json({"findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            mark = click.style("ok", fg="green") if finding.ok else click.style("BAD", fg="red")
            detail = printable(" ".join(finding.detail.split()))  # SQLite's own may have lines
            click.echo(f"{mark:>4} {finding.subject}: {detail}")
            if finding.hint:
                click.echo(f"       {finding.hint}")
    if not all(finding.ok for finding in findings):
        ctx.exit(ExitCode.FAILURE)
