"""Findings of a diff as commands show them: text, Markdown, data. Beside what is related to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sidelight.cli.printing import printable, shown_path
from sidelight.findings import Evidence, Finding, FindingKind, Findings, find_in_view
from sidelight.indexing.place import Place

if TYPE_CHECKING:
    from sidelight.related.session import RelatedResult

SHOWN_EVIDENCE = 5  # lines under one finding; the data has them all
SHOWN_TESTS = 10  # test findings: the nearest tests of so many definitions
TITLES = {
    FindingKind.SIGNATURE: "Calls that no longer fit",
    FindingKind.REMOVED: "Removed, but still referred to",
    FindingKind.COMPANION: "Usually changes together",
    FindingKind.LOOKALIKE: "Resembles what is there",
    FindingKind.UNTESTED: "No test reaches it",
    FindingKind.TESTS: "Tests that reach the change",
}

findings_option = click.option(
    "--findings/--no-findings",
    "with_findings",
    default=True,
    help="Also show what the diff breaks, forgets, repeats or leaves untested.",
)


def find_beside(
    place: Place, result: RelatedResult, mode: str, base: str | None, head: str | None
) -> Findings:
    """Return the findings of the diff that a result is about, over the view that was ranked."""
    before = _before(place, mode, base, head)
    return find_in_view(place, result.view.name, result.focal, before=before, log=result.log)


def _before(place: Place, mode: str, base: str | None, head: str | None) -> str | None:
    """Return the commit at which the diff's past ends; None if its head has no parent."""
    from sidelight.git.discovery import merge_base

    repo = place.repo
    tip = repo.resolve_commit(head or "HEAD")
    if mode != "commits":
        return repo.resolve_commit(base) if base else tip
    if base is not None:
        return merge_base(repo, repo.resolve_commit(base), tip)
    return repo.first_parent(tip)


def print_findings(findings: Findings) -> None:
    """Print findings for people, by kind."""
    for kind, items in _by_kind(findings):
        click.echo()
        click.echo(click.style(TITLES[kind], bold=True))
        for item in items:
            where = f"{shown_path(item.path)}:{item.span.start_line}"
            if kind is FindingKind.COMPANION:
                where = shown_path(item.path)
            click.echo(f"{click.style(where, fg='green')}  {printable(item.message)}")
            for evidence in _shown(item):
                click.echo(f"    {_line(evidence)}")
            if len(item.evidence) > SHOWN_EVIDENCE:
                click.echo(f"    … and {len(item.evidence) - SHOWN_EVIDENCE} more")


def markdown_findings(findings: Findings) -> str:
    """Return findings as Markdown: a heading for each kind, a list, the evidence below."""
    lines: list[str] = []
    for kind, items in _by_kind(findings):
        lines += ["", f"### {TITLES[kind]}", ""]
        for item in items:
            lines.append(f"- {printable(item.message)}")
            for evidence in _shown(item):
                note = f": {printable(evidence.note)}" if evidence.note else ""
                lines.append(f"  - `{shown_path(evidence.path)}:{evidence.line}`{note}")
    return "\n".join(lines) + "\n" if lines else ""


def _by_kind(findings: Findings) -> list[tuple[FindingKind, tuple[Finding, ...]]]:
    found = [(kind, findings.of(kind)) for kind in FindingKind]
    limits = {FindingKind.TESTS: SHOWN_TESTS}
    return [(kind, items[: limits.get(kind)]) for kind, items in found if items]


def _shown(item: Finding) -> tuple[Evidence, ...]:
    if item.kind is FindingKind.COMPANION:
        return ()  # its message says it all
    return item.evidence[:SHOWN_EVIDENCE]


def _line(evidence: Evidence) -> str:
    where = f"{shown_path(evidence.path)}:{evidence.line}"
    parts = (where, printable(evidence.text), printable(evidence.note))
    return "  ".join(part for part in parts if part)
