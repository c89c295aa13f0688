"""Hooks by configuration, where git has them (2.54 and newer); what older git is told."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from hooks.lab import OURS, Lab, snapshot, write_script
from sidelight.errors import UsageError
from sidelight_hooks.place import CONFIG_HOOKS_SINCE, Via
from sidelight_hooks.status import hooks_status
from sidelight_hooks.uninstall import uninstall_hooks


def git_version() -> tuple[int, int]:
    said = subprocess.run(["git", "version"], capture_output=True, check=True).stdout.decode()
    found = re.search(r"(\d+)\.(\d+)", said)
    assert found
    return int(found[1]), int(found[2])


HAS_CONFIG_HOOKS = git_version() >= CONFIG_HOOKS_SINCE
needs_config_hooks = pytest.mark.skipif(not HAS_CONFIG_HOOKS, reason="needs git 2.54")


@pytest.mark.skipif(HAS_CONFIG_HOOKS, reason="for git before 2.54")
def test_older_git_refuses(lab: Lab) -> None:
    with pytest.raises(UsageError, match="no hooks by configuration") as caught:
        lab.install(via=Via.CONFIG)
    assert "2.54" in caught.value.hint


@needs_config_hooks
@pytest.mark.parametrize("chosen", [True, False])
def test_tracked_hooks_stay_untouched_and_ours_run(lab: Lab, chosen: bool) -> None:
    lab.repo.write(".githooks/post-commit", "#!/bin/sh\necho earlier >&2\n", 0o755)
    lab.repo.commit("hooks")
    lab.repo.git("config", "core.hooksPath", ".githooks")
    before = snapshot(lab.repo.path / ".githooks")
    config = (lab.repo.path / ".git/config").read_text()
    report = lab.install(via=Via.CONFIG if chosen else None)
    assert report.via is Via.CONFIG
    assert {action.action.value for action in lab.install().actions} == {"unchanged"}
    done = lab.repo.run("commit", "-q", "--allow-empty", "-m", "x")
    assert done.stderr == b"earlier\n"
    assert len(lab.calls()) == 1
    assert hooks_status(lab.opened).via is Via.CONFIG
    assert {hook.condition for hook in hooks_status(lab.opened).hooks} == {"installed"}
    uninstall_hooks(lab.opened)
    assert snapshot(lab.repo.path / ".githooks") == before
    assert (lab.repo.path / ".git/config").read_text() == config
    assert not (lab.repo.path / ".git/sidelight-hooks").exists()


@needs_config_hooks
def test_arguments_and_moved_repository(lab: Lab, tmp_path: Path) -> None:
    lab.repo.write("a", "a")
    lab.repo.commit("a")
    lab.install(via=Via.CONFIG)
    moved = GitRepo(lab.repo.path.rename(tmp_path / 'it\'s "moved"'), lab.repo.clock)
    moved.git("checkout", "-q", "HEAD~1")
    assert len(lab.calls()) == 1
    moved.write("base.txt", "x")
    moved.git("checkout", "-q", "--", "base.txt")
    assert lab.calls() == []
    moved.git("switch", "-q", "main")
    lab.calls()
    linked = moved.worktree_add(tmp_path / "linked")
    assert [call.view for call in lab.calls()] == ["linked"]
    linked.git("commit", "-q", "--allow-empty", "-m", "x")
    assert len(lab.calls()) == 1


@needs_config_hooks
def test_edited_dispatcher_is_not_lost(lab: Lab) -> None:
    lab.install(via=Via.CONFIG)
    edited = lab.repo.path / ".git/sidelight-hooks/post-commit"
    edited.write_bytes(edited.read_bytes() + b"# mine\n")
    report = uninstall_hooks(lab.opened)
    assert [action.action.value for action in report.actions] == ["edited", *["removed"] * 4]
    assert edited.read_bytes().endswith(b"# mine\n")


@needs_config_hooks
def test_one_way_at_a_time(lab: Lab) -> None:
    lab.install(via=Via.FILES)
    with pytest.raises(UsageError, match="installed by files already"):
        lab.install(via=Via.CONFIG)
    uninstall_hooks(lab.opened)
    lab.install(via=Via.CONFIG)
    with pytest.raises(UsageError, match="installed by config already"):
        lab.install(via=Via.FILES)


@needs_config_hooks
def test_failing_earlier_hook_keeps_its_status(lab: Lab) -> None:
    write_script(lab.repo.path / ".git/hooks/post-checkout", "#!/bin/sh\nexit 3\n")
    lab.install(via=Via.CONFIG)
    assert lab.repo.run("checkout", "-q", "-b", "x", check=False).returncode != 0
    assert len(lab.calls()) == 1
    assert not any(
        (lab.repo.path / ".git/hooks" / hook).exists() for hook in OURS if hook != "post-checkout"
    )
