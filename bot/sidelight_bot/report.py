"""What the bot found out about one change: plain frozen data that survives a hostile journey. Pure.

A run without the right to comment writes it as JSON, and another run posts it; between the two it
lies where a stranger may have changed it. So `from_json` refuses whatever `to_json` would not have
written, and the comment is always made anew from these values, never from Markdown.

Texts are as the repository has them, on one line each but for excerpts. Paths are text with
surrogate escapes for bytes that are not UTF-8. Lines are 1-based and inclusive.
"""

from __future__ import annotations

import dataclasses
import json
from enum import StrEnum
from typing import Annotated, Any, NoReturn

from sidelight_bot.checked import (
    Count,
    Line,
    Most,
    Name,
    Path,
    Real,
    ReportError,
    Sentence,
    Sha,
    Text,
    Whole,
    read_dataclass,
)
from sidelight_bot.notes.model import Note

VERSION = 1
MAX_JSON = 6_000_000  # bytes
MAX_ITEMS = 60
MAX_EXCERPT = 2000
MAX_TITLE = 300

Slug = Annotated[str, Text(200, pattern=r"(?:[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)?")]
Language = Annotated[str, Text(20, pattern=r"[a-z0-9+#-]*")]


class GroupReason(StrEnum):
    """Why code is shown, in the order of the comment."""

    CALLERS = "callers"  # it calls what changed
    MENTIONS = "mentions"  # it names what changed, or has what was changed elsewhere
    DEFINITIONS = "definitions"  # what changed uses it
    TESTS = "tests"  # it tests what changed
    COMPANIONS = "companions"  # it usually changes together with what changed, and did not
    LOOKALIKES = "lookalikes"  # it resembles code that was added
    RELATED = "related"  # it ranks high for other reasons


class FindingKind(StrEnum):
    """What else was found."""

    REMOVED = "removed"  # still referred to, though it is gone
    UNTESTED = "untested"  # no test reaches it


@dataclasses.dataclass(frozen=True, slots=True)
class Excerpt:
    """A few lines of a file at head, starting at `line`; `focus` is the one that matters most."""

    line: Line
    focus: Line
    language: Language
    text: Annotated[str, Text(MAX_EXCERPT, lines=True)]


@dataclasses.dataclass(frozen=True, slots=True)
class Touched:
    """A definition that the change touches; `tests` is None where tests cannot be told."""

    path: Path
    start_line: Line
    end_line: Line
    name: Name
    kind: Name
    change: Name  # "added", "removed", "changed", "signature"
    callers: Count
    tests: Count | None


@dataclasses.dataclass(frozen=True, slots=True)
class Item:
    """A stretch of code outside the diff, and the reason to look at it, as one line.

    `why` is "" for what ranks high by words in common alone.
    """

    path: Path
    start_line: Line
    end_line: Line
    symbol: Name
    why: Sentence
    excerpt: Excerpt | None
    alike: Annotated[tuple[Path, ...], Most(20)] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Group:
    """Items with one reason in common, best first; `n_more` were left out."""

    reason: GroupReason
    items: Annotated[tuple[Item, ...], Most(MAX_ITEMS)]
    n_more: Count = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Site:
    """One line elsewhere that a finding rests on."""

    path: Path
    line: Line
    note: Sentence
    excerpt: Excerpt | None


@dataclasses.dataclass(frozen=True, slots=True)
class SignatureFinding:
    """A signature changed, and these calls outside the diff did not follow."""

    path: Path
    line: Line
    symbol: Name
    message: Sentence
    sites: Annotated[tuple[Site, ...], Most(MAX_ITEMS)]
    n_more: Count = 0


@dataclasses.dataclass(frozen=True, slots=True)
class OtherFinding:
    """Something else to look at; `path` and `line` are of the change."""

    kind: FindingKind
    path: Path
    line: Line
    symbol: Name
    message: Sentence
    sites: Annotated[tuple[Site, ...], Most(MAX_ITEMS)]


@dataclasses.dataclass(frozen=True, slots=True)
class TestFile:
    """A test file to run, and the tests in it that reach the change (none named: all of it)."""

    __test__ = False  # pytest: this is no test

    path: Path
    names: Annotated[tuple[Name, ...], Most(MAX_ITEMS)]
    why: Sentence


@dataclasses.dataclass(frozen=True, slots=True)
class Unread:
    """A changed file that was not looked into, by its shown name."""

    name: Annotated[str, Text(4096)]
    reason: Name


@dataclasses.dataclass(frozen=True, slots=True)
class IndexInfo:
    """The index behind the report; `cache_hit` is None where no cache was asked."""

    state: Annotated[str, Text(20, pattern="[a-z-]*")] = ""
    cache_hit: bool | None = None
    files_refreshed: Count = 0
    chunks: Count = 0
    pending: Count = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Stage:
    """How long a part of the run took."""

    name: Name
    seconds: Annotated[float, Real(1e6)]


@dataclasses.dataclass(frozen=True, slots=True)
class ModelUsage:
    """What a language model was asked for, if one was; `total_…` counts all runs of the pull
    request, of which `budget_…` is the most (None: there is no limit).
    """

    model: Name
    prompt_tokens: Count
    completion_tokens: Count
    cost_usd: Annotated[float, Real(1e6)] | None
    total_tokens: Annotated[int, Whole(most=10**13)] = 0
    budget_tokens: Count | None = None
    total_usd: Annotated[float, Real(1e8)] | None = None
    budget_usd: Annotated[float, Real(1e6)] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class ChangeReport:
    """Everything that is shown of one change.

    `base` is the revision that was asked for, `merge_base` the one compared with: "" if there is
    none, and nothing was compared. `n_touched`, `n_unread` count those that are left out as well.
    `remarks` say what is partial about the report. `run` orders runs about the same head.
    """

    repo: Slug
    number: Annotated[int, Whole(1)] | None
    base: Sha
    merge_base: Annotated[str, Text(64, pattern=r"(?:[0-9a-f]{40}(?:[0-9a-f]{24})?)?")]
    head: Sha
    title: Annotated[str, Text(MAX_TITLE)]
    n_files: Count = 0
    n_added: Count = 0
    n_removed: Count = 0
    touched: Annotated[tuple[Touched, ...], Most(MAX_ITEMS)] = ()
    n_touched: Count = 0
    signatures: Annotated[tuple[SignatureFinding, ...], Most(MAX_ITEMS)] = ()
    findings: Annotated[tuple[OtherFinding, ...], Most(MAX_ITEMS)] = ()
    groups: Annotated[tuple[Group, ...], Most(len(GroupReason))] = ()
    tests: Annotated[tuple[TestFile, ...], Most(MAX_ITEMS)] = ()
    n_tests: Count = 0
    ledger: Annotated[tuple[Unread, ...], Most(MAX_ITEMS)] = ()
    n_unread: Count = 0
    remarks: Annotated[tuple[Sentence, ...], Most(20)] = ()
    index: IndexInfo = dataclasses.field(default_factory=IndexInfo)
    stages: Annotated[tuple[Stage, ...], Most(20)] = ()
    notes: Annotated[tuple[Note, ...], Most(20)] = ()
    usage: ModelUsage | None = None
    run: Count = 0

    @property
    def n_items(self) -> int:
        """How many pieces of related code the report shows."""
        return sum(len(group.items) for group in self.groups)


def to_json(report: ChangeReport) -> str:
    """Return the report as JSON of one line in ASCII, with a version."""
    return json.dumps({"version": VERSION, **dataclasses.asdict(report)}, separators=(",", ":"))


def from_json(data: str | bytes) -> ChangeReport:
    """Return the report that `to_json` wrote.

    Raises:
        ReportError: the data is too large, not JSON, of another version, or holds anything that
            a report does not: the message names the field.
    """
    if len(data) > MAX_JSON:
        raise ReportError("file", f"larger than {MAX_JSON} bytes")
    try:
        table = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ReportError("file", "not JSON") from error
    if not isinstance(table, dict) or table.pop("version", None) != VERSION:
        raise ReportError("version", f"not {VERSION}")
    return read_dataclass(ChangeReport, table, "report")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def plain(report: ChangeReport) -> dict[str, Any]:
    """Return the report as plain data, for output as indented JSON."""
    return {"version": VERSION, **dataclasses.asdict(report)}
