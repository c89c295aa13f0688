"""Opening, transactions and garbage: one writer, consistent readers, nothing half done."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.errors import DamagedIndexError, SidelightError
from sidelight.store.database import Database, Identity
from sidelight.store.glance import shows_commit
from sidelight.store.publishing import prune, publish
from sidelight.store.schema import SCHEMA, TABLES
from sidelight.store.snapshot import FOLDER, open_latest
from sidelight.store.soundness import find_damage
from sidelight.store.views import PUBLISH_LEAST, find_view, needs_publishing
from sidelight.store.writer import collect_garbage, drop_view

IDENTITY = Identity("1.1.1", "0" * 64)


@pytest.fixture
def work(tmp_path: Path) -> Workspace:
    repo = GitRepo.init(tmp_path / "repo")
    for name in ("a", "b", "c"):
        repo.write(f"{name}.py", f"def {name}{name}():\n    return '{name}'\n")
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    return work


def test_many_may_create_an_index_at_once_and_one_is_made(tmp_path: Path) -> None:
    uuids: list[str | None] = []
    barrier = threading.Barrier(8)

    def create() -> None:
        barrier.wait()
        with Database.open(tmp_path / "index", IDENTITY, create=True) as database:
            uuids.append(database.meta("uuid"))

    threads = [threading.Thread(target=create) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(uuids) == 8
    assert len(set(uuids)) == 1
    assert [path.name for path in (tmp_path / "index").glob(".new*")] == []


def test_a_write_that_fails_leaves_nothing(work: Workspace) -> None:
    with work.open() as database:
        with pytest.raises(KeyboardInterrupt):
            _delete_and_stop(database)
        with database.read() as connection:
            assert connection.execute("SELECT count(*) FROM file").fetchone() == (3,)
        with database.write() as connection:
            connection.execute("UPDATE view SET commit_id = 'x'")
        assert not database.connection.in_transaction


def test_a_reader_keeps_its_state_while_another_writes(work: Workspace) -> None:
    with work.open() as reader, work.open() as writer, reader.read() as connection:
        before = connection.execute("SELECT count(*) FROM doc").fetchone()
        with writer.write() as other:
            drop_view(other, work.view)
            collect_garbage(other)
        assert connection.execute("SELECT count(*) FROM doc").fetchone() == before == (3,)
        with reader.read() as inner:  # joins
            assert inner.execute("SELECT count(*) FROM doc").fetchone() == before
    with work.open() as reader, reader.read() as connection:
        assert connection.execute("SELECT count(*) FROM doc").fetchone() == (0,)


def test_our_own_mistakes_are_not_called_damage(work: Workspace) -> None:
    with work.open() as database:
        with pytest.raises(KeyError), database.read():
            raise KeyError("a bug")
        with pytest.raises(ValueError, match="a bug"), database.write():
            raise ValueError("a bug")
        with pytest.raises(SidelightError, match="a refusal"), database.read():
            raise SidelightError("a refusal")


def test_values_that_make_no_sense_are_called_damage_if_they_are(work: Workspace) -> None:
    with work.open() as database:
        with database.write() as connection:
            connection.execute("UPDATE doc SET size = 'much'")
        with pytest.raises(DamagedIndexError, match=r"doc\.size"), database.read() as connection:
            int(connection.execute("SELECT size FROM doc").fetchone()[0])


def test_soundness_looks_at_types_references_and_indexes(work: Workspace) -> None:
    with work.open() as database:
        connection = database.connection
        assert find_damage(connection) is None
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("UPDATE file SET doc_id = 999 WHERE path = CAST('a.py' AS BLOB)")
        assert "file" in str(find_damage(connection))


def test_the_list_of_tables_is_that_of_the_schema() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    connection.close()
    assert {row[0] for row in rows} - {"sqlite_sequence", "snapshot"} == set(TABLES)


def test_garbage_is_what_no_view_shows(work: Workspace) -> None:
    repo = GitRepo(work.directory.parents[1])
    repo.remove("a.py")
    repo.commit()
    work.refresh()
    count = "SELECT (SELECT count(*) FROM doc), (SELECT count(*) FROM chunk),"
    count += " (SELECT count(*) FROM embedding), (SELECT count(*) FROM parsed)"
    assert work.rows(count) == [(3, 3, 3, 3)]
    with work.open() as database, database.write() as connection:
        assert collect_garbage(connection) == 1
        assert collect_garbage(connection) == 0
    assert work.rows(count) == [(2, 2, 2, 2)]


def test_row_ids_are_never_used_again(work: Workspace) -> None:
    """A snapshot names chunks by id: a new one must not be taken for one that is gone."""
    repo = GitRepo(work.directory.parents[1])
    highest = work.rows("SELECT max(id) FROM chunk")[0][0]
    for name in ("a.py", "b.py", "c.py"):
        repo.remove(name)
    repo.write("d.py", "def dd():\n    return 'd'\n")
    repo.commit()
    with work.open() as database, database.write() as connection:
        drop_view(connection, work.view)
        collect_garbage(connection)
    work.refresh()
    (only,) = work.rows("SELECT id FROM chunk")[0]
    assert isinstance(only, int)
    assert isinstance(highest, int)
    assert only > highest


def test_a_snapshot_is_published_when_enough_has_changed(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "def a():\n    return 1\n")
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    assert work.rows("SELECT count(*) FROM snapshot") == [(0,)]
    body = "".join(
        f"def f{i}(x):\n" + f"    x += {i}\n" * 30 + "    return x\n\n\n"
        for i in range(PUBLISH_LEAST + 1)
    )
    repo.write("many.py", body)
    repo.commit()
    report = work.refresh()
    assert report.embedded > PUBLISH_LEAST
    assert work.rows("SELECT n_rows > 1000 FROM snapshot") == [(1,)]
    with work.open() as database, database.read() as connection:
        assert not needs_publishing(connection)
    repo.remove("many.py")
    repo.commit()
    work.refresh()
    with work.open() as database, database.write() as connection:
        collect_garbage(connection)
    with work.open() as database, database.read() as connection:
        assert needs_publishing(connection), "most of its rows are dead"


def test_the_newest_snapshot_is_kept_and_older_ones_go(work: Workspace) -> None:
    with work.open() as database:
        names = [publish(database) for _ in range(3)]
        kept = [path.name for path in (work.directory / FOLDER).iterdir()]
        assert kept == names[-1:]
        latest = open_latest(database)
        assert latest is not None
        assert latest.name == names[-1]
        prune(database, keep=0)
        assert list((work.directory / FOLDER).iterdir()) == []
        assert open_latest(database) is None


def test_a_glance_tells_only_what_is_surely_current(work: Workspace, tmp_path: Path) -> None:
    repo = GitRepo(work.directory.parents[1])
    database, head = str(work.database), repo.head()
    assert shows_commit(database, work.view, head)
    assert not shows_commit(database, work.view, "0" * 40)
    assert not shows_commit(database, "worktree/other", head)
    assert not shows_commit(str(tmp_path / "absent"), work.view, head)
    assert not (tmp_path / "absent").exists()
    for content in (b"", b"garbage" * 1000):
        (tmp_path / "bad").write_bytes(content)
        assert not shows_commit(str(tmp_path / "bad"), work.view, head)
    with work.open() as opened, opened.write() as connection:
        connection.execute("INSERT INTO pending VALUES (zeroblob(16), 1)")
    assert not shows_commit(database, work.view, head)


def test_a_view_is_found_by_name_only(work: Workspace) -> None:
    with work.open() as database, database.read() as connection:
        assert find_view(connection, work.view) is not None
        assert find_view(connection, "worktree") is None


def _delete_and_stop(database: Database) -> None:
    with database.write() as connection:
        connection.execute("DELETE FROM file")
        raise KeyboardInterrupt
