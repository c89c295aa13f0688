"""An index carried as a file: nothing is embedded again, and nothing hostile is taken over."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sqlite3
import zlib
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Answers, Workspace
from indexing.walk import QUERIES, Walk, random_steps
from sidelight.errors import (
    DamagedIndexError,
    IndexMissingError,
    OtherFormatError,
    OtherModelError,
    SidelightError,
    StorageError,
)
from sidelight.indexing.cachefile import MAGIC, export_cache, import_cache
from sidelight.indexing.maintenance import examine
from sidelight.indexing.place import revision_view
from sidelight.indexing.refresh import index_revision
from sidelight.indexing.status import IndexState, index_status


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    walk = Walk(tmp_path_factory.mktemp("cache") / "repo")
    for step, pick in random_steps(5, 15):
        step(walk, pick)
    walk.repo.write("long.py", "def lots():\n    return '" + "repeat " * 80_000 + "'\n")
    walk.repo.write("empty.py", "")
    walk.repo.write("odd.bin", b"skipped\0")  # the statements below know it as x'6f64642e62696e'
    walk.repo.write("emoji.py", "def \U0001f600():\n    x = '漢字'\n")
    walk.repo.write("a\tb\n'c\".py", "class A:\n    def f(self) -> 'B':\n        return B.g()\n")
    walk.repo.commit()
    return walk


@pytest.fixture(scope="module")
def work(walk: Walk) -> Workspace:
    """The index that is exported: two views, a snapshot, dead rows."""
    work = Workspace.at(walk.repo)
    work.refresh()
    index_revision(work.place, walk.repo.head(), revision_view("kept"))
    work.publish()
    walk.repo.write("more.py", "def more():\n    return 'retry'\n")
    walk.repo.commit()
    work.refresh()
    return work


@pytest.fixture(scope="module")
def cache(work: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("file") / "index.cache"
    export_cache(work.place, path)
    return path


def clone(walk: Walk, folder: Path) -> Workspace:
    return Workspace.at(walk.repo.clone(folder))


# -- carried -----------------------------------------------------------------------------------


def test_an_imported_index_embeds_and_parses_nothing(
    walk: Walk, work: Workspace, cache: Path, tmp_path: Path
) -> None:
    copy = clone(walk, tmp_path / "elsewhere")
    report = import_cache(copy.place, cache)
    assert report.views == ("rev/kept", "worktree/")
    refreshed = copy.refresh()
    assert (refreshed.embedded, refreshed.parsed_files, refreshed.changed_files) == (0, 0, 0)
    assert copy.embedder.n_embedded == 0
    assert copy.answers(QUERIES) == work.answers(QUERIES)
    assert index_status(copy.place).state is IndexState.CURRENT
    assert [finding for finding in examine(copy.place) if not finding.ok] == []


def test_a_copied_folder_with_fresh_times_embeds_and_parses_nothing(
    walk: Walk, work: Workspace, tmp_path: Path
) -> None:
    copy = clone(walk, tmp_path / "another place")
    shutil.copytree(work.directory, copy.directory)
    for path in copy.directory.rglob("*"):
        os.utime(path, (10**9, 10**9))
    refreshed = copy.refresh()
    assert (refreshed.embedded, refreshed.parsed_files, refreshed.changed_files) == (0, 0, 0)
    assert copy.embedder.n_embedded == 0
    assert copy.answers(QUERIES) == work.answers(QUERIES)


def test_an_index_of_another_commit_is_taken_over_and_brought_up(
    walk: Walk, work: Workspace, cache: Path, tmp_path: Path
) -> None:
    copy = clone(walk, tmp_path / "behind")
    repo = GitRepo(tmp_path / "behind", walk.repo.clock)
    repo.write("new.py", "def brand_new():\n    return 1\n")
    repo.commit()
    import_cache(copy.place, cache)
    refreshed = copy.refresh()
    assert (refreshed.changed_files, refreshed.parsed_files) == (1, 1)
    assert copy.embedder.n_embedded == refreshed.embedded == 1
    fresh = copy.beside(tmp_path / "fresh")
    fresh.refresh()
    assert copy.answers(QUERIES) == fresh.answers(QUERIES)


def test_import_replaces_what_was_there(
    walk: Walk, work: Workspace, cache: Path, tmp_path: Path
) -> None:
    copy = clone(walk, tmp_path / "old")
    copy.refresh()
    copy.publish()
    import_cache(copy.place, cache)
    assert copy.answers(QUERIES) == work.answers(QUERIES)
    assert not list(copy.directory.glob(".new-*"))


def test_export_replaces_its_target_and_leaves_nothing_else(
    work: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "out").write_bytes(b"former")
    export_cache(work.place, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert not list(work.directory.glob(".new-*"))


def test_there_must_be_an_index_to_export(walk: Walk, tmp_path: Path) -> None:
    copy = clone(walk, tmp_path / "none")
    with pytest.raises(IndexMissingError):
        export_cache(copy.place, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_target_that_cannot_be_written_is_named(work: Workspace, tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        export_cache(work.place, tmp_path / "no such folder" / "out")
    assert caught.value.message == f"there is no folder {tmp_path / 'no such folder'}"
    assert caught.value.hint
    assert not list(work.directory.glob(".new-*"))


def test_an_index_that_may_only_be_read_can_be_exported(
    work: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)
    report = export_cache(work.place, tmp_path / "out")
    assert report.chunks > 0
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


# -- refused -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def victim(
    walk: Walk, work: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Workspace, Answers]:
    """A repository with an index of its own, which must outlive every refused import."""
    copy = clone(walk, tmp_path_factory.mktemp("victim") / "repo")
    shutil.copytree(work.directory, copy.directory)
    return copy, copy.answers(QUERIES[:1])


def assert_refused(
    victim: tuple[Workspace, Answers],
    path: Path,
    error: type[SidelightError] = DamagedIndexError,
) -> None:
    work, answers = victim
    with pytest.raises(error) as caught:
        import_cache(work.place, path)
    assert caught.value.hint
    assert work.answers(QUERIES[:1]) == answers
    assert not list(work.directory.glob(".new-*"))
    assert index_status(work.place).state is IndexState.CURRENT


def unpack(path: Path) -> tuple[dict[str, object], bytes]:
    data = path.read_bytes()
    header, _, packed = data.removeprefix(MAGIC).partition(b"\n")
    return json.loads(header), zlib.decompress(packed)


def pack(path: Path, header: dict[str, object], database: bytes) -> Path:
    digest = hashlib.blake2b(database, digest_size=16).hexdigest()
    full = {**header, "size": len(database), "blake2b": digest} | (
        header if "size" not in header else {}
    )
    text = json.dumps(full, sort_keys=True).encode()
    path.write_bytes(MAGIC + text + b"\n" + zlib.compress(database, 1))
    return path


def forge(cache: Path, target: Path, *statements: str, schema: bool = False) -> Path:
    """Return a cache file with a right checksum whose database these statements changed."""
    header, database = unpack(cache)
    copy = target.with_suffix(".db")
    copy.write_bytes(database)
    connection = sqlite3.connect(copy, isolation_level=None)
    if schema:
        connection.execute("PRAGMA writable_schema = ON")
    for statement in statements:
        connection.execute(statement)
    connection.close()
    return pack(target, header, copy.read_bytes())


HOSTILE_ROWS = {
    "absolute path": "UPDATE file SET path = CAST('/etc/x' AS BLOB) WHERE path = x'6f64642e62696e'",
    "parent path": "UPDATE doc SET path = CAST('../../x' AS BLOB) WHERE id = 1",
    "dot path": "UPDATE file SET path = CAST('a/./b' AS BLOB) WHERE path = x'6f64642e62696e'",
    "NUL path": "UPDATE file SET path = x'610062' WHERE path = x'6f64642e62696e'",
    "empty path": "INSERT INTO history_path VALUES (x'', 4000000)",
    "text path": "UPDATE doc SET path = 'plain.py' WHERE id = 1",
    "long path": "UPDATE file SET path = zeroblob(100000) WHERE path = x'6f64642e62696e'",
    "other doc": "UPDATE file SET doc_id = (SELECT max(id) FROM doc) WHERE doc_id = 1",
    "no doc": "UPDATE file SET doc_id = 99999 WHERE doc_id = 1",
    "neither doc nor reason": "UPDATE file SET skip = NULL, doc_id = NULL WHERE doc_id = 1",
    "odd mode": "UPDATE file SET mode = 16384",
    "huge mode": "UPDATE file SET mode = 1 << 60",
    "blob size": "UPDATE doc SET blob = x'00' WHERE id = 1",
    "text blob": "UPDATE doc SET blob = 'abc' WHERE id = 1",
    "sha256 blobs": "UPDATE file SET blob = zeroblob(32) WHERE path = x'6f64642e62696e'",
    "huge count": "UPDATE doc SET n_chunks = 1 << 62 WHERE id = 1",
    "negative count": "UPDATE doc SET n_chunks = -1 WHERE id = 1",
    "real count": "UPDATE doc SET size = 1.5 WHERE id = 1",
    "infinite count": "UPDATE doc SET size = 9e999 WHERE id = 1",
    "text count": "UPDATE doc SET size = 'many' WHERE id = 1",
    "huge id": "UPDATE doc SET id = 1 << 61 WHERE id NOT IN (SELECT doc_id FROM chunk)",
    "negative id": "UPDATE chunk SET id = -5 WHERE id = 1",
    "unknown language": "UPDATE parsed SET language = 'klingon' WHERE id = 1",
    "unknown kind": "UPDATE chunk SET kind = 'poem' WHERE id = 1",
    "negative line": "UPDATE chunk SET start_line = -1 WHERE id = 1",
    "line zero": "UPDATE chunk SET start_line = 0 WHERE id = 1",
    "end before start": "UPDATE chunk SET start_byte = end_byte + 1 WHERE id = 1",
    "beyond the file": "UPDATE chunk SET end_byte = 1 << 30 WHERE id = 1",
    "same ordinal": "UPDATE chunk SET ordinal = 0",
    "own parent": "UPDATE chunk SET parent = ordinal WHERE id = 1",
    "huge parent": "UPDATE chunk SET parent = 100000 WHERE id = 1",
    "short key": "UPDATE chunk SET embedding = x'00' WHERE id = 1",
    "unknown key": "UPDATE chunk SET embedding = randomblob(16)",
    "huge length": "UPDATE chunk SET n_terms = 1 << 40 WHERE id = 1",
    "other length": "UPDATE chunk SET n_terms = n_terms + 1 WHERE id = 1",
    "odd terms": "UPDATE chunk SET terms = terms || x'00' WHERE id = 1",
    "text terms": "UPDATE chunk SET terms = 'abcdefghij' WHERE id = 1",
    "unsorted terms": "UPDATE chunk SET n_terms = 2, terms ="
    " x'0200000000000000' || x'0100000000000000' || x'01000100' WHERE id = 1",
    "zero frequency": "UPDATE chunk SET n_terms = 0, terms = x'01000000000000000000' WHERE id = 1",
    "short vector": "UPDATE embedding SET vector = x'00'",
    "text vector": "UPDATE embedding SET vector = 'abc'",
    "other vector": "UPDATE embedding SET vector = zeroblob(32)",
    "huge vector": "UPDATE embedding SET vector = zeroblob(1000000)",
    "not a number": "UPDATE embedding SET crc = 'NaN'",
    "pending nowhere": "INSERT INTO pending VALUES (randomblob(16), 1)",
    "view tree": "UPDATE view SET tree = 'HEAD'",
    "view option": "UPDATE view SET commit_id = '--upload-pack=touch /tmp/x'",
    "view name": "UPDATE view SET name = 'other/thing' WHERE name = 'rev/kept'",
    "escape in name": "UPDATE view SET name = 'rev/' || char(27) WHERE name = 'rev/kept'",
    "view key": "UPDATE view SET config_key = ''",
    "symbol key": "UPDATE symbol SET name_key = 'other'",
    "symbol span": "UPDATE symbol SET end_byte = -1",
    "symbol order": "UPDATE symbol SET ordinal = ordinal + 7",
    "symbol parent": "UPDATE symbol SET parent = 500",
    "no zlib": "UPDATE parsed SET uses = x'00'",
    "no lists": "UPDATE parsed SET imports = x'789c030000000001'",
    "skip reason": "UPDATE file SET skip = char(27) || '[31m' WHERE skip IS NOT NULL",
    "generation": "UPDATE meta SET value = '-1' WHERE key = 'generation'",
    "roman generation": "UPDATE meta SET value = '²' WHERE key = 'generation'",
    "long generation": "UPDATE meta SET value = printf('%.5000d', 9) WHERE key = 'generation'",
    "meta escape": "INSERT INTO meta VALUES ('note', char(27))",
    "history time": "UPDATE history_commit SET time = -1",
    "history parents": "UPDATE history_commit SET parents = x'ffffffff'",
    "history files": "UPDATE history_commit SET files = x'ffffffff', n_files = 1",
}


@pytest.mark.parametrize("name", HOSTILE_ROWS)
def test_a_row_that_we_never_write_is_refused(
    victim: tuple[Workspace, Answers], cache: Path, tmp_path: Path, name: str
) -> None:
    bad = forge(cache, tmp_path / "bad.cache", HOSTILE_ROWS[name])
    assert unpack(bad)[1] != unpack(cache)[1], "the statement changed nothing"
    assert_refused(victim, bad)


HOSTILE_SCHEMAS = {
    "trigger": ["CREATE TRIGGER t AFTER INSERT ON file BEGIN DELETE FROM view; END"],
    "view": ["CREATE VIEW v AS SELECT * FROM meta"],
    "view for a table": ["DROP TABLE snapshot", "CREATE VIEW snapshot AS SELECT 1"],
    "table": ["CREATE TABLE extra (x)"],
    "index": ["CREATE INDEX extra ON file (mode)"],
    "column": ["ALTER TABLE view ADD COLUMN extra"],
    "virtual table": ["CREATE VIRTUAL TABLE ft USING fts5(x)"],
    "missing table": ["DROP TABLE pending"],
    "no index": ["DROP INDEX chunk_by_doc"],
    "statistics": ["ANALYZE"],
    "other text": ["UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = 'meta'"],
    "no constraint": [
        "UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '        ') WHERE name = 'doc'"
    ],
    "shared pages": [
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema"
        " WHERE name = 'doc') WHERE name = 'chunk'"
    ],
}


@pytest.mark.parametrize("name", HOSTILE_SCHEMAS)
def test_a_schema_that_is_not_ours_is_refused(
    victim: tuple[Workspace, Answers], cache: Path, tmp_path: Path, name: str
) -> None:
    bad = forge(cache, tmp_path / "bad.cache", *HOSTILE_SCHEMAS[name], schema=True)
    assert_refused(victim, bad)


def payload(*, imports: object = (), uses: object = ((), ())) -> str:
    """Return a statement that puts JSON of our own making where parsed files are packed."""
    one, two = (zlib.compress(json.dumps(value).encode()).hex() for value in (imports, uses))
    return f"UPDATE parsed SET imports = x'{one}', uses = x'{two}'"  # noqa: S608


SPAN = [0, 1, 1, 1]
PAYLOADS = {
    "deep": "[" * 100_000,
    "import without span": payload(imports=[["m", "import", [], None]]),
    "negative span": payload(imports=[["m", "import", -1, 1, 1, 1, [], None]]),
    "float span": payload(imports=[["m", "import", 0.5, 1, 1, 1, [], None]]),
    "true span": payload(imports=[["m", "import", True, 1, 1, 1, [], None]]),
    "NaN span": payload(imports=[["m", "import", float("nan"), 1, 1, 1, [], None]]),
    "number for a module": payload(imports=[[1, "import", *SPAN, [], None]]),
    "list for an alias": payload(imports=[["m", "import", *SPAN, [], ["x"]]]),
    "number for a name": payload(imports=[["m", "import", *SPAN, [[1, None]], None]]),
    "null for a name": payload(imports=[["m", "import", *SPAN, [[None, None]], None]]),
    "unknown import": payload(imports=[["m", "teleport", *SPAN, [], None]]),
    "owner out of range": payload(uses=[[["f", "call", None, *SPAN, 10**6]], []]),
    "negative owner": payload(uses=[[["f", "call", None, *SPAN, -1]], []]),
    "dict for a receiver": payload(uses=[[["f", "call", {}, *SPAN, None]], []]),
    "number for a message": payload(uses=[[], [[3, *SPAN]]]),
    "three lists": payload(uses=[[], [], []]),
    "a dict": payload(imports={"a": 1}),
}


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_packed_file_that_we_never_write_is_refused(
    victim: tuple[Workspace, Answers], cache: Path, tmp_path: Path, name: str
) -> None:
    statement = PAYLOADS[name]
    if statement.startswith("["):
        packed = zlib.compress(statement.encode()).hex()
        statement = f"UPDATE parsed SET imports = x'{packed}'"  # noqa: S608
    assert_refused(victim, forge(cache, tmp_path / "bad.cache", statement))


def test_a_packed_file_that_unpacks_to_gigabytes_is_refused(
    victim: tuple[Workspace, Answers], cache: Path, tmp_path: Path
) -> None:
    engine = zlib.compressobj(9)
    bomb = b"".join(engine.compress(b"[" * 1_000_000) for _ in range(200)) + engine.flush()
    statement = f"UPDATE parsed SET imports = x'{bomb.hex()}' WHERE id = 1"  # noqa: S608
    assert_refused(victim, forge(cache, tmp_path / "bad.cache", statement))


def test_numbering_by_a_stranger_does_not_stop_later_insertions(
    walk: Walk, cache: Path, tmp_path: Path
) -> None:
    """SQLite refuses to number rows beyond the largest id, which this table claims is used."""
    last = "UPDATE sqlite_sequence SET seq = 9223372036854775807"
    copy = clone(walk, tmp_path / "numbered")
    import_cache(copy.place, forge(cache, tmp_path / "odd.cache", last))
    repo = GitRepo(tmp_path / "numbered", walk.repo.clock)
    repo.write("later.py", "def later():\n    return 1\n")
    repo.commit()
    assert copy.refresh().parsed_files == 1


def test_a_stranger_names_no_snapshot(walk: Walk, cache: Path, tmp_path: Path) -> None:
    name = "INSERT INTO snapshot VALUES (1, '../../../../tmp/evil', 1, 1)"
    copy = clone(walk, tmp_path / "named")
    import_cache(copy.place, forge(cache, tmp_path / "odd.cache", "DELETE FROM snapshot", name))
    names = [row[0] for row in copy.rows("SELECT name FROM snapshot")]
    assert all("/" not in str(name) for name in names)


@pytest.mark.parametrize(
    "content",
    [b"", b"x", b"sidelight-cache 2\n{}\n", MAGIC, MAGIC + b"{}\n", MAGIC + b"[]\n",
     MAGIC + b"[" * 4000 + b"\n", MAGIC + b"x" * 100_000, MAGIC + b"\xff\xfe\n",
     MAGIC + b'{"format": 1}\n'],
)  # fmt: skip
def test_what_is_no_cache_file_is_refused(
    victim: tuple[Workspace, Answers], tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "bad").write_bytes(content)
    assert_refused(victim, tmp_path / "bad")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"format": 99}, OtherFormatError),
        ({"pipeline": "9.9.9"}, OtherFormatError),
        ({"model": "0" * 64}, OtherModelError),
        ({"format": "1"}, DamagedIndexError),
        ({"format": True}, DamagedIndexError),
        ({"extra": 1}, DamagedIndexError),
        ({"size": -1}, DamagedIndexError),
        ({"size": 0}, DamagedIndexError),
        ({"size": 1}, DamagedIndexError),
        ({"size": 10**9}, DamagedIndexError),
        ({"size": 10**30}, DamagedIndexError),
        ({"blake2b": ""}, DamagedIndexError),
        ({"blake2b": "0" * 32}, DamagedIndexError),
    ],
)
def test_a_header_that_lies_is_refused(
    victim: tuple[Workspace, Answers],
    cache: Path,
    tmp_path: Path,
    changes: dict[str, object],
    error: type[SidelightError],
) -> None:
    header, database = unpack(cache)
    text = json.dumps({**header, **changes}).encode()
    (tmp_path / "bad").write_bytes(MAGIC + text + b"\n" + zlib.compress(database, 1))
    assert_refused(victim, tmp_path / "bad", error)


def test_a_bomb_is_refused_before_it_is_unpacked(
    victim: tuple[Workspace, Answers], cache: Path, tmp_path: Path
) -> None:
    """200 MB of zeros with a right checksum; without the limit they would be written first."""
    header, _ = unpack(cache)
    pack(tmp_path / "bomb", header, bytes(200_000_000))
    work, _ = victim
    with pytest.raises(DamagedIndexError, match="claims"):
        import_cache(work.place, tmp_path / "bomb")
    assert_refused(victim, tmp_path / "bomb")


def test_content_beyond_the_claimed_size_is_not_unpacked(
    victim: tuple[Workspace, Answers], cache: Path, tmp_path: Path
) -> None:
    header, database = unpack(cache)
    data = zlib.compress(database + bytes(50_000_000), 1)
    (tmp_path / "bad").write_bytes(MAGIC + json.dumps(header).encode() + b"\n" + data)
    assert_refused(victim, tmp_path / "bad")


def test_a_file_that_is_cut_anywhere_is_refused(
    victim: tuple[Workspace, Answers], cache: Path, tmp_path: Path
) -> None:
    data = cache.read_bytes()
    dice = random.Random(1)
    for at in [1, len(MAGIC), len(data) - 1, *(dice.randrange(len(data)) for _ in range(12))]:
        (tmp_path / "bad").write_bytes(data[:at])
        work, _ = victim
        with pytest.raises(DamagedIndexError):
            import_cache(work.place, tmp_path / "bad")
    assert_refused(victim, tmp_path / "bad")


def test_a_file_with_a_flipped_bit_anywhere_is_refused(
    victim: tuple[Workspace, Answers], cache: Path, tmp_path: Path
) -> None:
    data = cache.read_bytes()
    work, answers = victim
    dice = random.Random(2)
    for _ in range(30):
        changed = bytearray(data)
        changed[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        (tmp_path / "bad").write_bytes(changed)
        try:
            import_cache(work.place, tmp_path / "bad")
        except (DamagedIndexError, OtherFormatError, OtherModelError):
            continue
        assert unpack(tmp_path / "bad")[1] == unpack(cache)[1]  # a bit that deflate does not use
    assert work.answers(QUERIES[:1]) == answers


def test_random_harm_with_a_right_checksum_is_refused_or_harmless(
    walk: Walk, cache: Path, tmp_path: Path
) -> None:
    """What passes the checks must at least never end in a traceback."""
    header, database = unpack(cache)
    copy = clone(walk, tmp_path / "copy")
    dice = random.Random(3)
    for _ in range(30):
        changed = bytearray(database)
        for _ in range(dice.choice([1, 4, 40])):
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
        bad = pack(tmp_path / "bad", header, bytes(changed))
        try:
            import_cache(copy.place, bad)
        except SidelightError:
            continue
        copy.answers(QUERIES[:2])


@pytest.mark.parametrize("kind", ["folder", "missing", "link to itself"])
def test_a_source_that_cannot_be_read_is_named(
    victim: tuple[Workspace, Answers], tmp_path: Path, kind: str
) -> None:
    source = tmp_path / "source"
    if kind == "folder":
        source.mkdir()
    elif kind == "link to itself":
        source.symlink_to(source)
    assert_refused(victim, source, StorageError)
