"""Read case files: one JSON object a line, checked strictly. A bad line never loses the others.

A problem is data (`CaseProblem`, with file and line); the caller decides what it is worth.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from sidelight.errors import UsageError

_OBJECT_ID = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+\Z")

_COMMON = frozenset({"id", "repo", "language", "task", "base", "relevant"})
_QUESTION = _COMMON | {"query", "root", "secondary", "category", "names_gold_path", "sets"}
_DIFF = _COMMON | {"head", "title", "focal"}


@dataclass(frozen=True, slots=True)
class Target:
    """A file that answers a case. `lines` are 1-based inclusive ranges; none: the whole file.

    `kind` is "source" or "test" where the case file tells, else "".
    """

    path: bytes
    lines: tuple[tuple[int, int], ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class QuestionCase:
    """A question in words, asked of the tree of commit `base` (of the folder `root`, if any)."""

    id: str
    repo: str
    language: str
    base: str
    digest: str  # of the line's content: a changed case is another case
    query: str
    relevant: tuple[Target, ...]
    secondary: tuple[Target, ...] = ()
    root: bytes | None = None
    category: str | None = None
    names_gold_path: bool | None = None
    sets: tuple[str, ...] = ()

    @property
    def task(self) -> str:
        """Return the name that case files give to this kind of case."""
        return "question"

    @property
    def targets(self) -> tuple[Target, ...]:
        """Return relevant and secondary targets, which count alike (grade 1)."""
        return self.relevant + self.secondary


@dataclass(frozen=True, slots=True)
class DiffCase:
    """A change: from `base..head` restricted to `focal`, find the other files that it touched."""

    id: str
    repo: str
    language: str
    base: str
    digest: str
    head: str
    title: str
    focal: tuple[bytes, ...]
    relevant: tuple[Target, ...]

    @property
    def task(self) -> str:
        """Return the name that case files give to this kind of case."""
        return "diff"

    @property
    def targets(self) -> tuple[Target, ...]:
        """Return the files to be found."""
        return self.relevant


Case = QuestionCase | DiffCase


@dataclass(frozen=True, slots=True)
class CaseProblem:
    """A line (0: the whole file) that is no case, and why."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The cases of one file, in its order. `name` is the file's stem (`semble_axum`)."""

    name: str
    cases: tuple[Case, ...]

    @property
    def family(self) -> str:
        """Return the set that the file belongs to: its name up to the last underscore."""
        return self.name.rpartition("_")[0] or self.name


@dataclass(frozen=True, slots=True)
class CaseSet:
    """Everything that was asked for, with what could not be read."""

    files: tuple[CaseFile, ...]
    problems: tuple[CaseProblem, ...]


def find_case_files(paths: Iterable[Path]) -> list[Path]:
    """Return the case files that the paths name, a folder standing for its `*.jsonl`, sorted.

    Raises:
        UsageError: a path does not exist, or a folder holds no case file.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.glob("*.jsonl"))
            if not inside:
                raise UsageError(f"{path} holds no case file", hint="case files end in .jsonl")
            found.extend(inside)
        elif path.exists():
            found.append(path)
        else:
            raise UsageError(f"{path} does not exist", hint="give case files, or their folder")
    return list(dict.fromkeys(found))


def load_cases(paths: Sequence[Path]) -> CaseSet:
    """Return the cases of these files; lines that are none are listed, with file and line.

    An id that was seen before is a problem too: results are kept by id.
    """
    files: list[CaseFile] = []
    problems: list[CaseProblem] = []
    seen: dict[str, str] = {}
    for path in paths:
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError as error:
            problems.append(CaseProblem(str(path), 0, f"cannot be read: {error.strerror}"))
            continue
        cases: list[Case] = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                case = parse_case(line)
            except _BadCaseError as error:
                problems.append(CaseProblem(str(path), number, str(error)))
                continue
            if case.id in seen:
                message = f"id {case.id!r} was already used at {seen[case.id]}"
                problems.append(CaseProblem(str(path), number, message))
                continue
            seen[case.id] = f"{path}:{number}"
            cases.append(case)
        files.append(CaseFile(path.stem, tuple(cases)))
    return CaseSet(tuple(files), tuple(problems))


class _BadCaseError(ValueError):
    """A line that is no case; becomes a `CaseProblem`."""


def parse_case(line: bytes) -> Case:
    """Return the case that a line holds.

    Raises:
        ValueError: it is not JSON in UTF-8, or a field is missing, unknown or of another form.
    """
    try:
        record = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _BadCaseError(f"not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise _BadCaseError("nested too deeply") from error
    except ValueError as error:
        raise _BadCaseError(f"not JSON: {error}") from error
    if not isinstance(record, dict):
        raise _BadCaseError(f"an object is expected, not {_kind(record)}")
    task = record.get("task")
    if task not in ("question", "diff"):
        raise _BadCaseError(f"`task` must be question or diff, not {task!r}")
    unknown = sorted(record.keys() - (_QUESTION if task == "question" else _DIFF))
    if unknown:
        raise _BadCaseError(f"unknown field `{unknown[0]}` for a {task} case")
    common: dict[str, Any] = {
        "id": _field(record, "id", _text),
        "repo": _field(record, "repo", _matching(_REPOSITORY, "owner/name")),
        "language": _field(record, "language", _text),
        "base": _field(record, "base", _object_id),
        "relevant": _field(record, "relevant", _targets),
        "digest": _digest(record),
    }
    if not common["relevant"]:
        raise _BadCaseError("`relevant` is empty: such a case has no answer")
    if task == "diff":
        return DiffCase(
            **common,
            head=_field(record, "head", _object_id),
            title=_field(record, "title", _any_text),
            focal=_field(record, "focal", _paths),
        )
    return QuestionCase(
        **common,
        query=_field(record, "query", _text),
        secondary=_field(record, "secondary", _targets, ()),
        root=_field(record, "root", _path, None),
        category=_field(record, "category", _text, None),
        names_gold_path=_field(record, "names_gold_path", _boolean, None),
        sets=_field(record, "sets", _texts, ()),
    )


def _digest(record: Mapping[str, Any]) -> str:
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


_REQUIRED = object()


def _field(
    record: Mapping[str, Any], name: str, read: Callable[[Any], Any], default: Any = _REQUIRED
) -> Any:
    """Return the field as `read` gives it; null and absent are the default, if there is one."""
    value = record.get(name)
    if value is None:
        if default is not _REQUIRED:
            return default
        raise _BadCaseError(f"field `{name}` is missing")
    try:
        return read(value)
    except _BadCaseError as error:
        raise _BadCaseError(f"field `{name}`: {error}") from error


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")


def _any_text(value: Any) -> str:
    if not isinstance(value, str):
        raise _BadCaseError(f"a text is expected, not {_kind(value)}")
    return value


def _text(value: Any) -> str:
    if not _any_text(value).strip():
        raise _BadCaseError("is empty")
    return str(value)


def _matching(pattern: re.Pattern[str], form: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not pattern.match(_any_text(value)):
            raise _BadCaseError(f"{value!r} is not of the form {form}")
        return str(value)

    return read


_object_id = _matching(_OBJECT_ID, "a full object id (40 or 64 hex digits)")


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _BadCaseError(f"true or false is expected, not {_kind(value)}")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise _BadCaseError(f"a list is expected, not {_kind(value)}")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_text(item) for item in _list(value))


def _path(value: Any) -> bytes:
    """Return a path inside the repository; bytes that are not UTF-8 come as lone surrogates."""
    text = _text(value)
    parts = PurePosixPath(text).parts
    if text.startswith("/") or text.endswith("/") or "\0" in text or {"..", "."} & {*parts}:
        raise _BadCaseError(f"{text!r} is not a path inside the repository")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise _BadCaseError(f"{text!r} is not a path") from error


def _paths(value: Any) -> tuple[bytes, ...]:
    if not _list(value):
        raise _BadCaseError("is empty")
    return tuple(_path(item) for item in value)


def _targets(value: Any) -> tuple[Target, ...]:
    return tuple(_target(item) for item in _list(value))


def _target(value: Any) -> Target:
    if not isinstance(value, dict):
        raise _BadCaseError(f"an object with a path is expected, not {_kind(value)}")
    unknown = sorted(value.keys() - {"path", "lines", "kind"})
    if unknown:
        raise _BadCaseError(f"unknown field `{unknown[0]}`")
    kind = _field(value, "kind", _any_text, "")
    if kind not in ("", "source", "test"):
        raise _BadCaseError(f"kind {kind!r} is neither source nor test")
    ranges = tuple(_line_range(item) for item in _list(value.get("lines") or []))
    return Target(_field(value, "path", _path), ranges, kind)


def _line_range(value: Any) -> tuple[int, int]:
    match value:
        case [int(first), int(last)] if 1 <= first <= last and type(first) is type(last) is int:
            return first, last
    raise _BadCaseError(f"{value!r} is not a line range [first, last], counted from 1")
