"""What was asked and answered in a repository, and what its user said of it, as JSON lines.

They lie in the index's folder and never leave it. The user switches the log off with one file; it
is cut when it grows; and it never makes a command fail.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sidelight.errors import StorageError

LOG, JUDGEMENTS, OFF = "queries.jsonl", "judgements.jsonl", "queries.off"
MAX_BYTES = 4_000_000  # then the older half goes
MAX_QUERY = 20_000  # characters; longer ones are not kept
MAX_HITS = 20


@dataclass(frozen=True, slots=True)
class LoggedSpan:
    """A stretch of a file; the path as text (bytes that are not UTF-8 as lone surrogates)."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One answer. `packed` are the sources that a model was given, `cited` those it named."""

    time: int  # seconds since 1970
    command: str  # search, related, context, ask
    commit: str
    query: str
    hits: tuple[LoggedSpan, ...]
    packed: tuple[LoggedSpan, ...] = field(default=())
    cited: tuple[LoggedSpan, ...] = field(default=())

    @property
    def id(self) -> str:
        """What judgements name the entry by."""
        text = "\0".join((self.command, self.commit, self.query))
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4)
        return f"{self.time}-{digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the user said of one hit of an entry."""

    entry: str
    span: LoggedSpan
    is_relevant: bool


class QueryLog:
    """The log in an index's folder."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @property
    def is_on(self) -> bool:
        """Return whether answers are logged: unless they were switched off."""
        return self._directory.is_dir() and not (self._directory / OFF).exists()

    def switch(self, *, on: bool) -> None:
        """Switch logging on or off; what is there stays.

        Raises:
            StorageError: the folder cannot be written.
        """
        try:
            if on:
                (self._directory / OFF).unlink(missing_ok=True)
            else:
                (self._directory / OFF).touch()
        except OSError as error:
            raise StorageError(f"{self._directory} cannot be written: {error.strerror}") from error

    def add(self, entry: LogEntry) -> None:
        """Add an entry if the log is on. What cannot be written is lost: nobody asked for a log."""
        if self.is_on and len(entry.query) <= MAX_QUERY:
            with suppress(OSError):
                self._append(LOG, _record(entry))
                self._cut()

    def judge(self, judgement: Judgement) -> None:
        """Add a judgement, also while the log is off.

        Raises:
            StorageError: it cannot be written.
        """
        try:
            self._append(JUDGEMENTS, asdict(judgement))
        except OSError as error:
            raise StorageError(f"{self._directory} cannot be written: {error.strerror}") from error

    def entries(self) -> list[LogEntry]:
        """Return what was logged, oldest first; lines that are none of ours are skipped."""
        return [entry for line in self._lines(LOG) for entry in _parsed_entry(line)]

    def judgements(self) -> dict[tuple[str, LoggedSpan], bool]:
        """Return what was said of each hit, by entry and span; the last word counts."""
        found = (item for line in self._lines(JUDGEMENTS) for item in _parsed_judgement(line))
        return {(item.entry, item.span): item.is_relevant for item in found}

    def clear(self) -> None:
        """Delete what was logged and judged; whether the log is on stays.

        Raises:
            StorageError: a file cannot be deleted.
        """
        try:
            for name in (LOG, JUDGEMENTS):
                (self._directory / name).unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"{self._directory} cannot be written: {error.strerror}") from error

    def _append(self, name: str, record: dict[str, Any]) -> None:
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = os.open(self._directory / name, flags, 0o600)
        try:
            os.write(descriptor, line)  # in one piece, whoever else writes
        finally:
            os.close(descriptor)

    def _cut(self) -> None:
        path = self._directory / LOG
        if path.stat().st_size <= MAX_BYTES:
            return
        lines = path.read_bytes().splitlines(keepends=True)
        new = path.with_suffix(".new")
        new.write_bytes(b"".join(lines[len(lines) // 2 :]))
        new.replace(path)

    def _lines(self, name: str) -> list[bytes]:
        try:
            return (self._directory / name).read_bytes().splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StorageError(f"{name} cannot be read: {error.strerror}") from error


def _record(entry: LogEntry) -> dict[str, Any]:
    record = asdict(entry)
    record["hits"] = record["hits"][:MAX_HITS]
    return record


def _parsed_entry(line: bytes) -> Iterator[LogEntry]:
    try:
        value = json.loads(line)
        yield LogEntry(
            time=int(value["time"]),
            command=str(value["command"]),
            commit=str(value["commit"]),
            query=str(value["query"]),
            hits=_spans(value["hits"]),
            packed=_spans(value["packed"]),
            cited=_spans(value["cited"]),
        )
    except (ValueError, KeyError, TypeError):
        return


def _parsed_judgement(line: bytes) -> Iterator[Judgement]:
    try:
        value = json.loads(line)
        (span,) = _spans([value["span"]])
        yield Judgement(str(value["entry"]), span, bool(value["is_relevant"]))
    except (ValueError, KeyError, TypeError):
        return


def _spans(values: Sequence[Any]) -> tuple[LoggedSpan, ...]:
    return tuple(LoggedSpan(str(v["path"]), int(v["first"]), int(v["last"])) for v in values)
