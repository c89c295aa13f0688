"""`sidelight cache export` and `cache import`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from sidelight.cli.context import format_option, place_of, print_json
from sidelight.cli.printing import printable

file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.group("cache")
def cache_group() -> None:
    """Carry an index between machines as one file."""


@cache_group.command("export")
@file_argument
@format_option
@click.pass_context
def export_command(ctx: click.Context, file: Path, format_: str) -> None:
    """Write the index to FILE."""
    from sidelight.indexing.cachefile import export_cache

    report = export_cache(place_of(ctx), file)
    if format_ == "json":
        print_json(asdict(report))
    else:
        click.echo(
            f"{printable(str(file))}: {report.files:,} files, {report.chunks:,} chunks, "
            f"{report.size_bytes / 1e6:.1f} MB"
        )


@cache_group.command("import")
@file_argument
@format_option
@click.pass_context
def import_command(ctx: click.Context, file: Path, format_: str) -> None:
    """Make the index in FILE this repository's. Every field is checked first.

    It may be of another commit: the next `sidelight index` only looks at what differs.
    """
    from sidelight.indexing.cachefile import import_cache

    report = import_cache(place_of(ctx), file)
    if format_ == "json":
        print_json(asdict(report))
    else:
        shown = printable(str(file))
        click.echo(f"took over {report.files:,} files, {report.vectors:,} vectors from {shown}")
