"""Views that one answer was made with: kept for the next one, and no longer."""

from __future__ import annotations

from pathlib import Path

from cli.run import Cli
from helpers.gitrepo import GitRepo
from sidelight.indexing.passing import KEPT


def test_views_that_related_made_do_not_pile_up(cli: Cli, tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    commits = []
    for number in range(KEPT + 3):
        repo.write("a.py", f"def f():\n    return {number}\n")
        repo.write("b.py", f"from a import f\n\n\ndef g():\n    return f() + {number}\n")
        commits.append(repo.commit(f"number {number}"))
    assert cli(repo.path, "init", "--no-hook").code == 0
    assert cli(repo.path, "index", "--rev", commits[1]).code == 0
    named = [f"rev/{commits[1]}", "worktree/"]
    for head in commits[1:-1]:
        assert cli(repo.path, "related", "--head", head).code == 0
    views = cli.json(repo.path, "status")["views"]
    newest = sorted(f"passing/{commit}" for commit in commits[-1 - KEPT : -1])
    assert views == [*newest, *named]  # the one that was asked for by name is used, and stays
    assert "passing" not in cli(repo.path, "status").out
    assert cli(repo.path, "gc").code == 0
    assert cli.json(repo.path, "status")["views"] == named
