"""Wherever git looks for hooks: core.hooksPath, links, worktrees, submodules, odd names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from hooks.lab import OURS, Lab, snapshot, write_script
from sidelight.errors import GitError, UsageError
from sidelight.git.repository import open_repository
from sidelight_hooks.place import Origin, Via, find_hooks_place
from sidelight_hooks.status import hooks_status
from sidelight_hooks.uninstall import uninstall_hooks

ODD_NAMES = [
    "a space",
    "it's",
    'say "hi"',
    "$HOME `id` $(id)",
    "line\nend",
    "*?[x]",
    "-dash",
    "ü漢",
]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_paths_with_odd_names(tmp_path: Path, name: str) -> None:
    repo = GitRepo.init(tmp_path / name)
    lab = Lab.around(repo, tmp_path / f"{name} lab")
    write_script(repo.path / ".git/hooks/post-commit", "#!/bin/sh\necho earlier >&2\n")
    before = snapshot(repo.path / ".git/hooks")
    lab.install()
    repo.write("a", "a")
    repo.git("add", "-A")
    assert repo.run("commit", "-q", "-m", "x").stderr == b"earlier\n"
    assert [call.tree for call in lab.calls()] == [repo.tree()]
    uninstall_hooks(lab.opened)
    assert snapshot(repo.path / ".git/hooks") == before


def test_path_that_is_not_utf8(tmp_path: Path) -> None:
    repo = GitRepo.init(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")))
    lab = Lab.around(repo, Path(os.fsdecode(os.fsencode(tmp_path) + b"/lab\xe9")))
    lab.install()
    repo.commit("x")
    assert len(lab.calls()) == 1


@pytest.mark.parametrize("folder", [".githooks", "tools/git hooks"])
def test_hooks_among_the_users_files_are_left_alone(lab: Lab, folder: str) -> None:
    lab.repo.write(f"{folder}/post-commit", "#!/bin/sh\n", 0o755)
    lab.repo.commit("hooks")
    lab.repo.git("config", "core.hooksPath", folder)
    before = snapshot(lab.repo.path / folder)
    with pytest.raises(UsageError, match="among this repository's own files") as caught:
        lab.install(via=Via.FILES)
    assert "--force" in caught.value.hint
    assert snapshot(lab.repo.path / folder) == before
    assert lab.repo.git("status", "--porcelain") == ""


def test_force_installs_among_the_users_files_and_says_so(lab: Lab) -> None:
    lab.repo.write(".githooks/post-commit", "#!/bin/sh\necho earlier >&2\n", 0o755)
    lab.repo.commit("hooks")
    lab.repo.git("config", "core.hooksPath", ".githooks")
    before = snapshot(lab.repo.path / ".githooks")
    report = lab.install(via=Via.FILES, force=True)
    assert "git will show the changed files" in report.notes[0]
    changed = lab.repo.git("status", "--porcelain").split("\n")
    assert changed[0] == " M .githooks/post-commit"
    assert not any("before-sidelight" in line for line in changed)
    assert lab.repo.run("commit", "-q", "--allow-empty", "-m", "x").stderr == b"earlier\n"
    uninstall_hooks(lab.opened)
    assert snapshot(lab.repo.path / ".githooks") == before
    assert lab.repo.git("status", "--porcelain") == ""


def test_link_to_a_folder_of_the_worktree_counts_as_the_users(lab: Lab) -> None:
    lab.repo.write("shared-hooks/readme", "x")
    hooks = lab.repo.path / ".git/hooks"
    hooks.rename(hooks.with_name("old-hooks"))
    hooks.symlink_to("../shared-hooks")
    assert find_hooks_place(lab.opened).origin is Origin.WORKTREE


def test_linked_folder_outside_keeps_its_neighbourhood(lab: Lab, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere/my hooks"
    write_script(outside / "post-commit", '#!/bin/sh\ncat "$(dirname "$0")/../note" >&2\n')
    (tmp_path / "elsewhere/note").write_text("found\n")
    hooks = lab.repo.path / ".git/hooks"
    hooks.rename(hooks.with_name("old-hooks"))
    hooks.symlink_to(outside)
    before = snapshot(tmp_path / "elsewhere")
    lab.install(via=Via.FILES)
    assert lab.repo.run("commit", "-q", "--allow-empty", "-m", "x").stderr == b"found\n"
    assert len(lab.calls()) == 1
    uninstall_hooks(lab.opened)
    assert snapshot(tmp_path / "elsewhere") == before


def test_folder_outside_serves_other_repositories_without_disturbing_them(
    lab: Lab, tmp_path: Path
) -> None:
    shared = tmp_path / "all my hooks"
    write_script(shared / "post-commit", "#!/bin/sh\necho earlier >&2\n")
    other = GitRepo.init(tmp_path / "other")
    for repo in (lab.repo, other):
        repo.git("config", "core.hooksPath", str(shared))
    report = lab.install(via=Via.FILES)
    assert "serves every repository" in report.notes[0]
    assert find_hooks_place(lab.opened).origin is Origin.SHARED
    lab.repo.commit("here")
    assert len(lab.calls()) == 1
    assert other.run("commit", "-q", "--allow-empty", "-m", "there").stderr == b"earlier\n"
    assert lab.calls() == []
    assert not (other.path / ".git/sidelight").exists()


@pytest.mark.parametrize("value", ["/dev/null", ""])
def test_hooks_that_are_switched_off_are_told(lab: Lab, value: str) -> None:
    lab.repo.git("config", "core.hooksPath", value)
    with pytest.raises(GitError, match=r"core\.hooksPath"):
        lab.install()


def test_linked_worktrees_share_hooks_and_index(lab: Lab, tmp_path: Path) -> None:
    linked = lab.repo.worktree_add(tmp_path / "linked")
    there = Lab(linked, lab.folder, lab.python)
    there.install()
    assert (lab.repo.path / ".git/hooks/post-commit").exists()
    lab.repo.write("here", "x")
    lab.repo.commit("here")
    linked.write("there", "x")
    linked.commit("there")
    assert [call.view for call in lab.calls()] == ["main", "linked"]
    assert {hook.condition for hook in hooks_status(lab.opened).hooks} == {"installed"}


def test_tracked_hooks_seen_from_a_linked_worktree_are_the_users(lab: Lab, tmp_path: Path) -> None:
    lab.repo.write(".githooks/post-commit", "#!/bin/sh\n", 0o755)
    lab.repo.commit("hooks")
    lab.repo.git("config", "core.hooksPath", str(lab.repo.path / ".githooks"))
    linked = lab.repo.worktree_add(tmp_path / "linked")
    assert find_hooks_place(open_repository(linked.path)).origin is Origin.WORKTREE


def test_submodule_has_hooks_of_its_own(lab: Lab, tmp_path: Path) -> None:
    lab.repo.git("submodule", "--quiet", "add", str(lab.repo.path), "sub module")
    inner = Lab(GitRepo(lab.repo.path / "sub module"), lab.folder, lab.python)
    inner.install()
    inner.repo.write("inner", "x")
    inner.repo.commit("inner")
    assert [call.tree for call in lab.calls()] == [inner.repo.tree()]
    lab.repo.commit("outer")
    assert lab.calls() == []


def test_bare_repository_serves_its_worktrees(repo: GitRepo, tmp_path: Path) -> None:
    bare = GitRepo(tmp_path / "bare.git", repo.clock)
    repo.git("clone", "-q", "--bare", ".", str(bare.path))
    lab = Lab.around(bare, tmp_path / "lab")
    lab.install()
    linked = bare.worktree_add(tmp_path / "linked", "main", "-b", "topic")
    linked.write("new", "x")
    linked.commit("new")
    assert [call.tree for call in lab.calls()][-1] == linked.tree()
    uninstall_hooks(lab.opened)
    assert not any((bare.path / "hooks" / hook).exists() for hook in OURS)


def test_sha256_repository(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "long ids", object_format="sha256")
    lab = Lab.around(repo, tmp_path / "lab")
    lab.install()
    repo.commit("x")
    assert [call.tree for call in lab.calls()] == [repo.tree()]
