"""History is read once, kept with each commit, and never in the way of a commit."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from history.helpers import Archive, assert_equals_oracle
from sidelight.cli.indexing import history_line, status_table
from sidelight.errors import DamagedIndexError, GitError
from sidelight.git.repository import open_repository
from sidelight.history.past import History
from sidelight.indexing.cachefile import export_cache, import_cache
from sidelight.indexing.history import HOOK_COMMITS, update_all_histories, update_history
from sidelight.indexing.maintenance import collect
from sidelight.indexing.refresh import index_revision, refresh
from sidelight.indexing.status import IndexState, index_status
from sidelight.store.database import Database, Identity
from sidelight.store.history import HistoryInfo, collect_history, history_info, history_stamp
from sidelight.store.past import open_history

PAIR = ("a.py", "b.py")


@pytest.fixture
def made(tmp_path: Path) -> GitRepo:
    return GitRepo.init(tmp_path / "repo")


@pytest.fixture
def archive(made: GitRepo, tmp_path: Path) -> Archive:
    return Archive(made, tmp_path / "index")


def grow(made: GitRepo, n: int) -> None:
    """Commit `n` times to both files."""
    for _ in range(n):
        for path in PAIR:
            old = made.read(path) if made.at(path).exists() else b""
            made.write(path, old + b"line %d\n" % made.clock.seconds)
        made.commit(f"Change at {made.clock.seconds}")


def together(history: History) -> int:
    found = history.cochange([b"a.py"])
    return found[b"b.py"].together if found else 0


# -- hooks and the worker ----------------------------------------------------------


def test_the_first_reading_is_not_a_hooks(made: GitRepo, archive: Archive) -> None:
    grow(made, 3)
    update = archive.update(wait=False)
    assert (update.added, update.pending) == (0, True)
    assert archive.commits() == set()
    assert archive.update(wait=True).added == 3


def test_a_hook_reads_a_few_commits_and_leaves_many(made: GitRepo, archive: Archive) -> None:
    grow(made, 1)
    archive.update()
    grow(made, HOOK_COMMITS - 1)
    assert archive.update(wait=False).added == HOOK_COMMITS - 1
    grow(made, HOOK_COMMITS + 1)
    before = archive.commits()
    update = archive.update(wait=False)
    assert (update.added, update.pending) == (0, True)
    assert archive.commits() == before
    archive.view("worktree/", "HEAD")
    assert update_all_histories(archive.repo, archive.database).added == HOOK_COMMITS + 1
    assert together(archive.open()) == 2 * HOOK_COMMITS + 1


def test_until_then_the_ancestors_that_are_known_answer(made: GitRepo, archive: Archive) -> None:
    grow(made, 2)
    archive.update()
    grow(made, 3)
    past = archive.open()
    assert (past.n_commits, past.n_missing, together(past)) == (2, 3, 2)
    connection = archive.database.connection
    alone = open_history(connection, None, made.head(), live=set())
    assert (alone.n_commits, alone.n_missing) == (0, 1)
    with pytest.raises(GitError):
        open_history(connection, archive.repo, "1" * 40, live=set())


def test_a_refresh_of_a_hook_brings_history_along(made: GitRepo) -> None:
    grow(made, 2)
    work = Workspace.at(made)
    refresh(work.place, wait=True, create=True)
    grow(made, 1)
    refresh(work.place, wait=False)
    made.commit("Empty: the tree stays, the commit does not")
    refresh(work.place, wait=False)
    history = index_status(work.place).history
    assert (history.commits, history.shallow, history.problem) == (4, False, "")


def test_reading_commits_in_a_hook_loads_nothing_heavy(made: GitRepo, tmp_path: Path) -> None:
    grow(made, 1)
    Archive(made, tmp_path / "index").update()
    grow(made, 1)
    code = (
        "import sys; from pathlib import Path\n"
        "from sidelight.git.repository import open_repository\n"
        "from sidelight.indexing.history import update_history\n"
        "from sidelight.store.database import Database\n"
        f"repo = open_repository(Path({str(made.path)!r}))\n"
        f"database = Database.open(Path({str(tmp_path / 'index')!r}), None)\n"
        "print(update_history(repo, database, repo.head_commit(), wait=False).added)\n"
        "print(*sorted({'numpy', 'bm25s', 'git', 'tempfile'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"]


def test_reading_again_changes_nothing(made: GitRepo, archive: Archive) -> None:
    grow(made, 3)
    archive.update()
    stamp = history_stamp(archive.database.connection)
    assert archive.update().added == 0
    assert history_stamp(archive.database.connection) == stamp
    grow(made, 1)
    archive.update()
    assert history_stamp(archive.database.connection) > stamp


def test_two_readers_at_once_store_each_commit_once(made: GitRepo, archive: Archive) -> None:
    grow(made, 2)
    archive.update()
    grow(made, 2)
    other = Archive(made, archive.database.directory)
    commit, asked = made.head(), []

    class Late(Database):
        """Another process that is quicker, between our reading and our writing."""

        def write(self):  # type: ignore[no-untyped-def]
            if not asked:
                asked.append(other.update().added)
            return super().write()

    late = Late.open(archive.database.directory, Identity("pipeline", "model"))
    assert update_history(archive.repo, late, commit, wait=False).added == 0
    assert asked == [2]
    assert_equals_oracle(archive)


def test_revisions_indexed_by_name_have_a_past_of_their_own(made: GitRepo) -> None:
    grow(made, 2)
    old = made.head()
    grow(made, 3)
    work = Workspace.at(made)
    index_revision(work.place, old, "rev/old")
    with work.open() as database:
        assert history_info(database.connection, old).commits == 2
        assert history_info(database.connection, made.head()).commits == 0


# -- what git cannot give ----------------------------------------------------------


def test_a_shallow_clone_says_so(made: GitRepo, tmp_path: Path) -> None:
    grow(made, 5)
    copy = made.clone(tmp_path / "copy", "--depth=3")
    archive = Archive(copy, tmp_path / "index")
    archive.update()
    past = archive.open()
    assert (past.n_commits, past.is_shallow, together(past)) == (3, True, 2)
    assert_equals_oracle(archive)
    grow(copy, 1)
    archive.update(wait=False)
    assert together(archive.open()) == 3


def test_a_deepened_clone_is_read_anew(made: GitRepo, tmp_path: Path) -> None:
    grow(made, 6)
    copy = made.clone(tmp_path / "copy", "--depth=2")
    archive = Archive(copy, tmp_path / "index")
    archive.view("worktree/", "HEAD")
    archive.update()
    for option, commits in (("--deepen=2", 4), ("--unshallow", 6)):
        copy.git("fetch", "-q", option)
        assert archive.update(wait=False).pending
        archive.update()
        past = archive.open()
        assert (past.n_commits, past.is_shallow) == (commits, commits < 6)
        assert_equals_oracle(archive)


def test_a_clone_made_shallower_keeps_what_it_knows(made: GitRepo, archive: Archive) -> None:
    grow(made, 4)
    archive.update()
    made.write(".git/shallow", made.git("rev-parse", "HEAD~1") + "\n")
    grow(made, 1)
    archive.update(wait=False)
    past = archive.open()
    assert (past.n_commits, past.is_shallow, together(past)) == (5, False, 5)


def test_a_long_history_is_cut_and_says_so(made: GitRepo, archive: Archive) -> None:
    grow(made, 3)
    made.branch("topic")
    grow(made, 2)
    made.switch("topic")
    made.write("c.py", "c")
    made.commit("Side")
    made.switch("main")
    made.merge("topic")
    update_history(archive.repo, archive.database, made.head(), wait=True, most=5)
    past = archive.open()
    assert (past.n_commits, past.is_limited, past.is_shallow) == (5, True, False)
    assert history_info(archive.database.connection, made.head()).limited
    grow(made, 1)
    archive.update(wait=False)
    assert archive.open().n_commits == 6


def test_trees_that_are_absent_fail_nothing(made: GitRepo, tmp_path: Path) -> None:
    made.git("config", "uploadpack.allowFilter", "true")
    grow(made, 3)
    copy = made.clone(tmp_path / "copy", "--filter=tree:0")
    work = Workspace.at(copy)
    said: list[str] = []
    report = refresh(work.place, wait=True, create=True, log=said.append)
    assert report.state == "current"
    status = index_status(work.place)
    assert status.history.commits == 0
    assert status.history.problem
    assert any(status.history.problem in line for line in said)
    copy.git("config", "--unset", "remote.origin.promisor")
    copy.git("config", "--unset", "remote.origin.partialclonefilter")
    shutil.rmtree(copy.path / ".git" / "objects")
    shutil.copytree(made.path / ".git" / "objects", copy.path / ".git" / "objects")
    refresh(Workspace.at(copy).place, wait=True)
    assert index_status(work.place).history.problem == ""


def test_status_tells_how_much_is_known(made: GitRepo, tmp_path: Path) -> None:
    grow(made, 3)
    copy = made.clone(tmp_path / "copy", "--depth=2")
    Workspace.at(copy).refresh()
    status = index_status(Workspace.at(copy).place)
    assert (
        history_line(status) == "history: 2 commits; the clone is shallow: older ones are not here"
    )
    shown = status_table(status)["history"]
    assert shown == {"commits": 2, "shallow": True, "limited": False, "problem": ""}
    assert history_line(replace(status, history=HistoryInfo())) == "history: not read yet"


# -- garbage and cache files --------------------------------------------------------


def test_gc_forgets_what_no_view_has_in_its_past(made: GitRepo, archive: Archive) -> None:
    grow(made, 2)
    archive.view("worktree/", "HEAD")
    archive.view("rev/old", "HEAD~1")
    made.write("lost.py", "x")
    lost = made.commit("Lost")
    archive.update()
    made.git("reset", "-q", "--hard", "HEAD~1")
    with archive.database.write() as connection:
        assert collect_history(connection) == 1
        assert collect_history(connection) == 0
    assert lost not in archive.commits()
    assert [row[0] for row in archive.rows("SELECT path FROM history_path ORDER BY path")] == [
        b"a.py",
        b"b.py",
    ]
    assert_equals_oracle(archive)
    grow(made, 1)
    archive.update(wait=False)
    assert_equals_oracle(archive)


def test_gc_forgets_nothing_while_a_views_past_is_not_known(
    made: GitRepo, archive: Archive
) -> None:
    grow(made, 2)
    archive.update()
    grow(made, 1)
    archive.view("worktree/", "HEAD")
    with archive.database.write() as connection:
        assert collect_history(connection) == 0
    assert len(archive.commits()) == 2


def test_gc_keeps_the_past_of_an_index(made: GitRepo) -> None:
    grow(made, 2)
    work = Workspace.at(made)
    work.refresh()
    made.commit("Amended", "--amend")
    work.refresh()
    assert collect(work.place).commits == 1
    assert index_status(work.place).history.commits == 2


def test_a_cache_file_carries_the_past(made: GitRepo, tmp_path: Path) -> None:
    grow(made, 3)
    work = Workspace.at(made)
    work.refresh()
    export_cache(work.place, tmp_path / "cache")
    other = work.beside(tmp_path / "elsewhere")
    import_cache(other.place, tmp_path / "cache")
    with other.open() as database:
        assert history_info(database.connection, made.head()).commits == 3


HOSTILE: dict[str, str] = {
    "a parent that is not there": "UPDATE history_commit SET parents = x'ff000000'",
    "its own parent": "UPDATE history_commit SET parents = x'01000000' WHERE id = 1",
    "a child as parent": "UPDATE history_commit SET parents = x'03000000' WHERE id = 2",
    "a cut list": "UPDATE history_commit SET files = x'0100'",
    "a path that is not there": "UPDATE history_commit SET files = x'ff000000', n_files = 1",
    "half a rename": "UPDATE history_commit SET renames = x'01000000'",
    "fewer files than listed": "UPDATE history_commit SET n_files = 1",
    "a negative number": "UPDATE history_commit SET n_files = -1, files = x''",
    "text for bytes": "UPDATE history_commit SET terms = 'four'",
    "no commit's name": "UPDATE history_commit SET oid = x'00' WHERE id = 1",
    "an edge of no kind": "UPDATE history_commit SET edge = 7",
    "an id twice": "UPDATE history_commit SET id = 2",
    "an id too large": "UPDATE history_commit SET id = 1 << 40 WHERE id = 3",
    "a time beyond": "UPDATE history_commit SET time = 1 << 50",
    "a time of text": "UPDATE history_commit SET time = 'now'",
    "an id to come": "UPDATE meta SET value = '2' WHERE key = 'history_next'",
    "a number that is none": "UPDATE meta SET value = 'x' WHERE key = 'history_next'",
    "a path outside": "UPDATE history_path SET path = x'2e2e2f78' WHERE id = 1",
    "a path id too large": "UPDATE history_path SET id = 1 << 40 WHERE id = 1",
    "a problem of bytes": "INSERT INTO meta VALUES ('history_problem', x'ff')",
}


@pytest.fixture(scope="module")
def three_commits(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Workspace]:
    made = GitRepo.init(tmp_path_factory.mktemp("hostile") / "repo")
    grow(made, 3)
    first = Workspace.at(made)
    first.refresh()

    def copy(folder: Path) -> Workspace:
        shutil.copytree(first.directory, folder)
        return first.beside(folder)

    return copy


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_history_is_refused(
    three_commits: Callable[[Path], Workspace], tmp_path: Path, what: str
) -> None:
    bad = three_commits(tmp_path / "bad")
    with bad.open() as database:
        database.connection.execute(HOSTILE[what])
    export_cache(bad.place, tmp_path / "cache")
    target = bad.beside(tmp_path / "target")
    with pytest.raises(DamagedIndexError):
        import_cache(target.place, tmp_path / "cache")


def test_damaged_history_is_named(
    three_commits: Callable[[Path], Workspace], tmp_path: Path
) -> None:
    bad = three_commits(tmp_path / "bad")
    repo = open_repository(bad.place.repo.worktree or tmp_path)
    for what in ("a cut list", "a path that is not there", "a parent that is not there"):
        with bad.open() as database:
            database.connection.execute("BEGIN")
            database.connection.execute(HOSTILE[what])
            head = repo.head_commit() or ""
            with pytest.raises(DamagedIndexError, match="history"):
                open_history(database.connection, repo, head, live={b"a.py"})
            database.connection.execute("ROLLBACK")
    with bad.open() as database:
        database.connection.execute("UPDATE history_commit SET parents = x'0100'")
    status = index_status(bad.place)
    assert (status.state, "history" in status.detail) == (IndexState.DAMAGED, True)
