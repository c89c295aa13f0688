"""Diffs as values, checked by applying their hunks to the old side."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.gitrepo import GitRepo
from sidelight.errors import GitError
from sidelight.git.diffs import (
    CONTEXT_LINES,
    FileDiff,
    LineKind,
    diff_revisions,
    diff_staged,
    diff_worktree,
    parse_diff,
)
from sidelight.git.repository import Repository, open_repository
from sidelight.model import ChangeKind

TEN = b"".join(b"line %d\n" % number for number in range(1, 11))
ODD_PATHS = [b"tab\there", b"line\nend", b'quo"te', b"back\\slash", b" lead", b"\xff\xfe.py", b"-x"]
ODD_PATHS += [
    "日本/é.py".encode(),
    b"a:b",
    b":(glob)*",
    b"dir/\x01",
    b"*",
    b"a b/c b/a b",
    b"x b/x",
]


@pytest.fixture
def made(tmp_path: Path) -> GitRepo:
    return GitRepo.init(tmp_path / "repo")


def opened(made: GitRepo) -> Repository:
    return open_repository(made.path)


def lines_of(content: bytes) -> list[bytes]:
    """Return the lines as a diff numbers them: a last line need not end."""
    return content.removesuffix(b"\n").split(b"\n") if content else []


def apply(diff: FileDiff, old: bytes, new: bytes) -> None:
    """Check that the hunks turn the old lines into the new ones, and every number on the way."""
    before, after = lines_of(old), lines_of(new)
    made: list[bytes] = []
    taken = 0
    for hunk in diff.hunks:
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        made += before[taken:start]
        taken = start
        if hunk.new_count:
            assert hunk.new_start == len(made) + 1
        counts = dict.fromkeys(LineKind, 0)
        for line in hunk.lines:
            counts[line.kind] += 1
            if line.kind is not LineKind.ADDED:
                assert line.old == taken + 1
                assert before[taken] == line.text
                taken += 1
            if line.kind is not LineKind.REMOVED:
                made.append(line.text)
                assert line.new == len(made)
            assert (line.old is None) == (line.kind is LineKind.ADDED)
            assert (line.new is None) == (line.kind is LineKind.REMOVED)
        assert hunk.old_count == counts[LineKind.CONTEXT] + counts[LineKind.REMOVED]
        assert hunk.new_count == counts[LineKind.CONTEXT] + counts[LineKind.ADDED]
        assert len(hunk.added) == counts[LineKind.ADDED]
        assert len(hunk.removed) == counts[LineKind.REMOVED]
        assert hunk.added or hunk.removed
    assert made + before[taken:] == after


def one(diffs: list[FileDiff]) -> FileDiff:
    assert len(diffs) == 1
    return diffs[0]


def committed(made: GitRepo, path: str | bytes, old: bytes, new: bytes) -> FileDiff:
    made.write(path, old)
    first = made.commit()
    made.write(path, new)
    return one(diff_revisions(opened(made), first, made.commit()))


LINE = st.sampled_from(
    [
        b"",
        b"a",
        b"b",
        b"\r",
        b"--- a/x",
        b"+++ b/x",
        b"@@ -1 +1 @@",
        b"diff --git a/x b/x",
        b"\\ No",
        b"Binary files a and b differ",
        b"-",
        b"+",
        b" ",
        b"\xff\xfe",
        "é".encode(),
    ]
)
CONTENT = st.builds(
    lambda lines, ends: b"\n".join(lines) + (b"\n" if ends and lines else b""),
    st.lists(LINE, max_size=25),
    st.booleans(),
)


@given(contents=st.lists(st.tuples(CONTENT, CONTENT), min_size=1, max_size=4))
@settings(max_examples=35, deadline=None, suppress_health_check=list(HealthCheck))
def test_hunks_turn_the_old_side_into_the_new_one(
    tmp_path_factory: pytest.TempPathFactory, contents: list[tuple[bytes, bytes]]
) -> None:
    made = GitRepo.init(tmp_path_factory.mktemp("random"))
    for side in (0, 1):
        for number, pair in enumerate(contents):
            made.write(f"f{number}", pair[side])
        made.git("add", "-A")
        if side == 0:
            first = made.commit()
    staged = diff_staged(opened(made), first)
    worktree = diff_worktree(opened(made), first)
    committed_diffs = diff_revisions(opened(made), first, made.commit())
    assert staged == committed_diffs == worktree
    by_path = {diff.change.path: diff for diff in staged}
    for number, (old, new) in enumerate(contents):
        path = b"f%d" % number
        assert (path in by_path) == (old != new)
        if old.removesuffix(b"\n") == new.removesuffix(b"\n"):
            continue  # the last line's end alone: the same lines to us
        apply(by_path[path], old, new)


def test_line_numbers_and_context_of_one_change(made: GitRepo) -> None:
    new = TEN.replace(b"line 5\n", b"five\nfive and a half\n")
    diff = committed(made, "f", TEN, new)
    (hunk,) = diff.hunks
    assert (hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count) == (2, 7, 2, 8)
    assert [line.text for line in hunk.removed] == [b"line 5"]
    assert [(line.new, line.text) for line in hunk.added] == [(5, b"five"), (6, b"five and a half")]
    assert [line.kind for line in hunk.lines].count(LineKind.CONTEXT) == 2 * CONTEXT_LINES
    apply(diff, TEN, new)


def test_distant_changes_are_hunks_of_their_own_with_their_section(made: GitRepo) -> None:
    old = b"def first():\n" + b"    pass\n" * 20 + b"    return 1\n"
    new = b"# new\n" + old.replace(b"return 1", b"return 2")
    diff = committed(made, "f.py", old, new)
    assert [hunk.section for hunk in diff.hunks] == [b"", b"def first():"]
    apply(diff, old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a\nb", b"a\nc"),
        (b"a\nb", b"a\nb\nc\n"),
        (b"a\nb\n", b"a"),
        (b"a\r\nb\r\n", b"a\r\nc\r\n"),
        (b"a\nb\n", b"a\r\nb\r\n"),
        (b"", b"a\n"),
        (b"a\n", b""),
        (b"\n", b"\n\n\n"),
        (b"a\rb\n", b"a\rc\n"),
    ],
)
def test_line_ends_stay_what_they_are(made: GitRepo, old: bytes, new: bytes) -> None:
    apply(committed(made, "f", old, new), old, new)


def test_a_last_line_that_gains_its_end_is_removed_and_added(made: GitRepo) -> None:
    (hunk,) = committed(made, "f", b"a\nb", b"a\nb\n").hunks
    assert [line.text for line in hunk.removed] == [line.text for line in hunk.added] == [b"b"]


def test_added_and_deleted_files_have_one_side(made: GitRepo) -> None:
    made.write("old.txt", TEN)
    first = made.commit()
    made.remove("old.txt")
    made.write("other.txt", b"quite\ndifferent\n")
    deleted, added = diff_revisions(opened(made), first, made.commit())
    assert deleted.change.kind is ChangeKind.DELETED
    assert deleted.change.new_blob is None
    apply(deleted, TEN, b"")
    assert added.change.kind is ChangeKind.ADDED
    assert added.change.old_blob is None
    apply(added, b"", b"quite\ndifferent\n")


def test_renames_without_and_with_edits(made: GitRepo) -> None:
    made.write("pure.txt", TEN + b"pure\n")
    made.write("edited.txt", TEN)
    first = made.commit()
    made.rename("pure.txt", "to/pure.txt")
    made.rename("edited.txt", "to/edited.txt")
    new = TEN.replace(b"line 9", b"nine")
    made.write("to/edited.txt", new)
    edited, pure = diff_revisions(opened(made), first, made.commit())
    for diff, name in ((edited, b"edited.txt"), (pure, b"pure.txt")):
        assert diff.change.kind is ChangeKind.RENAMED
        assert (diff.change.old_path, diff.change.path) == (name, b"to/" + name)
    assert pure.hunks == ()
    apply(edited, TEN, new)


def test_a_changed_mode_has_no_hunks_and_shifts_no_other_file(made: GitRepo) -> None:
    made.write("a", TEN)
    made.write("b", TEN)
    first = made.commit()
    made.write("a", TEN, mode=0o755)
    made.write("b", b"new\n" + TEN)
    mode, text = diff_revisions(opened(made), first, made.commit())
    assert (mode.change.old_mode, mode.change.new_mode) == (0o100644, 0o100755)
    assert mode.change.old_blob == mode.change.new_blob
    assert mode.hunks == ()
    apply(text, TEN, b"new\n" + TEN)


def test_binary_files_are_marked_and_have_no_hunks(made: GitRepo) -> None:
    made.write("a.bin", b"\0one")
    made.write("b.txt", TEN)
    made.write("c.dat", b"text by looks\n")
    made.write(".gitattributes", "*.dat -diff\n")
    first = made.commit()
    made.write("a.bin", b"\0two")
    made.write("b.txt", TEN + b"more\n")
    made.write("c.dat", b"other text\n")
    binary, text, attributed = diff_revisions(opened(made), first, made.commit())
    assert (binary.is_binary, text.is_binary, attributed.is_binary) == (True, False, True)
    assert binary.hunks == attributed.hunks == ()
    apply(text, TEN, TEN + b"more\n")


def test_text_that_looks_like_a_binary_remark_is_text(made: GitRepo) -> None:
    new = b"Binary files a/x and b/x differ\nGIT binary patch\ndiff --git a/f b/f\n"
    diff = committed(made, "f", b"", new)
    assert not diff.is_binary
    apply(diff, b"", new)


def test_paths_of_any_bytes(made: GitRepo) -> None:
    for number, path in enumerate(ODD_PATHS):
        made.write(path, b"%d\n" % number)
    first = made.commit()
    for number, path in enumerate(ODD_PATHS):
        made.write(path, b"%d\nmore\n" % number)
    on_disk = diff_worktree(opened(made), first)
    diffs = diff_revisions(opened(made), first, made.commit())
    assert {diff.change.path for diff in diffs} == set(ODD_PATHS)
    assert [diff.change.path for diff in on_disk] == [diff.change.path for diff in diffs]
    for diff, disk in zip(diffs, on_disk, strict=True):
        number = ODD_PATHS.index(diff.change.path)
        apply(diff, b"%d\n" % number, b"%d\nmore\n" % number)
        assert disk.hunks == diff.hunks


def test_one_path_is_meant_to_the_letter(made: GitRepo) -> None:
    for path in ("*", "star", ":(glob)*", "dir/a", "dir/b", "dirt"):
        made.write(path, b"old\n")
    first = made.commit()
    for path in ("*", "star", ":(glob)*", "dir/a", "dir/b", "dirt"):
        made.write(path, b"new\n")
    second = made.commit()

    def paths(*wanted: bytes) -> list[bytes]:
        return [diff.change.path for diff in diff_revisions(opened(made), first, second, wanted)]

    assert paths(b"*") == [b"*"]
    assert paths(b":(glob)*") == [b":(glob)*"]
    assert paths(b"dir", b"star") == [b"dir/a", b"dir/b", b"star"]
    assert paths(b"absent") == []


def test_the_users_diff_settings_change_nothing(made: GitRepo) -> None:
    made.write("a file", TEN + b"\n" + TEN)
    made.write("b.txt", TEN)
    made.write(".gitattributes", "*.txt diff=mine\n")
    first = made.commit()
    made.rename("b.txt", "c.txt")
    made.write("a file", TEN + b"\nnew\n" + TEN)
    second = made.commit()
    plain = diff_revisions(opened(made), first, second)
    for name, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.external": "false",
        "diff.mine.command": "false",
        "diff.mine.textconv": "false",
        "diff.mine.binary": "true",
        "diff.renames": "false",
        "diff.context": "0",
        "diff.interHunkContext": "9",
        "diff.suppressBlankEmpty": "true",
        "diff.orderFile": "nowhere",
        "diff.relative": "true",
        "diff.algorithm": "patience",
        "diff.wordRegex": ".",
        "diff.colorMoved": "zebra",
        "diff.submodule": "log",
        "color.ui": "always",
        "color.diff": "always",
        "core.quotePath": "false",
        "core.pager": "false",
    }.items():
        made.git("config", name, value)
    assert diff_revisions(opened(made), first, second) == plain
    apply(plain[0], TEN + b"\n" + TEN, TEN + b"\nnew\n" + TEN)


def test_unquoted_paths_are_found_on_disk_as_well(made: GitRepo) -> None:
    made.git("config", "core.quotePath", "false")
    paths = ["é b/é".encode(), b"\xff", b'"', b"z"]
    for path in paths:
        made.write(path, TEN)
    first = made.commit()
    for path in paths:
        made.write(path, b"new\n" + TEN)
    diffs = diff_worktree(opened(made), first)
    assert {diff.change.path for diff in diffs} == set(paths)
    for diff in diffs:
        apply(diff, TEN, b"new\n" + TEN)


def test_a_file_that_becomes_a_symlink_loses_its_lines_and_gains_its_target(made: GitRepo) -> None:
    made.write("a", TEN)
    made.write("b", TEN)
    first = made.commit()
    made.remove("a")
    made.symlink("a", "b")
    made.write("b", b"new\n" + TEN)
    typed, text = diff_revisions(opened(made), first, made.commit())
    assert (typed.change.old_mode, typed.change.new_mode) == (0o100644, 0o120000)
    assert [line.text for hunk in typed.hunks for line in hunk.removed] == lines_of(TEN)
    assert [line.text for hunk in typed.hunks for line in hunk.added] == [b"b"]
    apply(text, TEN, b"new\n" + TEN)


def test_a_submodules_move_is_its_commits(made: GitRepo) -> None:
    made.write("z", TEN)
    made.git("add", "-A")
    made.add_gitlink("lib", "1" * 40)
    first = made.commit(stage=False)
    made.add_gitlink("lib", "2" * 40)
    made.write("z", TEN + b"more\n")
    made.git("add", "z")
    module, text = diff_revisions(opened(made), first, made.commit(stage=False))
    assert (module.change.old_mode, module.change.new_mode) == (0o160000, 0o160000)
    assert [line.text for hunk in module.hunks for line in hunk.added] == [
        b"Subproject commit " + b"2" * 40
    ]
    apply(text, TEN, TEN + b"more\n")


def test_a_submodule_that_replaces_a_file_shifts_no_other_file(made: GitRepo) -> None:
    made.write("lib", TEN)
    made.write("z", TEN)
    first = made.commit()
    made.git("rm", "-q", "--cached", "lib")
    made.add_gitlink("lib", "1" * 40)
    made.write("z", TEN + b"more\n")
    made.git("add", "z")
    typed, text = diff_revisions(opened(made), first, made.commit(stage=False))
    assert (typed.change.path, typed.change.new_mode) == (b"lib", 0o160000)
    apply(text, TEN, TEN + b"more\n")


def test_equal_sides_have_no_diff(made: GitRepo) -> None:
    made.write("a", TEN)
    first = made.commit()
    repo = opened(made)
    assert diff_revisions(repo, first, made.tree()) == []
    assert diff_staged(repo, first) == diff_worktree(repo, first) == []


def test_the_empty_tree_is_a_base(made: GitRepo) -> None:
    made.write("a", TEN)
    made.write("empty", b"")
    first = made.commit()
    repo = opened(made)
    full, empty = diff_revisions(repo, repo.empty_tree, first)
    apply(full, b"", TEN)
    assert (empty.change.path, empty.hunks) == (b"empty", ())


def test_sha256_repositories(tmp_path: Path) -> None:
    diff = committed(
        GitRepo.init(tmp_path / "wide", object_format="sha256"), "f", TEN, TEN + b"more\n"
    )
    assert diff.change.new_blob is not None
    assert len(diff.change.new_blob) == 64
    apply(diff, TEN, TEN + b"more\n")


def test_staged_and_worktree_are_told_apart(made: GitRepo) -> None:
    made.write("a", TEN)
    first = made.commit()
    made.write("a", TEN + b"staged\n")
    made.git("add", "a")
    made.write("a", TEN + b"on disk\n")
    made.write("untracked", b"not git's\n")
    apply(one(diff_staged(opened(made), first)), TEN, TEN + b"staged\n")
    disk = one(diff_worktree(opened(made), first))
    apply(disk, TEN, TEN + b"on disk\n")
    assert disk.change.new_blob == "0" * 40


def test_a_file_that_was_only_touched_is_no_change_and_shifts_no_other_file(made: GitRepo) -> None:
    for name in ("a", "b", "c"):
        made.write(name, TEN)
    first = made.commit()
    for name in ("a", "c"):
        os.utime(made.at(name), (1, 1))
    made.write("b", TEN + b"more\n")
    made.git("config", "core.trustctime", "false")
    diff = one(diff_worktree(opened(made), first))
    assert diff.change.path == b"b"
    apply(diff, TEN, TEN + b"more\n")


def test_a_conflict_is_listed_and_shifts_no_other_file(made: GitRepo) -> None:
    for name in ("a", "z"):
        made.write(name, b"base\n")
    made.commit()
    made.branch("topic")
    made.write("a", b"ours\n")
    first = made.commit()
    made.switch("topic")
    made.write("a", b"theirs\n")
    made.write("z", b"theirs\n")
    made.commit()
    made.switch("main")
    made.run("merge", "topic", check=False)
    conflict, clean = diff_staged(opened(made), first)
    assert (conflict.change.path, conflict.hunks) == (b"a", ())
    assert clean.change.path == b"z"
    apply(clean, b"base\n", b"theirs\n")
    on_disk = {diff.change.path: diff for diff in diff_worktree(opened(made), first)}
    apply(on_disk[b"a"], b"ours\n", made.read("a"))
    apply(on_disk[b"z"], b"base\n", b"theirs\n")


def test_a_bare_repository_has_no_working_tree_to_compare(tmp_path: Path) -> None:
    bare = GitRepo.init(tmp_path / "bare", bare=True)
    with pytest.raises(GitError) as caught:
        diff_worktree(opened(bare), "1" * 40)
    assert caught.value.hint


@pytest.mark.parametrize("name", ["HEAD", "--output=x", "", "1" * 39])
def test_only_whole_ids_stand_among_gits_arguments(made: GitRepo, name: str) -> None:
    made.write("a", TEN)
    first = made.commit()
    for call in (diff_staged, diff_worktree):
        with pytest.raises(GitError):
            call(opened(made), name)
    with pytest.raises(GitError):
        diff_revisions(opened(made), first, name)


def test_nothing_is_no_diff() -> None:
    assert list(parse_diff(b"")) == []
