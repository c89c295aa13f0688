"""`sidelight-bot preview`: the comment for any two commits of a repository, with no GitHub.

The same analysis and the same renderer as in a job; nothing is sent anywhere.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import click

from sidelight.embedding.catalogue import default_models_directory
from sidelight.errors import GitError, StorageError, UsageError
from sidelight.focal import title_of
from sidelight.git.discovery import merge_base, read_config
from sidelight.git.repository import Repository, open_repository
from sidelight.indexing.passing import forget_passing
from sidelight.indexing.place import EmbedderSource, Place, index_directory
from sidelight.indexing.report import RefreshReport
from sidelight.store.database import Database
from sidelight.store.reader import view_counts
from sidelight.store.views import find_view
from sidelight_bot.analysis import AnalysisLimits, analyse
from sidelight_bot.comment import render_comment
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.report import ChangeReport, Excerpt, IndexInfo, Site, from_json, plain
from sidelight_bot.settings import DEFAULT_SERVER, MAX_RELATED
from sidelight_bot.views import config_at, head_view, index_base, index_head

SILENT = "nothing worth saying: no comment would be posted (--always shows it)"
_REMOTE = re.compile(
    r"(?:https?://(?:[^@/]*@)?|ssh://git@|git@)(?P<host>[\w.-]+)(?::\d+)?[/:]"
    r"(?P<slug>[\w.-]+/[\w.-]+?)(?:\.git)?/?"
)


@click.command("preview")
@click.option("--base", metavar="REV", help="The diff's old side. Default: HEAD's first parent.")
@click.option("--head", metavar="REV", default="HEAD", show_default=True, help="The new side.")
@click.option("--title", metavar="TEXT", help="The pull request's title. Default: its subjects.")
@click.option(
    "--repo",
    "slug",
    metavar="OWNER/NAME",
    help="Where links lead. Default: what the remote `origin` says.",
)
@click.option(
    "-C",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    metavar="DIR",
    help="The repository. Default: the one around here.",
)
@click.option(
    "--index-dir",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The index's folder. Default: in the repository's git directory.",
)
@click.option(
    "--related-limit",
    type=click.IntRange(0, MAX_RELATED),
    default=10,
    show_default=True,
    help="Related files that are shown.",
)
@click.option("--always", is_flag=True, help="Also when there is nothing worth saying.")
@click.option("--no-code", is_flag=True, help="Name the lines of excerpts instead of showing them.")
@click.option(
    "--report",
    "report_file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Render this result (of --format json) instead of comparing anything.",
)
@click.option(
    "--html",
    "html_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write a page that shows the comment as GitHub would.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["markdown", "json"]),
    default="markdown",
    show_default=True,
    help="What is printed: the comment, or the data that it is made of.",
)
def preview_command(  # noqa: PLR0913, PLR0917 - one for each option
    base: str | None,
    head: str,
    title: str | None,
    slug: str | None,
    folder: Path,
    index_dir: Path | None,
    related_limit: int,
    always: bool,
    no_code: bool,
    report_file: Path | None,
    html_file: Path | None,
    format_: str,
) -> None:
    """Show the comment that a pull request would get, without GitHub.

    Two revisions are compared from their merge base. Both sides are indexed first.
    """
    if report_file is not None:
        report, server = from_json(report_file.read_bytes()), DEFAULT_SERVER
        report = replace(report, repo=slug) if slug else report
    else:
        place = _place(folder, index_dir)
        server, found = _remote(place.repo)
        report = preview_report(place, base, head, title, related_limit)
        report = replace(report, repo=_checked(slug) if slug else found)
    if no_code:
        report = without_code(report)
    if format_ == "json":
        click.echo(json.dumps(plain(report), indent=2))
    links = Permalinks(server, report.repo, report.head)
    text = render_comment(report, links, always=always)
    if text is None:
        click.echo(SILENT, err=True)
    elif format_ == "markdown":
        click.echo(text, nl=False)
    if html_file is not None:
        from sidelight_bot.page import render_page  # noqa: PLC0415 - the `bot` extra

        page = render_page(text or SILENT, report)
        try:
            html_file.write_text(page, encoding="utf-8")
        except OSError as error:
            raise StorageError(
                f"{html_file} cannot be written: {error.strerror or error}",
                hint="name a file in a folder that is there",
            ) from error


def preview_report(
    place: Place, base: str | None, head: str, title: str | None, related_limit: int = 10
) -> ChangeReport:
    """Return the report for two revisions, indexed as the bot indexes them.

    Raises:
        UnknownRevisionError: a revision is not here.
        UsageError: the head has no parent to compare with.
    """
    repo = place.repo
    head_commit = repo.resolve_commit(head)
    base_commit = repo.resolve_commit(base) if base else _first_parent(repo, head_commit)
    start = merge_base(repo, base_commit, head_commit) or ""
    place = replace(place, config=config_at(repo, base_commit))
    first = index_base(place, start or base_commit)
    second = index_head(place, head_commit, base_commit)
    subject = title if title is not None else title_of(repo, start or base_commit, head_commit)
    report = analyse(
        place,
        base_commit,
        head_commit,
        subject,
        AnalysisLimits(related=related_limit),
        merge_base=start,
    )
    report = replace(report, index=_index_info(place, base_commit, head_commit, first, second))
    forget_passing(place)
    return report


def without_code(report: ChangeReport) -> ChangeReport:
    """Return the report with `line 12` in the place of each line of an excerpt.

    For keeping comments on other people's code beside a project without keeping that code.
    """

    def bare(excerpt: Excerpt | None) -> Excerpt | None:
        if excerpt is None:
            return None
        n_lines = excerpt.text.count("\n") + 1
        rows = [f"line {excerpt.line + at}" for at in range(n_lines)]
        return replace(excerpt, text="\n".join(rows))

    def sites(of: tuple[Site, ...]) -> tuple[Site, ...]:
        return tuple(replace(site, excerpt=bare(site.excerpt)) for site in of)

    return replace(
        report,
        signatures=tuple(replace(f, sites=sites(f.sites)) for f in report.signatures),
        findings=tuple(replace(f, sites=sites(f.sites)) for f in report.findings),
        groups=tuple(
            replace(g, items=tuple(replace(i, excerpt=bare(i.excerpt)) for i in g.items))
            for g in report.groups
        ),
        stages=(),
    )


def _index_info(
    place: Place, base: str, head: str, first: RefreshReport, second: RefreshReport
) -> IndexInfo:
    with Database.open(place.directory, place.identity) as database, database.read() as rows:
        view = find_view(rows, head_view(head, base))
        chunks = view_counts(rows, view.id)[1] if view is not None else 0
    n_files = first.changed_files + second.changed_files
    return IndexInfo(second.state, None, n_files, chunks, second.pending)


def _place(folder: Path, index_dir: Path | None) -> Place:
    repo = open_repository(folder)
    config = config_at(repo, repo.resolve_commit("HEAD"))
    models = default_models_directory(os.environ, Path.home())
    return Place(repo, index_dir or index_directory(repo), config, EmbedderSource(config, models))


def _first_parent(repo: Repository, head: str) -> str:
    parent = repo.first_parent(head)
    if parent is None:
        raise UsageError("the head has no parent to compare with", hint="name a --base")
    return parent


def _remote(repo: Repository) -> tuple[str, str]:
    """Return the server and `owner/name` of the remote `origin`; no name if it tells none."""
    try:
        url = read_config(repo, "remote.origin.url")
    except GitError:
        return DEFAULT_SERVER, ""
    match = _REMOTE.fullmatch(url.strip()) if isinstance(url, str) else None
    return (f"https://{match['host']}", match["slug"]) if match else (DEFAULT_SERVER, "")


def _checked(slug: str) -> str:
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", slug, re.ASCII):
        raise UsageError(f"{slug[:60]!r} is not OWNER/NAME")
    return slug
