"""Read the commands of a comment. Pure.

A command stands at the start of a line of plain text. Lines that GitHub shows as code, quotation or
not at all are not read: fences, indented code, inline code that runs over several lines, `>` lines,
HTML comments and `<pre>`. Other bots use slashes too, so a word that is not ours is answered only
if it is plainly meant for us: `/sidelight WORD`, or a near miss of one of our names (`/caller`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from itertools import islice, takewhile

MAX_COMMANDS = 5  # of one comment; the rest is named, not answered
MAX_QUESTION = 4_000
MAX_K = 50

_COMMAND = re.compile(r" {0,3}/(?P<name>[A-Za-z][A-Za-z-]{0,30})(?:[ \t]+(?P<rest>.*))?$")
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<info>.*)$")
_QUOTE = re.compile(r" {0,3}>")
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)")
_TICKS = re.compile(r"`+")
# HTML that nobody sees, and HTML that is code; each goes to its end, or the comment's.
_HIDDEN_BLOCK = re.compile(r" {0,3}<(?:!--|(?P<tag>pre|script|style|textarea)\b)", re.IGNORECASE)
# Commands of other bots (Prow's and their like) that differ from ours in a letter or two.
_FOREIGN = frozenset({"task", "asked", "mask", "test", "retest", "held", "reviewed", "reviewer"})
_NEAR = (
    0.8  # difflib's ratio: `/caller` and `/reveiw` are near, `/assign` and `/preview-env` are not
)


class CommandName(StrEnum):
    """What can be asked."""

    ASK = "ask"
    RELATED = "related"
    CALLERS = "callers"
    CALLEES = "callees"
    TESTS = "tests"
    REVIEW = "review"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How `/ask` retrieves: `None` means the configured value."""

    k: int | None = None
    min_score: float | None = None
    show_context: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """One command; `argument` is the question, path or symbol. `line` is where it stands."""

    name: CommandName
    argument: str = ""
    options: AskOptions = AskOptions()
    line: int = 1


@dataclass(frozen=True, slots=True)
class BadCommand:
    """Words that were meant for us and cannot be followed; answered with help."""

    text: str
    problem: str
    line: int = 1


def parse_commands(body: str) -> tuple[Command | BadCommand, ...]:
    """Return the commands of a comment, in order; those beyond `MAX_COMMANDS` as one problem."""
    found: list[Command | BadCommand] = []
    for number, name, rest in _command_lines(body):
        item = _command(name, rest, number)
        if item is None:
            continue
        if len(found) == MAX_COMMANDS:
            problem = f"only the first {MAX_COMMANDS} commands of a comment are answered"
            return (*found, BadCommand(f"/{name}", problem, number))
        found.append(item)
    return tuple(found)


def _command(name: str, rest: str, line: int) -> Command | BadCommand | None:
    """Return the command, or None if the words are not meant for us."""
    shown = f"/{name}"
    ours = False
    if name == "sidelight":
        name, _, rest = rest.partition(" ") if rest else ("help", "", "")
        name, shown, ours = name.lower().removeprefix("/"), f"/sidelight {name[:30]}", True
    try:
        known = CommandName(name)
    except ValueError:
        near = get_close_matches(name, [item.value for item in CommandName], 1, _NEAR)
        if not ours and (not near or name in _FOREIGN):
            return None
        meant = f"did you mean `/{near[0]}`?" if near else "there is no such command"
        return BadCommand(shown, meant, line)
    return _checked(known, rest.strip(), shown, line)


def _checked(name: CommandName, rest: str, shown: str, line: int) -> Command | BadCommand:
    if name is CommandName.ASK:
        return _ask(rest, shown, line)
    if name in {CommandName.CALLERS, CommandName.CALLEES}:
        symbol = _bare(rest.split("\n", 1)[0])
        if not symbol:
            return BadCommand(
                shown, "it needs a symbol: a name, `Class.name` or `path::name`", line
            )
        return Command(name, symbol, line=line)
    return Command(name, _bare(rest.split("\n", 1)[0]), line=line)


def _bare(argument: str) -> str:
    """Return a path or symbol without the code marks that people put around it."""
    return argument.strip().strip("`").removesuffix("()").strip()


def _ask(rest: str, shown: str, line: int) -> Command | BadCommand:
    question, options, problem = _read_options(rest)
    if problem:
        return BadCommand(shown, problem, line)
    if not question:
        return BadCommand(shown, "it needs a question", line)
    return Command(CommandName.ASK, question[:MAX_QUESTION], options, line)


_VALUE = r"(?P<value>\S+)"
_LEADING = re.compile(
    rf"(?:(?P<flag>--show-context)|(?P<name>-k|--k|--min-score)[= ]\s*{_VALUE})(?=\s|$)\s*"
)
_TRAILING = re.compile(
    r"\s(?:(?P<flag>--show-context)|(?P<name>-k|--min-score)[= ]\s*(?P<value>[\d.]+))\s*$"
)


def _read_options(text: str) -> tuple[str, AskOptions, str]:
    """Return the question, its options and what is wrong with them.

    Options stand before the question or after it; `--` ends the leading ones.
    """
    values: dict[str, str] = {}
    while found := _LEADING.match(text):
        values.setdefault(found["name"] or found["flag"], found["value"] or "")
        text = text[found.end() :]
    if re.match(r"--(\s|$)", text):
        text = text[2:].lstrip()
    else:
        while found := _TRAILING.search(text):
            values.setdefault(found["name"] or found["flag"], found["value"] or "")
            text = text[: found.start()]
    k, score = values.get("-k", values.get("--k")), values.get("--min-score")
    if k is not None and not (k.isascii() and k.isdigit() and 1 <= int(k[:9]) <= MAX_K):
        return text, AskOptions(), f"`-k` is a number from 1 to {MAX_K}"
    if score is not None and not re.fullmatch(r"(\d{1,3}(\.\d{0,9})?|\.\d{1,9})", score):
        return text, AskOptions(), "`--min-score` is a number such as `0.5`"
    options = AskOptions(
        k=None if k is None else int(k),
        min_score=None if score is None else float(score),
        show_context="--show-context" in values,
    )
    return text.strip(), options, ""


def _command_lines(body: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line number, name, rest) of each command; a question goes on to its paragraph's end.

    `rest` keeps the line ends of what follows in the paragraph.
    """
    current: tuple[int, str, list[str]] | None = None
    for number, line in _plain_lines(body):
        found = _COMMAND.match(line)
        if (found or not line.strip()) and current:
            yield current[0], current[1], "\n".join(current[2])
            current = None
        if found:
            current = (number, found["name"].lower(), [(found["rest"] or "").strip()])
        elif current:
            current[2].append(line.strip())
    if current:
        yield current[0], current[1], "\n".join(current[2])


def _plain_lines(body: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are shown as plain text; what is left out becomes an empty line."""
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    fence = closer = ""
    ticks = 0  # the length of the inline code that is open, over line ends of one paragraph
    for at, line in enumerate(lines):
        found = _FENCE.match(line)
        plain = ""
        if fence:
            closes = found and found["fence"].startswith(fence) and not found["info"].strip()
            fence = "" if closes else fence
        elif closer:
            closer = "" if closer in line.lower() else closer
        elif found and not (found["fence"][0] == "`" and "`" in found["info"]):
            fence, ticks = found["fence"], 0
        elif _QUOTE.match(line) or _INDENTED.match(line) or not line.strip():
            ticks = 0
        elif block := _HIDDEN_BLOCK.match(line):
            end = "-->" if block["tag"] is None else f"</{block['tag'].lower()}>"
            closer = "" if end in line[block.end() :].lower() else end
        else:
            inside = ticks > 0 and _closes_later(lines, at, ticks)
            ticks = _open_ticks(line, ticks if inside else 0)
            plain = "" if inside else line
            if line.rfind("<!--") > line.rfind("-->") and _paragraph_has(lines, at + 1, "-->"):
                closer = "-->"
        yield at + 1, plain


def _open_ticks(line: str, ticks: int) -> int:
    """Return the length of the inline code that is open after a line, 0 for none."""
    for run in _TICKS.findall(line):
        ticks = len(run) if ticks == 0 else 0 if len(run) == ticks else ticks
    return ticks


def _closes_later(lines: list[str], start: int, ticks: int) -> bool:
    """Return whether the paragraph that `start` is in closes an inline code of this length."""
    for line in _paragraph(lines, start):
        if any(len(run) == ticks for run in _TICKS.findall(line)):
            return True
    return False


def _paragraph_has(lines: list[str], start: int, text: str) -> bool:
    return any(text in line for line in _paragraph(lines, start))


def _paragraph(lines: list[str], start: int) -> Iterator[str]:
    return takewhile(str.strip, islice(lines, start, None))
