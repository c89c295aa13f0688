"""Damaged databases and snapshots: named, never a traceback, and mended by a rebuild."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.workspace import Workspace
from indexing.walk import QUERIES, Walk, random_steps
from sidelight.errors import (
    DamagedIndexError,
    IndexMissingError,
    OtherFormatError,
    OtherModelError,
    SidelightError,
)
from sidelight.indexing.maintenance import collect, examine, start_over
from sidelight.indexing.status import IndexState, index_status
from sidelight.store.database import Database
from sidelight.store.snapshot import ARRAYS, FOLDER, MANIFEST, VECTORS, VERIFIED

PAGE = 4096


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """An index with a snapshot and a delta, all of it in the database's main file."""
    folder = tmp_path_factory.mktemp("sound")
    walk = Walk(folder / "repo")
    for step, pick in random_steps(5, 15):
        step(walk, pick)
    work = Workspace.at(walk.repo, folder / "index")
    work.refresh()
    work.publish()
    for step, pick in random_steps(6, 3):
        step(walk, pick)
    work.refresh()
    with work.open() as database:
        database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return work


@pytest.fixture
def work(sound: Workspace, tmp_path: Path) -> Workspace:
    """A copy of it that may be damaged."""
    shutil.copytree(sound.directory, tmp_path / "index")
    return sound.beside(tmp_path / "index")


def flip(data: bytearray, dice: random.Random) -> bytearray:
    for _ in range(dice.choice([1, 1, 3, 20])):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return data


def cut(data: bytearray, dice: random.Random) -> bytearray:
    return data[: dice.randrange(len(data))]


def zero(data: bytearray, dice: random.Random) -> bytearray:
    at = dice.randrange(len(data))
    size = min(dice.choice([16, 512, PAGE]), len(data) - at)
    data[at : at + size] = bytes(size)
    return data


def swap(data: bytearray, dice: random.Random) -> bytearray:
    one, two = (dice.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[one : one + PAGE], data[two : two + PAGE] = data[two : two + PAGE], data[one : one + PAGE]
    return data


HARMS = (flip, flip, flip, cut, zero, swap)


def uses(work: Workspace) -> tuple[Callable[[], object], ...]:
    return (
        lambda: index_status(work.place),
        lambda: work.answers(QUERIES[:3]),
        lambda: examine(work.place),
        work.refresh,
        work.publish,
        lambda: collect(work.place),
    )


def harm_and_mend(sound: Workspace, folder: Path, seed: int) -> None:
    """Every use of the damaged index works or refuses in our words; a rebuild mends it."""
    shutil.copytree(sound.directory, folder)
    work = sound.beside(folder)
    dice = random.Random(seed)
    data = bytearray(work.database.read_bytes())
    work.database.write_bytes(dice.choice(HARMS)(data, dice))
    said: list[tuple[str, str]] = []
    for use in uses(work):
        try:
            use()
        except SidelightError as error:
            said.append((error.message, error.hint))
    assert all(message and hint for message, hint in said)
    start_over(work.place)
    work.refresh()
    assert [finding for finding in examine(work.place) if not finding.ok] == []
    assert work.answers(QUERIES[:3]) == sound.answers(QUERIES[:3])
    shutil.rmtree(folder)


def test_harm_at_random_places_is_refused_or_survived_and_mended(
    sound: Workspace, tmp_path: Path
) -> None:
    for seed in range(20):
        harm_and_mend(sound, tmp_path / f"{seed}", seed)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_much_harm_at_random_places_is_refused_or_survived_and_mended(
    sound: Workspace, tmp_path: Path
) -> None:
    for seed in range(100, 600):
        harm_and_mend(sound, tmp_path / f"{seed}", seed)


@pytest.mark.parametrize(
    "content",
    [b"", b"not a database" * 100, b"SQLite format 3\0" + bytes(84), bytes(5000)],
    ids=["empty", "text", "header only", "zeros"],
)
def test_what_is_no_database_is_named_damaged_and_mended(work: Workspace, content: bytes) -> None:
    expected = work.answers(QUERIES)
    work.database.write_bytes(content)
    status = index_status(work.place)
    assert status.state is IndexState.DAMAGED
    assert status.detail
    for use in (work.open, work.refresh, lambda: work.search("retry"), lambda: collect(work.place)):
        with pytest.raises(DamagedIndexError) as caught:
            use()
        assert "--rebuild" in caught.value.hint
    assert not all(finding.ok for finding in examine(work.place))
    assert start_over(work.place) == 0
    work.refresh()
    assert work.answers(QUERIES) == expected


def test_a_folder_in_the_place_of_the_database_is_refused(work: Workspace) -> None:
    work.database.unlink()
    work.database.mkdir()
    with pytest.raises(SidelightError) as caught:
        work.refresh()
    assert caught.value.hint


@pytest.mark.parametrize(
    ("key", "error", "state"),
    [
        ("format", OtherFormatError, IndexState.OTHER_FORMAT),
        ("pipeline", OtherFormatError, IndexState.OTHER_FORMAT),
        ("model", OtherModelError, IndexState.OTHER_MODEL),
    ],
)
def test_another_format_pipeline_or_model_is_named_and_mended(
    work: Workspace, key: str, error: type[SidelightError], state: IndexState
) -> None:
    expected = work.answers(QUERIES)
    with work.open() as database:
        database.set_meta(key, "99")
    for use in (work.open, work.refresh, lambda: work.search("retry")):
        with pytest.raises(error) as caught:
            use()
        assert "--rebuild" in caught.value.hint
    assert index_status(work.place).state is state
    start_over(work.place)
    work.refresh()
    assert index_status(work.place).state is IndexState.CURRENT
    assert work.answers(QUERIES) == expected


def test_another_model_is_refused_and_its_vectors_stay_behind(work: Workspace) -> None:
    other = work.beside(work.directory, model="other")
    with pytest.raises(OtherModelError):
        other.refresh()
    assert start_over(other.place) == 0
    report = other.refresh()
    assert report.embedded == other.embedder.n_embedded > 0
    with pytest.raises(OtherModelError):
        work.refresh()


def test_a_rebuild_keeps_the_vectors_of_the_same_model(work: Workspace) -> None:
    expected = work.answers(QUERIES)
    assert start_over(work.place) > 0
    work.refresh()
    assert work.embedder.n_embedded == 0
    assert work.answers(QUERIES) == expected


def test_a_vector_that_fails_its_checksum_is_found_and_made_anew(work: Workspace) -> None:
    expected = work.answers(QUERIES)
    with work.open() as database, database.write() as connection:
        (key,) = connection.execute("SELECT key FROM embedding ORDER BY key LIMIT 1").fetchone()
        harm = (bytes(32), key)
        connection.execute("UPDATE embedding SET vector = ? WHERE key = ?", harm)
    bad = [finding for finding in examine(work.place) if not finding.ok]
    assert [finding.subject for finding in bad] == ["vectors"]
    start_over(work.place)
    work.refresh()
    assert work.embedder.n_embedded == 1
    assert work.answers(QUERIES) == expected


def test_there_is_no_index_to_open_before_one_is_made(work: Workspace) -> None:
    shutil.rmtree(work.directory)
    with pytest.raises(IndexMissingError) as caught:
        Database.open(work.directory, work.place.identity)
    assert "sidelight init" in caught.value.hint
    assert index_status(work.place).state is IndexState.MISSING


# -- snapshots -------------------------------------------------------------------------------------

FILES = (*(f"{key}.npy" for key in ARRAYS), VECTORS, MANIFEST)


def only_snapshot(work: Workspace) -> Path:
    (folder,) = (work.directory / FOLDER).iterdir()
    return folder


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip_last(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def remove(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("harm", [truncate, flip_last, remove, empty])
@pytest.mark.parametrize("name", FILES)
def test_answers_stay_equal_whatever_happens_to_a_snapshots_file(
    work: Workspace, sound: Workspace, name: str, harm: Callable[[Path], None]
) -> None:
    work.search("retry")  # leaves the mark that it was verified
    harm(only_snapshot(work) / name)
    assert work.answers(QUERIES[:2]) == sound.answers(QUERIES[:2])
    bad = [finding for finding in examine(work.place) if not finding.ok]
    assert [finding.subject for finding in bad] == ["snapshot"]
    assert "gc" in bad[0].hint


def test_gc_and_publishing_mend_a_damaged_snapshot(work: Workspace, sound: Workspace) -> None:
    flip_last(only_snapshot(work) / VECTORS)
    collect(work.place)
    assert [finding for finding in examine(work.place) if not finding.ok] == []
    work.publish()
    assert [finding for finding in examine(work.place) if not finding.ok] == []
    assert work.answers(QUERIES[:2]) == sound.answers(QUERIES[:2])


def test_answers_stay_equal_without_any_snapshot_folder(work: Workspace, sound: Workspace) -> None:
    shutil.rmtree(work.directory / FOLDER)
    assert work.answers(QUERIES) == sound.answers(QUERIES)
    work.publish()
    assert work.answers(QUERIES) == sound.answers(QUERIES)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 99},
        {"uuid": "another"},
        {"n_rows": 10**9},
        {"n_rows": -1},
        {"n_vectors": 1},
        {"max_chunk_id": "x"},
        {"max_chunk_id": 10**6},
        {"files": {}},
        {"files": {"../../index.db": {"size": 1, "blake2b": ""}}},
        {"generation": None},
    ],
)
def test_a_manifest_that_lies_is_not_believed(
    work: Workspace, sound: Workspace, changes: dict[str, object]
) -> None:
    path = only_snapshot(work) / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    assert work.answers(QUERIES[:2]) == sound.answers(QUERIES[:2])


@pytest.mark.parametrize("content", ["[]", "{}", "null", "[" * 5000, "\x00", '{"format": 1}'])
def test_a_manifest_that_is_none_is_not_believed(
    work: Workspace, sound: Workspace, content: str
) -> None:
    (only_snapshot(work) / MANIFEST).write_text(content)
    assert work.answers(QUERIES[:2]) == sound.answers(QUERIES[:2])
    assert not all(finding.ok for finding in examine(work.place))


def test_a_copied_snapshot_is_verified_again(work: Workspace) -> None:
    folder = only_snapshot(work)
    work.search("retry", mode="dense")
    mark = (folder / VERIFIED).read_text()
    shutil.copytree(work.directory, work.directory.parent / "copy")
    copy = work.beside(work.directory.parent / "copy")
    copy.search("retry", mode="dense")
    assert (only_snapshot(copy) / VERIFIED).read_text() != mark


def test_what_killed_builds_left_is_removed(work: Workspace) -> None:
    snapshots = work.directory / FOLDER
    (snapshots / "snap-1-orphan").mkdir()
    (snapshots / "snap-1-orphan" / "terms.npy").write_bytes(b"x")
    work.publish()
    assert not (snapshots / "snap-1-orphan").exists()
