"""What a job leaves behind: outputs, step summary, annotations. Strings in, text out, or a file.

Whatever a stranger wrote may be in the values: a delimiter that nobody can guess closes an output,
and nothing of theirs can begin a line that the runner takes for a command.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sidelight.errors import StorageError
from sidelight_bot.report import ChangeReport, to_json

MAX_SUMMARY = 1 << 20  # bytes a step; GitHub shows nothing of a larger one
CUT = "\n\n*The rest of this summary is left out: it would be longer than GitHub shows.*\n"
MAX_LOG_LINE = 500
MAX_ANNOTATIONS = 10  # of a step and kind; GitHub drops more
_COMMAND_MARK = re.compile(r":(?=:)|##(?=\[)")
_LINE_END = re.compile(r"\r\n|\r")
_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A remark on a line, shown with the diff even where no comment may be made."""

    path: str
    line: int
    title: str
    message: str
    level: str = "notice"


def format_outputs(values: Mapping[str, str]) -> str:
    """Return outputs as GITHUB_OUTPUT takes them, each closed by a random delimiter.

    Raises:
        ValueError: a name is not one of ours.
    """
    lines = []
    for name, value in values.items():
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of an output")
        delimiter = f"end-{secrets.token_hex(16)}"
        told = _LINE_END.sub("\n", value)  # a last \r would swallow the line end after it
        lines.append(f"{name}<<{delimiter}\n{told}\n{delimiter}\n")
    return "".join(lines)


def write_outputs(place: Path | None, values: Mapping[str, str]) -> None:
    """Append outputs to the job's file, if there is one."""
    if place is not None:
        _append(place, format_outputs(values))


def write_summary(place: Path | None, text: str) -> None:
    """Append to the step summary, if there is one, as much as GitHub shows; cut at a line's end."""
    if place is None or not text:
        return
    try:
        used = place.stat().st_size
    except OSError:
        used = 0
    data = text.encode("utf-8", "backslashreplace")
    room = MAX_SUMMARY - used
    if len(data) > room:
        kept = data[: max(0, room - len(CUT.encode()))].decode("utf-8", "ignore")
        text = kept.rpartition("\n")[0] + CUT if len(kept) > 0 else ""
    _append(place, text)


def annotation_line(annotation: Annotation) -> str:
    """Return an annotation as the command that the runner reads from the log."""
    level = annotation.level if annotation.level in {"notice", "warning"} else "notice"
    fields = {
        "file": annotation.path,
        "line": str(annotation.line),
        "title": annotation.title,
    }
    told = ",".join(f"{name}={_property(value)}" for name, value in fields.items())
    return f"::{level} {told}::{_data(annotation.message)}"


def log_line(text: str) -> str:
    """Return text as one line of a log that the runner does not take for a command."""
    line = "".join(c if c.isprintable() else " " for c in text)
    line = _COMMAND_MARK.sub(r"\g<0> ", line)
    return line if len(line) <= MAX_LOG_LINE else line[: MAX_LOG_LINE - 1] + "…"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _append(place: Path, text: str) -> None:
    try:
        with place.open("a", encoding="utf-8", newline="\n") as file:
            file.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))
    except OSError as error:
        raise StorageError(f"{place.name} cannot be written: {error.strerror}") from error


def write_result(place: Path | None, report: ChangeReport) -> Path | None:
    """Write a report as JSON, where there is a place for it; return that.

    Raises:
        StorageError: it cannot be written.
    """
    if place is None:
        return None
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(to_json(report) + "\n", "ascii")
    except OSError as error:
        raise StorageError(f"{place.name} cannot be written: {error.strerror}") from error
    return place
