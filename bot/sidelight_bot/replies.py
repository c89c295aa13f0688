"""Answer the commands of one comment, in one reply. Never raises for what a command asks.

A command that fails says so in its own part; the others are answered all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sidelight.errors import SidelightError
from sidelight.untrusted.outgoing import code_text, escape_text
from sidelight_bot import places
from sidelight_bot.asking import Asker, Question
from sidelight_bot.commands import BadCommand, Command, CommandName
from sidelight_bot.comment.words import Links, shown_path
from sidelight_bot.events import CommentMade
from sidelight_bot.ground import Ground, explain
from sidelight_bot.model import PullRequest
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.report import ChangeReport, Group
from sidelight_bot.spent import Spent
from sidelight_bot.sticky import reply_mark

MAX_REPLY = 60_000  # characters; GitHub refuses 65,536
MAX_QUOTE = 300
CUT = "\n\n*The rest of this answer is left out: it is too long for a comment.*\n"
HELP = """\
| command | answers |
|---|---|
| `/ask QUESTION` | from this repository's code; `-k 20`, `--min-score 0.5`, `--show-context` |
| `/related` | what matters to this diff; `/related PATH` or `/related SYMBOL`: what is around it |
| `/callers SYMBOL` | who calls it |
| `/callees SYMBOL` | what it calls |
| `/tests` | the tests that reach this change; `/tests SYMBOL` those that reach a symbol or file |
| `/review` | a new look at the whole change |
| `/help` | this |

A symbol is a name (`run`), a qualified name (`Server.run`) or `path::Name`. Commands stand at the \
start of a line; `/sidelight ask …` means the same, where another bot answers to `/ask`."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply is made from. `report` is called at most once, by what needs the change."""

    ground: Ground | None
    pull: PullRequest
    event: CommentMade
    links: Permalinks
    report: Callable[[], ChangeReport]
    asker: Asker
    spent: Callable[[], Spent] = Spent  # what the answers cost, once they are made
    review: str = ""  # what became of `/review`


def needs_ground(commands: tuple[Command | BadCommand, ...]) -> bool:
    """Return whether any of the commands looks at code."""
    return any(isinstance(item, Command) and item.name is not CommandName.HELP for item in commands)


def write_reply(reply: Reply, commands: tuple[Command | BadCommand, ...]) -> str:
    """Return the Markdown of one reply to all commands."""
    links = Links(reply.links)
    parts = ["\n".join(_part(reply, item, links)) for item in commands]
    text = "\n\n---\n\n".join(parts)
    found = links.definitions()
    below = "\n\n" + "\n".join(found) if found else ""
    mark = reply_mark(reply.spent())
    room = MAX_REPLY - len(mark) - len(below)
    if len(text) > room:
        text = text[: room - len(CUT)].rpartition("\n")[0] + CUT
    return f"{mark}\n{text}{below}\n"


def _part(reply: Reply, item: Command | BadCommand, links: Links) -> Iterator[str]:
    if isinstance(item, BadCommand):
        yield f"{code_text(item.text)}: {item.problem}."
        yield ""
        yield HELP
        return
    if item.name is CommandName.HELP:
        yield HELP
        return
    yield from _quoted(item)
    yield ""
    try:
        yield from _answer(reply, item, links)
    except SidelightError as error:
        yield f"This cannot be answered: {escape_text(explain(error))}"


def _answer(reply: Reply, item: Command, links: Links) -> list[str]:
    if item.name is CommandName.REVIEW:
        return [reply.review]
    ground = reply.ground
    if ground is None or not ground.is_indexed:
        return ["There is no index of this pull request: the job's log says why."]
    if item.name is CommandName.ASK:
        question = Question(item.argument, item.options, reply.pull, reply.event)
        return reply.asker(ground, question, links)
    if item.name in _OF_REPORT and not item.argument:
        return _OF_REPORT[item.name](reply.report(), links)
    with places.opened(ground.place, ground.view) as graph:
        return _OF_GRAPH[item.name](graph, item.argument, links)


def _quoted(item: Command) -> Iterator[str]:
    """Yield what is answered, as a quotation that calls nobody and starts nothing."""
    text = " ".join(item.argument.split())
    text = text if len(text) <= MAX_QUOTE else text[: MAX_QUOTE - 1] + "…"
    said = f" {escape_text(text)}" if text else ""
    yield f"> **{item.name.value}**{said}"


def _related(report: ChangeReport, links: Links) -> list[str]:
    lines: list[str] = []
    for group in report.groups:
        lines += _group(group, links)
    return lines or ["Nothing outside this diff seems to need a look."]


def _group(group: Group, links: Links) -> list[str]:
    if not group.items:
        return []
    rows = [
        f"- {links.place(item.path, item.start_line, item.end_line)} {escape_text(item.why)}"
        for item in group.items
    ]
    more = [f"- and {group.n_more} more"] if group.n_more else []
    return [f"**{group.reason.value.capitalize()}**", "", *rows, *more, ""]


def _tests(report: ChangeReport, links: Links) -> list[str]:
    if not report.tests:
        return ["No test reaches this change, as far as the graph can tell."]
    rows = []
    for test in report.tests:
        names = ", ".join(code_text(name) for name in test.names[:6])
        link = links.link(shown_path(test.path), test.path, 1, 1)
        rows.append(f"- {link} {names}".rstrip())
    more = report.n_tests - len(report.tests)
    return [*rows, *([f"- and {more} more"] if more > 0 else [])]


_OF_REPORT: dict[CommandName, Callable[[ChangeReport, Links], list[str]]] = {
    CommandName.RELATED: _related,
    CommandName.TESTS: _tests,
}
_OF_GRAPH = {
    CommandName.CALLERS: places.callers,
    CommandName.CALLEES: places.callees,
    CommandName.TESTS: places.tests_of,
    CommandName.RELATED: places.related_to,
}
