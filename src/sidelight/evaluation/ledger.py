"""Results on disk: one JSON object a line, only appended, so that a kill loses one at most.

A result is found again by (case id, case content, mode, settings, k). Rankings are stored, not
figures: a metric can be added without asking anything again. A line that cannot be read is skipped.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sidelight.errors import StorageError
from sidelight.evaluation.metrics import RankedSpan
from sidelight.evaluation.ports import Ranking, TreeInfo

FORMAT = 1
Ranges = tuple[tuple[int, int], ...]  # of lines, 1-based and inclusive


@dataclass(frozen=True, slots=True)
class Key:
    """What makes two results the same: the case's id and content, the mode and its settings."""

    case: str
    digest: str
    mode: str
    settings: str
    k: int


@dataclass(frozen=True, slots=True)
class Result:
    """One case's ranking in one mode, and the tree that it was asked of.

    `touched`, of a diff case, are the lines of each wanted file that the change touched.
    """

    key: Key
    ranking: Ranking
    tree: TreeInfo
    touched: Mapping[bytes, Ranges] = field(default_factory=dict)


class Ledger:
    """The results file at `path`; made with the first result. Threads may share it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._whole_lines = False  # until the first write, the file may end in a torn line

    def read(self) -> dict[Key, Result]:
        """Return every result, a later one replacing an earlier.

        Raises:
            StorageError: the file is there and cannot be read.
        """
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StorageError(f"{self._path} cannot be read: {error.strerror}") from error
        return {result.key: result for line in lines for result in _parsed(line)}

    def append(self, result: Result) -> None:
        """Add the result as one line, handed to the system in one write.

        Raises:
            StorageError: the file cannot be written.
        """
        line = json.dumps(_record(result), separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                if not self._whole_lines and self._ends_torn():
                    line = b"\n" + line
                descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
                try:
                    os.write(descriptor, line)
                finally:
                    os.close(descriptor)
            except OSError as error:
                raise StorageError(f"{self._path} cannot be written: {error.strerror}") from error
            self._whole_lines = True

    def _ends_torn(self) -> bool:
        try:
            with self._path.open("rb") as file:
                file.seek(-1, os.SEEK_END)
                return file.read(1) != b"\n"
        except (FileNotFoundError, OSError):  # absent, or empty: nothing before the start
            return False


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _record(result: Result) -> dict[str, Any]:
    key, tree = result.key, result.tree
    return {
        "format": FORMAT,
        "case": key.case,
        "digest": key.digest,
        "mode": key.mode,
        "settings": key.settings,
        "k": key.k,
        "files": tree.n_files,
        "chunks": tree.n_chunks,
        "index_s": round(tree.index_s, 3),
        "query_ms": round(result.ranking.query_ms, 3),
        "hits": [
            [_text(hit.path), hit.start_line, hit.end_line, [_text(path) for path in hit.alike]]
            for hit in result.ranking.hits
        ],
        "touched": {_text(path): ranges for path, ranges in result.touched.items()},
    }


def _parsed(line: bytes) -> Iterator[Result]:
    """Yield the line's result; nothing for a torn, foreign or older line."""
    try:
        record = json.loads(line)
        if record["format"] != FORMAT:
            return
        hits = tuple(
            RankedSpan(_bytes(path), int(start), int(end), tuple(_bytes(p) for p in alike))
            for path, start, end, alike in record["hits"]
        )
        case, digest, mode, settings = (
            str(record[name]) for name in ("case", "digest", "mode", "settings")
        )
        yield Result(
            Key(case, digest, mode, settings, int(record["k"])),
            Ranking(hits, float(record["query_ms"])),
            TreeInfo(int(record["files"]), int(record["chunks"]), float(record["index_s"])),
            {
                _bytes(path): tuple((int(first), int(last)) for first, last in ranges)
                for path, ranges in record["touched"].items()
            },
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
