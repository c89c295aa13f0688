"""A repository before and after one change, and the findings of that change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.findings import Finding, FindingKind, Findings, find_in_view
from sidelight.focal import build_focal
from sidelight.git.diffs import diff_revisions

Tree = Mapping[str, str]


def findings_of(
    folder: Path, before: Tree, after: Mapping[str, str | None], *, index_base: bool = False
) -> Findings:
    """Return the findings of one commit; None in `after` deletes a file.

    With `index_base` the index shows the tree before the commit, else the one after it.
    """
    repo = GitRepo.init(folder)
    for path, text in before.items():
        repo.write(path, text)
    base = repo.commit("before")
    work = Workspace.at(repo)
    if index_base:
        work.refresh()
    for path, change in after.items():
        if change is None:
            (repo.path / path).unlink()
        else:
            repo.write(path, change)
    head = repo.commit("after")
    if not index_base:
        work.refresh()
    opened = work.place.repo
    focal = build_focal(opened, diff_revisions(opened, base, head), "after")
    return find_in_view(work.place, work.view, focal, before=base)


def only(findings: Findings, kind: FindingKind) -> Finding:
    """Return the one finding of a kind."""
    found = findings.of(kind)
    assert len(found) == 1, [item.message for item in found]
    return found[0]


def places(finding: Finding) -> list[str]:
    """Return `path:line note` of a finding's evidence."""
    return [f"{e.path.decode()}:{e.line} {e.note}".rstrip() for e in finding.evidence]
