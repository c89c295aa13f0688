"""Check a model's notes against the code, before anybody sees them. Pure; one function a check.

A model's answer is a claim. Each check either passes it on (perhaps moved to the line that it
quotes) or gives a reason to withhold it. None of them asks a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from sidelight.git.diffs import LineKind
from sidelight_bot.notes.grouping import HunkGroup, shown_text
from sidelight_bot.notes.schema import Candidate, Kind


class Fault(StrEnum):
    """Why a note is withheld."""

    FORM = "form"  # not the fields that were asked for
    PATH = "path"  # the file is not in the diff
    LINE = "line"  # the lines are not in the diff's hunks
    QUOTE = "quote"  # the quoted line is not there
    UNCHANGED = "unchanged"  # it speaks of lines that the change did not touch
    EVIDENCE = "evidence"  # what it quotes as evidence is nowhere
    SYMBOL = "symbol"  # it names something that does not exist
    DEFINED = "defined"  # it says "undefined" of what is defined
    STYLE = "style"  # taste, names, comments, formatting
    VAGUE = "vague"  # it asks to check or to consider, and claims nothing
    DUPLICATE = "duplicate"  # it was said before, by us or by people
    DISLIKED = "disliked"  # like notes that this repository's people turned down
    REFUTED = "refuted"  # the second look said no
    UNCONFIRMED = "unconfirmed"  # there was no second look: the model or the time was gone
    LIMIT = "limit"  # worse ones fill the places


@dataclass(frozen=True, slots=True)
class Grounds:
    """What notes are checked against.

    `group` is the diff that the model saw, `sources` the context's texts by number, and `defines`
    tells whether the repository defines, or uses, a name at head.
    """

    group: HunkGroup
    sources: Mapping[str, str]
    defines: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One line of the group's diff, on the side that a note would stand on."""

    path: str
    side: str  # "RIGHT" or "LEFT"
    number: int
    text: str
    is_changed: bool
    hunk: int


Checked = Candidate | Fault
Check = Callable[[Candidate, Grounds], Checked]


def check_candidate(candidate: Candidate, grounds: Grounds) -> Checked:
    """Return the note, its lines corrected if its quote says so, or the first fault of it."""
    current = candidate
    for check in CHECKS:
        result = check(current, grounds)
        if isinstance(result, Fault):
            return result
        current = result
    return current


def rows_of(group: HunkGroup) -> list[DiffRow]:
    """Return the lines of a group that a note may stand on, in order."""
    rows = []
    hunk_at = 0
    for part in group.parts:
        for hunk in part.hunks:
            hunk_at += 1
            for line in hunk.lines:
                is_removed = line.kind is LineKind.REMOVED
                number = line.old if is_removed else line.new
                if number is not None:
                    side = "LEFT" if is_removed else "RIGHT"
                    changed = line.kind is not LineKind.CONTEXT
                    rows.append(
                        DiffRow(part.path, side, number, shown_text(line), changed, hunk_at)
                    )
    return rows


def side_of(candidate: Candidate, grounds: Grounds) -> str:
    """Return the side that the note's quote is on: RIGHT unless only a removed line has it."""
    rows = [r for r in rows_of(grounds.group) if r.path == candidate.path]
    wanted = _squeeze(first_line(candidate.quote))
    for side in ("RIGHT", "LEFT"):
        for row in rows:
            is_at = candidate.start_line <= row.number <= candidate.end_line
            if row.side == side and is_at and wanted in _squeeze(row.text):
                return side
    return "RIGHT"


def check_path(candidate: Candidate, grounds: Grounds) -> Checked:
    """The path is a file of the diff, word for word."""
    paths = {part.path for part in grounds.group.parts}
    return candidate if candidate.path in paths else Fault.PATH


def check_quote(candidate: Candidate, grounds: Grounds) -> Checked:
    """The quoted line is at the named lines; where it is elsewhere, once, the note moves there."""
    wanted = _squeeze(first_line(candidate.quote))
    if len(wanted) < 2:
        return Fault.QUOTE
    rows = [r for r in rows_of(grounds.group) if r.path == candidate.path]
    hits = [row for row in rows if wanted in _squeeze(row.text)]
    if any(candidate.start_line <= row.number <= candidate.end_line for row in hits):
        return candidate
    exact = [row for row in hits if wanted == _squeeze(row.text)] or hits
    added = [row for row in exact if row.is_changed and row.side == "RIGHT"]
    exact = added or exact
    if len(exact) != 1:
        return Fault.QUOTE
    at = exact[0].number
    return replace(candidate, start_line=at, end_line=at, replacement=None)


def check_lines(candidate: Candidate, grounds: Grounds) -> Checked:
    """All lines are on one side of one hunk: GitHub refuses the whole review otherwise."""
    side = side_of(candidate, grounds)
    held = {
        row.number: row.hunk
        for row in rows_of(grounds.group)
        if row.path == candidate.path and row.side == side
    }
    wanted = range(candidate.start_line, candidate.end_line + 1)
    if len({held.get(number, 0) for number in wanted} | {0}) == 2 and all(
        n in held for n in wanted
    ):
        return candidate
    at = [number for number in wanted if number in held]
    if not at:
        return Fault.LINE
    return replace(candidate, start_line=at[0], end_line=at[0], replacement=None)


def check_changed(candidate: Candidate, grounds: Grounds) -> Checked:
    """It speaks of changed lines, or of one within three of them: old code is not reviewed."""
    rows = [r for r in rows_of(grounds.group) if r.path == candidate.path and r.is_changed]
    near = range(candidate.start_line - 3, candidate.end_line + 4)
    return candidate if any(row.number in near for row in rows) else Fault.UNCHANGED


def check_evidence(candidate: Candidate, grounds: Grounds) -> Checked:
    """Every quoted piece of evidence stands in the diff or in the context."""
    diff = _squeeze("\n".join(row.text for row in rows_of(grounds.group)))
    texts = {"diff": diff, **{key: _squeeze(text) for key, text in grounds.sources.items()}}
    for quote in candidate.evidence:
        wanted = _squeeze(quote.text)
        if len(wanted) < 3 or not any(wanted in text for text in texts.values()):
            return Fault.EVIDENCE
    return candidate


def check_symbols(candidate: Candidate, grounds: Grounds) -> Checked:
    """Every name it uses as code exists: in the diff, in the context, or in the repository."""
    shown = _words_of(grounds)
    for name in named_symbols(candidate):
        if candidate.kind is Kind.UNDEFINED and name in shown:
            continue
        if not _exists(name, shown, grounds):
            return Fault.SYMBOL
    return candidate


def check_defined(candidate: Candidate, grounds: Grounds) -> Checked:
    """What it calls undefined, missing or not imported is not defined in the repository."""
    text = f"{candidate.title} {candidate.body}"
    if candidate.kind is not Kind.UNDEFINED and not _UNDEFINED.search(text):
        return candidate
    names = [_last(name) for name in named_symbols(candidate)]
    if not names:
        return Fault.DEFINED if candidate.kind is Kind.UNDEFINED else candidate
    accused = [name for name in names if _is_accused(name, text)] or names[:1]
    return Fault.DEFINED if any(grounds.defines(name) for name in accused) else candidate


def check_style(candidate: Candidate, grounds: Grounds) -> Checked:
    """It is about what the code does, not about how it reads."""
    del grounds
    text = f"{candidate.title} {candidate.body}"
    return Fault.STYLE if _STYLE.search(text) and not _HARM.search(text) else candidate


def check_vague(candidate: Candidate, grounds: Grounds) -> Checked:
    """It claims something: "make sure that …" alone gives work and tells nothing."""
    del grounds
    is_vague = _VAGUE.match(candidate.body) or _VAGUE.match(candidate.title)
    return Fault.VAGUE if is_vague or len(candidate.body.split()) < 4 else candidate


def check_replacement(candidate: Candidate, grounds: Grounds) -> Checked:
    """A suggestion replaces exactly the noted lines, on the right, and differs; else it goes."""
    if candidate.replacement is None:
        return candidate
    rows = {
        row.number: row.text
        for row in rows_of(grounds.group)
        if row.path == candidate.path and row.side == "RIGHT"
    }
    wanted = range(candidate.start_line, candidate.end_line + 1)
    if side_of(candidate, grounds) != "RIGHT" or any(n not in rows for n in wanted):
        return replace(candidate, replacement=None)
    current = [rows[number] for number in wanted]
    proposed = candidate.replacement.rstrip("\n").split("\n")
    quoted = [_squeeze(line) for line in candidate.quote.strip("\n").split("\n")]
    covers = quoted == [_squeeze(line) for line in current]
    same_margin = _margin(proposed) == _margin(current)
    if not covers or not same_margin or proposed == current or "```" in candidate.replacement:
        return replace(candidate, replacement=None)
    return replace(candidate, replacement="\n".join(proposed))


CHECKS: tuple[Check, ...] = (
    check_path,
    check_quote,
    check_lines,
    check_changed,
    check_evidence,
    check_symbols,
    check_defined,
    check_style,
    check_vague,
    check_replacement,
)

_UNDEFINED = re.compile(
    r"\b(?:undefined|undeclared|not (?:defined|declared|imported)|never (?:defined|declared)"
    r"|(?:does|do) not exist|doesn't exist|no such (?:function|method|name|symbol)"
    r"|missing (?:import|definition))\b",
    re.IGNORECASE,
)
_STYLE = re.compile(
    r"\b(?:naming|rename|readab\w+|docstring|formatting|indentation style|whitespace|line length"
    r"|code style|convention|more idiomatic|type hints?|typo|magic number"
    r"|add(?:ing)? (?:a )?comments?)\b",
    re.IGNORECASE,
)
_HARM = re.compile(
    r"\b(?:crash\w*|raises?|throws?|panics?|leaks?|corrupt\w*|wrong|fails?|breaks?|lost|deadlock\w*"
    r"|overflow\w*|injection|null|nil|None)\b"
)
_VAGUE = re.compile(
    r"\s*(?:please )?(?:make sure|ensure|verify|double[- ]check|check (?:that|whether|if)|consider"
    r"|it (?:might|may|would|could) be (?:good|better|worth|nice))\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"`([^`\n]{1,120})`")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")


def named_symbols(candidate: Candidate) -> tuple[str, ...]:
    """Return the names that the note gives as code: its list, and single names in backticks."""
    found = [name for name in candidate.symbols if _NAME.fullmatch(name)]
    for code in _CODE.findall(f"{candidate.title} {candidate.body}"):
        bare = code.removesuffix("()")
        if _NAME.fullmatch(bare):
            found.append(bare)
    return tuple(dict.fromkeys(found))


def first_line(text: str) -> str:
    """Return the first line of a quote that is not empty."""
    return next((line for line in text.split("\n") if line.strip()), "")


def _exists(name: str, shown: frozenset[str], grounds: Grounds) -> bool:
    last = _last(name)
    return last in shown or grounds.defines(last)


def _last(name: str) -> str:
    words: list[str] = _WORD.findall(name)
    return words[-1]


def _words_of(grounds: Grounds) -> frozenset[str]:
    return frozenset(_all_words(grounds))


def _all_words(grounds: Grounds) -> Iterator[str]:
    for row in rows_of(grounds.group):
        yield from _WORD.findall(row.text)
        yield from _WORD.findall(row.path)
    for text in grounds.sources.values():
        yield from _WORD.findall(text)


def _is_accused(name: str, text: str) -> bool:
    """Return whether the name stands in a sentence that says something is undefined."""
    sentences = re.split(r"(?<=[.;!?])\s+", text)
    return any(name in _WORD.findall(s) and _UNDEFINED.search(s) for s in sentences)


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _margin(lines: Sequence[str]) -> str:
    line = next((line for line in lines if line.strip()), "")
    return line[: len(line) - len(line.lstrip())]
