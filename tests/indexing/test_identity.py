"""What makes two files, two documents or two indexes the same, and what is therefore not done."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from indexing.walk import QUERIES, Walk, random_steps
from sidelight.errors import GitError, IndexMissingError, UsageError
from sidelight.indexing.maintenance import collect, drop_revisions
from sidelight.indexing.place import revision_view
from sidelight.indexing.refresh import index_revision, index_target, refresh
from sidelight.indexing.report import Target
from sidelight.indexing.status import IndexState, index_status

BODY = "def parse_user_token(value):\n    return value.strip()\n"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", BODY)
    repo.write("docs/guide.md", "# Guide\n\nHow to parse a token.\n")
    repo.commit()
    return repo


def assert_equal_to_fresh(work: Workspace, folder: Path) -> None:
    fresh = work.beside(folder)
    fresh.refresh()
    assert work.files() == fresh.files()
    assert work.answers(QUERIES) == fresh.answers(QUERIES)


def test_the_same_blob_at_two_paths_is_two_documents(repo: GitRepo) -> None:
    repo.write("copy/b.py", BODY)
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    rows = work.rows("SELECT path, parsed_id FROM doc WHERE language = 'python' ORDER BY path")
    assert [path for path, _ in rows] == [b"a.py", b"copy/b.py"]
    assert rows[0][1] == rows[1][1], "parsed once"
    for path in ("a.py", "copy/b.py"):
        hits = work.search("parse_user_token", mode="symbol", paths=[path])
        assert [hit.path.decode() for hit in hits] == [path]
    found = work.search("parse_user_token", mode="symbol")
    assert sorted(path for hit in found for path in (hit.path, *hit.alike)) == [
        b"a.py",
        b"copy/b.py",
    ]


def test_a_renamed_file_is_found_under_its_new_name_only(repo: GitRepo, tmp_path: Path) -> None:
    work = Workspace.at(repo)
    work.refresh()
    repo.rename("a.py", "src/tokens.py")
    repo.commit()
    report = work.refresh()
    assert (report.parsed_files, report.deleted_files) == (1, 1)
    assert [hit.path for hit in work.search("parse_user_token")][:1] == [b"src/tokens.py"]
    assert_equal_to_fresh(work, tmp_path / "fresh")


def test_a_file_renamed_back_is_not_parsed_again(repo: GitRepo, tmp_path: Path) -> None:
    work = Workspace.at(repo)
    work.refresh()
    repo.rename("a.py", "b.py")
    repo.commit()
    work.refresh()
    embedded = work.embedder.n_embedded
    repo.rename("b.py", "a.py")
    repo.commit()
    assert work.refresh().parsed_files == 0
    assert work.embedder.n_embedded == embedded
    assert_equal_to_fresh(work, tmp_path / "fresh")


def test_a_mode_change_parses_and_embeds_nothing(repo: GitRepo, tmp_path: Path) -> None:
    work = Workspace.at(repo)
    work.refresh()
    embedded = work.embedder.n_embedded
    repo.at("a.py").chmod(0o755)
    repo.commit()
    report = work.refresh()
    assert (report.changed_files, report.parsed_files) == (1, 0)
    assert work.embedder.n_embedded == embedded
    assert_equal_to_fresh(work, tmp_path / "fresh")


def test_another_commit_of_the_same_tree_changes_nothing_but_the_commit(repo: GitRepo) -> None:
    work = Workspace.at(repo)
    work.refresh()
    repo.commit("empty")
    report = work.refresh()
    assert (report.changed_files, report.parsed_files, report.embedded) == (0, 0, 0)
    status = index_status(work.place)
    assert (status.state, status.commit, status.behind) == (IndexState.CURRENT, repo.head(), 0)


def test_revisions_share_all_that_they_have_in_common(tmp_path: Path) -> None:
    walk = Walk(tmp_path / "repo")
    work = Workspace.at(walk.repo)
    commits = []
    for step, pick in random_steps(41, 12):
        step(walk, pick)
        commits.append(walk.repo.head())
    work.refresh()
    for commit in commits:
        index_revision(work.place, commit, revision_view(commit))
    count = work.embedder.n_embedded
    blobs = set()
    for commit in commits:
        listed = walk.repo.git_bytes("ls-tree", "-r", "-z", commit).split(b"\0")[:-1]
        blobs |= {tuple(entry.split(b" ", 2)[2].split(b"\t")) for entry in listed}
    documents = work.rows("SELECT count(*) FROM doc")[0][0]
    assert isinstance(documents, int)
    assert documents <= len(blobs)
    assert count == work.rows("SELECT count(*) FROM embedding")[0][0], "each text once"
    for commit in commits:
        assert index_revision(work.place, commit, revision_view(commit)).changed_files == 0
    assert work.embedder.n_embedded == count
    alone = GitRepo(tmp_path / "alone", walk.repo.clock)
    walk.repo.clone(alone.path)
    for commit in (commits[2], commits[7]):
        alone.run("fetch", "-q", "origin", commit)
        alone.switch(commit, "--detach")
        fresh = Workspace.at(alone, tmp_path / f"fresh-{commit}")
        fresh.refresh()
        assert work.answers(QUERIES, view=revision_view(commit)) == fresh.answers(QUERIES)


def test_a_dropped_revision_is_collected_and_the_others_stay(repo: GitRepo) -> None:
    work = Workspace.at(repo)
    work.refresh()
    index_revision(work.place, repo.head(), revision_view("old"))
    repo.write("a.py", "def other():\n    return 1\n")
    repo.commit()
    work.refresh()
    answers = work.answers(QUERIES)
    assert collect(work.place).documents == 0
    drop_revisions(work.place, ["old"])
    assert collect(work.place).documents == 1
    assert work.answers(QUERIES) == answers
    with pytest.raises(IndexMissingError, match="old is not indexed"):
        work.search("x", view=revision_view("old"))


def test_dropping_an_unknown_revision_drops_none(repo: GitRepo) -> None:
    work = Workspace.at(repo)
    work.refresh()
    index_revision(work.place, repo.head(), revision_view("old"))
    with pytest.raises(UsageError, match="new is not an indexed revision"):
        drop_revisions(work.place, ["old", "new"])
    assert work.search("token", view=revision_view("old"))


def test_linked_worktrees_have_views_of_their_own(repo: GitRepo, tmp_path: Path) -> None:
    work = Workspace.at(repo)
    work.refresh()
    repo.branch("topic")
    linked = repo.worktree_add(tmp_path / "linked", "topic")
    linked.write("c.py", "def only_here():\n    return 1\n")
    linked.commit()
    other = Workspace.at(linked)
    assert other.directory == work.directory
    assert index_status(other.place).state is IndexState.MISSING
    assert other.refresh().parsed_files == 1
    assert [hit.path for hit in other.search("only_here", mode="symbol")] == [b"c.py"]
    assert work.search("only_here", mode="symbol") == ()
    assert index_status(work.place).state is IndexState.CURRENT


SETTINGS = [
    {"exclude": ("docs/**",)},
    {"exclude": ("**/*.py",)},
    {"generated": True},
    {"vendored": True},
    {"max_file_bytes": 40},
    {},
]


def test_every_change_of_settings_is_taken_up_and_equals_fresh(
    repo: GitRepo, tmp_path: Path
) -> None:
    repo.write("gen.py", "# Code generated by tool. DO NOT EDIT.\ndef made():\n    return 1\n")
    repo.write("lib/v.py", "def vendored():\n    return 1\n")
    repo.write(".gitattributes", "lib/** linguist-vendored\n")
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    skipped = []
    for number, settings in enumerate(SETTINGS * 2):
        work = work.configured(**settings)
        if number:
            assert index_status(work.place).state is IndexState.STALE
        work.refresh()
        assert index_status(work.place).state is IndexState.CURRENT
        skipped.append({path: why for path, why in work.files().items() if why})
        assert_equal_to_fresh(work, tmp_path / f"fresh-{number}")
    assert skipped[: len(SETTINGS)] == skipped[len(SETTINGS) :]
    assert skipped[0] == {
        "docs/guide.md": "excluded",
        "gen.py": "generated",
        "lib/v.py": "vendored",
    }
    assert skipped[2] == {"lib/v.py": "vendored"}
    assert skipped[3] == {"gen.py": "generated"}
    assert skipped[4]["a.py"] == "too large"


def test_a_setting_of_search_or_hooks_makes_nothing_stale(repo: GitRepo) -> None:
    work = Workspace.at(repo)
    work.refresh()
    (repo.path / ".sidelight.toml").write_text("[search]\nrrf_k = 3\n")
    assert index_status(work.place).state is IndexState.CURRENT


def test_changed_attributes_are_taken_up_for_files_that_did_not_change(
    repo: GitRepo, tmp_path: Path
) -> None:
    work = Workspace.at(repo)
    work.refresh()
    for number, text in enumerate(
        ["*.py linguist-generated\n", "*.py linguist-generated=false\n", "a.py binary\n", ""]
    ):
        repo.write("sub/.gitattributes" if number == 3 else ".gitattributes", text)
        repo.commit()
        work.refresh()
        assert_equal_to_fresh(work, tmp_path / f"fresh-{number}")
    repo.remove(".gitattributes")
    repo.commit()
    work.refresh()
    assert work.files()["a.py"] == ""
    assert_equal_to_fresh(work, tmp_path / "fresh")


def test_attributes_outside_the_tree_decide_nothing(repo: GitRepo) -> None:
    (repo.path / ".git" / "info").mkdir(exist_ok=True)
    (repo.path / ".git" / "info" / "attributes").write_text("*.py binary\n")
    (repo.path / ".gitattributes").write_text("*.py binary\n")  # not committed
    work = Workspace.at(repo)
    work.refresh()
    assert work.files()["a.py"] == ""


def test_an_old_tree_that_git_forgot_is_no_obstacle(repo: GitRepo, tmp_path: Path) -> None:
    work = Workspace.at(repo)
    repo.write("gone.py", "def gone():\n    return 1\n")
    repo.commit()
    work.refresh()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    repo.write("new.py", "def new():\n    return 1\n")
    repo.commit()
    work.refresh()
    assert_equal_to_fresh(work, tmp_path / "fresh")


def test_a_pending_text_whose_blob_is_gone_is_forgotten_and_asked_for_when_it_returns(
    repo: GitRepo, tmp_path: Path
) -> None:
    work = Workspace.at(repo)
    work.refresh()
    body = "def gone():\n    return 'a text of its own'\n"
    repo.write("gone.py", body)
    lost = repo.commit()
    index_revision_without_vectors(work, lost)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    repo.commit("move on")
    with work.open() as database, database.write() as connection:
        connection.execute("DELETE FROM view WHERE name = 'rev/lost'")
    work.refresh()
    assert work.rows("SELECT count(*) FROM pending") == [(0,)]
    repo.write("gone.py", body)
    repo.commit()
    assert work.refresh().embedded == 1
    assert_equal_to_fresh(work, tmp_path / "fresh")


def index_revision_without_vectors(work: Workspace, commit: str) -> None:
    target = Target("rev/lost", commit, work.place.repo.tree_of(commit))
    index_target(work.place, target, wait=True, vectors=False)


def test_nothing_is_indexed_before_the_first_commit(tmp_path: Path) -> None:
    work = Workspace.at(GitRepo.init(tmp_path / "empty"))
    with pytest.raises(GitError, match="no commit yet"):
        work.refresh()
    assert not work.database.exists()
    assert index_status(work.place).state is IndexState.MISSING


def test_a_refresh_without_an_index_makes_none_unless_asked(repo: GitRepo) -> None:
    work = Workspace.at(repo)
    with pytest.raises(IndexMissingError):
        refresh(work.place, wait=True)
    assert not work.database.exists()


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_an_empty_tree_is_an_index_of_nothing(tmp_path: Path, object_format: str) -> None:
    repo = GitRepo.init(tmp_path / "repo", object_format=object_format)
    repo.commit("nothing")
    work = Workspace.at(repo)
    work.refresh()
    assert work.files() == {}
    assert set(work.answers(QUERIES).values()) == {()}
    work.publish()
    assert set(work.answers(QUERIES).values()) == {()}
    repo.write("a.py", BODY)
    repo.commit()
    work.refresh()
    assert [hit.path for hit in work.search("parse_user_token")] == [b"a.py"]
