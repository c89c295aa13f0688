"""Reading blobs through one process."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from sidelight.errors import GitError, MissingObjectError
from sidelight.git.blobs import WINDOW, BlobReader
from sidelight.git.repository import open_repository

CONTENTS = [b"", b"x", b"no end", b"a\n", b"\0\xff\r\n", b"missing\n", b"\n" * 70_000]


@pytest.fixture(params=["sha1", "sha256"])
def made(tmp_path: Path, request: pytest.FixtureRequest) -> GitRepo:
    return GitRepo.init(tmp_path / "repo", object_format=request.param)


def store(made: GitRepo, content: bytes) -> str:
    return made.git_bytes("hash-object", "-w", "--stdin", stdin=content).decode().strip()


def loose(made: GitRepo, blob: str) -> Path:
    return made.path / ".git" / "objects" / blob[:2] / blob[2:]


def test_any_content_comes_back(made: GitRepo) -> None:
    blobs = {store(made, content): content for content in CONTENTS}
    with BlobReader(open_repository(made.path)) as reader:
        assert {blob: reader.read(blob) for blob in blobs} == blobs
        assert {blob: reader.size(blob) for blob in blobs} == {
            blob: len(content) for blob, content in blobs.items()
        }
        assert list(reader.read_many(blobs)) == list(blobs.items())
        assert list(reader.read_many([])) == []


def test_more_blobs_than_a_window_and_larger_than_a_pipe(made: GitRepo) -> None:
    small = [store(made, b"%d" % number) for number in range(5)]
    large = store(made, bytes(range(256)) * 2000)
    wanted = [*small, large] * WINDOW
    with BlobReader(open_repository(made.path)) as reader:
        sizes = [(blob, len(content)) for blob, content in reader.read_many(iter(wanted))]
    assert sizes == [(blob, 512_000 if blob == large else 1) for blob in wanted]


def test_a_missing_blob_is_named_and_the_reader_goes_on(made: GitRepo) -> None:
    here, gone = store(made, b"here"), "1" * len(store(made, b""))
    with BlobReader(open_repository(made.path)) as reader:
        with pytest.raises(MissingObjectError, match=gone) as caught:
            reader.read(gone)
        assert "git fsck" in caught.value.hint
        with pytest.raises(MissingObjectError, match=gone):
            reader.size(gone)
        assert reader.read(here) == b"here"
        assert reader.size(here) == 4
        answers = reader.read_many([here, gone, here])
        assert next(answers) == (here, b"here")
        with pytest.raises(MissingObjectError, match=gone):
            next(answers)
        assert reader.read(here) == b"here"


def test_a_damaged_blob_is_named_and_the_reader_goes_on(made: GitRepo) -> None:
    here, broken, cut = store(made, b"here"), store(made, b"broken"), store(made, b"cut" * 9000)
    loose(made, broken).chmod(0o644)
    loose(made, broken).write_bytes(b"junk")
    loose(made, cut).chmod(0o644)
    loose(made, cut).write_bytes(zlib.compress(b"blob 27000\0" + b"cut" * 9000)[:30])
    with BlobReader(open_repository(made.path)) as reader:
        for blob in (broken, cut):
            with pytest.raises(MissingObjectError, match=blob):
                reader.read(blob)
            assert reader.read(here) == b"here"


def test_what_is_no_blob_is_refused(made: GitRepo) -> None:
    made.write("a", "a")
    commit = made.commit()
    with BlobReader(open_repository(made.path)) as reader:
        with pytest.raises(GitError, match="is a tree, not a blob"):
            reader.read(made.tree())
        with pytest.raises(GitError, match="is a commit, not a blob"):
            reader.size(commit)
        assert reader.read(made.blob("a")) == b"a"


@pytest.mark.parametrize("blob", ["", "HEAD:a", "abc", "-x", "a\nb", "A" * 40])
def test_only_whole_ids_reach_git(made: GitRepo, blob: str) -> None:
    with BlobReader(open_repository(made.path)) as reader:
        for ask in (reader.read, reader.size):
            with pytest.raises(GitError, match="object id"):
                ask(blob)


def test_an_iterator_that_is_closed_early_leaves_nothing_behind(made: GitRepo) -> None:
    blobs = [store(made, b"%d" % number * 1000) for number in range(9)]
    with BlobReader(open_repository(made.path)) as reader:
        answers = reader.read_many(blobs)
        next(answers)
        with pytest.raises(GitError, match="still being read"):
            reader.read(blobs[0])
        assert reader.size(blobs[1]) == 1000  # by its own process
        del answers
        assert reader.read(blobs[8]) == b"8" * 1000


def test_git_ending_by_itself_is_noticed(made: GitRepo) -> None:
    blob = store(made, b"here")
    with BlobReader(open_repository(made.path)) as reader:
        reader.read(blob)
        process = reader._contents
        assert process is not None
        process.kill()
        process.wait()
        with pytest.raises(GitError, match="git cat-file ended"):
            reader.read(blob)
        assert reader.read(blob) == b"here"


def test_closing_ends_git(made: GitRepo) -> None:
    blob = store(made, b"here")
    reader = BlobReader(open_repository(made.path))
    with reader:
        reader.read(blob)
        reader.size(blob)
        processes = [reader._contents, reader._sizes]
    assert all(process is not None and process.returncode is not None for process in processes)
    with reader:
        assert reader.read(blob) == b"here"
