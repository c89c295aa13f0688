"""Hooks that were there before go on as if nothing had happened, in any language.

Each test runs the same git commands in two equal repositories, one with our hooks installed, and
compares all that the earlier hook saw and all that git said and returned.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from hooks.lab import Lab, snapshot, write_script
from sidelight_hooks.uninstall import uninstall_hooks

RECORD = r"""
{ printf 'name=%s\n' "${0##*/}"; printf 'arg=[%s]\n' "$@"; printf 'cwd=%s\n' "$(pwd)"
  printf 'stdin=['; cat; printf ']\n'
  env | grep -v -e '^_=' -e '^SHLVL=' -e '^GIT_.*_DATE=' | sort; } >>"$RECORD_TO"
"""
PYTHON_RECORD = f"""\
#!{sys.executable}
import os, sys
with open(os.environ["RECORD_TO"], "a") as file:
    print(os.path.basename(sys.argv[0]), sys.argv[1:], os.getcwd(), file=file)
    print(repr(sys.stdin.read()), file=file)
    print(sorted(name for name in os.environ if name != "_"), file=file)
sys.exit(5)
"""
SCRIPTS = {
    "shell that exits": f"#!/bin/sh\n{RECORD}\necho said; echo wrong >&2\nexit 3\n",
    "shell that execs": f"#!/bin/sh\n{RECORD}\nexec sh -c 'echo in exec; exit 4'\n",
    "shell without a shebang": f"{RECORD}\nexit 6\n",
    "bash with options": f"#!/usr/bin/env -S bash -eu\n{RECORD}\nfalse\n",
    "python": PYTHON_RECORD,
    "CRLF": "#!/bin/sh\r\necho never\r\n",
    "CRLF that is borne": f"#!{sys.executable} -B\nprint('crlf')\r\nraise SystemExit(7)\r\n",
    "killed": f"#!/bin/sh\n{RECORD}\nkill -KILL $$\n",
    "empty": "",
}


@pytest.fixture
def pair(tmp_path: Path) -> tuple[GitRepo, GitRepo]:
    """Two equal repositories at places of equal names, to compare what hooks see."""
    repos = []
    for name in ("with", "without"):
        repo = GitRepo.init(tmp_path / name / 'it\'s a "repo"')
        repo.write("base.txt", "base\n")
        repo.commit("base")
        repos.append(repo)
    return repos[0], repos[1]


def observe(repo: GitRepo, record: Path) -> list[str]:
    """Run every kind of event, and return all that was seen, said and returned."""
    env = {"RECORD_TO": str(record), "hook": "a variable", "status": "another"}
    seen: list[str] = []
    for command in (
        ["commit", "-q", "--allow-empty", "-m", "one"],
        ["commit", "-q", "--allow-empty", "--amend", "-m", "two"],
        ["checkout", "-q", "-b", "topic", "HEAD~1"],
        ["merge", "-q", "main"],
    ):
        done = repo.run(*command, env=env, check=False)
        seen += [repr(command), str(done.returncode), done.stdout.decode(), done.stderr.decode()]
    seen.append(record.read_text() if record.exists() else "nothing recorded")
    root = str(repo.path.parent)
    return [text.replace(root, "ROOT").replace("hooks.before-sidelight", "hooks") for text in seen]


def plain(seen: list[str]) -> list[str]:
    """Drop what differs by design: the folder of the kept hook in a shell's own complaints."""
    return [text.replace("hooks/../hooks", "hooks") for text in seen]


@pytest.mark.parametrize("kind", SCRIPTS)
def test_earlier_hook_sees_and_returns_the_same(
    pair: tuple[GitRepo, GitRepo], tmp_path: Path, kind: str
) -> None:
    results = []
    for repo in pair:
        for hook in ("post-commit", "post-checkout", "post-merge", "post-rewrite"):
            write_script(repo.path / ".git/hooks" / hook, SCRIPTS[kind])
        if repo is pair[0]:
            lab = Lab.around(repo, tmp_path / "lab")
            lab.install()
        results.append(plain(observe(repo, repo.path.parent / "record")))
    if kind in ("CRLF", "killed"):  # git and the shell tell these two failures in different words
        results = [[text for text in seen if text.isdigit()] for seen in results]
    assert results[0] == results[1]
    assert lab.calls()


def test_binary_hook_keeps_its_exit_status(lab: Lab) -> None:
    hook = lab.repo.path / ".git/hooks/post-checkout"
    shutil.copy(Path(shutil.which("false") or "/bin/false").resolve(), hook)
    lab.install()
    assert lab.repo.run("checkout", "-q", "-b", "topic", check=False).returncode == 1
    assert len(lab.calls()) == 1


def test_link_to_a_script_of_the_worktree_still_finds_it(lab: Lab) -> None:
    script = 'echo "$(basename "$0") $(dirname "$0")/../../scripts/hook.sh" >>"$RECORD_TO"\n'
    script += 'test -f "$(dirname "$0")/../../scripts/hook.sh" || exit 9\n'
    write_script(lab.repo.path / "scripts/hook.sh", f"#!/bin/sh\n{script}")
    link = lab.repo.path / ".git/hooks/post-checkout"
    link.symlink_to("../../scripts/hook.sh")
    lab.install()
    record = lab.folder / "record"
    lab.repo.git("checkout", "-q", "-b", "topic", env={"RECORD_TO": str(record)})
    assert record.read_text().startswith("post-checkout ")
    uninstall_hooks(lab.opened)
    assert link.readlink() == Path("../../scripts/hook.sh")


def test_one_script_under_several_names_still_knows_its_name(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    text = '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nnote "${0##*/}"\n'
    write_script(hooks / "all-hooks", text)
    write_script(hooks / "lib.sh", 'note() { echo "$1" >>"$RECORD_TO"; }\n', 0o644)
    for name in ("post-commit", "post-checkout", "pre-commit"):
        (hooks / name).symlink_to("all-hooks")
    before = snapshot(hooks)
    lab.install()
    record = lab.folder / "record"
    env = {"RECORD_TO": str(record)}
    lab.repo.git("commit", "-q", "--allow-empty", "-m", "x", env=env)
    lab.repo.git("checkout", "-q", "-b", "topic", env=env)
    assert record.read_text().split() == ["pre-commit", "post-commit", "post-checkout"]
    assert len(lab.calls()) == 2
    uninstall_hooks(lab.opened)
    assert snapshot(hooks) == before
    assert not (lab.repo.path / ".git/hooks.before-sidelight").exists()


def test_earlier_hooks_may_start_each_other(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    write_script(hooks / "post-checkout", '#!/bin/sh\nexec "$(dirname "$0")/post-merge" 1\n')
    write_script(hooks / "post-merge", '#!/bin/sh\necho merged "$@" >&2\n')
    lab.install()
    assert lab.repo.run("checkout", "-q", "-b", "topic").stderr == b"merged 1\n"
    assert len(lab.calls()) == 1


def test_hook_that_is_not_executable_stays_ignored(lab: Lab) -> None:
    hook = lab.repo.path / ".git/hooks/post-checkout"
    write_script(hook, "#!/bin/sh\necho never\nexit 1\n", 0o644)
    lab.install()
    done = lab.repo.run("checkout", "-q", "-b", "topic")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    uninstall_hooks(lab.opened)
    assert hook.stat().st_mode & 0o777 == 0o644


def test_dangling_link_stays_ignored(lab: Lab) -> None:
    link = lab.repo.path / ".git/hooks/post-checkout"
    link.symlink_to("nowhere")
    lab.install()
    assert lab.repo.run("checkout", "-q", "-b", "topic").stderr == b""
    uninstall_hooks(lab.opened)
    assert link.readlink() == Path("nowhere")


def test_post_rewrite_hook_gets_the_whole_list(lab: Lab) -> None:
    record = lab.folder / "record"
    hook = lab.repo.path / ".git/hooks/post-rewrite"
    write_script(hook, f"#!/bin/sh\ncat >'{record}'\n")
    for number in range(5):
        lab.repo.write(f"{number}.txt", "x\n")
        lab.repo.commit(str(number))
    lab.install()
    before = lab.repo.git("rev-list", "--reverse", "HEAD~4..").split()
    lab.repo.git("rebase", "-q", "--force-rebase", "HEAD~4")
    after = lab.repo.git("rev-list", "--reverse", "HEAD~4..").split()
    assert record.read_text().split() == [
        word for pair in zip(before, after, strict=True) for word in pair
    ]


def test_earlier_hook_that_vanished_is_told(lab: Lab) -> None:
    write_script(lab.repo.path / ".git/hooks/post-commit", "#!/bin/sh\n")
    lab.install()
    (lab.repo.path / ".git/hooks.before-sidelight/post-commit").unlink()
    done = lab.repo.run("commit", "-q", "--allow-empty", "-m", "x")
    assert b"sidelight: the earlier post-commit hook is gone: " in done.stderr
    assert len(lab.calls()) == 1


def test_new_file_beside_a_kept_hook_is_linked_by_the_next_install(lab: Lab) -> None:
    hooks = lab.repo.path / ".git/hooks"
    write_script(hooks / "post-commit", '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\n')
    lab.install()
    write_script(hooks / "lib.sh", "echo from the library >&2\n")
    lab.install()
    done = lab.repo.run("commit", "-q", "--allow-empty", "-m", "x")
    assert done.stderr == b"from the library\n"
