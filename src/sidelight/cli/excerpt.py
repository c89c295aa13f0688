"""The first telling lines of a hit, read from the indexed tree and safe to print."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from sidelight.errors import GitError, MissingObjectError
from sidelight.git.blobs import BlobReader
from sidelight.git.repository import Repository
from sidelight.model import Hit

TAB = 4


class Excerpts:
    """Reads hits' blobs by path from one tree."""

    def __init__(self, repo: Repository, tree: str) -> None:
        self._repo = repo
        self._tree = tree
        self._blobs = BlobReader(repo)

    def lines(self, hit: Hit, count: int) -> list[str]:
        """Return up to `count` lines of the hit that are not blank, without control characters."""
        try:
            blob = self._blob_of(hit.path)
            content = self._blobs.read(blob)[hit.span.start_byte : hit.span.end_byte]
        except (GitError, MissingObjectError):
            return []
        text = content.decode("utf-8", "replace").expandtabs(TAB)
        lines = [line.rstrip() for line in text.split("\n") if line.strip()]
        return [_printable(line) for line in lines[:count]]

    def close(self) -> None:
        """End the reading process."""
        self._blobs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _blob_of(self, path: bytes) -> str:
        words = ["rev-parse", "--verify", "--quiet", "--end-of-options"]
        spec = self._tree.encode() + b":" + path
        return self._repo.run([*words, spec]).decode("ascii").strip()


def _printable(line: str) -> str:
    return "".join(c if c.isprintable() else "�" for c in line)
