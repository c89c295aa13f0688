"""Commits are streamed with what they changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.gitrepo import FIRST_SECOND, GitRepo
from sidelight.errors import GitError, MissingObjectError, UnknownRevisionError
from sidelight.git.history import Commit, iter_commits
from sidelight.git.repository import Repository, open_repository
from sidelight.git.trees import diff_trees
from sidelight.model import ChangeKind


@pytest.fixture(params=["sha1", "sha256"])
def made(tmp_path: Path, request: pytest.FixtureRequest) -> GitRepo:
    return GitRepo.init(tmp_path / "repo", object_format=request.param)


def read(repo: Repository, rev: str = "HEAD", **options: str | int) -> list[Commit]:
    return list(iter_commits(repo, rev, **options))  # type: ignore[arg-type]


def test_a_commit_with_all_its_parts(made: GitRepo) -> None:
    made.write("a.py", "one\n")
    first = made.commit("First\n\nBody line\n\n:100644 not a diff\n")
    made.write("a.py", "two\n")
    made.write("b.py", "")
    second = made.commit("Second: é")
    newest, oldest = read(open_repository(made.path))
    assert (newest.oid, newest.parents) == (second, (first,))
    assert (oldest.oid, oldest.parents) == (first, ())
    assert (newest.subject, newest.body) == ("Second: é", "")
    assert (oldest.subject, oldest.body) == ("First", "Body line\n\n:100644 not a diff")
    assert FIRST_SECOND < oldest.author_time < newest.author_time
    assert [(change.kind, change.path) for change in newest.changes] == [
        (ChangeKind.MODIFIED, b"a.py"),
        (ChangeKind.ADDED, b"b.py"),
    ]
    assert [(change.kind, change.path) for change in oldest.changes] == [
        (ChangeKind.ADDED, b"a.py")
    ]
    assert newest.changes[0].new_blob == made.blob("a.py")


def test_renames_are_followed_though_the_content_changed(made: GitRepo) -> None:
    lines = [f"line {number}\n" for number in range(30)]
    made.write("old.py", "".join(lines))
    made.write("exact", "same\n")
    made.commit()
    made.git("config", "diff.renames", "false")
    made.rename("old.py", "pkg/new.py")
    made.write("pkg/new.py", "".join(lines[:25]))
    made.rename("exact", "moved")
    made.commit()
    renamed = {change.path: change for change in read(open_repository(made.path))[0].changes}
    assert {path: (c.kind, c.old_path) for path, c in renamed.items()} == {
        b"pkg/new.py": (ChangeKind.RENAMED, b"old.py"),
        b"moved": (ChangeKind.RENAMED, b"exact"),
    }
    assert renamed[b"moved"].old_blob == renamed[b"moved"].new_blob


def test_merges_have_parents_and_no_changes(made: GitRepo) -> None:
    made.commit("Base")
    made.branch("topic")
    made.write("a", "a")
    ours = made.commit()
    made.switch("topic")
    made.write("b", "b")
    theirs = made.commit()
    made.switch("main")
    made.merge("topic")
    made.git("config", "log.diffMerges", "separate")
    newest = read(open_repository(made.path))[0]
    assert newest.parents == (ours, theirs)
    assert newest.changes == ()


def test_commits_without_changes_stand_between_others(made: GitRepo) -> None:
    made.commit("empty root")
    made.write("a", "a")
    made.commit("adds")
    made.commit("empty")
    made.commit("empty again")
    commits = read(open_repository(made.path))
    assert [len(commit.changes) for commit in commits] == [0, 0, 1, 0]
    assert [commit.subject for commit in commits][-1] == "empty root"


@pytest.mark.parametrize(
    "path", [b"tab\t", b"line\nend", b"\xff\xfe", b":100644", b"\n:x", b"a" * 200]
)
def test_odd_paths(made: GitRepo, path: bytes) -> None:
    made.write(path, "x")
    made.commit()
    made.remove(path)
    made.commit()
    changes = [change for commit in read(open_repository(made.path)) for change in commit.changes]
    assert [(change.kind.value, change.path) for change in changes] == [
        ("deleted", path),
        ("added", path),
    ]


def test_messages_that_look_like_the_format(made: GitRepo) -> None:
    evil = "a" * 40 + "\n\n\n:100644 100644 a b M\n%H%x00\n\nend"
    made.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", evil)
    made.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
    newest, oldest = read(open_repository(made.path))
    assert (newest.subject, newest.body) == ("", "")
    assert oldest.subject == "a" * 40
    assert oldest.body.endswith("%H%x00\n\nend")


def test_other_encodings_and_malformed_commits(made: GitRepo) -> None:
    tree = made.git("write-tree")
    made.git("config", "i18n.commitEncoding", "latin1")
    made.git("config", "i18n.logOutputEncoding", "latin1")
    message = made.path / "message"
    message.write_bytes("Größe\n".encode("latin1"))
    commit = made.git("commit-tree", tree, "-F", str(message))
    made.git("update-ref", "HEAD", commit)
    assert read(open_repository(made.path))[0].subject == "Größe"
    raw = f"tree {tree}\nauthor nobody\ncommitter nobody\n\n".encode() + b"bad \xff byte\n"
    broken = made.git_bytes(
        *("hash-object", "-t", "commit", "-w", "--literally", "--stdin"), stdin=raw
    )
    (only,) = read(open_repository(made.path), broken.decode().strip())
    assert only.author_time == 0
    assert only.subject.startswith("bad ")


def test_reading_is_bounded_and_can_go_on(made: GitRepo) -> None:
    ids = []
    for number in range(6):
        made.write("a", str(number))
        ids.append(made.commit(f"{number}"))
    repo = open_repository(made.path)
    assert [commit.oid for commit in read(repo, limit=2)] == ids[:-3:-1]
    assert read(repo, limit=0) == []
    assert [commit.oid for commit in read(repo, since=ids[3])] == [ids[5], ids[4]]
    assert [commit.oid for commit in read(repo, ids[4], since=ids[2], limit=1)] == [ids[4]]
    assert read(repo, since=ids[5]) == []
    assert [commit.oid for commit in read(repo, ids[2])] == ids[2::-1]


def test_after_a_merge_since_leaves_out_all_that_was_read(made: GitRepo) -> None:
    base = made.commit("base")
    made.branch("topic")
    main = made.commit("main")
    made.switch("topic")
    topic = made.commit("topic")
    made.switch("main")
    merge = made.merge("topic")
    repo = open_repository(made.path)
    assert [commit.oid for commit in read(repo, since=main)] == [merge, topic]
    assert {commit.oid for commit in read(repo)} == {base, main, topic, merge}


def test_what_is_not_here_is_refused_before_anything_is_read(made: GitRepo) -> None:
    made.commit()
    repo = open_repository(made.path)
    gone = "1" * len(repo.empty_tree)
    for rev, since in [("nope", None), (gone, None), ("HEAD", gone), ("--all", None)]:
        with pytest.raises(UnknownRevisionError):
            iter_commits(repo, rev, since=since)


def test_damaged_history_ends_with_an_error(made: GitRepo) -> None:
    first = made.commit("First")
    second = made.commit("Second")
    (made.path / ".git" / "objects" / first[:2] / first[2:]).unlink()
    commits = iter_commits(open_repository(made.path), second)
    with pytest.raises(GitError) as caught:
        list(commits)
    assert isinstance(caught.value, MissingObjectError)


def test_closing_the_iterator_ends_git(made: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        made.commit(str(number))
    started = []
    real = Repository.start

    def recording(self: Repository, *args: object, **options: object) -> object:
        started.append(real(self, *args, **options))  # type: ignore[arg-type]
        return started[-1]

    monkeypatch.setattr(Repository, "start", recording)
    commits = iter_commits(open_repository(made.path), "HEAD")
    assert next(commits).subject == "2"
    commits.close()  # type: ignore[attr-defined]
    assert started[0].returncode is not None
    assert started[0].stdout is not None
    assert started[0].stdout.closed


def test_a_shallow_clone_does_not_invent_changes_at_its_edge(made: GitRepo, tmp_path: Path) -> None:
    for number in range(4):
        made.write(f"{number}.py", str(number))
        made.commit(f"{number}")
    repo = open_repository(made.clone(tmp_path / "shallow", "--depth=2").path)
    newest, edge = read(repo)
    assert [change.path for change in newest.changes] == [b"3.py"]
    assert newest.parents == (edge.oid,)
    assert not newest.is_boundary
    assert (edge.is_boundary, edge.parents, edge.changes) == (True, (), ())


def test_settings_of_the_user_change_nothing(made: GitRepo) -> None:
    made.write("b", "1\n" * 9)
    made.write("a", "1")
    made.commit("First")
    made.write("b", "2")
    made.write("a", "2")
    made.commit("Second")
    repo = open_repository(made.path)
    expected = read(repo)
    made.write("order", "b\na\n")
    for name, value in [
        ("log.showSignature", "true"),
        ("log.showRoot", "false"),
        ("log.decorate", "full"),
        ("log.abbrevCommit", "true"),
        ("core.abbrev", "5"),
        ("color.ui", "always"),
        ("format.pretty", "oneline"),
        ("diff.orderFile", str(made.path / "order")),
        ("diff.relative", "true"),
        ("diff.renames", "copies"),
        ("log.follow", "true"),
        ("log.mailmap", "true"),
        ("notes.displayRef", "*"),
        ("diff.noprefix", "true"),
    ]:
        made.git("config", name, value)
    assert read(repo) == expected


def test_changes_equal_the_difference_of_the_trees(made: GitRepo) -> None:
    made.write("a", "1")
    made.write("b", "1")
    made.commit()
    made.write("a", "2")
    made.remove("b")
    made.symlink("c", "a")
    made.commit()
    repo = open_repository(made.path)
    newest, oldest = read(repo)
    trees = [repo.tree_of(commit.oid) for commit in (oldest, newest)]
    assert list(newest.changes) == diff_trees(repo, *trees)
    assert list(oldest.changes) == diff_trees(repo, None, trees[0])
