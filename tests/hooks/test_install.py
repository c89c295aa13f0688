"""Installing is all or nothing and repeatable; uninstalling loses nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.gitrepo import GitRepo
from hooks.lab import OURS, Lab, snapshot, write_script
from sidelight.errors import SidelightError, StorageError, UsageError
from sidelight_hooks import install as install_module
from sidelight_hooks.dispatcher import Dispatcher, parse_dispatcher, render_dispatcher
from sidelight_hooks.install import install_hooks
from sidelight_hooks.place import Via
from sidelight_hooks.report import Action, HooksReport
from sidelight_hooks.steps import MakeDirectory, Move, Step, Write, apply_all
from sidelight_hooks.uninstall import uninstall_hooks


def actions(report: HooksReport) -> dict[str, str]:
    return {action.hook: action.action.value for action in report.actions}


def fill(hooks: Path) -> None:
    """Put a hook of each sort into a hooks folder."""
    write_script(hooks / "post-commit", "#!/bin/sh\nexit 1\n", 0o750)
    write_script(hooks / "post-merge", "not executable", 0o640)
    write_script(hooks / "shared", "#!/bin/sh\n")
    (hooks / "post-checkout").symlink_to("shared")
    (hooks / "post-rewrite").symlink_to("../../nowhere at all")


def test_installing_again_changes_no_byte(lab: Lab) -> None:
    fill(lab.repo.path / ".git/hooks")
    assert set(actions(lab.install()).values()) == {"installed"}
    before = snapshot(lab.repo.path / ".git")
    times = {p: p.lstat().st_mtime_ns for p in (lab.repo.path / ".git").rglob("*")}
    assert set(actions(lab.install()).values()) == {"unchanged"}
    assert snapshot(lab.repo.path / ".git") == before
    assert {p: p.lstat().st_mtime_ns for p in (lab.repo.path / ".git").rglob("*")} == times


def test_uninstall_restores_everything(lab: Lab) -> None:
    fill(lab.repo.path / ".git/hooks")
    lab.index.mkdir()
    before = snapshot(lab.repo.path / ".git")
    lab.install()
    report = uninstall_hooks(lab.opened)
    assert snapshot(lab.repo.path / ".git") == before
    assert actions(report) == dict.fromkeys(OURS, "restored") | {"post-applypatch": "removed"}
    assert set(actions(uninstall_hooks(lab.opened)).values()) == {"absent"}
    assert snapshot(lab.repo.path / ".git") == before


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    contents=st.lists(
        st.one_of(st.none(), st.binary(max_size=200), st.just("link")), min_size=5, max_size=5
    ),
    mode=st.sampled_from([0o755, 0o644, 0o700, 0o555, 0o777, 0o4755]),
    again=st.booleans(),
)
def test_uninstall_restores_any_content_and_mode(
    lab: Lab, contents: list[bytes | str | None], mode: int, again: bool
) -> None:
    hooks = lab.repo.path / ".git/hooks"
    for name, content in zip(OURS, contents, strict=True):
        place = hooks / name
        place.unlink(missing_ok=True)
        if isinstance(content, bytes):
            place.write_bytes(content)
            place.chmod(mode)
        elif content == "link":
            place.symlink_to("../somewhere/" + name)
    before = snapshot(lab.repo.path / ".git")
    for _ in range(1 + again):
        install_hooks(lab.opened, python=str(lab.python))
    uninstall_hooks(lab.opened)
    assert snapshot(lab.repo.path / ".git") == before


class Breaks:
    """A step that fails as a full disk does."""

    def apply(self) -> object:
        raise OSError(28, os.strerror(28), "/full")


class Killed(BaseException):
    """Ends the process at once, as far as the code under test can tell."""


def steps_of(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> list[Step]:
    """Return what an install would do, without doing it."""
    planned: list[Step] = []
    with monkeypatch.context() as patch:
        patch.setattr(install_module, "apply_all", planned.extend)
        install_hooks(lab.opened, python=str(lab.python))
    return planned


def test_failure_at_any_step_leaves_everything_as_it_was(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(lab.repo.path / ".git/hooks")
    before = snapshot(lab.repo.path / ".git")
    steps = steps_of(lab, monkeypatch)
    assert len(steps) > 10
    for number in range(len(steps) + 1):
        with pytest.raises(StorageError, match="No space left") as caught:
            apply_all([*steps[:number], Breaks(), *steps[number:]])  # type: ignore[list-item]
        assert "nothing was changed" in caught.value.hint
        assert snapshot(lab.repo.path / ".git") == before


def test_kill_at_any_step_is_mended_by_install_and_by_uninstall(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = lab.repo.path / ".git/hooks"
    fill(hooks)
    before = snapshot(hooks)
    steps = steps_of(lab, monkeypatch)
    for number in range(len(steps) + 1):
        for step in steps[:number]:
            step.apply()
        if number % 2:
            install_hooks(lab.opened, python=str(lab.python))
            assert all(parse_dispatcher((hooks / name).read_bytes()) for name in OURS)
        uninstall_hooks(lab.opened)
        assert snapshot(hooks) == before


def test_unwritable_folder_is_a_clear_error(lab: Lab) -> None:
    (lab.repo.path / ".git/hooks.before-sidelight").write_text("in the way")
    fill(lab.repo.path / ".git/hooks")
    before = snapshot(lab.repo.path / ".git/hooks")
    with pytest.raises(StorageError, match=r"hooks\.before-sidelight"):
        lab.install()
    assert snapshot(lab.repo.path / ".git/hooks") == before


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder nobody can write to")
def test_read_only_hooks_folder_is_a_clear_error(lab: Lab) -> None:
    lab.repo.git("config", "core.hooksPath", "/proc/sys/kernel")
    with pytest.raises(StorageError, match="/proc/sys/kernel"):
        lab.install(via=Via.FILES)


def test_older_dispatcher_is_renewed_and_keeps_its_hook(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    write_script(hooks / "post-commit", "#!/bin/sh\necho earlier >&2\n")
    lab.install()
    text = (hooks / "post-commit").read_bytes()
    older = text.replace(b'{"version": 1', b'{"version": 0').replace(b"# Written by", b"# Made by")
    (hooks / "post-commit").write_bytes(reseal(older))
    assert actions(lab.install())["post-commit"] == "updated"
    assert (hooks / "post-commit").read_bytes() == text
    assert lab.repo.run("commit", "-q", "--allow-empty", "-m", "x").stderr == b"earlier\n"


def reseal(content: bytes) -> bytes:
    """Return a dispatcher's content with the seal that belongs to it."""
    from hashlib import sha256  # noqa: PLC0415

    body = content[: content.rindex(b"# sealed sha256:")]
    return body + f"# sealed sha256:{sha256(body).hexdigest()}\n".encode()


def test_other_interpreter_is_recorded_anew(lab: Lab) -> None:
    lab.install()
    report = install_hooks(lab.opened)
    assert set(actions(report).values()) == {"updated"}
    found = parse_dispatcher((lab.repo.path / ".git/hooks/post-commit").read_bytes())
    assert found is not None
    assert found.dispatcher.python == sys.executable


def test_edited_dispatcher_is_left_alone_and_never_lost(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    write_script(hooks / "post-commit", "#!/bin/sh\n: earlier\n")
    lab.install()
    edited = (hooks / "post-commit").read_bytes() + b"echo mine\n"
    (hooks / "post-commit").write_bytes(edited)
    assert actions(lab.install())["post-commit"] == "edited"
    assert (hooks / "post-commit").read_bytes() == edited
    report = uninstall_hooks(lab.opened)
    assert actions(report)["post-commit"] == "edited"
    assert (hooks / "post-commit").read_text() == "#!/bin/sh\n: earlier\n"
    assert (hooks / "post-commit.sidelight-edited").read_bytes() == edited


def test_force_writes_an_edited_dispatcher_anew_and_keeps_a_copy(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    lab.install()
    right = (hooks / "post-commit").read_bytes()
    for copy in ("post-commit.sidelight-edited", "post-commit.sidelight-edited-2"):
        (hooks / "post-commit").write_bytes(right + b"# mine\n")
        assert actions(lab.install(force=True))["post-commit"] == "replaced"
        assert (hooks / "post-commit").read_bytes() == right
        assert (hooks / copy).read_bytes() == right + b"# mine\n"


def test_hook_that_was_written_over_ours_is_kept_beside_the_earlier_one(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    kept = lab.repo.path / ".git/hooks.before-sidelight"
    write_script(hooks / "post-commit", "#!/bin/sh\necho first >&2\n")
    lab.install()
    write_script(hooks / "post-commit", "#!/bin/sh\necho second >&2\n")
    report = uninstall_hooks(lab.opened, hooks=["post-commit"])
    assert actions(report) == {"post-commit": "foreign"}
    assert "another program wrote over" in report.notes[0]
    report = lab.install()
    assert "is not run" in report.notes[0]
    assert lab.repo.run("commit", "-q", "--allow-empty", "-m", "x").stderr == b"second\n"
    assert (kept / "post-commit.earlier").read_text() == "#!/bin/sh\necho first >&2\n"
    uninstall_hooks(lab.opened)
    assert (hooks / "post-commit").read_text() == "#!/bin/sh\necho second >&2\n"
    assert (kept / "post-commit.earlier").exists()


def test_deleted_dispatcher_does_not_take_the_earlier_hook_with_it(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    write_script(hooks / "post-commit", "#!/bin/sh\necho first >&2\n")
    lab.install()
    (hooks / "post-commit").unlink()
    assert actions(lab.install())["post-commit"] == "installed"
    assert lab.repo.run("commit", "-q", "--allow-empty", "-m", "x").stderr == b"first\n"
    (hooks / "post-commit").unlink()
    assert actions(uninstall_hooks(lab.opened))["post-commit"] == "restored"


def test_single_hooks_can_be_installed_and_removed(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    fill(hooks)
    before = snapshot(hooks)
    assert actions(lab.install(hooks=["post-commit"])) == {"post-commit": "installed"}
    lab.install(hooks=["post-checkout"])
    uninstall_hooks(lab.opened, hooks=["post-commit"])
    assert parse_dispatcher((hooks / "post-checkout").read_bytes())
    uninstall_hooks(lab.opened, hooks=["post-checkout"])
    assert snapshot(hooks) == before
    with pytest.raises(UsageError, match="pre-push is not one of our hooks"):
        lab.install(hooks=["pre-push"])


def test_folder_that_git_did_not_make_is_made(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "bare template")
    repo.path.mkdir()
    repo.git("init", "-q", "-b", "main", "--template=")
    lab = Lab.around(repo, tmp_path / "lab")
    lab.install()
    repo.commit("first")
    assert len(lab.calls()) == 1


def test_dispatcher_is_as_readable_as_the_hook_that_it_stands_for(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    write_script(hooks / "post-commit", "#!/bin/sh\n", 0o775)
    umask = os.umask(0o077)
    try:
        lab.install()
    finally:
        os.umask(umask)
    assert (hooks / "post-commit").stat().st_mode & 0o777 == 0o775
    assert (hooks / "post-merge").stat().st_mode & 0o777 == 0o700


def test_interpreter_that_cannot_run_the_hooks_is_refused(lab: Lab, tmp_path: Path) -> None:
    broken = write_script(tmp_path / "python", "#!/bin/sh\nexit 1\n")
    before = snapshot(lab.repo.path / ".git")
    for python in (str(broken), str(tmp_path / "absent"), "python3", ""):
        with pytest.raises(SidelightError, match="cannot import Sidelight"):
            install_hooks(lab.opened, python=python)
    assert snapshot(lab.repo.path / ".git") == before


def test_undo_that_fails_is_told(tmp_path: Path) -> None:
    class Trap:
        def apply(self) -> object:
            (tmp_path / "new/stranger").write_text("x")  # the folder cannot be removed now
            return lambda: None

    steps = [MakeDirectory(tmp_path / "new"), Trap(), Breaks()]
    with pytest.raises(StorageError) as caught:
        apply_all(steps)  # type: ignore[arg-type]
    assert "could not be undone" in caught.value.hint


def test_interrupt_undoes_as_well(tmp_path: Path) -> None:
    class Interrupt:
        def apply(self) -> object:
            raise KeyboardInterrupt

    (tmp_path / "a").write_text("a")
    before = snapshot(tmp_path)
    steps = [Move(tmp_path / "a", tmp_path / "b"), Write(tmp_path / "a", b"c", 0o600), Interrupt()]
    with pytest.raises(KeyboardInterrupt):
        apply_all(steps)  # type: ignore[arg-type]
    assert snapshot(tmp_path) == before


AWKWARD = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=30
)


@given(python=AWKWARD, kept=AWKWARD, raw=st.binary(max_size=5))
def test_dispatcher_says_what_it_is(python: str, kept: str, raw: bytes) -> None:
    path = os.fsdecode(b"/" + raw.replace(b"\0", b"")) + python
    dispatcher = Dispatcher("post-merge", path, kept)
    content = render_dispatcher(dispatcher)
    found = parse_dispatcher(content)
    assert found is not None
    assert (found.dispatcher, found.intact) == (dispatcher, True)
    assert content == render_dispatcher(dispatcher)
    edited = parse_dispatcher(content.replace(b"exit", b"echo", 1))
    assert edited is not None
    assert not edited.intact


@given(st.binary(max_size=300))
def test_anything_else_is_no_dispatcher(content: bytes) -> None:
    assert parse_dispatcher(content) is None
    assert parse_dispatcher(b'#!/bin/sh\n# sidelight-hook {"hook": 1}\n' + content) is None


def test_action_names_are_stable() -> None:
    names = "installed updated unchanged edited replaced removed restored absent foreign"
    assert " ".join(Action) == names
