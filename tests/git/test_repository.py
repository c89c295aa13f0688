"""Opening every kind of repository, and asking for commits and trees."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from sidelight.errors import (
    GitError,
    MissingObjectError,
    NotARepositoryError,
    UnknownRevisionError,
)
from sidelight.git.repository import open_repository


@pytest.fixture
def made(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("src/a.py", "x = 1\n")
    repo.commit("One")
    return repo


# -- every kind of repository -----------------------------------------------------------------


def test_a_plain_repository_from_its_root_and_from_below(made: GitRepo) -> None:
    repo = open_repository(made.path)
    assert repo.git_dir == repo.common_dir == made.path / ".git"
    assert repo.worktree == made.path
    assert repo.object_format == "sha1"
    assert (repo.is_bare, repo.is_shallow, repo.is_partial) == (False, False, False)
    assert repo.worktree_name == ""
    assert open_repository(made.path / "src") == repo
    assert open_repository(made.path / ".git" / "refs") == repo


def test_head_tells_commit_and_tree(made: GitRepo) -> None:
    repo = open_repository(made.path)
    assert repo.head() == (made.head(), made.tree())
    assert (repo.head_commit(), repo.head_tree()) == (made.head(), made.tree())
    assert repo.tree_of(made.head()) == made.tree()


def test_no_commit_yet(tmp_path: Path) -> None:
    repo = open_repository(GitRepo.init(tmp_path).path)
    assert repo.head() is None
    assert (repo.head_commit(), repo.head_tree()) == (None, None)


def test_an_orphan_branch_has_no_commit_yet(made: GitRepo) -> None:
    made.git("switch", "-q", "--orphan", "fresh")
    assert open_repository(made.path).head() is None


def test_detached_head(made: GitRepo) -> None:
    made.switch("HEAD", "--detach")
    assert open_repository(made.path).head_commit() == made.head()


def test_bare(made: GitRepo, tmp_path: Path) -> None:
    bare = made.clone(tmp_path / "bare", "--bare")
    repo = open_repository(bare.path)
    assert repo.is_bare
    assert repo.worktree is None
    assert repo.git_dir == repo.common_dir == bare.path
    assert repo.head_commit() == made.head()


def test_linked_worktrees_share_the_common_directory(made: GitRepo, tmp_path: Path) -> None:
    made.branch("topic")
    linked = made.worktree_add(tmp_path / "linked tree", "topic")
    linked.write("b.py", "")
    commit = linked.commit()
    repo = open_repository(linked.path)
    assert repo.worktree == linked.path
    assert repo.common_dir == made.path / ".git"
    assert repo.git_dir == made.path / ".git" / "worktrees" / "linked-tree"
    assert repo.worktree_name == "linked-tree"
    assert repo.head_commit() == commit != open_repository(made.path).head_commit()


def test_a_worktree_of_a_bare_repository(made: GitRepo, tmp_path: Path) -> None:
    bare = made.clone(tmp_path / "bare.git", "--bare")
    repo = open_repository(bare.worktree_add(tmp_path / "w").path)
    assert (repo.is_bare, repo.worktree, repo.worktree_name) == (False, tmp_path / "w", "w")
    assert repo.common_dir == bare.path


def test_a_submodule_is_a_repository_of_its_own(made: GitRepo, tmp_path: Path) -> None:
    outer = GitRepo.init(tmp_path / "outer")
    outer.git("submodule", "add", "-q", str(made.path), "libs/inner")
    outer.commit()
    repo = open_repository(outer.path / "libs" / "inner" / "src")
    assert (outer.path / "libs/inner/.git").is_file()
    assert repo.worktree == outer.path / "libs" / "inner"
    assert repo.git_dir == repo.common_dir == outer.path / ".git" / "modules" / "libs" / "inner"
    assert repo.worktree_name == ""
    assert repo.head_commit() == made.head()


def test_a_nested_repository_is_found_before_the_outer_one(made: GitRepo) -> None:
    inner = GitRepo.init(made.path / "vendor" / "inner")
    assert open_repository(made.path / "vendor" / "inner").worktree == inner.path
    assert open_repository(made.path / "vendor").worktree == made.path


def test_sha256(tmp_path: Path) -> None:
    made = GitRepo.init(tmp_path, object_format="sha256")
    made.write("a", "a")
    made.commit()
    repo = open_repository(tmp_path)
    assert repo.object_format == "sha256"
    head = repo.head()
    assert head == (made.head(), made.tree())
    assert len(head[0]) == 64
    assert repo.resolve_commit("main") == made.head()
    assert made.git("hash-object", "-t", "tree", "/dev/null") == repo.empty_tree


def test_the_empty_tree_is_git_s(made: GitRepo) -> None:
    empty = made.git("hash-object", "-t", "tree", "/dev/null")
    assert open_repository(made.path).empty_tree == empty


def test_shallow(made: GitRepo, tmp_path: Path) -> None:
    made.commit("Two")
    repo = open_repository(made.clone(tmp_path / "shallow", "--depth=1").path)
    assert repo.is_shallow
    assert repo.head_commit() == made.head()
    with pytest.raises(UnknownRevisionError) as caught:
        repo.resolve_commit("HEAD~1")
    assert "--unshallow" in caught.value.hint


def test_a_git_directory_elsewhere_can_be_named(made: GitRepo, tmp_path: Path) -> None:
    shutil.move(made.path / ".git", tmp_path / "dotfiles.git")
    with pytest.raises(NotARepositoryError):
        open_repository(made.path)
    repo = open_repository(made.path, git_dir=tmp_path / "dotfiles.git")
    assert repo.worktree == made.path
    assert repo.git_dir == tmp_path / "dotfiles.git"
    assert repo.head() is not None


@pytest.mark.parametrize("name", ["with space", "quo\"te's", "line\nend", "tab\t", "é日本"])
def test_folders_with_odd_names(tmp_path: Path, name: str) -> None:
    made = GitRepo.init(tmp_path / name)
    commit = made.commit()
    repo = open_repository(made.path)
    assert repo.worktree == tmp_path / name
    assert repo.head_commit() == commit
    linked = open_repository(made.worktree_add(tmp_path / f"linked {name}").path)
    assert linked.worktree == tmp_path / f"linked {name}"
    assert linked.common_dir == made.path / ".git"
    assert linked.head_commit() == commit
    assert repo.hooks_path() == made.path / ".git" / "hooks"


def test_a_folder_that_is_not_utf_8(tmp_path: Path) -> None:
    place = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))
    try:
        place.mkdir()
    except OSError:
        pytest.skip("this file system wants UTF-8")
    made = GitRepo.init(place)
    commit = made.commit()
    repo = open_repository(place)
    assert repo.worktree == place
    assert repo.head_commit() == commit


def test_a_symbolic_link_to_a_repository(made: GitRepo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(made.path)
    assert open_repository(tmp_path / "link").worktree == made.path


@pytest.mark.parametrize("place", ["main", "linked"])
def test_a_real_hook_sees_the_commit_that_was_just_made(
    made: GitRepo, tmp_path: Path, place: str
) -> None:
    answer = tmp_path / "answer"
    hook = made.path / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    script = (
        "from pathlib import Path; from sidelight.git.repository import open_repository; "
        "repo = open_repository(Path.cwd()); "
        f"Path({str(answer)!r}).write_text(repr((str(repo.worktree), repo.head_commit())))"
    )
    hook.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c \"{script}\"\n")
    hook.chmod(0o755)
    here = made if place == "main" else made.worktree_add(tmp_path / "linked")
    here.write("new.py", "")
    here.git("add", "-A")
    here.git("commit", "-q", "-m", "Two", "--", "new.py")  # sets GIT_INDEX_FILE to another file
    assert answer.read_text() == repr((str(here.path), here.head()))


# -- revisions --------------------------------------------------------------------------------


def test_revisions_resolve_to_commits(made: GitRepo) -> None:
    first = made.head()
    made.git("tag", "-a", "v1", "-m", "v1")
    made.branch("feature/x")
    second = made.commit("Two")
    repo = open_repository(made.path)
    assert repo.resolve_commit("v1") == first  # an annotated tag is peeled
    assert repo.resolve_commit("refs/heads/feature/x") == first
    assert repo.resolve_commit("HEAD~1") == repo.resolve_commit(first[:10]) == first
    assert repo.resolve_commit("@") == repo.resolve_commit(":/Two") == second


@pytest.mark.parametrize(
    "rev",
    [
        *("", "nope", "-x", "--all", "--help", "--git-dir=/", "^main", "main..main", "HEAD:src"),
        *("HEAD^{tree}", "a b", "a\nb", "main\n", "a\0b", "x" * 200_000, "0" * 40, "\udcff"),
        *(":/nothing says this", "@{-9}"),
    ],
)
def test_what_is_no_commit_is_refused(made: GitRepo, rev: str) -> None:
    with pytest.raises(UnknownRevisionError) as caught:
        open_repository(made.path).resolve_commit(rev)
    assert "is not a commit of" in caught.value.message
    assert len(caught.value.message) < 400


def test_branches_that_look_like_options_are_only_revisions(made: GitRepo) -> None:
    made.git("update-ref", "refs/heads/--output=owned", "HEAD")
    assert open_repository(made.path).resolve_commit("--output=owned") == made.head()
    assert not (made.path / "owned").exists()


@pytest.mark.parametrize("text", ["", "main", "--all", "A" * 40, "a" * 39, "a" * 40 + "\n"])
def test_only_whole_ids_are_object_ids(made: GitRepo, text: str) -> None:
    with pytest.raises(GitError, match="object id"):
        open_repository(made.path).tree_of(text)


def test_replacement_objects_do_not_change_what_an_id_means(made: GitRepo) -> None:
    first = made.head()
    tree = made.tree()
    made.write("b", "b")
    second = made.commit("Two")
    made.git("replace", first, second)
    assert open_repository(made.path).tree_of(first) == tree


# -- commands ---------------------------------------------------------------------------------


def test_commands_run_at_the_root_of_the_worktree(made: GitRepo) -> None:
    repo = open_repository(made.path / "src")
    assert repo.run(["ls-files", "-z"]) == b"src/a.py\0"
    assert (
        repo.run(["hash-object", "--stdin"], input=b"x").strip()
        == made.git_bytes("hash-object", "--stdin", stdin=b"x").strip()
    )


def test_a_failure_tells_git_s_last_line(made: GitRepo) -> None:
    with pytest.raises(GitError, match=r"git rev-list failed: .*'nope'"):
        open_repository(made.path).run(["rev-list", "nope"])


def test_an_object_that_is_missing_has_its_own_error(made: GitRepo) -> None:
    with pytest.raises(MissingObjectError):
        open_repository(made.path).run(["ls-tree", "1" * 40])


# -- hooks ------------------------------------------------------------------------------------


def test_hooks_path_by_default_and_in_a_linked_worktree(made: GitRepo, tmp_path: Path) -> None:
    linked = made.worktree_add(tmp_path / "linked")
    hooks = made.path / ".git" / "hooks"
    assert open_repository(made.path / "src").hooks_path() == hooks
    assert open_repository(linked.path).hooks_path() == hooks


def test_hooks_path_follows_the_configuration(made: GitRepo, tmp_path: Path) -> None:
    repo = open_repository(made.path / "src")
    for value, expected in [
        (".githooks", made.path / ".githooks"),
        (str(tmp_path / "away from it"), tmp_path / "away from it"),
        ("~/hooks", Path(os.environ["HOME"]) / "hooks"),
    ]:
        made.git("config", "core.hooksPath", value)
        assert repo.hooks_path() == expected
    made.git("config", "core.hooksPath", "")
    with pytest.raises(GitError, match=r"core\.hooksPath is set to the empty string"):
        repo.hooks_path()


def test_hooks_path_of_bare_repositories_and_submodules(made: GitRepo, tmp_path: Path) -> None:
    bare = made.clone(tmp_path / "bare", "--bare")
    assert open_repository(bare.path).hooks_path() == bare.path / "hooks"
    outer = GitRepo.init(tmp_path / "outer")
    outer.git("submodule", "add", "-q", str(made.path), "inner")
    inner = open_repository(outer.path / "inner")
    assert inner.hooks_path() == outer.path / ".git" / "modules" / "inner" / "hooks"


def test_the_first_parent_of_a_root_is_none_and_one_that_was_cut_off_is_refused(
    tmp_path: Path,
) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "a = 1\n")
    root = repo.commit("root")
    repo.write("a.py", "a = 2\n")
    tip = repo.commit("tip")
    whole = open_repository(repo.path)
    assert (whole.first_parent(tip), whole.first_parent(root)) == (root, None)
    cut = open_repository(repo.clone(tmp_path / "cut", "--depth=1").path)
    with pytest.raises(UnknownRevisionError, match="is not here") as caught:
        cut.first_parent(tip)
    assert "--unshallow" in caught.value.hint
    top = GitRepo.init(tmp_path / "top")
    top.write("a.py", "a = 1\n")
    only = top.commit("root")
    assert (
        open_repository(top.clone(tmp_path / "copy", "--depth=1").path).first_parent(only) is None
    )
