"""Read blobs, many through one `cat-file --batch`. Only object ids go in, never paths.

Ask for sizes first (`FileRef.size`, `BlobReader.size`, `trees.blob_sizes`): a blob over the
caller's limit then never leaves git.
"""

from __future__ import annotations

import subprocess
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from types import TracebackType
from typing import IO, cast

from sidelight.errors import GitError, MissingObjectError
from sidelight.git.diagnosis import DAMAGE_HINT, FETCH_HINT
from sidelight.git.objectstore import bare_objects
from sidelight.git.repository import Repository

# Requests under way: 100 SHA-256 ids are 6.5 kB, which any pipe takes (the least is 16 kB), so
# writing never waits for git while git waits for us to read.
WINDOW = 100


class BlobReader:
    """Reads blobs by id; a context manager around at most two git processes, started when needed.

    Not for several threads at once.
    """

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._store: Repository | None = None
        self._contents: subprocess.Popen[bytes] | None = None
        self._sizes: subprocess.Popen[bytes] | None = None
        self._stack = ExitStack()
        self._busy = False

    def __enter__(self) -> BlobReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End git; the reader may be used again."""
        self._drop_contents()
        self._drop_sizes()
        self._store = None
        self._stack.close()

    def read(self, blob: str) -> bytes:
        """Return a blob's bytes.

        Raises:
            MissingObjectError: it is not here, or cannot be unpacked.
            GitError: the id is not that of a blob.
        """
        with self._exclusive():
            self._ask([blob])
            return self._receive(blob)

    def read_many(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield (id, bytes) for each id, in order, holding one blob at a time.

        Nothing else may be read until the iterator is finished or closed (`size` may be asked).

        Raises:
            MissingObjectError: one is not here; those before it have been yielded.
            GitError: one is not a blob.
        """
        source = iter(blobs)
        waiting: deque[str] = deque()
        with self._exclusive():
            while True:
                if len(waiting) <= WINDOW // 2:
                    more = list(islice(source, WINDOW - len(waiting)))
                    self._ask(more)
                    waiting.extend(more)
                if not waiting:
                    return
                blob = waiting.popleft()
                yield blob, self._receive(blob)

    def size(self, blob: str) -> int:
        """Return a blob's size in bytes, without reading it.

        Raises:
            MissingObjectError: it is not here.
            GitError: the id is not that of a blob.
        """
        request = self._repo.require_object_id(blob).encode() + b"\n"
        if self._sizes is None:
            self._sizes = self._start("--batch-check")
        _send(self._sizes, request)
        header = cast("IO[bytes]", self._sizes.stdout).readline()
        if not header.endswith(b"\n"):
            self._drop_sizes()
        return self._size_in(header, blob)

    # -- the protocol: OID LF → OID SP TYPE SP SIZE LF [CONTENT LF], or OID SP "missing" LF ------

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the content process; if the work is not finished, answers are left in its pipe."""
        if self._busy:
            raise GitError("a blob is asked for while others are still being read")
        self._busy = True
        finished = False
        try:
            yield
            finished = True
        finally:
            self._busy = False
            if not finished:
                self._drop_contents()

    def _start(self, mode: str) -> subprocess.Popen[bytes]:
        if self._store is None:
            partial = self._repo.is_partial
            self._store = (
                self._stack.enter_context(bare_objects(self._repo)) if partial else self._repo
            )
        return self._store.start(
            ["cat-file", mode], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def _ask(self, blobs: list[str]) -> None:
        request = "".join(f"{self._repo.require_object_id(blob)}\n" for blob in blobs).encode()
        if self._contents is None:
            self._contents = self._start("--batch")
        _send(self._contents, request)

    def _receive(self, blob: str) -> bytes:
        process = cast("subprocess.Popen[bytes]", self._contents)
        stdout = cast("IO[bytes]", process.stdout)
        header = stdout.readline()
        size = self._size_in(header, blob)
        content = stdout.read(size + 1)
        if len(content) != size + 1:
            raise self._broken(blob)
        return content[:-1]

    def _drop_contents(self) -> None:
        process, self._contents = self._contents, None
        if process is not None:
            _end(process)

    def _drop_sizes(self) -> None:
        process, self._sizes = self._sizes, None
        if process is not None:
            _end(process)

    def _size_in(self, header: bytes, blob: str) -> int:
        words = header.split()
        if len(words) == 3 and words[0] == blob.encode():
            if words[1] != b"blob":
                raise GitError(f"object {blob} is a {words[1].decode()}, not a blob")
            return int(words[2])
        if words[1:2] == [b"missing"]:
            hint = FETCH_HINT if self._repo.is_partial else DAMAGE_HINT
            raise MissingObjectError(f"blob {blob} is not in {self._repo.objects_dir}", hint=hint)
        raise self._broken(blob)

    def _broken(self, blob: str) -> GitError:
        """Return the error after git ended early: ask once more, only to hear why."""
        words = ["cat-file", "blob", blob]
        done = (self._store or self._repo).try_run(words)
        if done.returncode != 0:
            problem = self._repo.refusal(words, done.returncode, done.stderr)
            return MissingObjectError(f"blob {blob}: {problem.message}", hint=DAMAGE_HINT)
        return GitError(f"git cat-file ended while blob {blob} was read", hint="try again")


def _send(process: subprocess.Popen[bytes], request: bytes) -> None:
    stdin = cast("IO[bytes]", process.stdin)
    with suppress(BrokenPipeError):  # git ended: the answer is then cut short, and says so
        stdin.write(request)
        stdin.flush()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()  # it only reads
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()
    process.wait()
